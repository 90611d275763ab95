/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-source.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube-classes.h"
#include "pyramid/es-kept-levels.h"
#include "plane/es-composite.h"

/* Tiles have no more a side. */
#define MAXIMUM_SIDE 8192
/* From here on a plane takes so long to be read that something is shown before. */
#define SLOW_PIXELS  (100 * 1000 * 1000ull)

struct _EsPlaneSource
{
  GObject       parent_instance;

  /* One of the two. */
  EsCube       *cube;
  EsImageStack *stack;

  guint64       width, height;
  guint         n_planes;

  /* Behind those: of others. */
  struct
  {
    EsPlaneSource *of;
    guint          plane;
    char          *title;
  } borrowed[3];
};

G_DEFINE_TYPE (EsPlaneSource, es_plane_source, G_TYPE_OBJECT)

EsPlaneSource *
es_plane_source_new_for_cube (EsCube *cube)
{
  EsPlaneSource *self;

  g_return_val_if_fail (ES_IS_CUBE (cube), NULL);

  self = g_object_new (ES_TYPE_PLANE_SOURCE, NULL);
  self->cube = g_object_ref (cube);
  self->width = es_cube_get_width (cube);
  self->height = es_cube_get_height (cube);
  self->n_planes = es_cube_get_bands (cube);
  return self;
}

EsPlaneSource *
es_plane_source_new_for_stack (EsImageStack *stack)
{
  EsPlaneSource *self;

  g_return_val_if_fail (ES_IS_IMAGE_STACK (stack), NULL);

  self = g_object_new (ES_TYPE_PLANE_SOURCE, NULL);
  self->stack = g_object_ref (stack);
  self->width = es_image_stack_get_width (stack);
  self->height = es_image_stack_get_height (stack);
  self->n_planes = es_image_stack_get_planes (stack);
  return self;
}

EsPlaneSource *
es_plane_source_new_borrowing (EsPlaneSource *base, EsPlaneSource *const others[3], const guint planes[3],
                               const char *const titles[3])
{
  EsPlaneSource *self;

  g_return_val_if_fail (ES_IS_PLANE_SOURCE (base), NULL);

  self = base->cube != NULL ? es_plane_source_new_for_cube (base->cube) : es_plane_source_new_for_stack (base->stack);
  for (guint i = 0; i < 3; i++)
    {
      if (others[i] == NULL || planes[i] >= others[i]->n_planes || others[i]->width != self->width
          || others[i]->height != self->height)
        continue;
      self->borrowed[i].of = g_object_ref (others[i]);
      self->borrowed[i].plane = planes[i];
      self->borrowed[i].title = g_strdup (titles[i]);
    }
  return self;
}

gboolean
es_plane_source_has_plane (EsPlaneSource *self, guint plane)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), FALSE);
  return plane < self->n_planes || (plane - self->n_planes < 3 && self->borrowed[plane - self->n_planes].of != NULL);
}

EsPlaneSource *
es_plane_source_resolve (EsPlaneSource *self, guint plane, guint *its)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  g_return_val_if_fail (es_plane_source_has_plane (self, plane), NULL);

  if (plane < self->n_planes)
    {
      *its = plane;
      return self;
    }
  *its = self->borrowed[plane - self->n_planes].plane;
  return self->borrowed[plane - self->n_planes].of;
}

EsCube *
es_plane_source_get_cube (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  return self->cube;
}

EsImageStack *
es_plane_source_get_stack (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  return self->stack;
}

GObject *
es_plane_source_get_data (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  return self->cube != NULL ? G_OBJECT (self->cube) : G_OBJECT (self->stack);
}

guint
es_plane_source_get_width (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), 0);
  return (guint) MIN (self->width, G_MAXINT);
}

guint
es_plane_source_get_height (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), 0);
  return (guint) MIN (self->height, G_MAXINT);
}

guint
es_plane_source_get_n_planes (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), 0);
  return self->n_planes;
}

gboolean
es_plane_source_get_signed (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), FALSE);
  return self->stack != NULL && es_image_stack_get_signed (self->stack);
}

EsImageHint
es_plane_source_get_hint (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), ES_IMAGE_HINT_NONE);
  return self->stack != NULL ? es_image_stack_get_hint (self->stack) : ES_IMAGE_HINT_NONE;
}

