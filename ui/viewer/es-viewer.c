/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-curve-plot.h"
#include "image/es-display-bar.h"
#include "widgets/es-format.h"
#include "charts/es-plot-view.h"

enum
{
  PROP_0, PROP_DATASET, PROP_RESULT, PROP_LAYER, PROP_PLANE, PROP_STATUS, PROP_COMPARING, PROP_COMPARE_MODE, N_PROPS
};
enum { THRESHOLD_MOVED, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsViewer, es_viewer, GTK_TYPE_WIDGET)

/* ---- the status line ---- */

void
_es_viewer_append_values (GString *text, EsPicture *picture, EsPlaneSource *source, guint x, guint y)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  const char *unit = source != NULL ? es_plane_source_get_unit (source) : NULL;
  guint n = es_picture_get_n_planes (picture);
  double samples[3];
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      samples[i] = es_picture_get_sample (picture, i, x + 0.5, y + 0.5);
      any = any || !isnan (samples[i]);
    }
  if (!any)
    {
      g_string_append (text, _("no data"));
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (picture, i);
      double range = statistics != NULL ? statistics->quantiles[990] - statistics->quantiles[10] : 0;
      g_autofree char *value = es_format_number (samples[i], range);

      if (n == 3)
        g_string_append_printf (text, "%s%s %s", i > 0 ? "  " : "", letters[i], value);
      else
        g_string_append (text, value);
    }
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (text, " %s", unit);
}

static char *
make_status (EsViewer *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *zoom = NULL;
  guint x = self->hovered_x, y = self->hovered_y;
  gboolean any = self->hovering || es_image_view_get_selected (self->image, &x, &y);

  if (es_picture_is_empty (self->picture))
    return g_strdup ("");

  if (any)
    {
      double latitude, longitude;

      g_string_append_printf (text, _("x %u  y %u"), x, y);
      if (self->geographic
          && es_cube_get_geographic (ES_CUBE (self->dataset), x, y, &latitude, &longitude))
        {
          g_autofree char *place = es_format_geographic (latitude, longitude);

          g_string_append_printf (text, "   %s", place);
        }
      g_string_append (text, "   ");
      _es_viewer_append_values (text, self->picture, es_display_get_source (self->display), x, y);
      if (_es_viewer_is_comparing (self))
        _es_viewer_append_right_values (self, text, x, y);
      g_string_append (text, "   ");
    }
  zoom = es_format_zoom (es_image_view_get_zoom (self->image));
  g_string_append_printf (text, _("zoom %s"), zoom);
  return g_strdup (text->str);
}

static gboolean
update_status (gpointer data)
{
  EsViewer *self = ES_VIEWER (data);
  g_autofree char *status = make_status (self);

  self->status_idle = 0;
  if (g_strcmp0 (status, self->status) != 0)
    {
      g_free (self->status);
      self->status = g_steal_pointer (&status);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
    }
  return G_SOURCE_REMOVE;
}

/* Not at once: it may be asked for while widgets get their sizes. */
void
_es_viewer_queue_status (EsViewer *self)
{
  if (self->status_idle == 0)
    self->status_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_status, self, NULL);
}

typedef struct
{
  gboolean geographic;
  double   pixel_metres;
} Projection;

/* The first coordinate loads the projection's database, which is no work for the UI thread. */
static void
load_projection (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Projection *projection = g_new0 (Projection, 1);
  double latitude, longitude;

  projection->pixel_metres = es_cube_get_pixel_metres (ES_CUBE (data));
  projection->geographic = es_cube_get_geographic (ES_CUBE (data), 0, 0, &latitude, &longitude);
  g_task_return_pointer (task, projection, g_free);
}

static void
on_projection_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EsViewer *self = ES_VIEWER (source);
  g_autofree Projection *projection = g_task_propagate_pointer (G_TASK (result), NULL);

  if (projection == NULL || g_task_get_task_data (G_TASK (result)) != self->dataset)
    return;
  self->geographic = projection->geographic;
  es_image_view_set_pixel_metres (self->image, projection->pixel_metres);
  _es_viewer_queue_status (self);
}

/* ---- showing planes ---- */

void
_es_viewer_update_caption (EsViewer *self)
{
  g_autofree char *prefix = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *caption = NULL;

  if (self->preview != NULL)
    return;
  prefix = _es_viewer_caption_prefix (self);
  shown = es_display_make_caption (self->display);
  caption = g_strconcat (prefix, shown, NULL);
  es_compare_view_set_caption (self->compare, ES_COMPARE_LEFT, caption);
}

static void
apply_look (EsViewer *self)
{
  if (self->preview != NULL)
    return;
  es_display_apply_look (self->display, self->picture);
  _es_viewer_update_caption (self);
}

