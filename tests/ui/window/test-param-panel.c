/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cube/es-region-param.h"
#include "params/es-param-panel.h"
#include "params/es-param-row.h"
#include "widgets/es-settings.h"
#include "es-test-shell.h"
#include "widgets/es-ui.h"

static const EsParamChoice choices[] = {
  { .id = "one", .label = "First" },
  { .id = "two", .label = "Second" },
  { .id = NULL }
};

static const EsParamSpec specs[] = {
  { .key = "share", .label = "Share",
    .help = "How much is kept.",
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 0.5, .maximum = 1, .step = 0.001, .digits = 2, .default_value = 0.99, .visible_if = "count=0" },
  { .key = "count", .label = "Count",
    .help = "How many are kept.",
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .maximum = 100, .zero_label = "By share" },
  { .key = "way", .label = "Way",
    .help = "How it is done.",
    .type = ES_PARAM_CHOICE, .choices = choices },
  { .key = "center", .label = "Centre",
    .help = "Whether the mean goes.",
    .type = ES_PARAM_BOOL, .default_value = TRUE },
  { .key = "level", .label = "Level",
    .help = "In decibels.",
    .type = ES_PARAM_FLOAT, .unit = "dB",
    .minimum = -100, .maximum = 100, .step = 0.5, .digits = 1, .default_value = -3 },
  { .key = "list", .label = "List",
    .help = "Which of them.",
    .type = ES_PARAM_TEXT, .zero_label = "All" },
  { .key = "dark", .label = "Dark file",
    .help = "What is measured without light.",
    .type = ES_PARAM_FILE },
  { .key = "area", .label = "Area",
    .help = "Where it is even.",
    .type = ES_PARAM_REGION, .check = es_region_check, .describe = es_region_describe },
  { .key = "tolerance", .label = "Tolerance",
    .help = "When it is good enough.",
    .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 1e-10, .maximum = 0.1, .step = 1e-6, .digits = 10, .default_value = 1e-4, .advanced = TRUE },
  { .type = ES_PARAM_END }
};

typedef struct
{
  GtkWidget    *window;
  EsParamPanel *panel;
  EsParams     *params;
  guint         changes;
} Fixture;

static void
count_change (Fixture *fixture)
{
  fixture->changes++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->window = gtk_window_new ();
  fixture->panel = ES_PARAM_PANEL (es_param_panel_new ());
  gtk_window_set_child (GTK_WINDOW (fixture->window), GTK_WIDGET (fixture->panel));
  fixture->params = es_params_new (specs);
  es_param_panel_set_params (fixture->panel, fixture->params);
  g_signal_connect_swapped (fixture->params, "changed", G_CALLBACK (count_change), fixture);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (fixture->params, fixture);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->params);
}

static GtkWidget *
control (Fixture *fixture, const char *key)
{
  GtkWidget *row = es_param_panel_find_row (fixture->panel, key);

  g_assert_nonnull (row);
  return es_param_row_get_control (ES_PARAM_ROW (row));
}

static const char *
text_of (Fixture *fixture, const char *key)
{
  return gtk_editable_get_text (GTK_EDITABLE (control (fixture, key)));
}

static void
test_shows_values (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (text_of (fixture, "share"), ==, "99.00 %");
  g_assert_cmpstr (text_of (fixture, "count"), ==, "By share");
  g_assert_cmpstr (text_of (fixture, "level"), ==, "-3.0 dB");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (fixture, "way"))), ==, 0);
  g_assert_true (gtk_switch_get_active (GTK_SWITCH (control (fixture, "center"))));
  g_assert_null (es_param_panel_find_row (fixture->panel, "absent"));
}

static void
test_params_to_widgets (Fixture *fixture, gconstpointer data)
{
  es_params_set_value (fixture->params, "share", 0.75);
  es_params_set_value (fixture->params, "count", 7);
  es_params_set_value (fixture->params, "way", 1);
  es_params_set_value (fixture->params, "center", 0);
  /* Each told once: what the widgets were set to does not come back. */
  g_assert_cmpuint (fixture->changes, ==, 4);
  g_assert_cmpstr (text_of (fixture, "share"), ==, "75.00 %");
  g_assert_cmpstr (text_of (fixture, "count"), ==, "7");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (control (fixture, "way"))), ==, 1);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (control (fixture, "center"))));
}

