/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "es-picture.h"
#include "plane/es-render-file-internal.h"
#include "gl/es-uploader-internal.h"

struct _EsPicture
{
  GObject parent_instance;

  guint n_planes;              /* 0: empty */
  EsPlane *planes[3];
  guint step, full_width, full_height;
  EsPlane *detail[3];          /* n_planes of them, or none */
  guint detail_step, detail_x, detail_y;
  gboolean detail_complete;

  double stretches[6];         /* low, high of each plane */
  gboolean stretched;          /* somebody, or the first planes, chose them */
  EsStretch curve;
  EsPlaneStatistics *bases[3]; /* of other values than all of a plane's; nullable */
  EsColormap map;
  guint8 *palette;             /* nullable */
  guint n_named;               /* values that it names */
  float first_named;

  EsUploaders *uploaders;
  const char *uploader;        /* what the last render used */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const EsPlaneStatistics no_statistics;

G_DEFINE_FINAL_TYPE (EsPicture, es_picture, G_TYPE_OBJECT)

static void
changed (EsPicture *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
drop_detail (EsPicture *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->detail); i++)
    g_clear_pointer (&self->detail[i], es_plane_unref);
}

static void
drop_planes (EsPicture *self)
{
  drop_detail (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    {
      g_clear_pointer (&self->planes[i], es_plane_unref);
      g_clear_pointer (&self->bases[i], g_free);
    }
  self->n_planes = 0;
}

static void
es_picture_finalize (GObject *object)
{
  EsPicture *self = ES_PICTURE (object);

  drop_planes (self);
  g_free (self->palette);
  es_uploaders_free (self->uploaders);
  G_OBJECT_CLASS (es_picture_parent_class)->finalize (object);
}

static void
es_picture_class_init (EsPictureClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_picture_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_picture_init (EsPicture *self)
{
  self->uploaders = es_uploaders_new ();
  self->uploader = es_uploader_memory.name;
  for (guint i = 0; i < 3; i++)
    self->stretches[2 * i + 1] = 1;
}

EsPicture *
es_picture_new (void)
{
  return g_object_new (ES_TYPE_PICTURE, NULL);
}

/* A band of three that stayed the same is neither measured nor uploaded again. */
static EsPlane *
find_plane (EsPicture *self, GBytes *bytes, guint width, guint height)
{
  for (guint i = 0; i < self->n_planes; i++)
    if (self->planes[i]->bytes == bytes && self->planes[i]->levels[0].width == width
        && self->planes[i]->levels[0].height == height)
      return es_plane_ref (self->planes[i]);
  return es_plane_new (bytes, width, height);
}

void
es_picture_set_planes (EsPicture *self, guint n_planes, GBytes **planes, guint width, guint height, guint step,
                       guint full_width, guint full_height)
{
  EsPlane *made[3] = { NULL };
  gboolean complete = TRUE;

  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 1 || n_planes == 3);
  g_return_if_fail (width > 0 && height > 0 && step > 0);
  g_return_if_fail (full_width > 0 && full_height > 0);

  for (guint i = 0; i < n_planes; i++)
    {
      made[i] = find_plane (self, planes[i], width, height);
      complete = complete && made[i] != NULL;
    }
  if (!complete)
    {
      for (guint i = 0; i < n_planes; i++)
        g_clear_pointer (&made[i], es_plane_unref);
      g_critical ("%s: a plane holds less than %u × %u samples", G_STRFUNC, width, height);
      return;
    }

  es_picture_show_planes (self, n_planes, made, step, full_width, full_height);
  for (guint i = 0; i < n_planes; i++)
    es_plane_unref (made[i]);
}

void
es_picture_show_planes (EsPicture *self, guint n_planes, EsPlane **planes, guint step, guint full_width,
                        guint full_height)
{
  gboolean same_kind;
  EsPlane *kept[3];

  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 1 || n_planes == 3);
  g_return_if_fail (step > 0 && full_width > 0 && full_height > 0);

  same_kind = self->n_planes == n_planes;
  for (guint i = 0; i < n_planes; i++)
    kept[i] = es_plane_ref (planes[i]);
  drop_planes (self);
  self->n_planes = n_planes;
  for (guint i = 0; i < n_planes; i++)
    self->planes[i] = kept[i];
  self->step = step;
  self->full_width = full_width;
  self->full_height = full_height;

  if (!self->stretched || !same_kind)
    es_picture_stretch_percent (self, 0.02, FALSE);
  else
    changed (self);
}

void
es_picture_clear (EsPicture *self)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  if (self->n_planes == 0)
    return;
  drop_planes (self);
  es_uploaders_drop (self->uploaders);
  self->stretched = FALSE;
  changed (self);
}

