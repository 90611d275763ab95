/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "signal/es-area-means-internal.h"
#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-image-stack-private.h"

/* More rows than this are not kept count of. */
#define MOST_ROWS ((guint64) 1 << 26)

G_DEFINE_FINAL_TYPE (EsImageStack, es_image_stack, ES_TYPE_LAYER)

static void
es_image_stack_finalize (GObject *object)
{
  EsImageStack *self = ES_IMAGE_STACK (object);

  for (guint i = 0; i < self->planes; i++)
    {
      g_free (self->plane[i].title);
      g_free (self->plane[i].numbers);
    }
  g_free (self->plane);
  if (self->compute_destroy != NULL)
    self->compute_destroy (self->compute_data);
  g_clear_pointer (&self->samples, es_store_free);
  g_clear_pointer (&self->store, es_stack_store_free);
  g_free (self->written);
  g_mutex_clear (&self->lock);
  g_free (self->unit);
  g_free (self->wavelengths);
  G_OBJECT_CLASS (es_image_stack_parent_class)->finalize (object);
}

static void
es_image_stack_class_init (EsImageStackClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_image_stack_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_IMAGE_STACK;
}

static void
es_image_stack_init (EsImageStack *self)
{
  g_mutex_init (&self->lock);
}

EsImageStack *
es_image_stack_new_bare (const char *name, const char *title, guint64 width, guint64 height, guint planes,
                         GError **error)
{
  gsize pixels, values, bytes;

  if (width == 0 || height == 0 || planes == 0
      || !g_size_checked_mul (&pixels, width, height) || !g_size_checked_mul (&values, pixels, planes)
      || !g_size_checked_mul (&bytes, values, sizeof (float)) || bytes > G_MAXINT64)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("A layer of %llu × %llu pixels and %u planes cannot be made."),
                   (unsigned long long) width, (unsigned long long) height, planes);
      return NULL;
    }

  EsImageStack *self = g_object_new (ES_TYPE_IMAGE_STACK, NULL);
  es_layer_set_name (ES_LAYER (self), name, title);
  self->width = width;
  self->height = height;
  self->plane_pixels = pixels;
  self->planes = planes;
  self->plane = g_malloc0_n (planes, sizeof *self->plane);
  for (guint i = 0; i < planes; i++)
    self->plane[i].share = NAN;
  if (height <= MOST_ROWS && width <= G_MAXINT32)
    self->written = g_new0 (guint32, height);
  self->complete = self->written == NULL;
  return self;
}

gsize
es_image_stack_get_bytes (EsImageStack *self)
{
  return self->plane_pixels * self->planes * sizeof (float);
}

EsImageStack *
es_image_stack_new (const char *name, const char *title, guint64 width, guint64 height, guint planes,
                    guint64 memory_limit, const char *path, GError **error)
{
  g_autoptr (EsImageStack) self = es_image_stack_new_bare (name, title, width, height, planes, error);

  if (self == NULL)
    return NULL;

  self->samples = es_store_new ("layer", memory_limit);
  if (!es_image_stack_find_place (self, path, error))
    return NULL;
  self->memory = es_store_get_memory (self->samples);
  return g_steal_pointer (&self);
}

EsImageStack *
es_image_stack_new_computed (const char *name, const char *title, guint64 width, guint64 height, guint planes,
                             EsStackRead read, gpointer data, GDestroyNotify destroy, GError **error)
{
  EsImageStack *self = es_image_stack_new_bare (name, title, width, height, planes, error);

  if (self == NULL)
    {
      if (destroy != NULL)
        destroy (data);
      return NULL;
    }
  g_clear_pointer (&self->written, g_free);
  self->complete = TRUE;
  self->compute = read;
  self->compute_data = data;
  self->compute_destroy = destroy;
  return self;
}

void
es_image_stack_set_read_rows (EsImageStack *self, EsStackReadRows read_rows)
{
  g_return_if_fail (self->compute != NULL);
  self->compute_rows = read_rows;
}

gboolean
es_image_stack_has_read_rows (EsImageStack *self)
{
  return self->compute_rows != NULL;
}

