/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A second picture beside the first: which one, its planes and its look, and the difference of the two. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/es-display-bar.h"
#include "widgets/es-export.h"
#include "widgets/es-format.h"

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
  EsPlaneSource *source = es_display_get_source (self->display);
  int at = self->sources != NULL && source != NULL
    ? es_compare_sources_find (self->sources, es_plane_source_get_data (source)) : -1;
  g_autoptr (EsCompareItem) item = NULL;

  if (!_es_viewer_is_comparing (self) || at < 0)
    return g_strdup ("");
  item = g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at);
  /* TRANSLATORS: in front of what a picture shows, where there are two: "PCA 5 of 218 · Components: PC 1 (64 %)" */
  return g_strdup_printf (_("%s: "), es_compare_item_get_title (item));
}

static void
update_right_caption (EsViewer *self)
{
  g_autofree char *prefix = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *caption = NULL;

  if (self->right == NULL)
    {
      es_compare_view_set_caption (self->compare, ES_COMPARE_RIGHT, "");
      return;
    }
  prefix = g_strdup_printf (_("%s: "), es_compare_item_get_title (self->right));
  shown = es_display_make_caption (self->right_display);
  caption = g_strconcat (prefix, shown, NULL);
  es_compare_view_set_caption (self->compare, ES_COMPARE_RIGHT, caption);
}

void
_es_viewer_append_right_values (EsViewer *self, GString *text, guint x, guint y)
{
  if (!es_picture_is_empty (self->right_picture))
    {
      /* TRANSLATORS: in the status line, in front of the value of the right one of two pictures */
      g_string_append_printf (text, "   %s ", _("right"));
      _es_viewer_append_values (text, self->right_picture, es_display_get_source (self->right_display), x, y);
    }
  if (es_compare_view_get_mode (self->compare) == ES_COMPARE_DIFFERENCE && !es_picture_is_empty (self->difference))
    {
      /* TRANSLATORS: in the status line, in front of a value */
      g_string_append_printf (text, "   %s ", _("difference"));
      _es_viewer_append_values (text, self->difference, NULL, x, y);
    }
}

/* ---- the difference ---- */

static void
say_instead (EsViewer *self, const char *sentence)
{
  es_difference_loader_cancel (self->difference_loader);
  es_picture_clear (self->difference);
  es_compare_view_set_caption (self->compare, ES_COMPARE_BOTH, "");
  es_image_view_set_message (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), sentence);
}

static void
update_difference (EsViewer *self)
{
  EsPlaneSource *left = es_display_get_source (self->display);
  EsPlaneSource *right = es_display_get_source (self->right_display);

  if (es_compare_view_get_mode (self->compare) != ES_COMPARE_DIFFERENCE)
    {
      es_difference_loader_cancel (self->difference_loader);
      es_picture_clear (self->difference);
      return;
    }
  if (left == NULL || right == NULL)
    say_instead (self, NULL);
  else if (es_display_get_composite (self->display) || es_display_get_composite (self->right_display))
    say_instead (self, _("A difference is of two single planes: choose a band instead of RGB."));
  else
    {
      guint planes[2] = { es_display_get_plane (self->display), es_display_get_plane (self->right_display) };
      g_autofree char *first = es_plane_source_get_plane_title (left, planes[0]);
      g_autofree char *second = es_plane_source_get_plane_title (right, planes[1]);

      g_free (self->difference_title);
      self->difference_title = g_strdup_printf ("%s \u2212 %s", first, second);
      es_difference_loader_load (self->difference_loader, left, planes[0], right, planes[1],
                                 es_compare_bar_get_standardise (self->compare_bar));
    }
}

static void
on_difference (EsViewer *self, const EsDifference *difference)
{
  EsPlaneSource *left = es_display_get_source (self->display);
  EsImageView *view = es_compare_view_get_view (self->compare, ES_COMPARE_BOTH);
  g_autoptr (GString) caption = g_string_new (self->difference_title);
  g_autofree char *number = es_format_number (difference->correlation, 2);

  if (left == NULL || es_compare_view_get_mode (self->compare) != ES_COMPARE_DIFFERENCE)
    return;
  if (difference->n_valid == 0)
    {
      say_instead (self, _("The two pictures have no pixel in common."));
      return;
    }
  if (difference->standardised)
    g_string_append_printf (caption, " · %s", difference->reversed ? _("standardised, the second one reversed")
                                                                   : _("standardised"));
  if (isfinite (difference->correlation))
    g_string_append_printf (caption, " · r = %s", number);
  else
    g_string_append_printf (caption, " · %s", _("one of them is constant"));
  es_image_view_set_message (view, NULL);
  es_picture_show_planes (self->difference, 1, (EsPlane *[]) { difference->ready }, difference->step,
                          es_plane_source_get_width (left), es_plane_source_get_height (left));
  es_picture_set_colormap (self->difference, ES_COLORMAP_DIVERGING);
  es_picture_stretch_percent (self->difference, 0.02, TRUE);
  es_compare_view_set_caption (self->compare, ES_COMPARE_BOTH, caption->str);
  _es_viewer_queue_status (self);
}