void
es_picture_set_detail (EsPicture *self, guint n_planes, EsPlane **planes, guint step, guint x, guint y,
                       gboolean complete)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (n_planes == 0 || (n_planes == self->n_planes && step > 0));

  EsPlane *kept[3] = { NULL };

  if (n_planes == 0 && self->detail[0] == NULL)
    return;
  for (guint i = 0; i < n_planes; i++)
    kept[i] = es_plane_ref (planes[i]);
  drop_detail (self);
  memcpy (self->detail, kept, sizeof kept);
  self->detail_step = step;
  self->detail_x = x;
  self->detail_y = y;
  self->detail_complete = complete;
  changed (self);
}

gboolean
es_picture_get_detail (EsPicture *self, EsPlane **planes, guint *step, guint *x, guint *y)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);

  if (self->detail[0] == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_planes; i++)
    planes[i] = self->detail[i];
  *step = self->detail_step;
  *x = self->detail_x;
  *y = self->detail_y;
  return TRUE;
}

gboolean
es_picture_is_empty (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), TRUE);

  return self->n_planes == 0;
}

guint
es_picture_get_n_planes (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes;
}

guint
es_picture_get_width (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes > 0 ? self->full_width : 0;
}

guint
es_picture_get_height (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 0);

  return self->n_planes > 0 ? self->full_height : 0;
}

guint
es_picture_get_step (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 1);

  return self->n_planes > 0 ? self->step : 1;
}

const EsPlaneStatistics *
es_picture_get_statistics (EsPicture *self, guint plane)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), &no_statistics);

  return plane < self->n_planes ? self->planes[plane]->statistics : &no_statistics;
}

EsPlane *
es_picture_get_plane (EsPicture *self, guint plane)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (plane < self->n_planes, NULL);

  return self->planes[plane];
}

float
es_picture_get_sample (EsPicture *self, guint plane, double x, double y)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NAN);

  if (plane >= self->n_planes || !(x >= 0 && y >= 0 && x < self->full_width && y < self->full_height))
    return NAN;

  if (self->detail[0] != NULL && x >= self->detail_x && y >= self->detail_y)
    {
      const EsPlaneLevel *part = &self->detail[plane]->levels[0];
      const guint across = ((guint) x - self->detail_x) / self->detail_step;
      const guint down = ((guint) y - self->detail_y) / self->detail_step;

      if (across < part->width && down < part->height)
        return es_plane_get_sample (self->detail[plane], across, down);
    }

  const EsPlaneLevel *level = &self->planes[plane]->levels[0];
  guint column = MIN ((guint) x / self->step, level->width - 1);
  guint row = MIN ((guint) y / self->step, level->height - 1);

  return es_plane_get_sample (self->planes[plane], column, row);
}

void
es_picture_set_stretch (EsPicture *self, guint plane, double low, double high)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < 3);
  g_return_if_fail (isfinite (low) && isfinite (high));

  self->stretched = TRUE;
  if (self->stretches[2 * plane] == low && self->stretches[2 * plane + 1] == high)
    return;
  self->stretches[2 * plane] = low;
  self->stretches[2 * plane + 1] = high;
  changed (self);
}

void
es_picture_get_stretch (EsPicture *self, guint plane, double *low, double *high)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < 3);

  if (low != NULL)
    *low = self->stretches[2 * plane];
  if (high != NULL)
    *high = self->stretches[2 * plane + 1];
}

/* Of no valid values nothing can be said: all of the plane, then. */
static const EsPlaneStatistics *
get_basis (EsPicture *self, guint plane)
{
  return self->bases[plane] != NULL && self->bases[plane]->n_valid > 0 ? self->bases[plane]
                                                                       : self->planes[plane]->statistics;
}

void
es_picture_set_basis (EsPicture *self, guint plane, const EsPlaneStatistics *statistics)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (plane < self->n_planes);

  if (self->bases[plane] == NULL && statistics == NULL)
    return;
  g_free (self->bases[plane]);
  self->bases[plane] = g_memdup2 (statistics, sizeof *statistics);
  if (es_stretch_counts (self->curve))
    changed (self);
}

static void
init_frame (EsPicture *self, EsFrame *frame, EsFrameAxis across, EsFrameAxis down)
{
  es_frame_init (frame, self->n_planes, self->planes, self->stretches, self->map, self->step, self->full_width,
                 self->full_height, across, down);
  if (es_picture_has_palette (self))
    es_frame_name (frame, self->palette, self->n_named, self->first_named, self->step, self->full_width,
                   self->full_height, across, down);
  else
    for (guint i = 0; i < self->n_planes; i++)
      es_frame_bend (frame, i, self->curve, get_basis (self, i));
}

