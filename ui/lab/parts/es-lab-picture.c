/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-picture.h"

#include <adwaita.h>

#include "es-lab-zoom.h"

/* More pixels on a side than these are not seen on a page: every second, third ... is read. */
#define MOST_PIXELS 1024

GtkWidget *
es_lab_picture_new (EsImageStack *stack, int natural_height, gboolean zooms)
{
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint step = (guint) MAX ((MAX (width, height) + MOST_PIXELS - 1) / MOST_PIXELS, 1);
  const gsize columns = (gsize) ((width + step - 1) / step), rows = (gsize) ((height + step - 1) / step);
  g_autofree float *plane = g_new (float, MAX (columns * rows, 1));
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GtkWidget *picture, *clamp;
  guint8 *pixels;

  if (es_image_stack_get_planes (stack) < 3 || columns == 0 || rows == 0)
    return NULL;
  pixels = g_new (guint8, 3 * columns * rows);
  bytes = g_bytes_new_take (pixels, 3 * columns * rows);
  for (guint k = 0; k < 3; k++)
    {
      if (!es_image_stack_read (stack, k, 0, 0, width, height, step, plane, NULL))
        return NULL;
      for (gsize i = 0; i < columns * rows; i++)
        pixels[3 * i + k] = (guint8) (plane[i] > 0 ? MIN (plane[i], 255) : 0);
    }
  texture = gdk_memory_texture_new ((int) columns, (int) rows, GDK_MEMORY_R8G8B8, bytes, 3 * columns);
  picture = gtk_picture_new_for_paintable (GDK_PAINTABLE (texture));
  gtk_picture_set_content_fit (GTK_PICTURE (picture), GTK_CONTENT_FIT_SCALE_DOWN);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), es_layer_get_title (ES_LAYER (stack)));
  /* By its width alone it would be higher than the window. */
  clamp = adw_clamp_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (clamp), GTK_ORIENTATION_VERTICAL);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), natural_height);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), natural_height);
  adw_clamp_set_child (ADW_CLAMP (clamp), picture);
  gtk_widget_set_size_request (clamp, -1, natural_height);
  return zooms ? es_lab_zoom_new (clamp, picture) : clamp;
}
