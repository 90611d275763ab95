/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plan-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-capture.h"
#include "widgets/es-format.h"
#include "widgets/es-gl-context.h"

#define MARGIN 8
#define GAP    3                /* pixels before what is set apart */
#define BAR    64               /* pixels of the legend's colours */
#define HOLE   0.12             /* of the radius: the array's own place */

static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };

struct _EsPlanView
{
  GtkWidget     parent_instance;

  EsHeatmap    *map;
  int           natural_height;
  guint         n;
  double       *edges;           /* n + 1 */
  gboolean      descending;
  char        **names;
  char         *unit;
  guint         n_rows, apart;
  double        cursor, mark_column, mark_row;

  GBytes       *places;          /* of the size and axes there are now */
  int           width, height;   /* device pixels they are of */
  GdkTexture   *texture;
  GdkGLContext *context;
  gboolean      context_tried;
};

enum { PICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsPlanView, es_plan_view, GTK_TYPE_WIDGET)

typedef struct
{
  double x, y, radius;           /* of the array, and of the last ring; widget pixels */
  gboolean half;
  int line, header;              /* heights of a line of text, and of what the legend takes at the top */
} Layout;

static PangoLayout *
make_text (EsPlanView *self, const char *words)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), words);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.8));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

static Layout
get_layout (EsPlanView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  g_autoptr (PangoLayout) text = make_text (self, "180°");
  Layout layout = { 0 };
  int text_width;

  pango_layout_get_pixel_size (text, &text_width, &layout.line);
  layout.half = self->n == 0 || (MIN (self->edges[0], self->edges[self->n]) >= -1
                                 && MAX (self->edges[0], self->edges[self->n]) <= 181);
  layout.x = floor (width / 2.);
  layout.header = self->unit != NULL ? layout.line + 4 : 0;
  height -= layout.header;
  if (layout.half)
    {
      layout.radius = MIN (width / 2. - text_width - MARGIN, height - 2. * MARGIN - 2 * layout.line);
      layout.y = MARGIN + layout.line + layout.radius;
      layout.y += MAX (0, (height - layout.y - layout.line - MARGIN) / 2);
    }
  else
    {
      layout.radius = MIN (width / 2. - text_width - MARGIN, height / 2. - MARGIN - layout.line);
      layout.y = floor (height / 2.);
    }
  layout.y = floor (layout.y) + layout.header;
  return layout;
}

/* The inner radius of a row; n_rows: the outer edge of the last. */
static double
radius_of (EsPlanView *self, const Layout *layout, double row)
{
  double inner = HOLE * layout->radius, gap = self->apart > 0 ? GAP : 0;
  double step = (layout->radius - inner - gap) / MAX (self->n_rows, 1);

  return inner + row * step + (self->apart > 0 && row >= self->apart ? gap : 0);
}

static void
ensure_places (EsPlanView *self, const Layout *layout, int scale)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)) * scale;
  int height = gtk_widget_get_height (GTK_WIDGET (self)) * scale;
  g_autofree double *radii = NULL;
  guint n = 0;

  if (self->places != NULL && self->width == width && self->height == height)
    return;
  g_clear_pointer (&self->places, g_bytes_unref);
  g_clear_object (&self->texture);
  self->width = width;
  self->height = height;
  radii = g_new (double, self->n_rows + 1);
  for (guint row = 0; row <= self->n_rows; row++)
    radii[n++] = radius_of (self, layout, row) * scale;
  self->places = es_heatmap_places_of_plan (width, height, layout->x * scale, layout->y * scale, self->n, self->edges,
                                            self->n_rows, radii, FALSE);

  /* The gap belongs to the ring inside of it: make it canvas again. And bearings that descend count from the end. */
  {
    gsize size;
    gint32 *place = g_bytes_unref_to_data (g_steal_pointer (&self->places), &size);
    double from = self->apart > 0 ? (radius_of (self, layout, self->apart) - GAP) * scale : INFINITY;
    double to = self->apart > 0 ? radius_of (self, layout, self->apart) * scale : INFINITY;

    for (int j = 0, at = 0; j < height; j++)
      for (int i = 0; i < width; i++, at += 2)
        {
          double r = hypot (i + 0.5 - layout->x * scale, j + 0.5 - layout->y * scale);

          if (r >= from && r < to)
            place[at] = -1;
          else if (self->descending && place[at] >= 0)
            place[at] = (gint32) self->n - 1 - place[at];
        }
    self->places = g_bytes_new_take (place, size);
  }
}

