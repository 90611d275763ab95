/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-components-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/es-export.h"
#include "widgets/es-format.h"
#include "widgets/es-wheel.h"
#include "result/es-operation.h"

#define MOST_HEIGHT     260
#define SHORT_WIDTH     22               /* of "33" */
#define TITLE_WIDTH     48               /* of "PC 33" */
#define TITLE_CHARACTERS 5
#define VALUE_WIDTH     56               /* of "1234.5" */
#define WIDE_WIDTH      70               /* of "−0.3083" */

enum { KEPT_CHANGED, CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsComponentsPane, es_components_pane, GTK_TYPE_WIDGET)

static EsImageStack *
find_stack (EsResult *result)
{
  EsLayer *layer = result != NULL ? es_result_find_layer (result, "components") : NULL;

  return ES_IS_IMAGE_STACK (layer) ? ES_IMAGE_STACK (layer) : NULL;
}

/* ---- switches ---- */

static void
update_all (EsComponentsPane *self)
{
  gtk_widget_set_sensitive (self->all, es_judgement_count_kept (self->judgement) < es_components_pane_get_n (self));
}

static void
on_kept_changed (EsComponentsPane *self)
{
  for (guint i = 0; i < es_components_pane_get_n (self); i++)
    {
      g_autoptr (EsComponentItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      item->kept = es_judgement_is_kept (self->judgement, i);
      es_component_item_changed (item);
    }
  update_all (self);
  g_signal_emit (self, signals[KEPT_CHANGED], 0);
}

guint
es_components_pane_get_n (EsComponentsPane *self)
{
  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->items));
}

gboolean
es_components_pane_get_kept (EsComponentsPane *self, guint plane)
{
  g_autoptr (EsComponentItem) item = NULL;

  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), FALSE);

  item = g_list_model_get_item (G_LIST_MODEL (self->items), plane);
  return item != NULL && item->kept;
}

void
es_components_pane_set_kept (EsComponentsPane *self, guint plane, gboolean kept)
{
  g_autoptr (EsComponentItem) item = NULL;

  g_return_if_fail (ES_IS_COMPONENTS_PANE (self));

  item = g_list_model_get_item (G_LIST_MODEL (self->items), plane);
  if (item == NULL || item->kept == !!kept)
    return;
  /* The last one stays, and its switch with it. */
  if (!es_judgement_set_kept (self->judgement, plane, kept))
    es_component_item_changed (item);
}

static void
on_all (EsComponentsPane *self)
{
  if (self->judgement != NULL)
    es_judgement_keep_all (self->judgement);
}

char *
es_components_pane_format (EsComponentsPane *self)
{
  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), NULL);
  return self->judgement != NULL ? es_judgement_format_kept (self->judgement) : g_strdup ("");
}

char *
es_components_pane_describe (EsComponentsPane *self)
{
  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), NULL);
  return g_strdup_printf (_("%u of %u used"), self->judgement != NULL ? es_judgement_count_kept (self->judgement) : 0,
                          es_components_pane_get_n (self));
}

/* ---- what is shown ---- */

/* An array of numbers in result.json; NULL where there is none. */
static JsonArray *
find_array (EsResult *result, const char *name)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static double
array_value (JsonArray *array, guint i)
{
  JsonNode *node = array != NULL && i < json_array_get_length (array) ? json_array_get_element (array, i) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;
}

/* "12" of "MNF 12": the section says already of what. Titles without a number stay as they are. */
static const char *
short_title (const char *title)
{
  const char *space = strrchr (title, ' ');

  return space != NULL && space[1] != '\0' && strspn (space + 1, "0123456789") == strlen (space + 1)
         ? space + 1 : title;
}