/* What lay on a GPU that is lost is missing at every zoom but the one on the screen: read again, it comes from the
 * host, or fails and says why. */
static void
on_lost (EsViewer *self)
{
  guint planes[3], n = es_display_get_planes (self->display, planes);

  if (self->preview != NULL)
    {
      g_clear_object (&self->preview_shown);
      es_viewer_show_preview (self, self->preview);
    }
  else if (n > 0)
    es_plane_loader_load (self->loader, es_display_get_source (self->display), n, planes);
}

gboolean
_es_viewer_watch_planes (EsViewer *self, const EsPlaneSet *set)
{
  EsDevice *gpu = NULL;

  for (guint i = 0; i < set->n_planes && gpu == NULL; i++)
    gpu = es_plane_get_device (set->ready[i]);
  if (gpu != NULL && es_device_is_lost (gpu))
    return FALSE;
  g_signal_group_set_target (self->gpu_signals, gpu);
  return TRUE;
}

static void
on_loaded (EsViewer *self, const EsPlaneSet *set)
{
  guint width = es_plane_source_get_width (set->source), height = es_plane_source_get_height (set->source);

  if (set->source != es_display_get_source (self->display))
    return;
  if (!_es_viewer_watch_planes (self, set))
    {
      on_lost (self);
      return;
    }
  es_image_view_set_message (self->image, NULL);
  es_picture_show_planes (self->picture, set->n_planes, (EsPlane **) set->ready, set->step, width, height);
  apply_look (self);
  if (self->waiting)
    {
      self->waiting = FALSE;
      es_image_view_select (self->image, self->waiting_x, self->waiting_y);
    }
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
}

static void
on_failed (EsViewer *self, const GError *error)
{
  g_signal_group_set_target (self->gpu_signals, NULL);
  es_picture_clear (self->picture);
  es_image_view_set_message (self->image, error->message);
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
}

static void
on_busy (EsViewer *self)
{
  es_display_bar_set_busy (ES_DISPLAY_BAR (self->bar), es_plane_loader_is_busy (self->loader));
}

static void
load_planes (EsViewer *self)
{
  guint planes[3], n = es_display_get_planes (self->display, planes);

  _es_viewer_drop_preview (self);
  if (n > 0)
    es_plane_loader_load (self->loader, es_display_get_source (self->display), n, planes);
  _es_viewer_left_changed (self);
  _es_viewer_update_actions (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLANE]);
}

static void
on_source_changed (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  gboolean strip = source != NULL && es_plane_source_get_stack (source) != NULL
                   && es_plane_source_get_n_planes (source) > 1;

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->strip_revealer), strip);
  es_image_view_set_message (self->image, NULL);
  es_image_view_set_legend (self->image, es_display_bar_get_legend (ES_DISPLAY_BAR (self->bar)),
                            source != NULL ? es_plane_source_get_unit (source) : NULL);
  if (source == NULL)
    {
      es_plane_loader_cancel (self->loader);
      es_picture_clear (self->picture);
      _es_viewer_update_caption (self);
    }
  load_planes (self);
  _es_viewer_queue_status (self);
}

static void
on_legend (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  es_image_view_set_legend (self->image, es_display_bar_get_legend (ES_DISPLAY_BAR (self->bar)),
                            source != NULL ? es_plane_source_get_unit (source) : NULL);
}

static void
on_hovered (EsViewer *self, gboolean inside, guint x, guint y)
{
  self->hovering = inside;
  self->hovered_x = x;
  self->hovered_y = y;
  es_inspector_set_hovered (self->inspector, inside, x, y);
  _es_viewer_queue_status (self);
}

static void
on_selected (EsViewer *self, gboolean any, guint x, guint y)
{
  es_inspector_set_selected (self->inspector, any, x, y);
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

static void
set_dataset (EsViewer *self, EsDataset *dataset)
{
  EsCube *cube = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;

  if (!g_set_object (&self->dataset, dataset))
    return;

  /* Another scene: nothing of the old one stays, were it of the same size. */
  self->waiting = FALSE;
  es_image_view_unselect (self->image);
  es_plane_loader_cancel (self->loader);
  es_picture_clear (self->picture);
  self->geographic = FALSE;
  es_image_view_set_pixel_metres (self->image, 0);
  es_inspector_set_dataset (self->inspector, dataset);
  _es_viewer_find_truth (self);
  if (cube != NULL && es_cube_get_geotransform (cube) != NULL)
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, on_projection_loaded, NULL);

      g_task_set_task_data (task, g_object_ref (cube), g_object_unref);
      g_task_run_in_thread (task, load_projection);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DATASET]);
}

