/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A widget as it is on the screen, with its children; missing pixels of pictures are transparent, as in every picture
 * that is saved. scale: device pixels a pixel. NULL where it is not on the screen. Transfer full. */
GdkTexture *es_capture_render       (GtkWidget *widget, int scale);
/* The same for a report: opaque, on the ground of its window and with all that is on the screen, below a heading and
 * what is to be said of it; without what follows the pointer. */
GdkTexture *es_capture_render_page  (GtkWidget *widget, int scale, const char *heading, const char *words);
/* While that draws: whoever draws missing pixels leaves them out, and keeps nothing of it. */
gboolean    es_capture_is_under_way (void);
/* While either draws: what follows the pointer is no part of it. */
gboolean    es_capture_hides_pointer (void);

G_END_DECLS