gboolean
es_image_stack_read_rows (EsImageStack *self, guint64 y, guint64 height, float *out, GError **error)
{
  const guint64 all = es_image_stack_get_height (self);

  g_return_val_if_fail (self->compute_rows != NULL && height <= all && y <= all - height, FALSE);
  if (self->frame_width > 0)
    return es_image_stack_read_framed_rows (self, y, height, out, error);
  return self->compute_rows (self->compute_data, y, height, out, error);
}

const char *
es_image_stack_get_path (EsImageStack *self)
{
  /* A window is no file of the image. */
  return self->samples != NULL && self->frame_width == 0 ? es_store_get_part (self->samples) : NULL;
}

EsStackFormat
es_image_stack_get_format (EsImageStack *self)
{
  return self->format;
}

void
es_image_stack_keep_file (EsImageStack *self, const char *new_path)
{
  if (self->samples != NULL)
    es_store_give_part (self->samples);
}

void
es_image_stack_set_plane (EsImageStack *self, guint plane, const char *title, double share)
{
  g_return_if_fail (plane < self->planes);

  g_free (self->plane[plane].title);
  self->plane[plane].title = es_text_show (title);
  self->plane[plane].share = share;
}

void
es_image_stack_set_signed (EsImageStack *self, gboolean is_signed)
{
  self->is_signed = is_signed;
}

void
es_image_stack_set_hint (EsImageStack *self, EsImageHint hint)
{
  self->hint = hint;
}

void
es_image_stack_set_wavelengths (EsImageStack *self, const double *wavelengths)
{
  g_free (self->wavelengths);
  self->wavelengths = wavelengths != NULL ? g_memdup2 (wavelengths, self->planes * sizeof (double)) : NULL;
}

void
es_image_stack_set_unit (EsImageStack *self, const char *unit)
{
  g_free (self->unit);
  self->unit = g_strdup (unit);
}

gboolean
es_image_stack_check_window (EsImageStack *self, guint64 all_width, guint64 all_height, guint64 x, guint64 y,
                             guint64 width, guint64 height, GError **error)
{
  if (width > 0 && height > 0 && x < all_width && y < all_height && width <= all_width - x
      && height <= all_height - y)
    return TRUE;

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("The window %llu × %llu at (%llu, %llu) is outside of the layer “%s”."),
               (unsigned long long) width, (unsigned long long) height, (unsigned long long) x,
               (unsigned long long) y, es_layer_get_title (ES_LAYER (self)));
  return FALSE;
}

static gboolean
read_window (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step,
             float *out, GError **error)
{
  g_autofree float *row = NULL;

  const float *memory = self->memory != NULL ? self->memory + plane * self->plane_pixels : NULL;
  if (step == 1)
    return es_image_stack_take (self, plane, x, y, width, height, out, error);

  if (memory == NULL)
    row = g_new (float, width);
  for (guint64 j = 0; j < height; j += step)
    {
      const float *from = memory != NULL ? memory + (y + j) * self->width + x : row;

      if (memory == NULL && !es_image_stack_take (self, plane, x, y + j, width, 1, row, error))
        return FALSE;
      for (guint64 i = 0; i < width; i += step)
        *out++ = from[i];
    }
  return TRUE;
}

/* Of every step-th row whether it has not been written as a whole yet; NULL: all have. */
static gboolean *
find_unwritten (EsImageStack *self, guint64 y, guint64 height, guint step)
{
  gboolean *unwritten;

  if (es_image_stack_is_complete (self))
    return NULL;
  unwritten = g_new (gboolean, (height - 1) / step + 1);
  g_mutex_lock (&self->lock);
  for (guint64 j = 0; j < height; j += step)
    unwritten[j / step] = self->written[y + j] < self->width;
  g_mutex_unlock (&self->lock);
  return unwritten;
}

/* Rows that nobody had written hold no values. */
static void
hide_unwritten (const gboolean *unwritten, guint64 rows, guint64 columns, float *out)
{
  for (guint64 j = 0; j < rows; j++, out += columns)
    if (unwritten[j])
      for (guint64 i = 0; i < columns; i++)
        out[i] = NAN;
}

