/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-canvas.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#define MARGIN   18.0
#define FOOT     20.0          /* of the scale bar */
#define NUMBERED 16            /* so many elements have their numbers beside them */

struct _EsArrayCanvas
{
  GtkWidget    parent_instance;

  EsArray     *array;
  EsArrayView  view;
  guint8      *flags;
  guint        n_flags;
};

G_DEFINE_FINAL_TYPE (EsArrayCanvas, es_array_canvas, GTK_TYPE_WIDGET)

/* Where an element is in the picture's plane, metres. */
static void
place_element (EsArrayCanvas *self, const EsElement *element, const double axis[3], double *right, double *up)
{
  *right = element->x;
  *up = self->view == ES_ARRAY_FROM_SIDE ? element->z : element->y;
  if (self->view == ES_ARRAY_ALONG_LINE)
    {
      *right = element->x * axis[0] + element->y * axis[1] + element->z * axis[2];
      *up = 0;
    }
}

/* 1, 2 or 5 times a power of ten, at most `most`. */
static double
round_length (double most)
{
  double power = pow (10, floor (log10 (most)));

  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

typedef struct
{
  double centre_right, centre_up;      /* m */
  double scale;                        /* pixels a metre */
  double width, height;                /* of the widget */
} Projection;

static void
project (const Projection *p, double right, double up, double *x, double *y)
{
  *x = p->width / 2 + (right - p->centre_right) * p->scale;
  *y = (p->height - FOOT) / 2 - (up - p->centre_up) * p->scale;
}

static void
fit (EsArrayCanvas *self, const double axis[3], Projection *p)
{
  const EsElement *elements = es_array_get_elements (self->array);
  double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
  double wide, high;

  EsElement origin = { 0 };
  double place[3];

  es_array_get_origin_place (self->array, place);
  origin.x = place[0];
  origin.y = place[1];
  origin.z = place[2];
  for (guint i = 0; i <= es_array_get_n_elements (self->array); i++)
    {
      double at[2];

      place_element (self, i < es_array_get_n_elements (self->array) ? &elements[i] : &origin, axis, &at[0], &at[1]);
      for (guint k = 0; k < 2; k++)
        {
          least[k] = fmin (least[k], at[k]);
          most[k] = fmax (most[k], at[k]);
        }
    }
  p->centre_right = (least[0] + most[0]) / 2;
  p->centre_up = (least[1] + most[1]) / 2;
  wide = MAX (p->width - 2 * MARGIN, 10) / MAX (most[0] - least[0], 1e-9);
  high = MAX (p->height - FOOT - 2 * MARGIN, 10) / MAX (most[1] - least[1], 1e-9);
  p->scale = fmin (fmin (wide, high), 1e7);
}

static void
show_text (cairo_t *cr, PangoLayout *layout, const char *text, double x, double y, double align)
{
  int width, height;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - align * width, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_scale_bar (cairo_t *cr, PangoLayout *layout, const Projection *p)
{
  double metres = round_length (MAX (p->width / 3, 20) / p->scale);
  double pixels = metres * p->scale, y = p->height - 8, x = MARGIN / 2;
  g_autofree char *text = NULL;

  if (metres >= 1000)
    /* TRANSLATORS: a length in kilometres */
    text = g_strdup_printf (_("%g km"), metres / 1000);
  else if (metres >= 1)
    /* TRANSLATORS: a length in metres */
    text = g_strdup_printf (_("%g m"), metres);
  else
    /* TRANSLATORS: a length in centimetres */
    text = g_strdup_printf (_("%g cm"), metres * 100);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x + 0.5, y - 3.5);
  cairo_line_to (cr, x + 0.5, y + 0.5);
  cairo_line_to (cr, x + pixels - 0.5, y + 0.5);
  cairo_line_to (cr, x + pixels - 0.5, y - 3.5);
  cairo_stroke (cr);
  show_text (cr, layout, text, x + pixels + 6, y - 2, 0);
}

static void
draw_element (cairo_t *cr, double x, double y, double size, gboolean dead, guint8 flags, const GdkRGBA *ink,
              const GdkRGBA *bad)
{
  if (dead)
    {
      gdk_cairo_set_source_rgba (cr, bad);
      cairo_set_line_width (cr, 1.5);
      cairo_move_to (cr, x - size - 1, y - size - 1);
      cairo_line_to (cr, x + size + 1, y + size + 1);
      cairo_move_to (cr, x + size + 1, y - size - 1);
      cairo_line_to (cr, x - size - 1, y + size + 1);
      cairo_stroke (cr);
    }
  else if (flags != 0)
    {
      gdk_cairo_set_source_rgba (cr, bad);
      cairo_move_to (cr, x, y - size - 3);
      cairo_line_to (cr, x + size + 2.5, y + size + 1);
      cairo_line_to (cr, x - size - 2.5, y + size + 1);
      cairo_close_path (cr);
      cairo_fill (cr);
    }
  else
    {
      gdk_cairo_set_source_rgba (cr, ink);
      cairo_arc (cr, x, y, size, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

/* Where bearings are counted from. */
static void
draw_directions (EsArrayCanvas *self, cairo_t *cr, PangoLayout *layout, const Projection *p)
{
  double y = (p->height - FOOT) / 2;

  if (self->view == ES_ARRAY_ALONG_LINE)
    {
      show_text (cr, layout, "180°", 3, y - 13, 0);
      show_text (cr, layout, "0°", p->width - 3, y - 13, 1);
      show_text (cr, layout, "90°", p->width / 2, y - 13, 0.5);
    }
  else if (self->view == ES_ARRAY_FROM_ABOVE && !es_array_is_line (self->array))
    {
      show_text (cr, layout, "0°", p->width - 3, y, 1);
      show_text (cr, layout, "90°", p->width / 2, 9, 0.5);
    }
}

/* Where bearings and ranges are counted from: a ring with a cross. */
static void
draw_origin (EsArrayCanvas *self, cairo_t *cr, const Projection *p, const double axis[3], double size)
{
  const double ring = size + 3.5;
  EsElement place = { 0 };
  double at[3], right, up, x, y;

  es_array_get_origin_place (self->array, at);
  place.x = at[0];
  place.y = at[1];
  place.z = at[2];
  place_element (self, &place, axis, &right, &up);
  project (p, right, up, &x, &y);
  cairo_set_line_width (cr, 1);
  cairo_arc (cr, x, y, ring, 0, 2 * G_PI);
  for (int side = -1; side <= 1; side += 2)
    {
      cairo_move_to (cr, x + side * ring, y);
      cairo_line_to (cr, x + side * (ring + 3), y);
      cairo_move_to (cr, x, y + side * ring);
      cairo_line_to (cr, x, y + side * (ring + 3));
    }
  cairo_stroke (cr);
}

static void
draw (EsArrayCanvas *self, cairo_t *cr, double width, double height)
{
  const EsElement *elements = es_array_get_elements (self->array);
  const guint n = es_array_get_n_elements (self->array);
  const GdkRGBA bad = { 0.88, 0.11, 0.14, 1 };
  Projection p = { .width = width, .height = height };
  double axis[3] = { 1, 0, 0 }, size, last_x = -1, last_y = -1;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), NULL);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  GdkRGBA ink, dim;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &ink);
  dim = ink;
  dim.alpha *= 0.6f;
  pango_attr_list_insert (attributes, pango_attr_scale_new (0.8));
  pango_layout_set_attributes (layout, attributes);
  if (es_array_is_line (self->array))
    es_array_get_axis (self->array, axis);
  fit (self, axis, &p);

  gdk_cairo_set_source_rgba (cr, &dim);
  draw_directions (self, cr, layout, &p);
  draw_scale_bar (cr, layout, &p);

  size = n <= 64 ? 3 : n <= 512 ? 2 : 1;
  for (guint i = 0; i < n; i++)
    {
      guint8 flags = i < self->n_flags ? self->flags[i] : 0;
      double right, up, x, y;

      place_element (self, &elements[i], axis, &right, &up);
      project (&p, right, up, &x, &y);
      /* Of thousands most fall upon the one before. */
      if (!elements[i].dead && flags == 0 && fabs (x - last_x) < 0.5 && fabs (y - last_y) < 0.5)
        continue;
      last_x = x;
      last_y = y;
      draw_element (cr, x, y, size, elements[i].dead, flags, &ink, &bad);
      if (n <= NUMBERED)
        {
          g_autofree char *number = g_strdup_printf ("%u", i + 1);

          gdk_cairo_set_source_rgba (cr, &dim);
          show_text (cr, layout, number, x, y + 13, 0.5);
        }
    }
  gdk_cairo_set_source_rgba (cr, &ink);
  draw_origin (self, cr, &p, axis, size);
}

static void
es_array_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsArrayCanvas *self = ES_ARRAY_CANVAS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr;

  if (self->array == NULL || width < 1 || height < 1)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw (self, cr, width, height);
  cairo_destroy (cr);
}

