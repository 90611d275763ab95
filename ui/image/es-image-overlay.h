/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-picture.h"

G_BEGIN_DECLS

/*
 * What is drawn over a picture: the same in the light and the dark style, since the canvas is the same.
 * Lengths and places are in widget pixels.
 */

typedef enum { ES_CORNER_TOP_LEFT, ES_CORNER_BOTTOM_LEFT, ES_CORNER_CENTER } EsCorner;

/* A line of text on a translucent chip; nothing for an empty text. */
void es_image_overlay_text       (GtkWidget *widget, GtkSnapshot *snapshot, EsCorner corner,
                                  const char *text);
/* A length of 1, 2 or 5 times a power of ten metres, about a hundred pixels long. */
void es_image_overlay_scale_bar  (GtkWidget *widget, GtkSnapshot *snapshot, double metres_per_pixel);
/* The colour map between low and high, in the lower right corner. */
void es_image_overlay_legend     (GtkWidget *widget, GtkSnapshot *snapshot, EsPicture *picture,
                                  double low, double high, const char *unit);
/* A ring round a place, dark at its edges, so that it is seen on any picture. */
void es_image_overlay_ring       (GtkSnapshot *snapshot, double x, double y, const GdkRGBA *color);
/* Marks a picture pixel that covers x .. x + size, y .. y + size. */
void es_image_overlay_crosshair  (GtkSnapshot *snapshot, double x, double y, double size);

/* "500 m", "2 km", "20 cm": the round length for at most `most` metres. Transfer full. */
char *es_image_overlay_round_length (double most, double *metres);

G_END_DECLS
