/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-pane.h"

#include <glib/gi18n-lib.h>

#include "es-array-canvas.h"
#include "es-told-row.h"

struct _EsArrayPane
{
  GtkWidget        parent_instance;

  GtkWidget       *box;
  EsArrayCanvas   *canvas;
  GtkLabel        *description;
  GtkWidget       *views;          /* above or side, where there is more than one */
  GtkWidget       *above, *side;
  GtkWidget       *scroller;
  GtkWidget       *sentences;
  GtkWidget       *none;           /* there is no array yet */
  EsToldRow       *calibration, *navigation;

  EsRecording     *recording;
  EsArray         *array;
  double           high, block_seconds, sound_speed;
  double          *ranges;
  guint            n_ranges;
  char            *remark;         /* nullable */
  EsElementHealth *health;
  guint            n_health;
  gboolean         syncing;
};

G_DEFINE_FINAL_TYPE (EsArrayPane, es_array_pane, GTK_TYPE_WIDGET)

/* ---- what is said ---- */

static char *
join_numbers (GArray *numbers)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < numbers->len && i < 6; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", g_array_index (numbers, guint, i));
  if (numbers->len > 6)
    g_string_append (text, "…");
  return g_string_free (text, FALSE);
}

/* What the samples themselves say: flags for the picture and sentences. */
static void
judge_health (EsArrayPane *self, GPtrArray *sentences)
{
  g_autofree guint8 *flags = g_new0 (guint8, MAX (self->n_health, 1));
  g_autoptr (GArray) clipped = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) broken = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) silent = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->n_health; i++)
    {
      const EsElementHealth *health = &self->health[i];
      const guint number = i + 1;

      if (es_element_health_is_clipped (health))
        {
          flags[i] |= ES_ELEMENT_CLIPPED;
          g_array_append_val (clipped, number);
        }
      if (health->not_finite > 0)
        {
          flags[i] |= ES_ELEMENT_NOT_FINITE;
          g_array_append_val (broken, number);
        }
      if (health->samples > 0 && !(health->peak > 0) && health->not_finite == 0)
        g_array_append_val (silent, number);
    }
  es_array_canvas_set_flags (self->canvas, flags, self->n_health);
  if (clipped->len > 0)
    {
      g_autofree char *numbers = join_numbers (clipped);

      g_ptr_array_add (sentences, g_strdup_printf (ngettext ("%u element clips (%s).", "%u elements clip (%s).",
                                                             clipped->len), clipped->len, numbers));
    }
  if (broken->len > 0)
    {
      g_autofree char *numbers = join_numbers (broken);

      g_ptr_array_add (sentences,
                       g_strdup_printf (ngettext ("%u element has samples that are no numbers (%s).",
                                                  "%u elements have samples that are no numbers (%s).", broken->len),
                                        broken->len, numbers));
    }
  if (silent->len > 0)
    {
      g_autofree char *numbers = join_numbers (silent);

      g_ptr_array_add (sentences, g_strdup_printf (ngettext ("%u element is silent (%s).",
                                                             "%u elements are silent (%s).", silent->len),
                                                   silent->len, numbers));
    }
}

static void
append_all (GPtrArray *sentences, const char *const *more)
{
  for (guint i = 0; more != NULL && more[i] != NULL; i++)
    g_ptr_array_add (sentences, g_strdup (more[i]));
}

/* The first ones are read without scrolling: what misses sources or costs levels stands before what is about ranges. */
static GPtrArray *
collect_sentences (EsArrayPane *self)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  if (self->array != NULL)
    {
      g_autoptr (EsArray) heard = self->sound_speed > 0 ? es_array_with_sound_speed (self->array, self->sound_speed)
                                                        : es_array_ref (self->array);
      const guint n_channels = es_recording_get_n_channels (self->recording);
      g_auto (GStrv) first = es_array_check (heard, n_channels, self->high, NULL, 0, self->block_seconds);
      g_auto (GStrv) checks = es_array_check (heard, n_channels, self->high, self->ranges, self->n_ranges,
                                              self->block_seconds);
      g_autofree char *speed = es_array_warn_of_sound_speed (heard);

      if (self->remark != NULL)
        g_ptr_array_add (sentences, g_strdup (self->remark));
      append_all (sentences, (const char *const *) first);
      judge_health (self, sentences);
      if (speed != NULL)
        g_ptr_array_add (sentences, g_strdup (speed));
      append_all (sentences, (const char *const *) checks + g_strv_length (first));
      append_all (sentences, es_array_get_notes (self->array));
    }
  return sentences;
}