static void
append_text (EsPlanView *self, GtkSnapshot *snapshot, const char *words, double x, double y, double align,
             const GdkRGBA *color)
{
  g_autoptr (PangoLayout) text = make_text (self, words);
  int width, height;

  pango_layout_get_pixel_size (text, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) round (x - align * width),
                                                          (float) round (y - height / 2.)));
  gtk_snapshot_append_layout (snapshot, text, color);
  gtk_snapshot_restore (snapshot);
}

static void
snapshot_lines (EsPlanView *self, cairo_t *cr, const Layout *layout)
{
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.25);
  for (guint row = 0; row <= self->n_rows; row++)
    {
      cairo_new_sub_path (cr);
      cairo_arc (cr, layout->x, layout->y, radius_of (self, layout, row), layout->half ? G_PI : 0, 2 * G_PI);
      cairo_stroke (cr);
    }
  for (int angle = 0; angle < (layout->half ? 181 : 360); angle += 30)
    {
      double c = cos (angle * G_PI / 180), s = sin (angle * G_PI / 180);

      cairo_move_to (cr, layout->x + HOLE * layout->radius * c, layout->y - HOLE * layout->radius * s);
      cairo_line_to (cr, layout->x + layout->radius * c, layout->y - layout->radius * s);
      cairo_stroke (cr);
    }
  /* The array itself. */
  cairo_set_source_rgba (cr, 1, 1, 1, 0.9);
  cairo_set_line_width (cr, 3);
  cairo_move_to (cr, layout->x - 0.6 * HOLE * layout->radius, layout->y);
  cairo_line_to (cr, layout->x + 0.6 * HOLE * layout->radius, layout->y);
  cairo_stroke (cr);

  if (!isnan (self->cursor))
    {
      double c = cos (self->cursor * G_PI / 180), s = sin (self->cursor * G_PI / 180);

      for (guint pass = 0; pass < 2; pass++)
        {
          cairo_set_source_rgba (cr, pass, pass, pass, pass == 0 ? 0.6 : 0.95);
          cairo_set_line_width (cr, pass == 0 ? 3 : 1);
          cairo_move_to (cr, layout->x + HOLE * layout->radius * c, layout->y - HOLE * layout->radius * s);
          cairo_line_to (cr, layout->x + layout->radius * c, layout->y - layout->radius * s);
          cairo_stroke (cr);
        }
    }
  if (!isnan (self->mark_column) && !isnan (self->mark_row) && self->n > 0)
    {
      double place = CLAMP (self->mark_column, 0, self->n), share = place - floor (MIN (place, self->n - 1));
      guint column = (guint) MIN (floor (place), self->n - 1.);
      guint at = self->descending ? self->n - 1 - column : column;
      double angle = self->edges[at] + (self->descending ? 1 - share : share) * (self->edges[at + 1] - self->edges[at]);
      double row = floor (self->mark_row);
      double r = (radius_of (self, layout, row) + radius_of (self, layout, row + 1)) / 2;

      for (guint pass = 0; pass < 2; pass++)
        {
          cairo_new_sub_path (cr);
          cairo_arc (cr, layout->x + r * cos (angle * G_PI / 180), layout->y - r * sin (angle * G_PI / 180), 6, 0,
                     2 * G_PI);
          cairo_set_source_rgba (cr, pass, pass, pass, pass == 0 ? 0.6 : 0.95);
          cairo_set_line_width (cr, pass == 0 ? 4 : 2);
          cairo_stroke (cr);
        }
    }
}

static void
snapshot_labels (EsPlanView *self, GtkSnapshot *snapshot, const Layout *layout)
{
  static const GdkRGBA ink = { 1, 1, 1, 0.85f };
  double taken = 1e9;

  for (int angle = 0; angle < (layout->half ? 181 : 360); angle += 30)
    {
      double c = cos (angle * G_PI / 180), s = sin (angle * G_PI / 180);
      g_autofree char *label = g_strdup_printf ("%d°", !layout->half && angle > 180 ? angle - 360 : angle);

      append_text (self, snapshot, label, layout->x + (layout->radius + 4) * c,
                   layout->y - (layout->radius + 3 + layout->line / 2.) * s, (1 - c) / 2, &ink);
    }
  /* From the outside inwards: the far field has its name, and of the others as many as there is room for. */
  for (guint row = self->n_rows; row-- > 0 && layout->half;)
    {
      double x = layout->x + (radius_of (self, layout, row) + radius_of (self, layout, row + 1)) / 2;
      g_autoptr (PangoLayout) text = make_text (self, self->names[row]);
      int width;

      pango_layout_get_pixel_size (text, &width, NULL);
      if (x + width / 2. > taken - 5)
        continue;
      append_text (self, snapshot, self->names[row], x, layout->y + 3 + layout->line / 2., 0.5, &ink);
      taken = x - width / 2.;
    }
}