const char *
es_plane_source_get_unit (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  return self->cube != NULL ? es_cube_get_unit (self->cube) : es_image_stack_get_unit (self->stack);
}

char *
es_plane_source_get_plane_title (EsPlaneSource *self, guint plane)
{
  const char *title;

  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NULL);

  if (self->cube != NULL)
    return es_cube_get_band_label (self->cube, plane);

  title = es_image_stack_get_plane_title (self->stack, plane);
  return title != NULL ? g_strdup (title) : g_strdup_printf (_("plane %u"), plane + 1);
}

EsClassTable *
es_plane_source_get_classes (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), NULL);
  return self->cube != NULL ? es_cube_get_classes (self->cube) : NULL;
}

char *
es_plane_source_get_plane_label (EsPlaneSource *self, guint plane)
{
  g_autofree char *title = es_plane_source_get_plane_title (self, plane);

  if (title == NULL || plane < self->n_planes || self->borrowed[plane - self->n_planes].title == NULL)
    return g_steal_pointer (&title);
  /* Translators: a component or band, and of which result: "PC 1 (PCA 27 of 210)". */
  return g_strdup_printf (C_("of another result", "%s (%s)"), title, self->borrowed[plane - self->n_planes].title);
}

const char *
es_plane_source_get_plane_unit (EsPlaneSource *self, guint plane)
{
  self = es_plane_source_resolve (self, plane, &plane);
  return self != NULL ? es_plane_source_get_unit (self) : NULL;
}

double
es_plane_source_get_plane_share (EsPlaneSource *self, guint plane)
{
  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NAN);
  return self->stack != NULL ? es_image_stack_get_plane_share (self->stack, plane) : NAN;
}

gboolean
es_plane_source_is_bad (EsPlaneSource *self, guint plane)
{
  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, FALSE);
  return self->cube != NULL && !es_cube_get_good_bands (self->cube)[plane];
}

gboolean
es_plane_source_is_complete (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), FALSE);
  for (guint i = 0; i < 3; i++)
    if (self->borrowed[i].of != NULL && !es_plane_source_is_complete (self->borrowed[i].of))
      return FALSE;
  return self->stack == NULL || es_image_stack_is_complete (self->stack);
}

static guint64
steps (guint64 length, guint64 step)
{
  return length / step + (length % step != 0);
}

guint
es_plane_source_get_step (EsPlaneSource *self)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), 1);
  return es_composite_pick_step (self->width, self->height);
}

guint
es_plane_source_get_step_for (EsPlaneSource *self, guint side)
{
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), 1);
  g_return_val_if_fail (side > 0, 1);
  return (guint) MIN (MAX (1, steps (MAX (self->width, self->height), side)), G_MAXINT);
}

GBytes *
es_plane_source_peek (EsPlaneSource *self, guint plane, guint step)
{
  const float *values;

  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NULL);

  if (self->stack == NULL || step != 1)
    return NULL;
  values = es_image_stack_peek (self->stack, plane);
  if (values == NULL)
    return NULL;
  return g_bytes_new_with_free_func (values, self->width * self->height * sizeof (float),
                                     g_object_unref, g_object_ref (self->stack));
}

EsDevicePlane *
es_plane_source_get_device_plane (EsPlaneSource *self, guint plane, guint step)
{
  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NULL);

  return self->stack != NULL && step == 1 ? es_image_stack_get_device_plane (self->stack, plane) : NULL;
}

/* The whole of a level that is kept. */
static gboolean
read_kept (EsPlaneSource *self, guint plane, guint step, float *values)
{
  const guint level = g_bit_storage (step) - 1;
  const EsLevelWindow whole = { level, 0, 0, es_level_length (self->width, level),
                                es_level_length (self->height, level) };

  return self->cube != NULL && step > 1 && step == 1u << level
         && es_kept_levels_read (self->cube, plane, &whole, values);
}

gboolean
es_plane_source_is_slow (EsPlaneSource *self, guint n, const guint *planes)
{
  guint step;

  g_return_val_if_fail (ES_IS_PLANE_SOURCE (self), FALSE);

  step = es_plane_source_get_step (self);
  if (self->width * self->height < SLOW_PIXELS || step > G_MAXINT / ES_PLANE_SOURCE_GLANCE)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint plane = 0;
      EsPlaneSource *of = es_plane_source_resolve (self, planes[i], &plane);

      if (of != NULL && of->cube != NULL && !es_kept_levels_have (of->cube, plane, g_bit_storage (step) - 1))
        return TRUE;
    }
  return FALSE;
}

