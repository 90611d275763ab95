/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-image-overlay.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"

#define MARGIN        10
#define PADDING       6
#define LEGEND_WIDTH  14
#define LEGEND_HEIGHT 140

static const GdkRGBA ink = { 1, 1, 1, 0.95 };
static const GdkRGBA shade = { 0, 0, 0, 0.62 };

static PangoLayout *
make_layout (GtkWidget *widget, const char *text, int width)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.9));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  if (width > 0)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  return layout;
}

static void
append_chip (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (x, y, width, height);
  GskRoundedRect chip;

  gsk_rounded_rect_init_from_rect (&chip, &bounds, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &chip);
  gtk_snapshot_append_color (snapshot, &shade, &bounds);
  gtk_snapshot_pop (snapshot);
}

static void
append_layout (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

void
es_image_overlay_text (GtkWidget *widget, GtkSnapshot *snapshot, EsCorner corner, const char *text)
{
  int view_width = gtk_widget_get_width (widget);
  int view_height = gtk_widget_get_height (widget);
  int room = view_width - 2 * (MARGIN + PADDING);
  int width, height;
  double x, y;

  if (text == NULL || *text == '\0' || room < 24)
    return;

  {
    g_autoptr (PangoLayout) layout = make_layout (widget, text, room);

    if (corner == ES_CORNER_CENTER)
      {
        pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
        pango_layout_set_width (layout, MIN (room, 420) * PANGO_SCALE);
        pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      }
    pango_layout_get_pixel_size (layout, &width, &height);
    x = corner == ES_CORNER_CENTER ? (view_width - width) / 2 : MARGIN + PADDING;
    y = corner == ES_CORNER_CENTER ? (view_height - height) / 2
        : corner == ES_CORNER_TOP_LEFT ? MARGIN + PADDING / 2 : view_height - MARGIN - PADDING / 2 - height;
    append_chip (snapshot, x - PADDING, y - PADDING / 2, width + 2 * PADDING, height + PADDING);
    append_layout (snapshot, layout, x, y);
  }
}

char *
es_image_overlay_round_length (double most, double *metres)
{
  double power = pow (10, floor (log10 (most)));
  double lead = most / power;
  double length = (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;

  *metres = length;
  if (length >= 1000)
    return g_strdup_printf (_("%.0f km"), length / 1000);
  if (length >= 1)
    return g_strdup_printf (_("%.0f m"), length);
  if (length >= 0.01)
    return g_strdup_printf (_("%.0f cm"), length * 100);
  return g_strdup_printf (_("%g mm"), length * 1000);
}

void
es_image_overlay_scale_bar (GtkWidget *widget, GtkSnapshot *snapshot, double metres_per_pixel)
{
  g_autofree char *text = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  int width, height, bar;
  double metres, x, y, chip_width, chip_height;

  if (!(metres_per_pixel > 0) || !isfinite (metres_per_pixel) || gtk_widget_get_width (widget) < 240)
    return;

  text = es_image_overlay_round_length (130 * metres_per_pixel, &metres);
  bar = (int) round (metres / metres_per_pixel);
  layout = make_layout (widget, text, 0);
  pango_layout_get_pixel_size (layout, &width, &height);

  chip_width = MAX (bar, width) + 2 * PADDING;
  chip_height = height + 8 + PADDING;
  x = MARGIN;
  y = gtk_widget_get_height (widget) - MARGIN - chip_height;
  append_chip (snapshot, x, y, chip_width, chip_height);
  append_layout (snapshot, layout, x + (chip_width - width) / 2, y + PADDING / 2 - 1);

  x = round (x + (chip_width - bar) / 2);
  y = round (y + chip_height - 6);
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x, y - 1, bar, 2));
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x, y - 4, 1, 5));
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x + bar - 1, y - 4, 1, 5));
}

static void
append_colormap (GtkSnapshot *snapshot, EsPicture *picture, double low, double high, const graphene_rect_t *bounds)
{
  const guint8 *entries = es_picture_get_entries (picture);
  GskColorStop stops[65];

  for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
    {
      const double share = (double) i / (G_N_ELEMENTS (stops) - 1);
      const guint step = low == high ? (guint) (share * 255)
                                     : es_picture_get_shade (picture, 0, low + share * (high - low));
      const guint8 *entry = entries + 4 * step;

      stops[i].offset = (float) share;
      stops[i].color = (GdkRGBA) { entry[0] / 255.f, entry[1] / 255.f, entry[2] / 255.f, 1 };
    }
  gtk_snapshot_append_linear_gradient (snapshot, bounds,
                                       &GRAPHENE_POINT_INIT (bounds->origin.x,
                                                             bounds->origin.y + bounds->size.height),
                                       &GRAPHENE_POINT_INIT (bounds->origin.x, bounds->origin.y),
                                       stops, G_N_ELEMENTS (stops));
}