static void
on_difference_failed (EsViewer *self, const GError *error)
{
  say_instead (self, error->message);
}

/* ---- the second picture ---- */

static void
on_right_loaded (EsViewer *self, const EsPlaneSet *set)
{
  EsDevice *gpu = NULL;

  if (set->source != es_display_get_source (self->right_display))
    return;
  for (guint i = 0; i < set->n_planes && gpu == NULL; i++)
    gpu = es_plane_get_device (set->ready[i]);
  g_signal_group_set_target (self->right_gpu_signals, gpu);
  es_image_view_set_message (es_compare_view_get_view (self->compare, ES_COMPARE_RIGHT), NULL);
  es_picture_show_planes (self->right_picture, set->n_planes, (EsPlane **) set->ready, set->step,
                          es_plane_source_get_width (set->source), es_plane_source_get_height (set->source));
  es_display_apply_look (self->right_display, self->right_picture);
  update_right_caption (self);
  _es_viewer_queue_status (self);
}

static void
on_right_failed (EsViewer *self, const GError *error)
{
  es_picture_clear (self->right_picture);
  es_image_view_set_message (es_compare_view_get_view (self->compare, ES_COMPARE_RIGHT), error->message);
}

static void
load_right (EsViewer *self)
{
  guint planes[3], n = es_display_get_planes (self->right_display, planes);

  if (n > 0 && _es_viewer_is_comparing (self))
    es_plane_loader_load (self->right_loader, es_display_get_source (self->right_display), n, planes);
  update_right_caption (self);
  update_difference (self);
}

static void
on_right_look (EsViewer *self)
{
  es_display_apply_look (self->right_display, self->right_picture);
  update_right_caption (self);
}

static void
update_legends (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->right_display);

  es_image_view_set_legend (es_compare_view_get_view (self->compare, ES_COMPARE_RIGHT),
                            es_display_bar_get_legend (ES_DISPLAY_BAR (self->right_bar)),
                            source != NULL ? es_plane_source_get_unit (source) : NULL);
}

static void
on_right_source (EsViewer *self)
{
  es_image_view_set_message (es_compare_view_get_view (self->compare, ES_COMPARE_RIGHT), NULL);
  update_legends (self);
  es_plane_loader_cancel (self->right_loader);
  if (es_display_get_source (self->right_display) == NULL)
    es_picture_clear (self->right_picture);
  load_right (self);
}

static void
set_right (EsViewer *self, EsCompareItem *item)
{
  EsPlaneSource *source = item != NULL ? es_compare_item_get_source (item) : NULL;
  g_autoptr (EsPlaneSource) shown = NULL;

  g_set_object (&shown, es_display_get_source (self->right_display));
  g_set_object (&self->right, item);
  if (shown != source)
    es_display_set_source (self->right_display, source, shown != NULL ? es_plane_source_get_data (shown) : NULL);
  es_compare_bar_set_item (self->compare_bar, item);
  _es_viewer_right_changed (self);
}

/* FALSE: the person has been told why not. */
static gboolean
choose_right (EsViewer *self, EsCompareItem *item)
{
  EsPlaneSource *left = es_display_get_source (self->display);
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
  EsPlaneSource *left = es_display_get_source (self->display);
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
  EsPlaneSource *left = es_display_get_source (self->display);

  if (!_es_viewer_is_comparing (self))
    return;
  if (left != NULL && (self->right == NULL
                       || !es_compare_can_pair (left, es_compare_item_get_source (self->right), NULL)))
    choose_partner (self);
  _es_viewer_update_caption (self);
  update_difference (self);
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

  if (self->right == NULL)
    return;
  at = es_compare_sources_find (self->sources,
                                es_plane_source_get_data (es_compare_item_get_source (self->right)));
  if (at >= 0)
    {
      next = g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at);
      if (next != self->right)
        {
          /* Under another title. */
          g_set_object (&self->right, next);
          es_compare_bar_set_item (self->compare_bar, next);
          update_right_caption (self);
        }
      return;
    }
  next = find_successor (self, self->right);
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
      es_plane_loader_cancel (self->right_loader);
      es_picture_clear (self->right_picture);
      if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "correlations") == 0)
        gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
    }
  else if (self->right == NULL)
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
  return es_plane_loader_is_busy (self->right_loader) || es_difference_loader_is_busy (self->difference_loader)
         || es_match_view_is_busy (self->matches);
}