static void
es_array_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  EsArrayCanvas *self = ES_ARRAY_CANVAS (widget);
  gboolean flat = self->array != NULL && self->view == ES_ARRAY_ALONG_LINE;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : flat ? 60 : 110;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : flat ? 60 : 130;
}

static void
es_array_canvas_dispose (GObject *object)
{
  EsArrayCanvas *self = ES_ARRAY_CANVAS (object);

  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->flags, g_free);
  self->n_flags = 0;
  G_OBJECT_CLASS (es_array_canvas_parent_class)->dispose (object);
}

static void
es_array_canvas_class_init (EsArrayCanvasClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_array_canvas_dispose;
  widget_class->snapshot = es_array_canvas_snapshot;
  widget_class->measure = es_array_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "arraycanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_array_canvas_init (EsArrayCanvas *self)
{
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
es_array_canvas_new (void)
{
  return g_object_new (ES_TYPE_ARRAY_CANVAS, NULL);
}

/* The view in which the elements are furthest from each other. */
static EsArrayView
best_view (EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);
  double deep[2] = { INFINITY, -INFINITY }, high[2] = { INFINITY, -INFINITY };

  if (es_array_is_line (array))
    return ES_ARRAY_ALONG_LINE;
  for (guint i = 0; i < es_array_get_n_elements (array); i++)
    {
      deep[0] = fmin (deep[0], elements[i].y);
      deep[1] = fmax (deep[1], elements[i].y);
      high[0] = fmin (high[0], elements[i].z);
      high[1] = fmax (high[1], elements[i].z);
    }
  return high[1] - high[0] > 2 * (deep[1] - deep[0]) ? ES_ARRAY_FROM_SIDE : ES_ARRAY_FROM_ABOVE;
}

void
es_array_canvas_set_array (EsArrayCanvas *self, EsArray *array)
{
  g_return_if_fail (ES_IS_ARRAY_CANVAS (self));

  if (self->array == array)
    return;
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->flags, g_free);
  self->n_flags = 0;
  if (array != NULL)
    {
      g_autofree char *text = es_array_describe (array);

      self->array = es_array_ref (array);
      self->view = best_view (array);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    }
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
es_array_canvas_set_flags (EsArrayCanvas *self, const guint8 *flags, guint n)
{
  g_return_if_fail (ES_IS_ARRAY_CANVAS (self));

  g_free (self->flags);
  self->flags = n > 0 ? g_memdup2 (flags, n) : NULL;
  self->n_flags = n;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_array_canvas_set_view (EsArrayCanvas *self, EsArrayView view)
{
  g_return_if_fail (ES_IS_ARRAY_CANVAS (self));

  if (self->view == view)
    return;
  self->view = view;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

EsArrayView
es_array_canvas_get_view (EsArrayCanvas *self)
{
  g_return_val_if_fail (ES_IS_ARRAY_CANVAS (self), ES_ARRAY_FROM_ABOVE);
  return self->view;
}
