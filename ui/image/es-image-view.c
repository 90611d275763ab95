/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-image-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-image-overlay.h"

#define SMALLEST_ZOOM (1 / 64.)
#define LARGEST_ZOOM  64.
#define FIT_MARGIN    12        /* widget pixels left round a fitted picture */

enum { PROP_0, PROP_ZOOM, PROP_TOOL, N_PROPS };
enum { HOVERED, SELECTED, MOVED, REGION_DRAWN, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsImageView, es_image_view, GTK_TYPE_WIDGET)

/* ---- where the picture lies ---- */

static double
device_width (EsImageView *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self)) * (double) gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static double
device_height (EsImageView *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self)) * (double) gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static double
fitting_zoom (EsImageView *self)
{
  double margin = 2. * FIT_MARGIN * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double width = MAX (device_width (self) - margin, 1);
  double height = MAX (device_height (self) - margin, 1);

  return MIN (MIN (width / self->picture_width, height / self->picture_height), LARGEST_ZOOM);
}

/* One coordinate of the centre: a picture smaller than the view stays wholly inside, a larger one keeps
 * its edge on this side of the middle. */
static double
clamp_center (double center, double length, double view)
{
  if (length <= view)
    return CLAMP (center, length - view / 2, view / 2);
  return CLAMP (center, 0, length);
}

void
_es_image_view_move_to (EsImageView *self, double zoom, double center_x, double center_y)
{
  gboolean zoomed;

  if (self->picture_width == 0)
    return;

  zoom = CLAMP (zoom, MIN (SMALLEST_ZOOM, fitting_zoom (self)), LARGEST_ZOOM);
  zoomed = zoom != self->zoom;
  self->zoom = zoom;
  self->center_x = clamp_center (center_x, self->picture_width, device_width (self) / zoom);
  self->center_y = clamp_center (center_y, self->picture_height, device_height (self) / zoom);
  g_clear_object (&self->texture);
  _es_image_view_drop_marks (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (zoomed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOM]);
  g_signal_emit (self, signals[MOVED], 0);
}

static void
apply_fit (EsImageView *self)
{
  if (self->picture_width > 0)
    _es_image_view_move_to (self, fitting_zoom (self), self->picture_width / 2., self->picture_height / 2.);
}

void
_es_image_view_zoom_at (EsImageView *self, double zoom, double x, double y)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double from_middle_x = x * scale - device_width (self) / 2;
  double from_middle_y = y * scale - device_height (self) / 2;
  double fixed_x = self->center_x + from_middle_x / self->zoom;
  double fixed_y = self->center_y + from_middle_y / self->zoom;

  if (self->picture_width == 0)
    return;
  self->fit = FALSE;
  zoom = CLAMP (zoom, MIN (SMALLEST_ZOOM, fitting_zoom (self)), LARGEST_ZOOM);
  _es_image_view_move_to (self, zoom, fixed_x - from_middle_x / zoom, fixed_y - from_middle_y / zoom);
}

void
_es_image_view_pan_by (EsImageView *self, double dx, double dy)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  self->fit = FALSE;
  _es_image_view_move_to (self, self->zoom, self->center_x + dx * scale / self->zoom,
                          self->center_y + dy * scale / self->zoom);
}

void
es_image_view_get_viewport (EsImageView *self, EsViewport *viewport)
{
  double zoom;

  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  /* The corner lies on a whole device pixel, so that 1:1 is exact. */
  zoom = self->zoom;
  viewport->zoom = zoom;
  viewport->left = round (self->center_x * zoom - device_width (self) / 2) / zoom;
  viewport->top = round (self->center_y * zoom - device_height (self) / 2) / zoom;
}

gboolean
es_image_view_pick (EsImageView *self, double x, double y, double *picture_x, double *picture_y)
{
  int scale;
  EsViewport viewport;

  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  es_image_view_get_viewport (self, &viewport);
  *picture_x = viewport.left + x * scale / viewport.zoom;
  *picture_y = viewport.top + y * scale / viewport.zoom;
  return *picture_x >= 0 && *picture_y >= 0 && *picture_x < self->picture_width
  && *picture_y < self->picture_height;
}

/* ---- hovering and selecting ---- */