/* The detail as a frame of the same view. FALSE: none of it is in view, or the view is of what is so much smaller that
 * its copies do not reach. */
static gboolean
init_detail (EsPicture *self, EsFrame *frame, EsFrameAxis across, EsFrameAxis down)
{
  const guint x = self->detail_x, y = self->detail_y, step = self->detail_step;

  if (self->detail[0] == NULL)
    return FALSE;

  const EsPlaneLevel *level = &self->detail[0]->levels[0];
  const double coarsest = (double) step * (1 << (self->detail[0]->n_levels - 1));
  const guint width = (guint) MIN ((guint64) level->width * step, self->full_width - x);
  const guint height = (guint) MIN ((guint64) level->height * step, self->full_height - y);

  if (MIN (across.zoom, down.zoom) * coarsest <= 0.5)
    return FALSE;
  const EsFrameAxis part_across = { across.start - x, across.zoom, across.n };
  const EsFrameAxis part_down = { down.start - y, down.zoom, down.n };

  es_frame_init (frame, self->n_planes, self->detail, self->stretches, self->map, step, width, height, part_across,
                 part_down);
  frame->layer = 1;
  if (es_picture_has_palette (self))
    es_frame_name (frame, self->palette, self->n_named, self->first_named, step, width, height, part_across,
                   part_down);
  else
    for (guint i = 0; i < self->n_planes; i++)
      es_frame_bend (frame, i, self->curve, get_basis (self, i));
  return es_frame_clip (frame, step, x, y, self->full_width, self->full_height, across, down);
}

static gboolean
is_all_of_view (const EsFrame *frame)
{
  return frame->left == 0 && frame->top == 0 && frame->right == frame->width && frame->bottom == frame->height;
}

/* The planes, the detail over them, or the detail alone. */
static const EsFrame *
init_frames (EsPicture *self, EsFrame *whole, EsFrame *detail, EsFrameAxis across, EsFrameAxis down)
{
  const gboolean any = init_detail (self, detail, across, down);

  if (any && is_all_of_view (detail))
    return detail;
  init_frame (self, whole, across, down);
  whole->over = any ? detail : NULL;
  return whole;
}

guint
es_picture_get_shown_step (EsPicture *self, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 1);
  g_return_val_if_fail (viewport != NULL && viewport->zoom > 0, 1);

  if (self->n_planes == 0)
    return 1;

  g_auto (EsFrame) detail = { 0 };
  const gboolean any = self->detail_complete && width > 0 && height > 0
                       && init_detail (self, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                       (EsFrameAxis) { viewport->top, viewport->zoom, height });

  return any && is_all_of_view (&detail) ? self->detail_step : self->step;
}

guint
es_picture_get_shade (EsPicture *self, guint plane, double value)
{
  g_auto (EsFrame) frame = { 0 };
  const EsFrameAxis axis = { 0, 1, 0 };

  g_return_val_if_fail (ES_IS_PICTURE (self), 0);
  g_return_val_if_fail (plane < self->n_planes, 0);

  init_frame (self, &frame, axis, axis);
  return es_frame_get_shade (&frame, plane, (float) value);
}

void
es_picture_set_curve (EsPicture *self, EsStretch curve)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (curve < ES_N_STRETCHES);

  if (self->curve == curve)
    return;
  self->curve = curve;
  changed (self);
}

EsStretch
es_picture_get_curve (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), ES_STRETCH_LINEAR);

  return self->curve;
}

void
es_picture_stretch_deviations (EsPicture *self, double deviations)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (deviations > 0);

  for (guint i = 0; i < self->n_planes; i++)
    es_stretch_deviations (get_basis (self, i), deviations, &self->stretches[2 * i]);
  self->stretched = TRUE;
  changed (self);
}

void
es_picture_stretch_percent (EsPicture *self, double fraction, gboolean symmetric)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  fraction = CLAMP (fraction, 0, 0.5);
  for (guint i = 0; i < self->n_planes; i++)
    es_stretch_cut (get_basis (self, i), fraction, symmetric, &self->stretches[2 * i]);
  self->stretched = TRUE;
  changed (self);
}

void
es_picture_set_colormap (EsPicture *self, EsColormap map)
{
  g_return_if_fail (ES_IS_PICTURE (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->map == map)
    return;
  self->map = map;
  changed (self);
}

EsColormap
es_picture_get_colormap (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), ES_COLORMAP_GRAY);

  return self->map;
}