/* The same as above a map, on the canvas; where it is too narrow, the unit is what stays. */
static void
snapshot_legend (EsPlanView *self, GtkSnapshot *snapshot, const Layout *layout)
{
  static const GdkRGBA ink = { 1, 1, 1, 0.85f };
  const guint8 *entries = es_colormap_entries (es_heatmap_get_colormap (self->map));
  double right = gtk_widget_get_width (GTK_WIDGET (self)) - MARGIN, y = 2 + layout->line / 2., low, high;
  g_autofree char *first = NULL, *second = NULL, *last = NULL;
  g_autoptr (PangoLayout) first_text = NULL, last_text = NULL;
  GskColorStop stops[17];
  graphene_rect_t rect;
  int first_width, last_width;

  es_heatmap_get_range (self->map, &low, &high);
  first = es_format_number (low, 100);
  second = es_format_number (high, 100);
  last = g_strdup_printf ("%s %s", second, self->unit);
  first_text = make_text (self, first);
  last_text = make_text (self, last);
  pango_layout_get_pixel_size (first_text, &first_width, NULL);
  pango_layout_get_pixel_size (last_text, &last_width, NULL);
  append_text (self, snapshot, last, right, y, 1, &ink);
  if (right - last_width - BAR - first_width - 10 < MARGIN)
    return;
  rect = GRAPHENE_RECT_INIT ((float) (right - last_width - 5 - BAR), (float) (y - 4), BAR, 8);
  for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
    {
      const guint8 *entry = entries + 4 * (i * 255 / (G_N_ELEMENTS (stops) - 1));

      stops[i].offset = (float) i / (G_N_ELEMENTS (stops) - 1);
      stops[i].color = (GdkRGBA) { entry[0] / 255.f, entry[1] / 255.f, entry[2] / 255.f, 1 };
    }
  gtk_snapshot_append_linear_gradient (snapshot, &rect, &rect.origin,
                                       &GRAPHENE_POINT_INIT (rect.origin.x + BAR, rect.origin.y), stops,
                                       G_N_ELEMENTS (stops));
  append_text (self, snapshot, first, rect.origin.x - 5, y, 1, &ink);
}

static void
es_plan_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsPlanView *self = ES_PLAN_VIEW (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  Layout layout = get_layout (self);
  cairo_t *cr;

  const gboolean empty = self->n == 0 || self->n_rows == 0 || layout.radius < 20
                         || es_heatmap_get_end (self->map) < self->n_rows;

  if (empty || !es_capture_is_under_way ())
    gtk_snapshot_append_color (snapshot, &canvas, &bounds);
  if (empty)
    return;
  es_gl_context_ensure (GTK_WIDGET (self), &self->context, &self->context_tried);
  ensure_places (self, &layout, scale);
  if (es_capture_is_under_way ())
    {
      g_autoptr (GdkTexture) holed = es_heatmap_render_holed (self->map, self->width, self->height, NULL, self->places);

      gtk_snapshot_append_texture (snapshot, holed, &bounds);
    }
  else
    {
      if (self->texture == NULL)
        self->texture = es_heatmap_render_places (self->map, self->context, self->width, self->height, self->places);
      gtk_snapshot_append_texture (snapshot, self->texture, &bounds);
    }
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  snapshot_lines (self, cr, &layout);
  cairo_destroy (cr);
  snapshot_labels (self, snapshot, &layout);
  if (self->unit != NULL)
    snapshot_legend (self, snapshot, &layout);
}