void
_es_image_view_set_hovered (EsImageView *self, gboolean inside, guint x, guint y)
{
  if (self->has_hovered == inside && (!inside || (self->hovered_x == x && self->hovered_y == y)))
    return;
  self->has_hovered = inside;
  self->hovered_x = x;
  self->hovered_y = y;
  g_signal_emit (self, signals[HOVERED], 0, inside, x, y);
}

void
_es_image_view_hover_at (EsImageView *self, double x, double y)
{
  double picture_x, picture_y;

  self->has_pointer = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  if (es_image_view_pick (self, x, y, &picture_x, &picture_y))
    _es_image_view_set_hovered (self, TRUE, (guint) picture_x, (guint) picture_y);
  else
    _es_image_view_set_hovered (self, FALSE, 0, 0);
}

static void
reveal (EsImageView *self, double x, double y)
{
  double half_width = device_width (self) / self->zoom / 2;
  double half_height = device_height (self) / self->zoom / 2;
  double center_x = self->center_x, center_y = self->center_y;

  if (x < center_x - half_width || x + 1 > center_x + half_width)
    center_x = x + 0.5;
  if (y < center_y - half_height || y + 1 > center_y + half_height)
    center_y = y + 0.5;
  if (center_x == self->center_x && center_y == self->center_y)
    return;
  self->fit = FALSE;
  _es_image_view_move_to (self, self->zoom, center_x, center_y);
}

void
es_image_view_select (EsImageView *self, guint x, guint y)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (x >= self->picture_width || y >= self->picture_height)
    return;
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    reveal (self, x, y);
  if (self->has_selected && self->selected_x == x && self->selected_y == y)
    return;
  self->has_selected = TRUE;
  self->selected_x = x;
  self->selected_y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED], 0, TRUE, x, y);
}

void
es_image_view_unselect (EsImageView *self)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (!self->has_selected)
    return;
  self->has_selected = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED], 0, FALSE, 0, 0);
}

gboolean
es_image_view_get_selected (EsImageView *self, guint *x, guint *y)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  if (!self->has_selected)
    return FALSE;
  *x = self->selected_x;
  *y = self->selected_y;
  return TRUE;
}

/* ---- regions ---- */

void
_es_image_view_drop_marks (EsImageView *self)
{
  g_clear_object (&self->marks_texture);
  self->marks_rendered = FALSE;
}

void
_es_image_view_region_drawn (EsImageView *self, EsRegion *region)
{
  g_signal_emit (self, signals[REGION_DRAWN], 0, region);
}

void
es_image_view_set_regions (EsImageView *self, guint n, EsRegion *const *regions, const GdkRGBA *colors)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  g_return_if_fail (n == 0 || (regions != NULL && colors != NULL));

  if (n == 0 && es_region_marks_is_empty (self->marks))
    return;
  es_region_marks_set (self->marks, n, regions, colors, self->picture_width, self->picture_height);
  _es_image_view_drop_marks (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

EsImageTool
es_image_view_get_tool (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), ES_IMAGE_TOOL_PAN);
  return self->tool;
}

void
es_image_view_set_tool (EsImageView *self, EsImageTool tool)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  g_return_if_fail (tool < ES_N_IMAGE_TOOLS);

  if (self->tool == tool)
    return;
  _es_image_view_tool_cancel (self);
  self->tool = tool;
  if (self->tool_box != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tool_buttons[tool]), TRUE);
  _es_image_view_set_tool_cursor (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOOL]);
}

/* ---- drawing ---- */

static void
append_marks (EsImageView *self, GtkSnapshot *snapshot, const EsViewport *viewport, int width, int height, int scale)
{
  if (!self->marks_rendered)
    {
      self->marks_texture = es_region_marks_render (self->marks, viewport, width * scale, height * scale, scale);
      self->marks_rendered = TRUE;
    }
  if (self->marks_texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->marks_texture, &GRAPHENE_RECT_INIT (0, 0, width, height));
}

static void
ensure_context (EsImageView *self)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  g_autoptr (GdkGLContext) context = NULL;

  if (self->context_tried || native == NULL)
    return;
  self->context_tried = TRUE;

  /* A cairo renderer would have to fetch a GL texture back. */
  if (GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native)))
    return;
  context = gdk_surface_create_gl_context (gtk_native_get_surface (native), NULL);
  if (context != NULL && gdk_gl_context_realize (context, NULL))
    self->context = g_steal_pointer (&context);
}

