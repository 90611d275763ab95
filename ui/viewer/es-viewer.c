/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "animation/es-plane-keys.h"
#include "animation/es-play-control.h"
#include "charts/es-curve-plot.h"
#include "context/es-place-menu.h"
#include "bar/es-display-bar.h"
#include "charts/es-plot-zoom.h"

enum
{
  PROP_0, PROP_DATASET, PROP_RESULT, PROP_LAYER, PROP_PLANE, PROP_STATUS, PROP_COMPARING, PROP_COMPARE_MODE,
  PROP_SPECTRA, N_PROPS
};
enum { THRESHOLD_MOVED, VIEW_CHANGED, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsViewer, es_viewer, GTK_TYPE_WIDGET)

void
_es_viewer_notify_status (EsViewer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

static void
on_hovered (EsViewer *self, gboolean inside, guint x, guint y)
{
  self->hovered.any = inside;
  self->hovered.x = x;
  self->hovered.y = y;
  es_inspector_set_hovered (self->inspector, inside, x, y);
  _es_viewer_follow_spectra (self);
  _es_viewer_queue_status (self);
}

static void
on_selected (EsViewer *self, gboolean any, guint x, guint y)
{
  es_inspector_set_selected (self->inspector, any, x, y);
  _es_viewer_follow_spectra (self);
  _es_viewer_update_spectra (self);
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
}

static void
on_threshold_moved (EsViewer *self, const char *key, double value, gboolean final)
{
  EsResult *judged = es_inspector_get_judged (self->inspector);

  if (judged != NULL)
    g_signal_emit (self, signals[THRESHOLD_MOVED], 0, judged, key, value, final);
}

/* ---- what is shown ---- */

static gboolean
is_same_file (EsDataset *one, EsDataset *other)
{
  return ES_IS_CUBE (one) && ES_IS_CUBE (other)
         && es_cube_get_original (ES_CUBE (one)) == es_cube_get_original (ES_CUBE (other));
}

static void
set_dataset (EsViewer *self, EsDataset *dataset)
{
  const gboolean stays = is_same_file (self->dataset, dataset);

  if (!g_set_object (&self->dataset, dataset))
    return;

  /* Another scene: nothing of the old one stays, were it of the same size. The same one, told something else, keeps the
   * pixel whose spectrum is looked at. */
  if (stays && es_image_view_get_selected (self->left.view, &self->waiting.x, &self->waiting.y))
    self->waiting.any = TRUE;
  else if (!stays)
    self->waiting.any = FALSE;
  self->waiting_place.any = FALSE;
  es_image_view_unselect (self->left.view);
  es_plane_loader_cancel (self->left.loader);
  es_picture_clear (self->left.picture);
  es_inspector_set_dataset (self->inspector, dataset);
  _es_viewer_find_truth (self);
  _es_viewer_find_projection (self);
  _es_viewer_spectra_dataset (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DATASET]);
}

static void
set_result (EsViewer *self, EsResult *result)
{
  if (!g_set_object (&self->result, result))
    return;
  /* Of one that was not kept there is nothing to be told. */
  es_inspector_set_result (self->inspector, result != NULL && !es_result_is_absent (result) ? result : NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESULT]);
}

static void
show_curve (EsViewer *self, EsCurve *curve)
{
  g_autoptr (EsPlot) plot = es_curve_plot_new (curve);
  GtkWidget *old = gtk_widget_get_first_child (self->curve), *view = es_plot_view_new (plot, 240);

  if (old != NULL)
    gtk_box_remove (GTK_BOX (self->curve), old);
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (self->curve), view);
}

static void
show_page (EsViewer *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), ES_IS_CURVE (self->layer) ? "curve"
                                                             : ES_IS_TABLE (self->layer) ? "table"
                                                             : ES_IS_MATRIX (self->layer) ? "matrix" : "picture");
}

