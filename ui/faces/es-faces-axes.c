/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-axes.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define TICK       5            /* widget pixels */
#define MOST_TICKS 6
#define TICK_ROOM  44           /* widget pixels from one number to the next */
#define TITLE      34           /* from the edge to the middle of its title, at least */

static const GdkRGBA ink = { 1, 1, 1, 0.9f }, quiet = { 1, 1, 1, 0.28f }, edge_ink = { 1, 1, 1, 0.75f };

/* ---- edges ---- */

static EsPoint3
corner_of (const EsFacesBox *box, guint which)
{
  return (EsPoint3) { which & 1 ? box->high.x : box->low.x, which & 2 ? box->high.y : box->low.y,
                      which & 4 ? box->high.z : box->low.z };
}

/* One of the four edges along an axis, 0 to 2, by its two ends; how many of the sides at it are seen. */
static guint
get_edge (const EsFacesLook *look, guint axis, guint which, guint ends[2])
{
  const guint first = (axis + 1) % 3, second = (axis + 2) % 3;
  const gboolean high[2] = { which & 1, which >> 1 & 1 };

  ends[0] = (guint) high[0] << first | (guint) high[1] << second;
  ends[1] = ends[0] | 1u << axis;
  return es_faces_is_visible (look, (EsFace) (2 * first + high[0]))
         + es_faces_is_visible (look, (EsFace) (2 * second + high[1]));
}

