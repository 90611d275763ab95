/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A second picture beside the first: which one, its planes and its look. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "bar/es-display-bar.h"
#include "widgets/es-export.h"
#include "widgets/es-format.h"

#define MOST_TITLE 32           /* characters: what is shown of it comes behind */

static const char * const mode_ids[] = { "off", "side", "swipe", "blink", "difference" };

gboolean
_es_viewer_find_compare_mode (const char *id, EsCompareMode *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (mode_ids); i++)
    if (g_strcmp0 (mode_ids[i], id) == 0)
      {
        *mode = i;
        return TRUE;
      }
  return FALSE;
}

const char *
_es_viewer_compare_mode_id (EsCompareMode mode)
{
  return mode_ids[mode];
}

gboolean
_es_viewer_is_comparing (EsViewer *self)
{
  return es_compare_view_get_mode (self->compare) != ES_COMPARE_OFF;
}

/* ---- captions and values ---- */

char *
_es_viewer_caption_prefix (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->left.display);
  int at = self->sources != NULL && source != NULL
    ? es_compare_sources_find (self->sources, es_plane_source_get_data (source)) : -1;
  g_autoptr (EsCompareItem) item = NULL;
  g_autofree char *title = NULL;

  if (!_es_viewer_is_comparing (self) || at < 0)
    return g_strdup ("");
  item = g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at);
  title = es_format_shorten (es_compare_item_get_title (item), MOST_TITLE);
  /* TRANSLATORS: in front of what a picture shows, where there are two: "PCA 5 of 218 · Components: PC 1 (64 %)" */
  return g_strdup_printf (_("%s: "), title);
}

static void
update_right_caption (EsViewer *self)
{
  g_autofree char *title = NULL;
  g_autofree char *prefix = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *caption = NULL;

  if (self->beside == NULL)
    {
      es_compare_view_set_caption (self->compare, ES_COMPARE_RIGHT, "");
      return;
    }
  title = es_format_shorten (es_compare_item_get_title (self->beside), MOST_TITLE);
  prefix = g_strdup_printf (_("%s: "), title);
  shown = _es_viewer_side_make_caption (&self->right);
  caption = g_strconcat (prefix, shown, NULL);
  es_compare_view_set_caption (self->compare, ES_COMPARE_RIGHT, caption);
}

gboolean
_es_viewer_append_right_values (EsViewer *self, GString *text, guint x, guint y)
{
  gboolean known = TRUE;

  if (!es_picture_is_empty (self->right.picture))
    {
      /* TRANSLATORS: in the status line, in front of the value of the right one of two pictures */
      g_string_append_printf (text, "   %s ", _("right"));
      known = _es_viewer_append_side_values (text, &self->right, x, y);
    }
  if (es_compare_view_get_mode (self->compare) == ES_COMPARE_DIFFERENCE && !es_picture_is_empty (self->difference))
    {
      /* TRANSLATORS: in the status line, in front of a value */
      g_string_append_printf (text, "   %s ", _("difference"));
      _es_viewer_append_values (text, self->difference, NULL, x, y);
    }
  return known;
}

/* ---- the second picture ---- */

static void
on_right_loaded (EsViewer *self, const EsPlaneSet *set)
{
  if (set->source != es_display_get_source (self->right.display))
    return;
  g_signal_group_set_target (self->right.gpu_signals, _es_viewer_find_gpu (set));
  _es_viewer_side_show (&self->right, set);
  es_display_apply_look (self->right.display, self->right.picture);
  update_right_caption (self);
  _es_viewer_queue_status (self);
}

static void
on_right_failed (EsViewer *self, const GError *error)
{
  es_picture_clear (self->right.picture);
  es_image_view_set_message (self->right.view, error->message);
}

static void
load_right (EsViewer *self)
{
  if (_es_viewer_is_comparing (self))
    _es_viewer_side_load (&self->right);
  update_right_caption (self);
  _es_viewer_update_difference (self);
}

static void
on_right_look (EsViewer *self)
{
  es_display_apply_look (self->right.display, self->right.picture);
  update_right_caption (self);
}

/* As of the left one. */
static void
on_right_moved (EsViewer *self)
{
  if (es_picture_get_step (self->right.picture) > 1)
    update_right_caption (self);
}

static void
on_right_source (EsViewer *self)
{
  es_image_view_set_message (self->right.view, NULL);
  _es_viewer_side_update_legend (&self->right);
  es_plane_loader_cancel (self->right.loader);
  if (es_display_get_source (self->right.display) == NULL)
    es_picture_clear (self->right.picture);
  load_right (self);
}