static void
test_widgets_to_params (Fixture *fixture, gconstpointer data)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (control (fixture, "share")), 87.5);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (control (fixture, "count")), 12);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (control (fixture, "way")), 1);
  gtk_switch_set_active (GTK_SWITCH (control (fixture, "center")), FALSE);
  g_assert_cmpuint (fixture->changes, ==, 4);
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "share"), 0.875, 1e-12);
  g_assert_cmpint (es_params_get_int (fixture->params, "count"), ==, 12);
  g_assert_cmpstr (es_params_get_choice_id (fixture->params, "way"), ==, "two");
  g_assert_false (es_params_get_bool (fixture->params, "center"));
}

static void
type_into (GtkWidget *spin, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (spin), text);
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
}

static void
test_typing (Fixture *fixture, gconstpointer data)
{
  type_into (control (fixture, "share"), "95");
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "share"), 0.95, 1e-12);
  g_assert_cmpstr (text_of (fixture, "share"), ==, "95.00 %");
  type_into (control (fixture, "share"), "97,25 %");
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "share"), 0.9725, 1e-12);
  type_into (control (fixture, "share"), "nonsense");
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "share"), 0.9725, 1e-12);
  g_assert_cmpstr (text_of (fixture, "share"), ==, "97.25 %");
  type_into (control (fixture, "share"), "4000");
  g_assert_cmpfloat (es_params_get_float (fixture->params, "share"), ==, 1);
  type_into (control (fixture, "count"), "5");
  g_assert_cmpint (es_params_get_int (fixture->params, "count"), ==, 5);
  type_into (control (fixture, "count"), "By share");
  g_assert_cmpint (es_params_get_int (fixture->params, "count"), ==, 0);
}

static void
test_visible_if (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = es_param_panel_find_row (fixture->panel, "share");

  g_assert_true (gtk_widget_get_visible (row));
  es_params_set_value (fixture->params, "count", 3);
  g_assert_false (gtk_widget_get_visible (row));
  es_params_set_value (fixture->params, "count", 0);
  g_assert_true (gtk_widget_get_visible (row));
}

static GtkWidget *
find_class (GtkWidget *root, const char *name)
{
  GtkWidget *found = gtk_widget_has_css_class (root, name) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_class (child, name);
  return found;
}

static void
test_reset (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *key; double other; } cases[] = {
    { "level", 10 }, { "share", 0.6 }, { "count", 4 }, { "way", 1 }, { "center", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GtkWidget *reset = find_class (es_param_panel_find_row (fixture->panel, cases[i].key), "es-reset");
      double before = es_params_get_value (fixture->params, cases[i].key);

      g_assert_nonnull (reset);
      g_assert_false (gtk_widget_get_visible (reset));
      es_params_set_value (fixture->params, cases[i].key, cases[i].other);
      g_assert_true (gtk_widget_get_visible (reset));
      g_signal_emit_by_name (reset, "clicked");
      g_assert_cmpfloat (es_params_get_value (fixture->params, cases[i].key), ==, before);
      g_assert_false (gtk_widget_get_visible (reset));
    }
}

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  for (const EsParamSpec *spec = specs; spec->type != ES_PARAM_END; spec++)
    {
      GtkWidget *widget = control (fixture, spec->key);

      gtk_test_accessible_assert_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, spec->label);
      gtk_test_accessible_assert_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, spec->help);
    }
}

static void
test_other_table (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsParams) other = es_params_new (specs + 2);

  es_param_panel_set_params (fixture->panel, other);
  g_assert_null (es_param_panel_find_row (fixture->panel, "share"));
  g_assert_nonnull (es_param_panel_find_row (fixture->panel, "way"));
  es_param_panel_set_params (fixture->panel, NULL);
  g_assert_null (es_param_panel_find_row (fixture->panel, "way"));
}

static void
test_settings (void)
{
  g_autoptr (EsParams) params = es_params_new (specs);
  g_autoptr (EsParams) restored = es_params_new (specs);
  g_autoptr (GVariant) all = NULL;

  es_params_set_value (params, "share", 0.8);
  es_params_set_value (params, "way", 1);
  es_settings_store_params (params, "test");
  es_settings_store_params (params, "other");
  es_settings_restore_params (restored, "test");
  g_assert_true (es_params_equal (params, restored));

  /* What is at its default is not kept. */
  es_params_reset (params);
  es_settings_store_params (params, "test");
  all = g_settings_get_value (es_settings_get (), "parameters");
  g_assert_cmpuint (g_variant_n_children (all), ==, 1);
  g_settings_reset (es_settings_get (), "parameters");
}