static void
es_image_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);
  static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  EsViewport viewport;

  gtk_snapshot_append_color (snapshot, &canvas, &bounds);
  if (width <= 0 || height <= 0)
    return;

  es_image_view_get_viewport (self, &viewport);
  if (!es_picture_is_empty (self->picture))
    {
      ensure_context (self);
      if (self->texture == NULL)
        self->texture = es_picture_render (self->picture, self->context, width * scale, height * scale,
                                           &viewport);
      if (self->texture != NULL)
        gtk_snapshot_append_texture (snapshot, self->texture, &bounds);
      append_marks (self, snapshot, &viewport, width, height, scale);
      _es_image_view_draw_tool (self, snapshot);

      if (self->has_selected)
        es_image_overlay_crosshair (snapshot, (self->selected_x - viewport.left) * viewport.zoom / scale,
                                    (self->selected_y - viewport.top) * viewport.zoom / scale,
                                    viewport.zoom / scale);
      es_image_overlay_text (widget, snapshot, ES_CORNER_TOP_LEFT, self->caption);
      es_image_overlay_scale_bar (widget, snapshot, self->pixel_metres * scale / viewport.zoom);
      if (self->legend && es_picture_get_n_planes (self->picture) == 1)
        {
          double low, high;

          es_picture_get_stretch (self->picture, 0, &low, &high);
          es_image_overlay_legend (widget, snapshot, es_picture_get_colormap (self->picture), low, high,
                                   self->unit);
        }
    }
  es_image_overlay_text (widget, snapshot, ES_CORNER_CENTER, self->message);
  if (self->tool_box != NULL && !es_picture_is_empty (self->picture))
    gtk_widget_snapshot_child (widget, self->tool_box, snapshot);
}

/* On the right, below the line that says what is shown. */
static void
place_tools (EsImageView *self, int width, int height)
{
  int natural_width, natural_height;

  if (self->tool_box == NULL)
    return;
  gtk_widget_measure (self->tool_box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural_width, NULL, NULL);
  gtk_widget_measure (self->tool_box, GTK_ORIENTATION_VERTICAL, natural_width, NULL, &natural_height, NULL, NULL);
  gtk_widget_size_allocate (self->tool_box,
                            &(GtkAllocation) { MAX (width - natural_width - 10, 0), 40, natural_width, natural_height },
                            -1);
}

static void
es_image_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (self->fit)
    apply_fit (self);
  else
    _es_image_view_move_to (self, self->zoom, self->center_x, self->center_y);
  place_tools (self, width, height);
}

static void
es_image_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                       int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 480;
}

static void
es_image_view_unrealize (GtkWidget *widget)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  g_clear_object (&self->texture);
  g_clear_object (&self->context);
  _es_image_view_drop_marks (self);
  self->context_tried = FALSE;
  GTK_WIDGET_CLASS (es_image_view_parent_class)->unrealize (widget);
}

static void
on_picture_changed (EsImageView *self)
{
  guint width = es_picture_is_empty (self->picture) ? 0 : es_picture_get_width (self->picture);
  guint height = es_picture_is_empty (self->picture) ? 0 : es_picture_get_height (self->picture);

  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (width == self->picture_width && height == self->picture_height)
    return;

  self->picture_width = width;
  self->picture_height = height;
  self->fit = TRUE;
  _es_image_view_tool_cancel (self);
  es_image_view_set_regions (self, 0, NULL, NULL);
  es_image_view_unselect (self);
  _es_image_view_set_hovered (self, FALSE, 0, 0);
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    apply_fit (self);
}

static void
on_scale_changed (EsImageView *self)
{
  if (self->fit)
    apply_fit (self);
  g_clear_object (&self->texture);
  _es_image_view_drop_marks (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- the rest ---- */

GtkWidget *
es_image_view_new (EsPicture *picture)
{
  EsImageView *self;

  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_IMAGE_VIEW, NULL);
  self->picture = g_object_ref (picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (on_picture_changed), self, G_CONNECT_SWAPPED);
  on_picture_changed (self);
  return GTK_WIDGET (self);
}

EsPicture *
es_image_view_get_picture (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), NULL);
  return self->picture;
}

