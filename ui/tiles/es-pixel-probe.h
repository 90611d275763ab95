/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-plane-source.h"

G_BEGIN_DECLS

/* The values of a pixel in planes of which the picture has only means: read on a worker, the newest wins. Main context
 * only. Signal "changed": what was asked for last is known, or cannot
 * be read. */
#define ES_TYPE_PIXEL_PROBE (es_pixel_probe_get_type ())
G_DECLARE_FINAL_TYPE (EsPixelProbe, es_pixel_probe, ES, PIXEL_PROBE, GObject)

EsPixelProbe *es_pixel_probe_new (void);
/* TRUE: values[n] are those of the pixel, NAN where missing. FALSE: not known yet, but asked for. */
gboolean      es_pixel_probe_get (EsPixelProbe *self, EsPlaneSource *source, guint n, const guint *planes, guint x,
                                  guint y, double *values);

/* Whether it is being read. */
gboolean      es_pixel_probe_is_busy (EsPixelProbe *self);

G_END_DECLS