gboolean
es_image_stack_read_samples (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                             guint step, float *out, GError **error)
{
  if (self->compute != NULL)
    return self->compute (self->compute_data, plane, x, y, width, height, step, out, error);

  /* Asked before the samples are read: what is written by then is so in what was read. */
  g_autofree gboolean *unwritten = find_unwritten (self, y, height, step);
  if (self->store != NULL ? !es_stack_store_read (self, plane, x, y, width, height, step, out, error)
                          : !read_window (self, plane, x, y, width, height, step, out, error))
    return FALSE;
  if (unwritten != NULL)
    hide_unwritten (unwritten, (height - 1) / step + 1, (width - 1) / step + 1, out);
  return TRUE;
}

gboolean
es_image_stack_read (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                     guint step, float *out, GError **error)
{
  g_return_val_if_fail (plane < self->planes && step > 0, FALSE);
  if (!es_image_stack_check_window (self, es_image_stack_get_width (self), es_image_stack_get_height (self), x, y,
                                    width, height, error))
    return FALSE;
  return self->frame_width > 0 ? es_image_stack_read_framed (self, plane, x, y, width, height, step, out, error)
                               : es_image_stack_read_samples (self, plane, x, y, width, height, step, out, error);
}

typedef struct
{
  EsImageStack *stack;
  guint         plane;
} PlaneRows;

static gboolean
read_plane_rows (gpointer data, guint64 y, guint64 n, float *out, GError **error)
{
  PlaneRows *rows = data;

  return es_image_stack_read (rows->stack, rows->plane, 0, y, es_image_stack_get_width (rows->stack), n, 1, out, error);
}

gboolean
es_image_stack_read_means (EsImageStack *self, guint plane, guint step, float *out, GCancellable *cancellable,
                           GError **error)
{
  PlaneRows rows = { self, plane };
  const guint64 width = es_image_stack_get_width (self), height = es_image_stack_get_height (self);
  guint64 bytes = width * sizeof (float);

  g_return_val_if_fail (ES_IS_IMAGE_STACK (self) && plane < self->planes && step > 0, FALSE);

  if (step == 1)
    return es_image_stack_read (self, plane, 0, 0, width, height, 1, out, error);
  /* What is computed when it is read takes every plane of it. */
  if (self->compute != NULL)
    bytes *= self->planes;
  else if (self->memory != NULL || self->store != NULL)
    bytes = 0;
  return es_area_means (width, height, step, bytes, read_plane_rows, &rows, out, cancellable, error);
}

const float *
es_image_stack_get_host (EsImageStack *self, guint plane)
{
  g_return_val_if_fail (plane < self->planes, NULL);
  if (!es_image_stack_is_complete (self) || self->frame_width > 0)
    return NULL;
  if (self->store != NULL)
    return es_stack_store_get_host (self, plane);
  return self->memory != NULL ? self->memory + plane * self->plane_pixels : NULL;
}

const float *
es_image_stack_peek (EsImageStack *self, guint plane)
{
  const float *values = es_image_stack_get_host (self, plane);

  return values == NULL && self->store != NULL && es_image_stack_is_complete (self)
           ? es_stack_store_peek (self, plane) : values;
}

guint64
es_image_stack_get_width (EsImageStack *self)
{
  return self->frame_width > 0 ? self->frame_width : self->width;
}

guint64
es_image_stack_get_height (EsImageStack *self)
{
  return self->frame_width > 0 ? self->frame_height : self->height;
}

guint
es_image_stack_get_planes (EsImageStack *self)
{
  return self->planes;
}

const char *
es_image_stack_get_plane_title (EsImageStack *self, guint plane)
{
  g_return_val_if_fail (plane < self->planes, NULL);
  return self->plane[plane].title;
}

double
es_image_stack_get_plane_share (EsImageStack *self, guint plane)
{
  g_return_val_if_fail (plane < self->planes, NAN);
  return self->plane[plane].share;
}

EsImageHint
es_image_stack_get_hint (EsImageStack *self)
{
  return self->hint;
}

const double *
es_image_stack_get_wavelengths (EsImageStack *self)
{
  return self->wavelengths;
}

gboolean
es_image_stack_get_signed (EsImageStack *self)
{
  return self->is_signed;
}

const char *
es_image_stack_get_unit (EsImageStack *self)
{
  return self->unit;
}