static void
add_sentence (GtkWidget *box, const char *sentence)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  GtkWidget *label = gtk_label_new (sentence);

  gtk_image_set_pixel_size (GTK_IMAGE (icon), 12);
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_set_margin_top (icon, 2);
  gtk_widget_add_css_class (icon, "warning");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_box_append (GTK_BOX (line), icon);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (box), line);
}

static void
update_sentences (EsArrayPane *self)
{
  g_autoptr (GPtrArray) sentences = collect_sentences (self);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->sentences)) != NULL)
    gtk_box_remove (GTK_BOX (self->sentences), child);
  for (guint i = 0; i < sentences->len; i++)
    add_sentence (self->sentences, g_ptr_array_index (sentences, i));
  gtk_widget_set_visible (self->sentences, sentences->len > 0);
}

static void
update_array (EsArrayPane *self)
{
  g_autofree char *text = NULL;
  gboolean flat;

  g_clear_pointer (&self->array, es_array_unref);
  if (self->recording != NULL)
    self->array = es_recording_get_array (self->recording);
  g_clear_pointer (&self->health, g_free);
  self->n_health = 0;

  es_array_canvas_set_array (self->canvas, self->array);
  flat = self->array == NULL || es_array_is_line (self->array);
  self->syncing = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (es_array_canvas_get_view (self->canvas) == ES_ARRAY_FROM_SIDE
                                                   ? self->side : self->above), TRUE);
  self->syncing = FALSE;
  if (self->array != NULL)
    {
      g_autofree char *description = es_array_describe (self->array);
      g_autofree char *origin = es_array_describe_origin (self->array);
      const double speed = es_array_get_sound_speed (self->array);
      /* Translators: an array, from where its bearings and ranges are counted, and the speed of sound. */
      text = g_strdup_printf (es_array_is_sound_speed_told (self->array)
                              ? _("%s; bearings from %s; sound at %.6g m/s")
                              : _("%s; bearings from %s; sound at %.6g m/s, as is assumed"),
                              description, origin, speed);
    }
  gtk_label_set_label (self->description, text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->description), text);
  gtk_widget_set_visible (GTK_WIDGET (self->canvas), self->array != NULL);
  gtk_widget_set_visible (self->scroller, self->array != NULL);
  gtk_widget_set_visible (self->views, !flat);
  gtk_widget_set_visible (self->none, self->array == NULL);
  update_sentences (self);
}

static void
on_view (EsArrayPane *self)
{
  if (!self->syncing)
    es_array_canvas_set_view (self->canvas, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->side))
                                            ? ES_ARRAY_FROM_SIDE : ES_ARRAY_FROM_ABOVE);
}

/* ---- the widget ---- */

static void
es_array_pane_dispose (GObject *object)
{
  EsArrayPane *self = ES_ARRAY_PANE (object);

  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_clear_object (&self->recording);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->health, g_free);
  g_clear_pointer (&self->ranges, g_free);
  g_clear_pointer (&self->remark, g_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_array_pane_parent_class)->dispose (object);
}

static void
es_array_pane_class_init (EsArrayPaneClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_array_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "arraypane");
}

static GtkWidget *
make_button (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_widget_add_css_class (button, "pane-button");
  return button;
}

static void
make_views (EsArrayPane *self)
{
  self->views = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->views, "linked");
  gtk_widget_set_hexpand (self->views, TRUE);
  gtk_widget_set_halign (self->views, GTK_ALIGN_END);
  self->above = gtk_toggle_button_new_with_label (_("Above"));
  self->side = gtk_toggle_button_new_with_label (_("Side"));
  gtk_widget_set_tooltip_text (self->above, _("Seen from above"));
  gtk_widget_set_tooltip_text (self->side, _("Seen from the side"));
  gtk_widget_add_css_class (self->above, "pane-button");
  gtk_widget_add_css_class (self->side, "pane-button");
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->side), GTK_TOGGLE_BUTTON (self->above));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->above), TRUE);
  gtk_box_append (GTK_BOX (self->views), self->above);
  gtk_box_append (GTK_BOX (self->views), self->side);
  g_signal_connect_swapped (self->side, "toggled", G_CALLBACK (on_view), self);
}