static GBytes *
read_plane (EsPlaneSource *self, guint plane, guint step, gboolean hurry, GCancellable *cancellable, GError **error)
{
  g_autofree float *values = NULL;
  GBytes *uncopied;
  guint64 columns, rows;
  gsize bytes;
  gboolean done;

  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (step > 0, NULL);

  uncopied = es_plane_source_peek (self, plane, step);
  if (uncopied != NULL)
    return uncopied;

  columns = steps (self->width, step);
  rows = steps (self->height, step);
  if (!g_size_checked_mul (&bytes, columns, rows) || !g_size_checked_mul (&bytes, bytes, sizeof (float))
      || (values = g_try_malloc (bytes)) == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("A plane of %u × %u pixels does not fit in memory."), (guint) columns, (guint) rows);
      return NULL;
    }

  /* A mean of classes is none of them. */
  if (self->cube != NULL && es_cube_get_classes (self->cube) != NULL)
    done = es_cube_read_band (self->cube, plane, 0, 0, self->width, self->height, step, values, cancellable, error);
  else if (hurry && self->cube != NULL)
    done = es_level_glance_cube (self->cube, plane, g_bit_storage (step) - 1, values, cancellable, error);
  else if (read_kept (self, plane, step, values))
    done = TRUE;
  else if (self->cube != NULL)
    done = es_cube_read_band_means (self->cube, plane, step, values, cancellable, error);
  else
    done = es_image_stack_read_means (self->stack, plane, step, values, cancellable, error);
  if (!done)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&values), bytes);
}

GBytes *
es_plane_source_read (EsPlaneSource *self, guint plane, guint step, GCancellable *cancellable, GError **error)
{
  return read_plane (self, plane, step, FALSE, cancellable, error);
}

GBytes *
es_plane_source_glance (EsPlaneSource *self, guint plane, guint step, GCancellable *cancellable, GError **error)
{
  return read_plane (self, plane, step, TRUE, cancellable, error);
}

GBytes *
es_plane_source_read_tile (EsPlaneSource *self, guint plane, guint level, guint64 x, guint64 y, guint side,
                           GCancellable *cancellable, GError **error)
{
  g_autofree float *values = NULL;
  EsLevelWindow window = { .level = level, .x = x, .y = y };
  guint64 width, height;
  gsize bytes;
  gboolean done;

  self = es_plane_source_resolve (self, plane, &plane);
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (level <= ES_LEVEL_LAST, NULL);

  width = es_level_length (self->width, level);
  height = es_level_length (self->height, level);
  g_return_val_if_fail (x < width && y < height && side > 0 && side <= MAXIMUM_SIDE, NULL);

  window.width = MIN (side, width - x);
  window.height = MIN (side, height - y);
  bytes = window.width * window.height * sizeof (float);
  values = g_try_malloc (bytes);
  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("A plane of %u × %u pixels does not fit in memory."), (guint) window.width, (guint) window.height);
      return NULL;
    }
  /* Of classes no mean, but the first pixel of each. */
  if (self->cube != NULL && es_cube_get_classes (self->cube) != NULL)
    done = es_cube_read_band (self->cube, plane, x << level, y << level,
                              MIN (window.width << level, self->width - (x << level)),
                              MIN (window.height << level, self->height - (y << level)), 1u << level, values,
                              cancellable, error);
  else if (self->cube != NULL)
    done = es_level_read_cube (self->cube, plane, &window, values, cancellable, error);
  else
    done = es_level_read_stack (self->stack, plane, &window, values, cancellable, error);
  if (!done)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&values), bytes);
}

static void
es_plane_source_finalize (GObject *object)
{
  EsPlaneSource *self = ES_PLANE_SOURCE (object);

  g_clear_object (&self->cube);
  g_clear_object (&self->stack);
  for (guint i = 0; i < 3; i++)
    {
      g_clear_object (&self->borrowed[i].of);
      g_free (self->borrowed[i].title);
    }
  G_OBJECT_CLASS (es_plane_source_parent_class)->finalize (object);
}

static void
es_plane_source_class_init (EsPlaneSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_plane_source_finalize;
}

static void
es_plane_source_init (EsPlaneSource *self)
{
}