void
es_image_overlay_legend (GtkWidget *widget, GtkSnapshot *snapshot, EsPicture *picture,
                         double low, double high, const char *unit)
{
  PangoLayout *layouts[3];
  int widest = 0, text_height = 0;
  double x, y, chip_width, chip_height;
  graphene_rect_t bar;

  if (gtk_widget_get_height (widget) < LEGEND_HEIGHT + 6 * MARGIN || gtk_widget_get_width (widget) < 240)
    return;

  for (guint i = 0; i < 3; i++)
    {
      double value = low + (high - low) * i / 2;
      g_autofree char *number = es_format_number (value, fabs (high - low));
      g_autofree char *text = i == 2 && unit != NULL ? g_strdup_printf ("%s %s", number, unit)
                                                     : g_steal_pointer (&number);
      int width;

      layouts[i] = make_layout (widget, text, 0);
      pango_layout_get_pixel_size (layouts[i], &width, &text_height);
      widest = MAX (widest, width);
    }

  chip_width = LEGEND_WIDTH + widest + 3 * PADDING;
  chip_height = LEGEND_HEIGHT + text_height + PADDING;
  x = gtk_widget_get_width (widget) - MARGIN - chip_width;
  y = gtk_widget_get_height (widget) - MARGIN - chip_height;
  append_chip (snapshot, x, y, chip_width, chip_height);

  bar = GRAPHENE_RECT_INIT (x + PADDING, y + (chip_height - LEGEND_HEIGHT) / 2, LEGEND_WIDTH, LEGEND_HEIGHT);
  append_colormap (snapshot, picture, low, high, &bar);
  for (guint i = 0; i < 3; i++)
    {
      double at = bar.origin.y + LEGEND_HEIGHT * (2 - i) / 2.;

      append_layout (snapshot, layouts[i], x + LEGEND_WIDTH + 2 * PADDING, at - text_height / 2.);
      g_object_unref (layouts[i]);
    }
}

static void
append_line (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  gtk_snapshot_append_color (snapshot, &shade, &GRAPHENE_RECT_INIT (x - 1, y - 1, width + 2, height + 2));
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x, y, width, height));
}

void
es_image_overlay_crosshair (GtkSnapshot *snapshot, double x, double y, double size)
{
  const double arm = 12, gap = 3;
  double center_x = round (x + size / 2 - 0.5);
  double center_y = round (y + size / 2 - 0.5);
  double reach = MAX (size / 2, 2) + gap;

  append_line (snapshot, center_x, round (center_y - reach - arm), 1, arm);
  append_line (snapshot, center_x, round (center_y + reach), 1, arm);
  append_line (snapshot, round (center_x - reach - arm), center_y, arm, 1);
  append_line (snapshot, round (center_x + reach), center_y, arm, 1);

  if (size >= 5)
    {
      GskRoundedRect outer, inner;

      gsk_rounded_rect_init_from_rect (&outer, &GRAPHENE_RECT_INIT (x - 2, y - 2, size + 4, size + 4), 0);
      gsk_rounded_rect_init_from_rect (&inner, &GRAPHENE_RECT_INIT (x - 1, y - 1, size + 2, size + 2), 0);
      gtk_snapshot_append_border (snapshot, &outer, (float[4]) { 1, 1, 1, 1 },
                                  (GdkRGBA[4]) { shade, shade, shade, shade });
      gtk_snapshot_append_border (snapshot, &inner, (float[4]) { 1, 1, 1, 1 },
                                  (GdkRGBA[4]) { ink, ink, ink, ink });
    }
}

void
es_image_overlay_ring (GtkSnapshot *snapshot, double x, double y, const GdkRGBA *color)
{
  static const struct { float radius, width; gboolean dark; } rings[] = { { 8, 4, TRUE }, { 7, 2, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (rings); i++)
    {
      const float r = rings[i].radius, w = rings[i].width;
      const GdkRGBA ring = rings[i].dark ? shade : *color;
      GskRoundedRect outline;

      gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT ((float) x - r, (float) y - r, 2 * r, 2 * r), r);
      gtk_snapshot_append_border (snapshot, &outline, (float[4]) { w, w, w, w },
                                  (GdkRGBA[4]) { ring, ring, ring, ring });
    }
}
