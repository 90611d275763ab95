/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

#include "plane/es-colormap.h"
#include "plane/es-plane.h"
#include "plane/es-stretch.h"

G_BEGIN_DECLS

/*
 * What an image view shows: one plane in a colour map or three as red, green and blue, each with its stretch.
 * Samples go to the GPU once (es_picture_set_planes); stretch, colour map, zoom and pan are uniforms of a shader:
 * moving a slider neither recomputes nor copies. Not a widget. Used on the UI thread only.
 * Signal "changed": what is shown has changed, draw again.
 */
#define ES_TYPE_PICTURE (es_picture_get_type ())
G_DECLARE_FINAL_TYPE (EsPicture, es_picture, ES, PICTURE, GObject)

/* Where the picture lies in a view of device pixels: picture pixel (x, y) covers a square of `zoom` device pixels whose
 * upper left corner is at ((x - left) * zoom, (y - top) * zoom). */
typedef struct
{
  double left, top;            /* picture coordinates of the view's upper left corner */
  double zoom;                 /* device pixels a picture pixel, > 0 */
} EsViewport;

EsPicture  *es_picture_new          (void);
/*
 * n_planes 1 or 3 of width x height floats, row-major, NAN where missing. The picture keeps a reference on each GBytes.
 * Makes them ready first: for thumbnails and small planes. `step` is how much the planes were decimated from the full
 * picture of full_width x full_height, which is what viewports and coordinates speak of (1: not decimated).
 */
void        es_picture_set_planes   (EsPicture *self, guint n_planes, GBytes **planes, guint width, guint height,
                                     guint step, guint full_width, guint full_height);
/* The same of planes that are ready, all of one size. Returns at once. */
void        es_picture_show_planes  (EsPicture *self, guint n_planes, EsPlane **planes, guint step,
                                     guint full_width, guint full_height);
void        es_picture_clear        (EsPicture *self);
/*
 * A part of the picture in finer samples than its planes', drawn over them where a view shows it: as many planes, all
 * of one size (es_plane_new_part ()), `step` full pixels a sample, the first one at the full pixel (x, y). It has the
 * stretch of the whole, and goes when other planes are shown. complete: none of its samples is a coarser one for now.
 * n_planes 0: no detail.
 */
void        es_picture_set_detail   (EsPicture *self, guint n_planes, EsPlane **planes, guint step, guint x, guint y,
                                     gboolean complete);
/* How many full pixels a side of a sample is that a view of width x height device pixels shows: the step of the detail
 * where that is complete and all of the view, else that of the planes. */
guint       es_picture_get_shown_step (EsPicture *self, int width, int height, const EsViewport *viewport);
/* The detail (borrowed, n planes), and where it lies. FALSE: there is none. */
gboolean    es_picture_get_detail   (EsPicture *self, EsPlane **planes, guint *step, guint *x, guint *y);
gboolean    es_picture_is_empty     (EsPicture *self);
guint       es_picture_get_n_planes (EsPicture *self);
guint       es_picture_get_width    (EsPicture *self);                 /* full */
guint       es_picture_get_height   (EsPicture *self);
guint       es_picture_get_step     (EsPicture *self);
/* Borrowed. */
EsPlane    *es_picture_get_plane    (EsPicture *self, guint plane);
/* Statistics of a plane, computed at set_planes. */
const EsPlaneStatistics *es_picture_get_statistics (EsPicture *self, guint plane);
/* The sample under a full-picture coordinate: of the detail, where it is there; NAN where missing or outside. */
float       es_picture_get_sample   (EsPicture *self, guint plane, double x, double y);

/* Values shown darkest and brightest; low == high is allowed (a step). low > high inverts. */
void        es_picture_set_stretch  (EsPicture *self, guint plane, double low, double high);
void        es_picture_get_stretch  (EsPicture *self, guint plane, double *low, double *high);
/* Of every plane: cut `fraction` (0.02 = 2 %) at both ends; symmetric: about zero. */
void        es_picture_stretch_percent (EsPicture *self, double fraction, gboolean symmetric);
/* Of every plane: `deviations` standard deviations either way of the mean. */
void        es_picture_stretch_deviations (EsPicture *self, double deviations);
/* How values between the two ends are spread; linear to begin with. */
void        es_picture_set_curve    (EsPicture *self, EsStretch curve);
EsStretch   es_picture_get_curve    (EsPicture *self);
/* Which of the 256 steps from dark to bright a value of the plane is shown in. */
guint       es_picture_get_shade    (EsPicture *self, guint plane, double value);
/* Which values the stretches above are of: those of a region, or of what is in view; copied. NULL: all of the plane, as
 * for planes that are shown anew. */
void        es_picture_set_basis    (EsPicture *self, guint plane, const EsPlaneStatistics *statistics);
void        es_picture_set_colormap (EsPicture *self, EsColormap map);
EsColormap  es_picture_get_colormap (EsPicture *self);
/* Of one plane: colours of numbers that stand for something, instead of a colour map and a stretch: those (RGBA) of n
 * values from `first` on, behind them that of every other one, and 256 at least; copied. Nothing is mixed when it is
 * shown smaller. entries NULL: none. */
void        es_picture_set_palette  (EsPicture *self, const guint8 *entries, guint n, double first);
gboolean    es_picture_has_palette  (EsPicture *self);
/* The colours in which a single plane is shown, RGBA, 256 at least: of its palette or its colour map. Borrowed. */
const guint8 *es_picture_get_entries (EsPicture *self);
/* Missing pixels are a subtle checker; the canvas around the picture is #2e2e2e. Linear interpolation is never used
 * above 1:1: a pixel is a square. */

/*
 * Renders a view of width x height device pixels. context: a GL context of the display (nullable: the memory uploader
 * and the CPU do it). The pixels are the same whichever way. Transfer full; the texture belongs to whoever draws it
 * until it is released (a ring of textures with fences lies behind).
 */
GdkTexture *es_picture_render       (EsPicture *self, GdkGLContext *context, int width, int height,
                                     const EsViewport *viewport);
/* The same by the CPU, with missing pixels transparent: a view that is saved. Transfer full. */
GdkTexture *es_picture_render_holed (EsPicture *self, int width, int height, const EsViewport *viewport);
/* "cuda", "pbo", "memory": which uploader the last render used; ES_UPLOADER forces one. */
const char *es_picture_get_uploader (EsPicture *self);
/* Planes of this GPU may be shown without a trip through the host, as far as is known by now. If not, it is better to
 * have them on the host before they are shown. Any thread. */
gboolean    es_picture_takes_device_planes (EsDevice *gpu);
/* A picture of at most size x size pixels of the whole, RGBA: component strip, recent files. Transfer full. */
GdkTexture *es_picture_render_thumbnail (EsPicture *self, int size);
/* The whole picture, 1:1 (or decimated as loaded), to be saved or copied: RGBA, missing pixels transparent. NULL where
 * it is empty. Transfer full. */
GdkTexture *es_picture_render_whole (EsPicture *self);
/* The same as rows of RGBA bytes. Transfer full. */
GBytes     *es_picture_get_pixels   (EsPicture *self, guint *width, guint *height);
/* The same as PNG. */
gboolean    es_picture_save_png     (EsPicture *self, const char *path, GError **error);

G_END_DECLS