static void
test_figures (void)
{
  static const struct { double seconds; const char *text; } cases[] = {
    { 0, "< 1 ms" }, { 0.0142, "14 ms" }, { 0.0951, "0.1 s" }, { 0.4, "0.4 s" }, { 9.94, "9.9 s" }, { 42, "42 s" },
    { 180, "3 min" }, { 7200, "2.0 h" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_ui_format_seconds (cases[i].seconds);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static GtkWidget *
find_kind (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_kind (child, type);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A slider is dragged by pixels; what is kept of it is what stands beside it. */
static void
test_dragging (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scale = find_kind (es_param_panel_find_row (fixture->panel, "share"), GTK_TYPE_SCALE);
  gboolean handled = FALSE;

  g_assert_nonnull (scale);
  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_JUMP, 61.02941176, &handled);
  g_assert_cmpstr (text_of (fixture, "share"), ==, "61.03 %");
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "share"), 0.6103, 1e-12);
}

static void
test_texts (Fixture *fixture, gconstpointer data)
{
  EsParamRow *list = ES_PARAM_ROW (es_param_panel_find_row (fixture->panel, "list"));
  EsParamRow *dark = ES_PARAM_ROW (es_param_panel_find_row (fixture->panel, "dark"));
  EsParamRow *area = ES_PARAM_ROW (es_param_panel_find_row (fixture->panel, "area"));
  GtkWidget *name = find_kind (es_param_row_get_control (dark), GTK_TYPE_LABEL);

  gtk_editable_set_text (GTK_EDITABLE (es_param_row_get_control (list)), "1-3");
  g_assert_cmpstr (es_params_get_text (fixture->params, "list"), ==, "1-3");
  es_params_reset_key (fixture->params, "list");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (es_param_row_get_control (list))), ==, "");

  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (name)), ==, "None");
  es_params_set_text (fixture->params, "dark", "/tmp/dark.img");
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (name)), ==, "dark.img");

  name = find_kind (es_param_row_get_control (area), GTK_TYPE_LABEL);
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (name)), ==, "None");
  es_params_set_text (fixture->params, "area", "rectangle 5 7 12 30");
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (name)), ==, "12 × 30 pixels at 5, 7");
}

/* Folded away, but not without a word where it is not as usual; in powers of ten where it spans many. */
static void
test_advanced (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = es_param_panel_find_row (fixture->panel, "tolerance");
  GtkWidget *share = es_param_panel_find_row (fixture->panel, "share");
  /* While it is folded an expander's child is not below it; the group's expander is the rows' last neighbour. */
  GtkWidget *expander = gtk_widget_get_last_child (gtk_widget_get_parent (share));
  GtkWidget *spin = es_param_row_get_control (ES_PARAM_ROW (row));

  g_assert_true (GTK_IS_EXPANDER (expander));
  g_assert_true (gtk_expander_get_child (GTK_EXPANDER (expander)) == gtk_widget_get_parent (row));
  g_assert_true (gtk_widget_get_visible (expander));
  g_assert_cmpstr (gtk_expander_get_label (GTK_EXPANDER (expander)), ==, "Advanced");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "0.0001");
  gtk_spin_button_spin (GTK_SPIN_BUTTON (spin), GTK_SPIN_STEP_BACKWARD, 1);
  g_assert_cmpfloat_with_epsilon (es_params_get_float (fixture->params, "tolerance"), 1e-5, 1e-12);
  g_assert_cmpstr (gtk_expander_get_label (GTK_EXPANDER (expander)), ==, "Advanced (1 changed)");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/param-panel/shows-values", test_shows_values);
  ADD ("/param-panel/params-to-widgets", test_params_to_widgets);
  ADD ("/param-panel/widgets-to-params", test_widgets_to_params);
  ADD ("/param-panel/typing", test_typing);
  ADD ("/param-panel/dragging", test_dragging);
  ADD ("/param-panel/visible-if", test_visible_if);
  ADD ("/param-panel/reset", test_reset);
  ADD ("/param-panel/accessible", test_accessible);
  ADD ("/param-panel/other-table", test_other_table);
  ADD ("/param-panel/texts", test_texts);
  ADD ("/param-panel/advanced", test_advanced);
#undef ADD
  g_test_add_func ("/settings/parameters", test_settings);
  g_test_add_func ("/ui/figures", test_figures);
  return g_test_run ();
}