static void
set_right (EsViewer *self, EsCompareItem *item)
{
  EsPlaneSource *source = item != NULL ? es_compare_item_get_source (item) : NULL;
  g_autoptr (EsPlaneSource) shown = NULL;

  g_set_object (&shown, es_display_get_source (self->right.display));
  g_set_object (&self->beside, item);
  if (shown != source)
    es_display_set_source (self->right.display, source, shown != NULL ? es_plane_source_get_data (shown) : NULL);
  es_compare_bar_set_item (self->compare_bar, item);
  _es_viewer_right_changed (self);
}

/* FALSE: the person has been told why not. */
static gboolean
choose_right (EsViewer *self, EsCompareItem *item)
{
  EsPlaneSource *left = es_display_get_source (self->left.display);
  g_autofree char *why = NULL;

  if (left != NULL && !es_compare_can_pair (left, es_compare_item_get_source (item), &why))
    {
      es_export_report (GTK_WIDGET (self), why);
      return FALSE;
    }
  set_right (self, item);
  return TRUE;
}

/* What is beside the left picture when nobody has chosen: its cube, its newest result, or itself. */
static void
choose_partner (EsViewer *self)
{
  EsPlaneSource *left = es_display_get_source (self->left.display);
  int at = self->dataset != NULL ? es_compare_sources_find_partner (self->sources, self->dataset, self->result) : -1;
  g_autoptr (EsCompareItem) item = at >= 0 ? g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at) : NULL;

  if (item != NULL && left != NULL && es_compare_can_pair (left, es_compare_item_get_source (item), NULL))
    set_right (self, item);
  else
    set_right (self, NULL);
}

void
_es_viewer_left_changed (EsViewer *self)
{
  EsPlaneSource *left = es_display_get_source (self->left.display);

  if (!_es_viewer_is_comparing (self))
    return;
  if (left != NULL && (self->beside == NULL
                       || !es_compare_can_pair (left, es_compare_item_get_source (self->beside), NULL)))
    choose_partner (self);
  _es_viewer_update_caption (self);
  _es_viewer_update_difference (self);
}

/* The newest result of the same operation on the same data, where it has such a layer: it took the place of the one
 * that was shown. */
static EsCompareItem *
find_successor (EsViewer *self, EsCompareItem *item)
{
  EsResult *result = es_compare_item_get_result (item);
  EsImageStack *stack = es_plane_source_get_stack (es_compare_item_get_source (item));
  g_autoptr (EsCompareItem) found = NULL;

  for (guint i = 0; result != NULL && stack != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->sources)); i++)
    {
      g_autoptr (EsCompareItem) other = g_list_model_get_item (G_LIST_MODEL (self->sources), i);
      EsImageStack *its = es_plane_source_get_stack (es_compare_item_get_source (other));

      if (its != NULL && es_compare_item_get_result (other) != NULL
          && es_compare_item_get_dataset (other) == es_compare_item_get_dataset (item)
          && es_result_get_operation (es_compare_item_get_result (other)) == es_result_get_operation (result)
          && g_strcmp0 (es_layer_get_name (ES_LAYER (its)), es_layer_get_name (ES_LAYER (stack))) == 0)
        g_set_object (&found, other);
    }
  return g_steal_pointer (&found);
}

static void
on_sources_changed (EsViewer *self)
{
  g_autoptr (EsCompareItem) next = NULL;
  int at;

  if (self->beside == NULL)
    return;
  at = es_compare_sources_find (self->sources,
                                es_plane_source_get_data (es_compare_item_get_source (self->beside)));
  if (at >= 0)
    {
      next = g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at);
      if (next != self->beside)
        {
          /* Under another title. */
          g_set_object (&self->beside, next);
          es_compare_bar_set_item (self->compare_bar, next);
          update_right_caption (self);
        }
      return;
    }
  next = find_successor (self, self->beside);
  if (next != NULL)
    set_right (self, next);
  else if (_es_viewer_is_comparing (self))
    choose_partner (self);
  else
    set_right (self, NULL);
}

/* ---- the mode ---- */

gboolean
_es_viewer_set_compare_mode (EsViewer *self, EsCompareMode mode)
{
  EsCompareMode before = es_compare_view_get_mode (self->compare);

  if (mode == before || (mode != ES_COMPARE_OFF && (self->sources == NULL || self->dataset == NULL)))
    return FALSE;
  if (mode != ES_COMPARE_OFF)
    self->compare_mode = mode;
  es_compare_view_set_mode (self->compare, mode);
  gtk_widget_set_visible (self->compare_controls, mode != ES_COMPARE_OFF);
  if (mode == ES_COMPARE_OFF)
    {
      es_plane_loader_cancel (self->right.loader);
      es_picture_clear (self->right.picture);
      if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "correlations") == 0)
        gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
    }
  else if (self->beside == NULL)
    choose_partner (self);
  if (before == ES_COMPARE_OFF)
    _es_viewer_left_changed (self);
  load_right (self);
  _es_viewer_update_caption (self);
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
  return TRUE;
}

