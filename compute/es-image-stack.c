/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "es-error.h"
#include "es-file-private.h"
#include "es-layer-private.h"

typedef struct
{
  char   *title;
  double  share;
} Plane;

struct _EsImageStack
{
  EsLayer   parent_instance;

  guint64   width, height;
  guint     planes;
  gsize     plane_pixels;
  Plane    *plane;
  char     *unit;
  gboolean  is_signed;

  /* One of the two. */
  float    *memory;
  int       fd;

  char     *path;              /* of the file that goes with the stack; NULL: none, or no longer ours */
  char     *label;             /* of the file, for messages */
};

G_DEFINE_FINAL_TYPE (EsImageStack, es_image_stack, ES_TYPE_LAYER)

static void
es_image_stack_finalize (GObject *object)
{
  EsImageStack *self = ES_IMAGE_STACK (object);

  if (self->path != NULL)
    unlink (self->path);
  if (self->fd >= 0)
    close (self->fd);
  for (guint i = 0; i < self->planes; i++)
    g_free (self->plane[i].title);
  g_free (self->plane);
  g_free (self->memory);
  g_free (self->unit);
  g_free (self->path);
  g_free (self->label);
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
  self->fd = -1;
}

/* In the cache directory, which is on a real disk more often than the one for temporary files is. */
static int
open_unnamed (char **label, GError **error)
{
  g_autofree char *directory = g_build_filename (g_get_user_cache_dir (), "eigenscope", NULL);
  const char *place = g_mkdir_with_parents (directory, 0700) == 0 ? directory : g_get_tmp_dir ();
  g_autofree char *path = g_build_filename (place, "layer-XXXXXX", NULL);
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);

  if (fd < 0)
    es_file_set_error (error, path, errno);
  else
    unlink (path);
  *label = g_steal_pointer (&path);
  return fd;
}

static gboolean
make_file (EsImageStack *self, const char *path, gsize bytes, GError **error)
{
  g_autofree char *label = NULL;

  if (path == NULL)
    self->fd = open_unnamed (&label, error);
  else
    {
      self->fd = es_file_open_beside (path, &self->path, error);
      label = g_strdup (path);
    }
  if (self->fd < 0)
    return FALSE;

  self->label = g_steal_pointer (&label);
  return es_file_reserve (self->fd, self->label, bytes, error);
}

/* Linux promises more than it has, and ends the process that believes it. */
static guint64
physical_memory (void)
{
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);

  return pages > 0 && page > 0 ? (guint64) pages * page : G_MAXUINT64;
}

EsImageStack *
es_image_stack_new (const char *name, const char *title, guint64 width, guint64 height, guint planes,
                    guint64 memory_limit, const char *path, GError **error)
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

  g_autoptr (EsImageStack) self = g_object_new (ES_TYPE_IMAGE_STACK, NULL);
  es_layer_set_name (ES_LAYER (self), name, title);
  self->width = width;
  self->height = height;
  self->plane_pixels = pixels;

  if (path == NULL && (memory_limit == 0 || bytes <= memory_limit))
    {
      if (bytes <= physical_memory ())
        self->memory = g_try_malloc0 (bytes);
      if (self->memory == NULL)
        {
          g_autofree char *size = g_format_size (bytes);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                       _("The layer “%s” needs %s of memory, more than there is."), title, size);
          return NULL;
        }
    }
  else if (!make_file (self, path, bytes, error))
    return NULL;

  self->planes = planes;
  self->plane = g_new0 (Plane, planes);
  for (guint i = 0; i < planes; i++)
    self->plane[i].share = NAN;
  return g_steal_pointer (&self);
}

const char *
es_image_stack_get_path (EsImageStack *self)
{
  return self->path;
}

void
es_image_stack_keep_file (EsImageStack *self, const char *new_path)
{
  g_clear_pointer (&self->path, g_free);
}

void
es_image_stack_set_plane (EsImageStack *self, guint plane, const char *title, double share)
{
  g_return_if_fail (plane < self->planes);

  g_free (self->plane[plane].title);
  self->plane[plane].title = g_strdup (title);
  self->plane[plane].share = share;
}

void
es_image_stack_set_signed (EsImageStack *self, gboolean is_signed)
{
  self->is_signed = is_signed;
}

void
es_image_stack_set_unit (EsImageStack *self, const char *unit)
{
  g_free (self->unit);
  self->unit = g_strdup (unit);
}

static gboolean
check_window (EsImageStack *self, guint64 x, guint64 y, guint64 width, guint64 height, GError **error)
{
  if (width > 0 && height > 0 && x < self->width && y < self->height
      && width <= self->width - x && height <= self->height - y)
    return TRUE;

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("The window %llu × %llu at (%llu, %llu) is outside of the layer “%s”."),
               (unsigned long long) width, (unsigned long long) height, (unsigned long long) x,
               (unsigned long long) y, es_layer_get_title (ES_LAYER (self)));
  return FALSE;
}

gboolean
es_image_stack_write (EsImageStack *self, guint64 x, guint64 y, guint64 width, guint64 height,
                      const float *values, gsize plane_stride, GError **error)
{
  if (!check_window (self, x, y, width, height, error))
    return FALSE;

  /* Whole rows are one piece. */
  guint64 pieces = width == self->width ? 1 : height;
  gsize piece = width * (height / pieces);
  for (guint plane = 0; plane < self->planes; plane++)
    for (guint64 i = 0; i < pieces; i++)
      {
        const float *from = values + plane * plane_stride + i * piece;
        gsize to = plane * self->plane_pixels + (y + i) * self->width + x;

        if (self->memory != NULL)
          memcpy (self->memory + to, from, piece * sizeof (float));
        else if (!es_file_write_at (self->fd, self->label, from, piece * sizeof (float), to * sizeof (float),
                                    error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
read_values (EsImageStack *self, gsize from, float *out, gsize n, GError **error)
{
  if (self->memory != NULL)
    {
      memcpy (out, self->memory + from, n * sizeof (float));
      return TRUE;
    }
  return es_file_read_at (self->fd, self->label, out, n * sizeof (float), from * sizeof (float), error);
}

gboolean
es_image_stack_read (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                     guint step, float *out, GError **error)
{
  g_autofree float *row = NULL;

  g_return_val_if_fail (plane < self->planes && step > 0, FALSE);
  if (!check_window (self, x, y, width, height, error))
    return FALSE;

  gsize start = plane * self->plane_pixels + y * self->width + x;
  if (step == 1 && width == self->width)
    return read_values (self, start, out, width * height, error);

  if (step > 1 && self->memory == NULL)
    row = g_new (float, width);

  for (guint64 j = 0; j < height; j += step, start += step * self->width)
    {
      if (step == 1)
        {
          if (!read_values (self, start, out, width, error))
            return FALSE;
          out += width;
          continue;
        }

      const float *from = self->memory != NULL ? self->memory + start : row;
      if (self->memory == NULL && !read_values (self, start, row, width, error))
        return FALSE;
      for (guint64 i = 0; i < width; i += step)
        *out++ = from[i];
    }
  return TRUE;
}

const float *
es_image_stack_peek (EsImageStack *self, guint plane)
{
  g_return_val_if_fail (plane < self->planes, NULL);
  return self->memory != NULL ? self->memory + plane * self->plane_pixels : NULL;
}

guint64
es_image_stack_get_width (EsImageStack *self)
{
  return self->width;
}

guint64
es_image_stack_get_height (EsImageStack *self)
{
  return self->height;
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