static void
set_layer (EsViewer *self, EsLayer *layer, GObject *replaces)
{
  g_autoptr (EsPlaneSource) source = NULL;
  EsPlaneSource *shown;
  gboolean changed = g_set_object (&self->layer, layer);

  if (layer == NULL && ES_IS_CUBE (self->dataset))
    source = es_plane_source_new_for_cube (ES_CUBE (self->dataset));
  else if (ES_IS_IMAGE_STACK (layer))
    source = es_plane_source_new_for_stack (ES_IMAGE_STACK (layer));

  if (ES_IS_CURVE (layer))
    show_curve (self, ES_CURVE (layer));
  else if (ES_IS_TABLE (layer))
    es_table_view_set_table (self->table, ES_TABLE (layer));
  else if (ES_IS_MATRIX (layer))
    es_matrix_view_set_matrix (self->matrix, ES_MATRIX (layer));
  show_page (self);
  gtk_widget_set_visible (self->left.bar, source != NULL);

  /* The same again changes nothing on the screen. */
  shown = es_display_get_source (self->left.display);
  if (source == NULL || shown == NULL
      || es_plane_source_get_data (source) != es_plane_source_get_data (shown))
    es_display_set_source (self->left.display, source, replaces);
  else if (self->preview.stack != NULL || es_picture_is_empty (self->left.picture))
    _es_viewer_load_planes (self);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAYER]);
}

GtkWidget *
es_viewer_new (void)
{
  return g_object_new (ES_TYPE_VIEWER, NULL);
}

void
es_viewer_show_dataset (EsViewer *self, EsDataset *dataset)
{
  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (dataset == NULL || ES_IS_DATASET (dataset));

  set_dataset (self, dataset);
  set_result (self, NULL);
  set_layer (self, NULL, NULL);
}

static EsLayer *
first_layer (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);
  EsLayer *first = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps them. */
      if (ES_IS_IMAGE_STACK (layer))
        return layer;
      if (first == NULL)
        first = layer;
    }
  return first;
}

void
es_viewer_show_result (EsViewer *self, EsResult *result, EsLayer *layer, EsResult *replaces)
{
  g_autoptr (EsLayer) old = NULL;

  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (ES_IS_RESULT (result));
  g_return_if_fail (layer == NULL || ES_IS_LAYER (layer));

  if (replaces != NULL && replaces == self->result)
    g_set_object (&old, self->layer);
  if (layer == NULL && old != NULL)
    layer = es_result_find_layer (result, es_layer_get_name (old));
  if (layer == NULL)
    layer = first_layer (result);

  set_dataset (self, es_result_get_dataset (result));
  set_result (self, result);
  set_layer (self, layer, G_OBJECT (old));
}

void
es_viewer_end_preview (EsViewer *self)
{
  g_return_if_fail (ES_IS_VIEWER (self));

  if (!_es_viewer_drop_preview (self))
    return;
  show_page (self);
  if (es_display_get_source (self->left.display) == NULL)
    es_picture_clear (self->left.picture);
  _es_viewer_load_planes (self);
}

EsDataset *
es_viewer_get_dataset (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return self->dataset;
}

EsResult *
es_viewer_get_result (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return self->result;
}

GtkWidget *
es_viewer_get_inspector (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return GTK_WIDGET (self->inspector);
}

gboolean
es_viewer_shows_composite (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  return es_display_get_composite (self->left.display);
}

void
es_viewer_show_plane (EsViewer *self, guint plane)
{
  g_return_if_fail (ES_IS_VIEWER (self));
  es_display_show_plane (self->left.display, plane);
}

void
es_viewer_select_pixel (EsViewer *self, guint64 x, guint64 y)
{
  g_return_if_fail (ES_IS_VIEWER (self));

  if (x > G_MAXUINT || y > G_MAXUINT)
    return;
  self->waiting.any = es_picture_is_empty (self->left.picture);
  self->waiting.x = (guint) x;
  self->waiting.y = (guint) y;
  if (!self->waiting.any)
    es_image_view_select (self->left.view, (guint) x, (guint) y);
}

gboolean
es_viewer_is_loading (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  return es_plane_loader_is_busy (self->left.loader) || es_inspector_is_loading (self->inspector)
         || es_stack_strip_is_loading (self->strip) || _es_viewer_compare_is_loading (self) || self->status_idle != 0;
}