static void
stroke_edges (cairo_t *cr, const EsFacesLook *look, const EsFacesBox *box, gboolean all, const GdkRGBA *color)
{
  for (guint axis = 0; axis < 3; axis++)
    for (guint i = 0; i < 4; i++)
      {
        guint ends[2];

        if (get_edge (look, axis, i, ends) == 0 && !all)
          continue;
        const graphene_point_t from = es_faces_project (look, corner_of (box, ends[0]));
        const graphene_point_t to = es_faces_project (look, corner_of (box, ends[1]));
        cairo_move_to (cr, from.x, from.y);
        cairo_line_to (cr, to.x, to.y);
      }
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* ---- ticks ---- */

static double
round_step (double range, guint most)
{
  const double least = range / most, power = pow (10, floor (log10 (least))), lead = least / power;

  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

static void
append_text (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x, double y, double align,
             gboolean small, gboolean upright)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (small ? 0.85 : 0.92));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  if (upright)
    gtk_snapshot_rotate (snapshot, -90);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (-width * align), (float) (-height / 2.)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

typedef struct
{
  GtkWidget        *widget;
  GtkSnapshot      *snapshot;
  cairo_t          *cr;
  graphene_point_t  from, to;
  double            out_x, out_y;      /* away from the box, across the edge */
  guint             most;              /* numbers that there is room for */
} Axis;

/* share: of the way along the edge. */
static void
add_tick (const Axis *self, double share, const char *text)
{
  const double x = self->from.x + (self->to.x - self->from.x) * share;
  const double y = self->from.y + (self->to.y - self->from.y) * share;

  cairo_move_to (self->cr, x, y);
  cairo_line_to (self->cr, x + TICK * self->out_x, y + TICK * self->out_y);
  append_text (self->widget, self->snapshot, text, x + 2.2 * TICK * self->out_x,
               y + (2.2 * TICK + 5 * fabs (self->out_y)) * self->out_y, 0.5 - self->out_x / 2, TRUE, FALSE);
}

/* Where the bands come to a wavelength, of what is left; NAN: nowhere. */
static double
share_of (const double *nm, const EsBandOrder *order, const EsFacesCut *cut, double value)
{
  const guint n = cut->band[1] - cut->band[0];

  for (guint i = 0; i < n; i++)
    if (nm[order->bands[cut->band[0] + i]] >= value)
      return (i + 0.5) / n;
  return NAN;
}

static void
add_wavelengths (const Axis *self, const double *nm, const EsBandOrder *order, const EsFacesCut *cut)
{
  const double first = nm[order->bands[cut->band[0]]], last = nm[order->bands[cut->band[1] - 1]];
  const double step = last > first ? round_step (last - first, self->most) : 1;
  double before = -1;

  for (double value = ceil (first / step) * step; value <= last; value += step)
    {
      const double share = share_of (nm, order, cut, value);
      g_autofree char *text = g_strdup_printf ("%g", value);

      /* Gaps bring ticks together. */
      if (isnan (share) || (before >= 0 && share - before < 0.06))
        continue;
      add_tick (self, share, text);
      before = share;
    }
  if (first == last)
    {
      g_autofree char *text = g_strdup_printf ("%.1f", first);

      add_tick (self, 0.5, text);
    }
}

static void
add_numbers (const Axis *self, double first, double last, double offset)
{
  const double step = MAX (1, round_step (MAX (last - first, 1), self->most));

  for (double value = ceil ((first + offset) / step) * step - offset; value <= last - 0.5; value += step)
    {
      g_autofree char *text = g_strdup_printf ("%g", value + offset);

      add_tick (self, (value + 0.5 - first) / (last - first), text);
    }
}

/* The edge that is at the border of what is seen, the lowest or leftmost one, so that its numbers lie beside. */
static gboolean
find_edge (const EsFacesLook *look, const EsFacesBox *box, guint axis, Axis *found)
{
  const graphene_point_t center = es_faces_project (look, (EsPoint3) { (box->low.x + box->high.x) / 2,
                                                                       (box->low.y + box->high.y) / 2,
                                                                       (box->low.z + box->high.z) / 2 });
  double best = -INFINITY;

  for (guint i = 0; i < 4; i++)
    {
      guint ends[2];

      if (get_edge (look, axis, i, ends) != 1)
        continue;
      const graphene_point_t from = es_faces_project (look, corner_of (box, ends[0]));
      const graphene_point_t to = es_faces_project (look, corner_of (box, ends[1]));
      const double length = hypot (to.x - from.x, to.y - from.y);
      const double rank = axis == 2 ? -(from.x + to.x) : from.y + to.y;
      double out_x = -(to.y - from.y) / length, out_y = (to.x - from.x) / length;

      if (length < 12 || rank <= best)
        continue;
      if (out_x * ((from.x + to.x) / 2 - center.x) + out_y * ((from.y + to.y) / 2 - center.y) < 0)
        out_x = -out_x, out_y = -out_y;
      best = rank;
      found->from = from;
      found->to = to;
      found->out_x = out_x;
      found->out_y = out_y;
      found->most = (guint) CLAMP (length / TICK_ROOM, 1, MOST_TICKS);
    }
  return best > -INFINITY;
}

void
es_faces_axes_draw (GtkWidget *widget, GtkSnapshot *snapshot, const EsFacesLook *look, const EsFacesBox *box,
                    EsPoint3 extent, EsCube *cube, const EsBandOrder *order, const EsFacesCut *cut)
{
  const EsFacesBox whole = { { -extent.x / 2, -extent.y / 2, -extent.z / 2 },
                             { extent.x / 2, extent.y / 2, extent.z / 2 } };
  const double *nm = es_cube_get_wavelengths (cube);
  const char *titles[3] = { _("x (pixels)"), _("y (pixels)"), nm != NULL ? _("Wavelength (nm)") : _("Band") };
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot,
                                           &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                (float) gtk_widget_get_height (widget)));

  stroke_edges (cr, look, &whole, FALSE, &quiet);
  stroke_edges (cr, look, box, FALSE, &edge_ink);
  for (guint axis = 0; axis < 3; axis++)
    {
      Axis edge = { .widget = widget, .snapshot = snapshot, .cr = cr };

      if (!find_edge (look, box, axis, &edge))
        continue;
      if (axis == 0)
        add_numbers (&edge, (double) cut->x[0], (double) cut->x[1], 0);
      else if (axis == 1)
        add_numbers (&edge, (double) cut->y[0], (double) cut->y[1], 0);
      else if (nm != NULL)
        add_wavelengths (&edge, nm, order, cut);
      else
        add_numbers (&edge, cut->band[0], cut->band[1], 1);
      gdk_cairo_set_source_rgba (cr, &edge_ink);
      cairo_stroke (cr);
      const double x = (edge.from.x + edge.to.x) / 2, y = (edge.from.y + edge.to.y) / 2;
      const double away = TITLE + 16 * fabs (edge.out_x);

      /* Beside an upright edge it would be wider than there is room for. */
      append_text (widget, snapshot, titles[axis], x + away * edge.out_x, y + (TITLE + 4) * edge.out_y,
                   axis == 2 ? 0.5 : 0.5 - edge.out_x / 2, FALSE, axis == 2);
    }
  cairo_destroy (cr);
}