/* ---- for others ---- */

void
es_viewer_set_session (EsViewer *self, EsSession *session)
{
  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (ES_IS_SESSION (session) && self->sources == NULL);

  self->sources = es_compare_sources_new (session);
  es_compare_bar_set_sources (self->compare_bar, self->sources);
  g_signal_connect_object (self->sources, "items-changed", G_CALLBACK (on_sources_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
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
    {
      es_display_set_plane (self->right_display, plane);
      es_display_set_composite (self->right_display, FALSE);
    }
  if (!_es_viewer_is_comparing (self))
    g_object_set (self, "comparing", TRUE, NULL);
  return TRUE;
}

GObject *
es_viewer_get_beside (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return _es_viewer_is_comparing (self) && self->right != NULL
         ? es_plane_source_get_data (es_compare_item_get_source (self->right)) : NULL;
}

static void
on_right_busy (EsViewer *self)
{
  es_display_bar_set_busy (ES_DISPLAY_BAR (self->right_bar), es_plane_loader_is_busy (self->right_loader));
}

void
_es_viewer_make_compare_controls (EsViewer *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (_("Right"));

  self->compare = ES_COMPARE_VIEW (es_compare_view_new (self->picture, self->right_picture, self->difference));
  es_image_view_set_legend (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), TRUE, NULL);
  self->compare_bar = ES_COMPARE_BAR (es_compare_bar_new (self->compare));
  self->right_bar = es_display_bar_new (self->right_display);
  gtk_widget_set_hexpand (self->right_bar, TRUE);
  gtk_widget_add_css_class (label, "compare-side");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->right_bar);
  self->compare_controls = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->compare_controls), GTK_WIDGET (self->compare_bar));
  gtk_box_append (GTK_BOX (self->compare_controls), row);
  gtk_widget_set_visible (self->compare_controls, FALSE);
  gtk_widget_set_parent (self->compare_controls, GTK_WIDGET (self));
  g_signal_connect_object (self->compare_bar, "chosen", G_CALLBACK (choose_right), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare_bar, "notify::standardise", G_CALLBACK (update_difference), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_bar, "notify::legend", G_CALLBACK (update_legends), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_loader, "notify::busy", G_CALLBACK (on_right_busy), self, G_CONNECT_SWAPPED);
}

void
_es_viewer_init_compare (EsViewer *self)
{
  self->compare_mode = ES_COMPARE_SIDE;
  self->right_display = es_display_new_detached ();
  self->right_picture = es_picture_new ();
  self->right_loader = es_plane_loader_new ();
  self->right_gpu_signals = g_signal_group_new (ES_TYPE_DEVICE);
  g_signal_group_connect_swapped (self->right_gpu_signals, "notify::lost", G_CALLBACK (load_right), self);
  self->difference = es_picture_new ();
  self->difference_loader = es_difference_loader_new ();
  g_signal_connect_object (self->right_display, "source-changed", G_CALLBACK (on_right_source), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_display, "planes-changed", G_CALLBACK (load_right), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_display, "look-changed", G_CALLBACK (on_right_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_loader, "loaded", G_CALLBACK (on_right_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_loader, "failed", G_CALLBACK (on_right_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->difference_loader, "loaded", G_CALLBACK (on_difference), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->difference_loader, "failed", G_CALLBACK (on_difference_failed), self,
                           G_CONNECT_SWAPPED);
}

void
_es_viewer_dispose_compare (EsViewer *self)
{
  if (self->right_loader != NULL)
    es_plane_loader_cancel (self->right_loader);
  if (self->difference_loader != NULL)
    es_difference_loader_cancel (self->difference_loader);
  if (self->sources != NULL)
    g_signal_handlers_disconnect_by_data (self->sources, self);
  g_clear_object (&self->right_gpu_signals);
  g_clear_object (&self->sources);
  g_clear_object (&self->right);
  g_clear_object (&self->correlated);
  g_clear_object (&self->right_loader);
  g_clear_object (&self->right_display);
  g_clear_object (&self->right_picture);
  g_clear_object (&self->difference_loader);
  g_clear_object (&self->difference);
  g_clear_pointer (&self->difference_title, g_free);
}