/* ---- the widget ---- */

static void
es_viewer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsViewer *self = ES_VIEWER (object);

  switch (id)
    {
    case PROP_DATASET:
      g_value_set_object (value, self->dataset);
      break;
    case PROP_RESULT:
      g_value_set_object (value, self->result);
      break;
    case PROP_LAYER:
      g_value_set_object (value, self->layer);
      break;
    case PROP_PLANE:
      g_value_set_uint (value, es_display_get_plane (self->left.display));
      break;
    case PROP_STATUS:
      g_value_set_string (value, self->status != NULL ? self->status : "");
      break;
    case PROP_COMPARING:
      g_value_set_boolean (value, _es_viewer_is_comparing (self));
      break;
    case PROP_COMPARE_MODE:
      g_value_set_string (value, _es_viewer_compare_mode_id (es_compare_view_get_mode (self->compare)));
      break;
    case PROP_SPECTRA:
      g_value_set_boolean (value, self->spectra_shown);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_compare_mode (EsViewer *self, EsCompareMode mode)
{
  if (!_es_viewer_set_compare_mode (self, mode))
    return;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPARING]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPARE_MODE]);
}

static void
es_viewer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsViewer *self = ES_VIEWER (object);
  EsCompareMode mode;

  switch (id)
    {
    case PROP_PLANE:
      es_display_set_plane (self->left.display, g_value_get_uint (value));
      break;
    case PROP_COMPARING:
      set_compare_mode (self, g_value_get_boolean (value) ? self->compare_mode : ES_COMPARE_OFF);
      break;
    case PROP_COMPARE_MODE:
      if (_es_viewer_find_compare_mode (g_value_get_string (value), &mode))
        set_compare_mode (self, mode);
      break;
    case PROP_SPECTRA:
      if (self->spectra_shown != g_value_get_boolean (value))
        {
          _es_viewer_show_spectra (self, g_value_get_boolean (value));
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_viewer_dispose (GObject *object)
{
  EsViewer *self = ES_VIEWER (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  if (self->basis != NULL)
    es_latest_cancel (self->basis);
  g_clear_object (&self->basis);
  g_clear_handle_id (&self->status_idle, g_source_remove);
  if (self->player != NULL)
    g_object_set (self->player, "playing", FALSE, NULL);
  if (self->left.loader != NULL)
    {
      es_plane_loader_cancel (self->left.loader);
      g_signal_handlers_disconnect_by_data (self->left.loader, &self->left);
    }
  g_signal_group_set_target (self->left.gpu_signals, NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  _es_viewer_drop_preview (self);
  _es_viewer_dispose_compare (self);
  _es_viewer_dispose_spectra (self);
  g_clear_object (&self->preview.loader);
  g_clear_object (&self->inspector);
  g_clear_object (&self->player);
  g_clear_object (&self->left.loader);
  g_clear_object (&self->layer);
  g_clear_object (&self->result);
  g_clear_object (&self->dataset);
  G_OBJECT_CLASS (es_viewer_parent_class)->dispose (object);
}

static void
es_viewer_finalize (GObject *object)
{
  EsViewer *self = ES_VIEWER (object);

  _es_viewer_side_clear (&self->left);
  g_clear_object (&self->cancellable);
  g_free (self->status);
  G_OBJECT_CLASS (es_viewer_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags both = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  properties[PROP_DATASET] = g_param_spec_object ("dataset", NULL, NULL, ES_TYPE_DATASET, read_only);
  properties[PROP_RESULT] = g_param_spec_object ("result", NULL, NULL, ES_TYPE_RESULT, read_only);
  properties[PROP_LAYER] = g_param_spec_object ("layer", NULL, NULL, ES_TYPE_LAYER, read_only);
  properties[PROP_PLANE] = g_param_spec_uint ("plane", NULL, NULL, 0, G_MAXUINT, 0, both);
  properties[PROP_STATUS] = g_param_spec_string ("status", NULL, NULL, "", read_only);
  properties[PROP_COMPARING] = g_param_spec_boolean ("comparing", NULL, NULL, FALSE, both);
  properties[PROP_COMPARE_MODE] = g_param_spec_string ("compare-mode", NULL, NULL, "off", both);
  properties[PROP_SPECTRA] = g_param_spec_boolean ("spectra", NULL, NULL, FALSE, both);
  g_object_class_install_properties (klass, N_PROPS, properties);
}

static void
es_viewer_class_init (EsViewerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_viewer_get_property;
  object_class->set_property = es_viewer_set_property;
  object_class->dispose = es_viewer_dispose;
  object_class->finalize = es_viewer_finalize;
  install_properties (object_class);
  _es_viewer_install_actions (widget_class);

  signals[THRESHOLD_MOVED] = g_signal_new ("threshold-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL,
                                           G_TYPE_NONE, 4, ES_TYPE_RESULT, G_TYPE_STRING, G_TYPE_DOUBLE,
                                           G_TYPE_BOOLEAN);
  signals[VIEW_CHANGED] = g_signal_new ("view-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "viewer");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
make_children (EsViewer *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->left.bar = es_display_bar_new (self->left.display);
  self->player = es_plane_player_new (self->left.display, self->left.loader);
  es_display_bar_add (ES_DISPLAY_BAR (self->left.bar), es_play_control_new (self->player),
                      es_play_control_new (self->player));
  es_plane_keys_install (widget, self->player);
  gtk_widget_set_visible (self->left.bar, FALSE);
  gtk_widget_set_parent (self->left.bar, widget);

  _es_viewer_make_compare_controls (self);
  self->curve = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->curve, "viewer-curve");
  self->table = ES_TABLE_VIEW (es_table_view_new (-1));
  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), GTK_WIDGET (self->compare), "picture");
  gtk_stack_add_named (GTK_STACK (self->pages), self->curve, "curve");
  gtk_stack_add_named (GTK_STACK (self->pages), GTK_WIDGET (self->table), "table");
  self->matrix = ES_MATRIX_VIEW (es_matrix_view_new ());
  gtk_stack_add_named (GTK_STACK (self->pages), GTK_WIDGET (self->matrix), "matrix");
  _es_viewer_add_correlations (self);
  gtk_widget_set_vexpand (self->pages, TRUE);
  _es_viewer_init_spectra (self);
  self->large = ES_LARGE_SPLIT (es_large_split_new (self->split));
  gtk_widget_set_parent (GTK_WIDGET (self->large), widget);

  self->strip = ES_STACK_STRIP (es_stack_strip_new (self->left.display));
  self->strip_revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->strip_revealer),
                                    GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP);
  gtk_revealer_set_child (GTK_REVEALER (self->strip_revealer), GTK_WIDGET (self->strip));
  gtk_widget_set_parent (self->strip_revealer, widget);
}

static void
es_viewer_init (EsViewer *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->cancellable = g_cancellable_new ();
  _es_viewer_side_init (&self->left, es_display_new ());
  _es_viewer_init_compare (self);
  make_children (self);
  self->inspector = g_object_ref_sink (ES_INSPECTOR (es_inspector_new (self->left.display, self->left.picture)));
  es_inspector_set_image_view (self->inspector, self->left.view);
  es_section_places_set_split (es_inspector_get_places (self->inspector), self->large);
  es_place_menu_add (self->left.view, self->left.display, self->left.view, self->inspector);
  es_place_menu_add (self->right.view, self->right.display, self->left.view, self->inspector);
  es_place_menu_add (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), self->left.display, self->left.view,
                     self->inspector);
  _es_viewer_connect_planes (self);
  _es_viewer_connect_basis (self);
  _es_viewer_watch_view (self);
  _es_viewer_connect_spectra (self);

  g_signal_connect_object (self->left.view, "hovered", G_CALLBACK (on_hovered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.view, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.view, "notify::zoom", G_CALLBACK (_es_viewer_queue_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inspector, "threshold-moved", G_CALLBACK (on_threshold_moved), self,
                           G_CONNECT_SWAPPED);
  _es_viewer_update_actions (self);
}