gboolean
_es_viewer_compare_is_loading (EsViewer *self)
{
  return es_plane_loader_is_busy (self->right.loader) || es_difference_loader_is_busy (self->difference_loader)
         || es_match_view_is_busy (self->matches);
}

/* ---- for others ---- */

void
es_viewer_set_session (EsViewer *self, EsSession *session)
{
  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (ES_IS_SESSION (session) && self->sources == NULL);

  self->session = session;
  self->sources = es_compare_sources_new (session);
  es_compare_bar_set_sources (self->compare_bar, self->sources);
  g_signal_connect_object (self->sources, "items-changed", G_CALLBACK (on_sources_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  _es_viewer_follow_others (self);
  _es_viewer_follow_told (self);
  _es_viewer_find_truth (self);
}

gboolean
es_viewer_show_beside (EsViewer *self, GObject *data, guint plane)
{
  g_autoptr (EsCompareItem) item = NULL;
  int at;

  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  g_return_val_if_fail (G_IS_OBJECT (data), FALSE);

  at = self->sources != NULL ? es_compare_sources_find (self->sources, data) : -1;
  if (at < 0)
    return FALSE;
  item = g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at);
  if (!choose_right (self, item))
    return FALSE;
  if (plane != G_MAXUINT)
    es_display_show_plane (self->right.display, plane);
  if (!_es_viewer_is_comparing (self))
    g_object_set (self, "comparing", TRUE, NULL);
  return TRUE;
}

GObject *
es_viewer_get_beside (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return _es_viewer_is_comparing (self) && self->beside != NULL
         ? es_plane_source_get_data (es_compare_item_get_source (self->beside)) : NULL;
}

void
_es_viewer_make_compare_controls (EsViewer *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (_("Right"));

  self->compare = ES_COMPARE_VIEW (es_compare_view_new (self->left.picture, self->right.picture, self->difference));
  es_image_view_set_legend (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), TRUE, NULL);
  _es_viewer_side_set_view (&self->left, es_compare_view_get_view (self->compare, ES_COMPARE_LEFT));
  _es_viewer_side_set_view (&self->right, es_compare_view_get_view (self->compare, ES_COMPARE_RIGHT));
  self->compare_bar = ES_COMPARE_BAR (es_compare_bar_new (self->compare));
  self->right.bar = es_display_bar_new (self->right.display);
  gtk_widget_set_hexpand (self->right.bar, TRUE);
  gtk_widget_add_css_class (label, "compare-side");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->right.bar);
  self->compare_controls = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->compare_controls), GTK_WIDGET (self->compare_bar));
  gtk_box_append (GTK_BOX (self->compare_controls), row);
  gtk_widget_set_visible (self->compare_controls, FALSE);
  gtk_widget_set_parent (self->compare_controls, GTK_WIDGET (self));
  g_signal_connect_object (self->compare_bar, "chosen", G_CALLBACK (choose_right), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare_bar, "notify::standardise", G_CALLBACK (_es_viewer_update_difference), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.view, "moved", G_CALLBACK (on_right_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.picture, "changed", G_CALLBACK (on_right_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.probe, "changed", G_CALLBACK (_es_viewer_queue_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->right.bar, "notify::legend", G_CALLBACK (_es_viewer_side_update_legend),
                            &self->right);
  g_signal_connect_swapped (self->right.loader, "notify::busy", G_CALLBACK (_es_viewer_side_update_busy),
                            &self->right);
}

void
_es_viewer_init_compare (EsViewer *self)
{
  self->compare_mode = ES_COMPARE_SIDE;
  _es_viewer_side_init (&self->right, es_display_new_detached ());
  g_signal_group_connect_swapped (self->right.gpu_signals, "notify::lost", G_CALLBACK (load_right), self);
  _es_viewer_init_difference (self);
  g_signal_connect_object (self->right.display, "source-changed", G_CALLBACK (on_right_source), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.display, "planes-changed", G_CALLBACK (load_right), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.display, "look-changed", G_CALLBACK (on_right_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.loader, "loaded", G_CALLBACK (on_right_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.loader, "failed", G_CALLBACK (on_right_failed), self, G_CONNECT_SWAPPED);
}

void
_es_viewer_dispose_compare (EsViewer *self)
{
  if (self->difference_loader != NULL)
    es_difference_loader_cancel (self->difference_loader);
  if (self->sources != NULL)
    g_signal_handlers_disconnect_by_data (self->sources, self);
  _es_viewer_side_clear (&self->right);
  g_clear_object (&self->sources);
  g_clear_object (&self->beside);
  g_clear_object (&self->correlated);
  g_clear_object (&self->difference_loader);
  g_clear_object (&self->difference);
  g_clear_pointer (&self->difference_title, g_free);
}
