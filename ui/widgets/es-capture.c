/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-capture.h"

#define MARGIN 6
#define SMALL 0.85             /* of the font */

static gboolean under_way, is_page;

gboolean
es_capture_is_under_way (void)
{
  return under_way;
}

gboolean
es_capture_hides_pointer (void)
{
  return under_way || is_page;
}

/* What a widget has drawn is kept until it is to draw again. */
static void
queue_draw (GtkWidget *widget)
{
  gtk_widget_queue_draw (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    queue_draw (child);
}

/* Where a widget can be drawn: it is on the screen. */
static gboolean
find_place (GtkWidget *widget, double *x, double *y)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return gtk_widget_get_native (widget) != NULL && parent != NULL && gtk_widget_get_width (widget) > 0
         && gtk_widget_get_height (widget) > 0 && gtk_widget_translate_coordinates (widget, parent, 0, 0, x, y);
}

static GdkTexture *
render (GtkWidget *widget, GtkSnapshot *snapshot, int width, int height)
{
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (snapshot);

  return node == NULL ? NULL : gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                                            node, &GRAPHENE_RECT_INIT (0, 0, (float) width,
                                                                                       (float) height));
}

GdkTexture *
es_capture_render (GtkWidget *widget, int scale)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  double x, y;

  if (!find_place (widget, &x, &y))
    return NULL;
  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -x, (float) -y));
  under_way = TRUE;
  queue_draw (widget);
  gtk_widget_snapshot_child (gtk_widget_get_parent (widget), widget, snapshot);
  under_way = FALSE;
  queue_draw (widget);
  return render (widget, snapshot, scale * gtk_widget_get_width (widget), scale * gtk_widget_get_height (widget));
}

static PangoLayout *
make_text (GtkWidget *widget, const char *words, gboolean is_heading, int *height)
{
  PangoLayout *text = gtk_widget_create_pango_layout (widget, words);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, is_heading ? pango_attr_weight_new (PANGO_WEIGHT_BOLD)
                                                 : pango_attr_scale_new (SMALL));
  pango_layout_set_attributes (text, attributes);
  pango_layout_set_width (text, MAX (gtk_widget_get_width (widget) - 2 * MARGIN, 1) * PANGO_SCALE);
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_get_pixel_size (text, NULL, height);
  return text;
}

static void
append_text (GtkSnapshot *snapshot, PangoLayout *text, int y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (MARGIN, (float) y));
  gtk_snapshot_append_layout (snapshot, text, color);
  gtk_snapshot_restore (snapshot);
}

GdkTexture *
es_capture_render_page (GtkWidget *widget, int scale, const char *heading, const char *words)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (PangoLayout) title = NULL, text = NULL;
  int title_height, text_height;
  GdkRGBA ground, ink;
  double x, y;

  if (!find_place (widget, &x, &y))
    return NULL;
  gtk_style_context_get_color (style, &ink);
  if (!gtk_style_context_lookup_color (style, "window_bg_color", &ground))
    ground = (GdkRGBA) { 1, 1, 1, 1 };
  ground.alpha = ink.alpha = 1;
  title = make_text (widget, heading, TRUE, &title_height);
  text = make_text (widget, words, FALSE, &text_height);
  const int top = title_height + text_height + 2 * MARGIN;

  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) (top + height)));
  append_text (snapshot, title, MARGIN, &ink);
  append_text (snapshot, text, MARGIN + title_height, &ink);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) -x, (float) (top - y)));
  is_page = TRUE;
  queue_draw (widget);
  gtk_widget_snapshot_child (gtk_widget_get_parent (widget), widget, snapshot);
  is_page = FALSE;
  queue_draw (widget);
  return render (widget, snapshot, scale * width, scale * (top + height));
}