void
es_image_view_set_caption (EsImageView *self, const char *caption)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (g_strcmp0 (caption, self->caption) == 0)
    return;
  g_free (self->caption);
  self->caption = g_strdup (caption);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  caption != NULL && *caption != '\0' ? caption : _("Picture"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_image_view_set_message (EsImageView *self, const char *message)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (g_strcmp0 (message, self->message) == 0)
    return;
  g_free (self->message);
  self->message = g_strdup (message);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  message != NULL ? message : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_image_view_set_pixel_metres (EsImageView *self, double metres)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  self->pixel_metres = metres;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_image_view_set_legend (EsImageView *self, gboolean visible, const char *unit)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  self->legend = visible;
  if (g_strcmp0 (unit, self->unit) != 0)
    {
      g_free (self->unit);
      self->unit = g_strdup (unit);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

double
es_image_view_get_zoom (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), 1);
  return self->zoom;
}

gboolean
es_image_view_get_fit (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);
  return self->fit;
}

/* The picture has moved under a pointer that has not. */
static void
hover_again (EsImageView *self)
{
  if (self->has_pointer)
    _es_image_view_hover_at (self, self->pointer_x, self->pointer_y);
}

void
es_image_view_set_zoom (EsImageView *self, double zoom)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  g_return_if_fail (zoom > 0);

  self->fit = FALSE;
  _es_image_view_move_to (self, zoom, self->center_x, self->center_y);
  hover_again (self);
}

void
es_image_view_zoom_by (EsImageView *self, double factor)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  es_image_view_set_zoom (self, self->zoom * factor);
}

void
es_image_view_fit (EsImageView *self)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  self->fit = TRUE;
  apply_fit (self);
  hover_again (self);
}

static void
es_image_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ZOOM)
    g_value_set_double (value, ES_IMAGE_VIEW (object)->zoom);
  else if (id == PROP_TOOL)
    g_value_set_int (value, ES_IMAGE_VIEW (object)->tool);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_image_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TOOL)
    es_image_view_set_tool (ES_IMAGE_VIEW (object), (EsImageTool) g_value_get_int (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_image_view_dispose (GObject *object)
{
  EsImageView *self = ES_IMAGE_VIEW (object);

  g_clear_pointer (&self->tool_box, gtk_widget_unparent);
  g_clear_object (&self->texture);
  g_clear_object (&self->marks_texture);
  g_clear_object (&self->context);
  g_clear_object (&self->picture);
  G_OBJECT_CLASS (es_image_view_parent_class)->dispose (object);
}

static void
es_image_view_finalize (GObject *object)
{
  EsImageView *self = ES_IMAGE_VIEW (object);

  g_clear_pointer (&self->marks, es_region_marks_free);
  g_array_unref (self->corners);
  g_free (self->caption);
  g_free (self->message);
  g_free (self->unit);
  G_OBJECT_CLASS (es_image_view_parent_class)->finalize (object);
}

static void
es_image_view_class_init (EsImageViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_image_view_get_property;
  object_class->set_property = es_image_view_set_property;
  object_class->dispose = es_image_view_dispose;
  object_class->finalize = es_image_view_finalize;
  widget_class->snapshot = es_image_view_snapshot;
  widget_class->size_allocate = es_image_view_size_allocate;
  widget_class->measure = es_image_view_measure;
  widget_class->unrealize = es_image_view_unrealize;

  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, 0, G_MAXDOUBLE, 1,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_TOOL] = g_param_spec_int ("tool", NULL, NULL, 0, ES_N_IMAGE_TOOLS - 1, ES_IMAGE_TOOL_PAN,
                                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[HOVERED] = g_signal_new ("hovered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL,
                                   G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_UINT, G_TYPE_UINT);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL,
                                    G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_UINT, G_TYPE_UINT);

  signals[MOVED] = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  signals[REGION_DRAWN] = g_signal_new ("region-drawn", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);

  gtk_widget_class_set_css_name (widget_class, "imageview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  _es_image_view_bind_keys (widget_class);
  _es_image_view_bind_tool_keys (widget_class);
}

static void
es_image_view_init (EsImageView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->zoom = 1;
  self->fit = TRUE;
  self->corners = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  self->marks = es_region_marks_new ();
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_cursor_from_name (widget, "crosshair");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Picture"), -1);

  _es_image_view_add_controllers (self);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (on_scale_changed), NULL);
}