static void
drop_shape (EsPlanView *self)
{
  g_clear_pointer (&self->places, g_bytes_unref);
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_plan_view_set_axes (EsPlanView *self, guint n, const double *bearings, const char *const *names, guint apart)
{
  g_return_if_fail (ES_IS_PLAN_VIEW (self));

  g_free (self->edges);
  self->edges = g_new (double, n + 1);
  self->n = n;
  self->descending = n > 1 && bearings[n - 1] < bearings[0];
  for (guint i = 0; i <= n && n > 0; i++)
    {
      double before = bearings[i > 0 ? i - 1 : 0], after = bearings[MIN (i, n - 1)];
      double half = n > 1 ? fabs (bearings[1] - bearings[0]) / 2 : 1;
      double low = MIN (bearings[0], bearings[n - 1]), high = MAX (bearings[0], bearings[n - 1]);
      /* A line's end at its axis: the half-plane ends there. */
      gboolean of_line = low >= 0 && high <= 180;
      double edge = i == 0 ? (of_line ? MAX (low - half, 0) : low - half)
                    : i == n ? (of_line ? MIN (high + half, 180) : high + half) : (before + after) / 2;

      self->edges[self->descending && i > 0 && i < n ? n - i : i] = edge;
    }
  g_strfreev (self->names);
  self->names = g_strdupv ((char **) names);
  self->n_rows = g_strv_length (self->names);
  self->apart = apart < self->n_rows ? apart : 0;
  drop_shape (self);
}

void
es_plan_view_set_unit (EsPlanView *self, const char *unit)
{
  g_return_if_fail (ES_IS_PLAN_VIEW (self));

  if (g_strcmp0 (self->unit, unit) == 0)
    return;
  g_free (self->unit);
  self->unit = g_strdup (unit);
  drop_shape (self);
}

void
es_plan_view_set_cursor (EsPlanView *self, double bearing)
{
  g_return_if_fail (ES_IS_PLAN_VIEW (self));

  self->cursor = bearing;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_plan_view_set_mark (EsPlanView *self, double column, double row)
{
  g_return_if_fail (ES_IS_PLAN_VIEW (self));

  self->mark_column = column;
  self->mark_row = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsPlanView *self = ES_PLAN_VIEW (user_data);
  Layout layout = get_layout (self);
  double angle = atan2 (layout.half ? fabs (layout.y - y) : layout.y - y, x - layout.x) * 180 / G_PI;
  double r = hypot (x - layout.x, y - layout.y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  for (guint row = 0; row < self->n_rows; row++)
    for (guint c = 0; c < self->n; c++)
      if (r >= radius_of (self, &layout, row) && r < radius_of (self, &layout, row + 1)
          && ((angle >= self->edges[c] && angle < self->edges[c + 1])
              || (angle + 360 >= self->edges[c] && angle + 360 < self->edges[c + 1])))
        {
          g_signal_emit (self, signals[PICKED], 0, (self->descending ? self->n - 1 - c : c) + 0.5, row + 0.5);
          return;
        }
}

static void
on_map_changed (EsPlanView *self)
{
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
es_plan_view_new (EsHeatmap *map, int natural_height)
{
  EsPlanView *self = g_object_new (ES_TYPE_PLAN_VIEW, NULL);

  self->map = g_object_ref (map);
  self->natural_height = natural_height;
  g_signal_connect_object (map, "changed", G_CALLBACK (on_map_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_plan_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  EsPlanView *self = ES_PLAN_VIEW (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : MIN (self->natural_height, 96);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : self->natural_height;
}

static void
es_plan_view_unrealize (GtkWidget *widget)
{
  EsPlanView *self = ES_PLAN_VIEW (widget);

  g_clear_object (&self->texture);
  g_clear_object (&self->context);
  self->context_tried = FALSE;
  GTK_WIDGET_CLASS (es_plan_view_parent_class)->unrealize (widget);
}

static void
es_plan_view_finalize (GObject *object)
{
  EsPlanView *self = ES_PLAN_VIEW (object);

  g_clear_pointer (&self->places, g_bytes_unref);
  g_clear_object (&self->texture);
  g_clear_object (&self->context);
  g_clear_object (&self->map);
  g_free (self->edges);
  g_strfreev (self->names);
  g_free (self->unit);
  G_OBJECT_CLASS (es_plan_view_parent_class)->finalize (object);
}

static void
es_plan_view_class_init (EsPlanViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = es_plan_view_finalize;
  widget_class->snapshot = es_plan_view_snapshot;
  widget_class->measure = es_plan_view_measure;
  widget_class->unrealize = es_plan_view_unrealize;
  signals[PICKED] = g_signal_new ("picked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name (widget_class, "planview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_plan_view_init (EsPlanView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->cursor = self->mark_column = self->mark_row = NAN;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
