/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-image-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-image-overlay.h"
#include "widgets/es-capture.h"
#include "widgets/es-gl-context.h"

enum { PROP_0, PROP_ZOOM, PROP_TOOL, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsImageView, es_image_view, GTK_TYPE_WIDGET)

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
  g_signal_emit_by_name (self, "region-drawn", region);
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
es_image_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);
  static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  EsViewport viewport;

  /* The texture has a canvas of its own, behind which nothing may lie where pixels are missing. */
  if (!es_capture_is_under_way () || es_picture_is_empty (self->picture))
    gtk_snapshot_append_color (snapshot, &canvas, &bounds);
  if (width <= 0 || height <= 0)
    return;

  es_image_view_get_viewport (self, &viewport);
  if (!es_picture_is_empty (self->picture))
    {
      es_gl_context_ensure (GTK_WIDGET (self), &self->context, &self->context_tried);
      if (es_capture_is_under_way ())
        {
          g_autoptr (GdkTexture) holed = es_picture_render_holed (self->picture, width * scale, height * scale,
                                                                  &viewport);

          gtk_snapshot_append_texture (snapshot, holed, &bounds);
        }
      else if (self->texture == NULL)
        self->texture = es_picture_render (self->picture, self->context, width * scale, height * scale,
                                           &viewport);
      if (self->texture != NULL && !es_capture_is_under_way ())
        gtk_snapshot_append_texture (snapshot, self->texture, &bounds);
      append_marks (self, snapshot, &viewport, width, height, scale);
      for (guint i = 0; i < self->pixel_marks->len; i++)
        {
          const EsImageMark *mark = &g_array_index (self->pixel_marks, EsImageMark, i);

          es_image_overlay_ring (snapshot, (mark->x - viewport.left) * viewport.zoom / scale,
                                 (mark->y - viewport.top) * viewport.zoom / scale, &mark->color);
        }
      _es_image_view_draw_line (self, snapshot, &viewport);
      _es_image_view_draw_tool (self, snapshot);

      if (self->has_selected)
        es_image_overlay_crosshair (snapshot, (self->selected_x - viewport.left) * viewport.zoom / scale,
                                    (self->selected_y - viewport.top) * viewport.zoom / scale,
                                    viewport.zoom / scale);
      es_image_overlay_text (widget, snapshot, ES_CORNER_TOP_LEFT, self->caption);
      es_image_overlay_scale_bar (widget, snapshot, self->pixel_metres * scale / viewport.zoom);
      if (self->legend && es_picture_get_n_planes (self->picture) == 1 && !es_picture_has_palette (self->picture))
        {
          double low, high;

          es_picture_get_stretch (self->picture, 0, &low, &high);
          es_image_overlay_legend (widget, snapshot, self->picture, low, high,
                                   self->unit);
        }
    }
  es_image_overlay_text (widget, snapshot, ES_CORNER_CENTER, self->message);
  if (self->tool_box != NULL && !es_picture_is_empty (self->picture))
    gtk_widget_snapshot_child (widget, self->tool_box, snapshot);
}

void
_es_image_view_show_tools (EsImageView *self, gboolean visible)
{
  if (self->tool_box != NULL)
    gtk_widget_set_visible (self->tool_box, visible);
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
    _es_image_view_apply_fit (self);
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
  es_image_view_set_line (self, 0, NULL, FALSE);
  es_image_view_unselect (self);
  _es_image_view_set_hovered (self, FALSE, 0, 0);
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    _es_image_view_apply_fit (self);
}

static void
on_scale_changed (EsImageView *self)
{
  if (self->fit)
    _es_image_view_apply_fit (self);
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
es_image_view_set_marks (EsImageView *self, guint n, const EsImageMark *marks)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (n == 0 && self->pixel_marks->len == 0)
    return;
  g_array_set_size (self->pixel_marks, 0);
  if (n > 0)
    g_array_append_vals (self->pixel_marks, marks, n);
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
  g_array_unref (self->pixel_marks);
  g_array_unref (self->line);
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

  g_signal_new ("hovered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_UINT, G_TYPE_UINT);
  g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_UINT, G_TYPE_UINT);
  g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("kept", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT);
  g_signal_new ("region-drawn", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_new ("line-drawn", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_POINTER);
  g_signal_new ("line-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 4, G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);

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
  self->pixel_marks = g_array_new (FALSE, FALSE, sizeof (EsImageMark));
  self->line = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  self->line_cursor[0] = self->line_cursor[1] = NAN;
  self->line_corner = -1;
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