static GtkWidget *
make_caption (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
es_array_pane_init (EsArrayPane *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->canvas = ES_ARRAY_CANVAS (es_array_canvas_new ());
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->canvas));
  make_views (self);
  gtk_box_append (GTK_BOX (self->box), self->views);
  self->none = make_caption (_("Nobody has said where the hydrophones are."));
  gtk_box_append (GTK_BOX (self->box), self->none);

  /* What is said scrolls: it never takes the room of the rest. */
  self->description = GTK_LABEL (make_caption (NULL));
  self->sentences = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  /* Warnings first: where there is little room, what is below them is what has to be scrolled to. */
  gtk_box_append (GTK_BOX (words), self->sentences);
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->description));
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "propagate-natural-height", TRUE,
                                 "min-content-height", 56,
                                 "max-content-height", 96,
                                 /* That there is more is to be seen. */
                                 "overlay-scrolling", FALSE,
                                 "child", words,
                                 NULL);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  self->calibration = ES_TOLD_ROW (es_told_row_new_calibration ());
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->calibration));
  self->navigation = ES_TOLD_ROW (es_told_row_new_navigation ());
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->navigation));

  gtk_box_append (GTK_BOX (buttons), make_button (_("_Edit…"), "win.describe-array",
                                                  _("A line by numbers, or every element by itself")));
  gtk_box_append (GTK_BOX (buttons), make_button (_("Open _Positions…"), "win.open-positions",
                                                  _("A file of positions: CSV, XML, SigMF or JSON")));
  gtk_box_append (GTK_BOX (buttons), make_button (_("_Health…"), "win.array-health",
                                                  _("Which hydrophones are dead, reversed, late or noisy")));
  gtk_box_append (GTK_BOX (self->box), buttons);
  update_array (self);
}

GtkWidget *
es_array_pane_new (void)
{
  return g_object_new (ES_TYPE_ARRAY_PANE, NULL);
}

void
es_array_pane_set_recording (EsArrayPane *self, EsRecording *recording)
{
  g_return_if_fail (ES_IS_ARRAY_PANE (self) && (recording == NULL || ES_IS_RECORDING (recording)));

  if (self->recording == recording)
    return;
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_set_object (&self->recording, recording);
  es_told_row_set_recording (self->calibration, recording);
  es_told_row_set_recording (self->navigation, recording);
  if (recording != NULL)
    g_signal_connect_swapped (recording, "notify::array", G_CALLBACK (update_array), self);
  update_array (self);
}

void
es_array_pane_set_band (EsArrayPane *self, double high, const double *ranges, guint n_ranges, double block_seconds,
                        double sound_speed)
{
  g_return_if_fail (ES_IS_ARRAY_PANE (self));

  self->high = high;
  self->block_seconds = block_seconds;
  self->sound_speed = sound_speed;
  g_free (self->ranges);
  self->ranges = n_ranges > 0 ? g_memdup2 (ranges, n_ranges * sizeof *ranges) : NULL;
  self->n_ranges = n_ranges;
  update_sentences (self);
}

void
es_array_pane_set_remark (EsArrayPane *self, const char *sentence)
{
  g_return_if_fail (ES_IS_ARRAY_PANE (self));

  if (g_strcmp0 (self->remark, sentence) == 0)
    return;
  g_free (self->remark);
  self->remark = g_strdup (sentence);
  update_sentences (self);
}

/* Counts grow with every block; only what they say matters. */
static gboolean
says_the_same (const EsElementHealth *a, const EsElementHealth *b)
{
  return es_element_health_is_clipped (a) == es_element_health_is_clipped (b)
         && (a->not_finite > 0) == (b->not_finite > 0)
         && (a->peak > 0) == (b->peak > 0);
}

void
es_array_pane_set_health (EsArrayPane *self, const EsElementHealth *health, guint n)
{
  gboolean same;

  g_return_if_fail (ES_IS_ARRAY_PANE (self));

  same = self->n_health == n;
  for (guint i = 0; same && i < n; i++)
    same = says_the_same (&self->health[i], &health[i]);
  if (same)
    return;
  g_free (self->health);
  self->health = n > 0 ? g_memdup2 (health, n * sizeof *health) : NULL;
  self->n_health = n;
  update_sentences (self);
}

gboolean
es_array_pane_says (EsArrayPane *self, const char *sentence)
{
  g_autoptr (GPtrArray) sentences = NULL;

  g_return_val_if_fail (ES_IS_ARRAY_PANE (self), FALSE);

  sentences = collect_sentences (self);
  return g_ptr_array_find_with_equal_func (sentences, sentence, g_str_equal, NULL);
}

char *
es_array_pane_get_sentences (EsArrayPane *self)
{
  g_autoptr (GPtrArray) sentences = NULL;

  g_return_val_if_fail (ES_IS_ARRAY_PANE (self), NULL);

  sentences = collect_sentences (self);
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv ("\n", (char **) sentences->pdata);
}