void
es_picture_set_palette (EsPicture *self, const guint8 *entries, guint n, double first)
{
  g_return_if_fail (ES_IS_PICTURE (self));

  if (entries == NULL && self->palette == NULL)
    return;
  g_clear_pointer (&self->palette, g_free);
  if (entries != NULL)
    self->palette = g_memdup2 (entries, 4 * (gsize) MAX (n + 1, 256));
  self->n_named = n;
  self->first_named = (float) first;
  changed (self);
}

gboolean
es_picture_has_palette (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);

  return self->palette != NULL && self->n_planes == 1;
}

const guint8 *
es_picture_get_entries (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  return es_picture_has_palette (self) ? self->palette : es_colormap_entries (self->map);
}

static GdkTexture *
make_texture (int width, int height, guint8 *pixels)
{
  gsize stride = 4 * (gsize) width;
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * height);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, bytes, stride);
}

static GdkTexture *
render_canvas (int width, int height)
{
  gsize n = (gsize) width * height;
  guint8 *pixels = g_malloc_n (n, 4);

  for (gsize i = 0; i < 4 * n; i++)
    pixels[i] = i % 4 == 3 ? 255 : ES_FRAME_CANVAS;
  return make_texture (width, height, pixels);
}

GdkTexture *
es_picture_render (EsPicture *self, GdkGLContext *context, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (context == NULL || GDK_IS_GL_CONTEXT (context), NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);
  g_return_val_if_fail (viewport != NULL && viewport->zoom > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (width, height);

  g_auto (EsFrame) whole = { 0 };
  g_auto (EsFrame) detail = { 0 };
  const EsFrame *frame = init_frames (self, &whole, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                      (EsFrameAxis) { viewport->top, viewport->zoom, height });

  return es_uploaders_render (self->uploaders, context, frame, &self->uploader);
}

GdkTexture *
es_picture_render_holed (EsPicture *self, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && viewport != NULL && viewport->zoom > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (width, height);

  g_auto (EsFrame) whole = { 0 };
  g_auto (EsFrame) detail = { 0 };
  guint8 *pixels = g_malloc_n (height, 4 * (gsize) width);
  const EsFrame *frame = init_frames (self, &whole, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                      (EsFrameAxis) { viewport->top, viewport->zoom, height });

  es_frame_paint (frame, pixels, 4 * (gsize) width, ES_FRAME_HOLED);
  return make_texture (width, height, pixels);
}

const char *
es_picture_get_uploader (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  return self->uploader;
}

gboolean
es_picture_takes_device_planes (EsDevice *gpu)
{
  g_return_val_if_fail (ES_IS_DEVICE (gpu), FALSE);

  return es_uploaders_take_device_planes (gpu);
}

/* The whole picture in width x height pixels. */
static guint8 *
paint_whole (EsPicture *self, int width, int height, EsFrameGround ground)
{
  g_auto (EsFrame) frame = { 0 };
  guint8 *pixels = g_malloc_n (height, 4 * (gsize) width);

  init_frame (self, &frame, (EsFrameAxis) { 0, (double) width / self->full_width, width },
              (EsFrameAxis) { 0, (double) height / self->full_height, height });
  es_frame_paint (&frame, pixels, 4 * (gsize) width, ground);
  return pixels;
}

GdkTexture *
es_picture_render_thumbnail (EsPicture *self, int size)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (size > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (size, size);

  double zoom = (double) size / MAX (self->full_width, self->full_height);
  int width = CLAMP ((int) lrint (self->full_width * zoom), 1, size);
  int height = CLAMP ((int) lrint (self->full_height * zoom), 1, size);

  return make_texture (width, height, paint_whole (self, width, height, ES_FRAME_CHECKERED));
}

GdkTexture *
es_picture_render_whole (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  if (self->n_planes == 0)
    return NULL;

  const EsPlaneLevel *level = &self->planes[0]->levels[0];

  return make_texture (level->width, level->height, paint_whole (self, level->width, level->height, ES_FRAME_ALONE));
}

GBytes *
es_picture_get_pixels (EsPicture *self, guint *width, guint *height)
{
  const EsPlaneLevel *level;

  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  if (self->n_planes == 0)
    return NULL;
  level = &self->planes[0]->levels[0];
  *width = level->width;
  *height = level->height;
  return g_bytes_new_take (paint_whole (self, level->width, level->height, ES_FRAME_ALONE),
                           4 * (gsize) level->width * level->height);
}

gboolean
es_picture_save_png (EsPicture *self, const char *path, GError **error)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  g_autoptr (GFile) target = g_file_new_for_path (path);

  if (self->n_planes == 0)
    return es_render_file_fail (target, _("there is no picture"), error);

  g_autoptr (GdkTexture) texture = es_picture_render_whole (self);
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);

  return es_render_file_replace (target, bytes, error);
}