static void
fill (EsComponentsPane *self)
{
  JsonArray *kurtosis = find_array (self->result, "kurtosis");
  JsonArray *eigenvalues = find_array (self->result, "eigenvalues");
  JsonArray *snr = find_array (self->result, "snr");
  gboolean mnf = g_strcmp0 (es_result_get_operation (self->result)->id, "mnf") == 0;
  /* Of components that are of no eigenproblem (FastICA, UMAP) the plane's own number is told. */
  gboolean of_planes = kurtosis != NULL || eigenvalues == NULL
                       || g_strcmp0 (es_result_get_operation (self->result)->id, "fastica") == 0;
  guint n = es_image_stack_get_planes (self->stack);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean any_share = FALSE, any_snr = FALSE;

  for (guint i = 0; i < n; i++)
    {
      EsComponentItem *item = es_component_item_new (i, es_image_stack_get_plane_title (self->stack, i));

      /* A kurtosis that the result does not have comes with the numbers of the plane. */
      item->value = of_planes ? array_value (kurtosis, i) : array_value (eigenvalues, i);
      item->share = es_image_stack_get_plane_share (self->stack, i);
      item->snr = snr != NULL ? array_value (snr, i) : mnf ? item->value - 1 : NAN;
      /* With the ratio of signal to noise, or a name longer than "PC 33", there is no room for more. */
      if (item->title != NULL
          && (isfinite (item->snr) || g_utf8_strlen (item->title, -1) > TITLE_CHARACTERS))
        item->label = short_title (item->title);
      item->kept = es_judgement_is_kept (self->judgement, i);
      any_share |= isfinite (item->share);
      any_snr |= isfinite (item->snr);
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata,
                       items->len);
  gtk_column_view_column_set_title (self->columns[ES_COMPONENT_VALUE], of_planes ? _("Kurtosis") : _("Eigenvalue"));
  gtk_column_view_column_set_visible (self->columns[ES_COMPONENT_SHARE], any_share);
  gtk_column_view_column_set_visible (self->columns[ES_COMPONENT_SNR], any_snr);
  gtk_column_view_column_set_fixed_width (self->columns[ES_COMPONENT_TITLE], any_snr ? SHORT_WIDTH : TITLE_WIDTH);
  gtk_column_view_column_set_fixed_width (self->columns[ES_COMPONENT_VALUE], any_snr ? VALUE_WIDTH : WIDE_WIDTH);
  update_all (self);
}

static void
watch (EsComponentsPane *self, EsJudgement *judgement)
{
  if (self->judgement != NULL)
    g_signal_handlers_disconnect_by_func (self->judgement, on_kept_changed, self);
  g_set_object (&self->judgement, judgement);
  if (judgement != NULL)
    g_signal_connect_object (judgement, "kept-changed", G_CALLBACK (on_kept_changed), self, G_CONNECT_SWAPPED);
}

void
es_components_pane_set_result (EsComponentsPane *self, EsResult *result)
{
  g_return_if_fail (ES_IS_COMPONENTS_PANE (self));

  if (find_stack (result) == NULL)
    result = NULL;
  if (!g_set_object (&self->result, result))
    return;
  _es_components_pane_stop_numbers (self);
  watch (self, result != NULL ? es_judgement_of (result) : NULL);
  g_set_object (&self->stack, find_stack (result));
  self->following = TRUE;
  if (self->stack == NULL)
    {
      g_list_store_remove_all (self->items);
    }
  else
    {
      fill (self);
    }
  self->following = FALSE;
  _es_components_pane_want_numbers (self);
}

EsResult *
es_components_pane_get_result (EsComponentsPane *self)
{
  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), NULL);
  return self->result;
}

void
es_components_pane_set_shown (EsComponentsPane *self, guint plane)
{
  g_return_if_fail (ES_IS_COMPONENTS_PANE (self));

  self->following = TRUE;
  gtk_single_selection_set_selected (self->selection, plane < es_components_pane_get_n (self)
                                                      ? plane : GTK_INVALID_LIST_POSITION);
  self->following = FALSE;
}

static void
on_selected (EsComponentsPane *self)
{
  guint plane = gtk_single_selection_get_selected (self->selection);

  if (!self->following && plane != GTK_INVALID_LIST_POSITION)
    g_signal_emit (self, signals[CHOSEN], 0, plane);
}

char *
es_components_pane_to_text (EsComponentsPane *self)
{
  GString *text;

  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), NULL);

  text = g_string_new (NULL);
  for (guint column = ES_COMPONENT_TITLE; column < ES_COMPONENT_HISTOGRAM; column++)
    g_string_append_printf (text, "%s%s", column > ES_COMPONENT_TITLE ? "\t" : "",
                            column == ES_COMPONENT_TITLE ? _("Component")
                            : gtk_column_view_column_get_title (self->columns[column]));
  g_string_append_printf (text, "\t%s\n", _("Used"));
  for (guint i = 0; i < es_components_pane_get_n (self); i++)
    {
      g_autoptr (EsComponentItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      g_autofree char *kept = es_component_cell_format (item, ES_COMPONENT_KEPT);

      for (guint column = ES_COMPONENT_TITLE; column < ES_COMPONENT_HISTOGRAM; column++)
        {
          g_autofree char *cell = es_component_cell_format (item, column);

          g_string_append_printf (text, "%s%s", column > ES_COMPONENT_TITLE ? "\t" : "", cell);
        }
      g_string_append_printf (text, "\t%s\n", kept);
    }
  return g_string_free (text, FALSE);
}