static void
set_result (EsViewer *self, EsResult *result)
{
  if (!g_set_object (&self->result, result))
    return;
  es_inspector_set_result (self->inspector, result);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESULT]);
}

static void
show_curve (EsViewer *self, EsCurve *curve)
{
  g_autoptr (EsPlot) plot = es_curve_plot_new (curve);
  GtkWidget *old = gtk_widget_get_first_child (self->curve), *view = es_plot_view_new (plot, 240);

  if (old != NULL)
    gtk_box_remove (GTK_BOX (self->curve), old);
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
  gtk_widget_set_visible (self->bar, source != NULL);

  /* The same again changes nothing on the screen. */
  shown = es_display_get_source (self->display);
  if (source == NULL || shown == NULL
      || es_plane_source_get_data (source) != es_plane_source_get_data (shown))
    es_display_set_source (self->display, source, replaces);
  else if (self->preview != NULL)
    load_planes (self);
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
  if (es_display_get_source (self->display) == NULL)
    es_picture_clear (self->picture);
  load_planes (self);
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

void
es_viewer_select_pixel (EsViewer *self, guint64 x, guint64 y)
{
  g_return_if_fail (ES_IS_VIEWER (self));

  if (x > G_MAXUINT || y > G_MAXUINT)
    return;
  self->waiting = es_picture_is_empty (self->picture);
  self->waiting_x = (guint) x;
  self->waiting_y = (guint) y;
  if (!self->waiting)
    es_image_view_select (self->image, (guint) x, (guint) y);
}

gboolean
es_viewer_is_loading (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  return es_plane_loader_is_busy (self->loader) || es_inspector_is_loading (self->inspector)
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
      g_value_set_uint (value, es_display_get_plane (self->display));
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
      es_display_set_plane (self->display, g_value_get_uint (value));
      break;
    case PROP_COMPARING:
      set_compare_mode (self, g_value_get_boolean (value) ? self->compare_mode : ES_COMPARE_OFF);
      break;
    case PROP_COMPARE_MODE:
      if (_es_viewer_find_compare_mode (g_value_get_string (value), &mode))
        set_compare_mode (self, mode);
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
  g_clear_handle_id (&self->status_idle, g_source_remove);
  if (self->loader != NULL)
    es_plane_loader_cancel (self->loader);
  g_signal_group_set_target (self->gpu_signals, NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  _es_viewer_drop_preview (self);
  _es_viewer_dispose_compare (self);
  g_clear_object (&self->preview_loader);
  g_clear_object (&self->inspector);
  g_clear_object (&self->loader);
  g_clear_object (&self->layer);
  g_clear_object (&self->result);
  g_clear_object (&self->dataset);
  G_OBJECT_CLASS (es_viewer_parent_class)->dispose (object);
}

static void
es_viewer_finalize (GObject *object)
{
  EsViewer *self = ES_VIEWER (object);

  g_clear_object (&self->gpu_signals);
  g_clear_object (&self->picture);
  g_clear_object (&self->display);
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
  gtk_widget_class_set_css_name (widget_class, "viewer");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
make_children (EsViewer *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->bar = es_display_bar_new (self->display);
  gtk_widget_set_visible (self->bar, FALSE);
  gtk_widget_set_parent (self->bar, widget);

  _es_viewer_make_compare_controls (self);
  self->image = es_compare_view_get_view (self->compare, ES_COMPARE_LEFT);
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
  gtk_widget_set_parent (self->pages, widget);

  self->strip = ES_STACK_STRIP (es_stack_strip_new (self->display));
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
  self->picture = es_picture_new ();
  self->display = es_display_new ();
  self->loader = es_plane_loader_new ();
  _es_viewer_init_compare (self);
  self->gpu_signals = g_signal_group_new (ES_TYPE_DEVICE);
  g_signal_group_connect_swapped (self->gpu_signals, "notify::lost", G_CALLBACK (on_lost), self);
  make_children (self);
  self->inspector = g_object_ref_sink (ES_INSPECTOR (es_inspector_new (self->display, self->picture)));
  es_inspector_set_image_view (self->inspector, self->image);

  g_signal_connect_object (self->display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->display, "planes-changed", G_CALLBACK (load_planes), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->display, "look-changed", G_CALLBACK (apply_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->picture, "changed", G_CALLBACK (_es_viewer_update_caption), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "notify::busy", G_CALLBACK (on_busy), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "notify::legend", G_CALLBACK (on_legend), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->image, "hovered", G_CALLBACK (on_hovered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->image, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->image, "notify::zoom", G_CALLBACK (_es_viewer_queue_status), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inspector, "threshold-moved", G_CALLBACK (on_threshold_moved), self,
                           G_CONNECT_SWAPPED);
  _es_viewer_update_actions (self);
}