/* ---- the widget ---- */

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_components_pane_to_text (ES_COMPONENTS_PANE (widget));

  es_export_copy_text (widget, text);
}

/* Rows are made only while they can be seen: most results come while the section is folded. */
static void
es_components_pane_map (GtkWidget *widget)
{
  EsComponentsPane *self = ES_COMPONENTS_PANE (widget);

  self->following = TRUE;
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  self->following = FALSE;
  GTK_WIDGET_CLASS (es_components_pane_parent_class)->map (widget);
  _es_components_pane_want_numbers (self);
}

static void
es_components_pane_unmap (GtkWidget *widget)
{
  EsComponentsPane *self = ES_COMPONENTS_PANE (widget);

  GTK_WIDGET_CLASS (es_components_pane_parent_class)->unmap (widget);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
}

/* The titles of the columns stand over the right ends of their numbers. */
static void
align_titles (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_LABEL (child))
        {
          gtk_widget_set_hexpand (child, TRUE);
          gtk_widget_set_halign (child, GTK_ALIGN_END);
        }
      else
        {
          align_titles (child);
        }
    }
}

static void
make_columns (EsComponentsPane *self)
{
  const char *titles[ES_COMPONENT_N_COLUMNS] = {
    "", "", _("Eigenvalue"), _("Share %"), _("SNR"),
    /* Translators: heading of a narrow column: spatial coherence, 1 smooth, 0 noise. */
    _("Coher."), _("Entropy"), "",
  };
  static const int widths[ES_COMPONENT_N_COLUMNS] = {
    34, SHORT_WIDTH, VALUE_WIDTH, 43, 46, 42, 42, ES_COMPONENT_HISTOGRAM_WIDTH + 6,
  };

  for (guint i = 0; i < ES_COMPONENT_N_COLUMNS; i++)
    {
      self->columns[i] = gtk_column_view_column_new (titles[i], es_component_cell_factory_new (i));
      /* All of them fit into the column as it begins, whatever the numbers. */
      gtk_column_view_column_set_fixed_width (self->columns[i], widths[i]);
      gtk_column_view_column_set_expand (self->columns[i], i == ES_COMPONENT_TITLE);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), self->columns[i]);
    }
  align_titles (gtk_widget_get_first_child (self->view));
}

GtkWidget *
es_components_pane_new (void)
{
  return g_object_new (ES_TYPE_COMPONENTS_PANE, NULL);
}

static void
es_components_pane_dispose (GObject *object)
{
  EsComponentsPane *self = ES_COMPONENTS_PANE (object);

  _es_components_pane_stop_numbers (self);
  watch (self, NULL);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->all, gtk_widget_unparent);
  for (guint i = 0; i < ES_COMPONENT_N_COLUMNS; i++)
    g_clear_object (&self->columns[i]);
  g_clear_object (&self->selection);
  g_clear_object (&self->items);
  g_clear_object (&self->stack);
  g_clear_object (&self->result);
  G_OBJECT_CLASS (es_components_pane_parent_class)->dispose (object);
}

static void
es_components_pane_class_init (EsComponentsPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_components_pane_dispose;
  widget_class->map = es_components_pane_map;
  widget_class->unmap = es_components_pane_unmap;
  signals[KEPT_CHANGED] = g_signal_new ("kept-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_set_css_name (widget_class, "tableview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_components_pane_init (EsComponentsPane *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->items = g_list_store_new (ES_TYPE_COMPONENT_ITEM);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->items)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);

  self->view = gtk_column_view_new (NULL);
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_widget_add_css_class (self->view, "components-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Components"), -1);
  make_columns (self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (self->scroller), FALSE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), MOST_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  es_hand_on_wheel (self->scroller);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);

  self->all = gtk_button_new_with_mnemonic (_("Use _All"));
  gtk_widget_set_halign (self->all, GTK_ALIGN_END);
  gtk_widget_add_css_class (self->all, "flat");
  gtk_widget_add_css_class (self->all, "caption");
  gtk_widget_add_css_class (self->all, "pane-foot");
  gtk_widget_set_tooltip_text (self->all, _("Switch every component on again"));
  g_signal_connect_object (self->all, "clicked", G_CALLBACK (on_all), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->all, GTK_WIDGET (self));
}
