/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-face.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "cube/es-cube-line-internal.h"
#include "cube/es-cube-taken.h"

/* Floats that are read at a time. */
#define PORTION (1024 * 1024)

/* ---- the order of bands ---- */

static int
compare_wavelengths (gconstpointer a, gconstpointer b, gpointer wavelengths)
{
  const guint left = *(const guint *) a, right = *(const guint *) b;
  const double *nm = wavelengths;

  if (nm != NULL && nm[left] != nm[right])
    return nm[left] < nm[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

static void
order_clear (gpointer data)
{
  EsBandOrder *self = data;

  g_free (self->bands);
  g_free (self->taken);
}

EsBandOrder *
es_band_order_new (EsCube *cube, gboolean all)
{
  EsBandOrder *self;
  g_autofree gboolean *taken = NULL;
  guint n, any = 0;

  g_return_val_if_fail (ES_IS_CUBE (cube), NULL);

  self = g_atomic_rc_box_new0 (EsBandOrder);
  n = es_cube_get_bands (cube);
  taken = es_cube_dup_taken (cube);
  self->bands = g_new (guint, n);
  self->taken = g_new (gboolean, n);
  for (guint i = 0; i < n; i++)
    any += taken[i] ? 1 : 0;
  for (guint i = 0; i < n; i++)
    if (all || taken[i] || any == 0)
      self->bands[self->n++] = i;
  g_qsort_with_data (self->bands, (int) self->n, sizeof *self->bands, compare_wavelengths,
                     (gpointer) es_cube_get_wavelengths (cube));
  self->step = (self->n + ES_BAND_ORDER_MOST - 1) / ES_BAND_ORDER_MOST;
  self->n = (self->n + self->step - 1) / self->step;
  for (guint i = 0; i < self->n; i++)
    {
      self->bands[i] = self->bands[i * self->step];
      self->taken[i] = taken[self->bands[i]];
    }
  return self;
}

EsBandOrder *
es_band_order_ref (EsBandOrder *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
es_band_order_unref (EsBandOrder *self)
{
  g_atomic_rc_box_release_full (self, order_clear);
}

/* ---- a face ---- */

static void
face_clear (gpointer data)
{
  g_free (((EsCubeFace *) data)->values);
}

EsCubeFace *
es_cube_face_ref (EsCubeFace *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
es_cube_face_unref (EsCubeFace *self)
{
  g_atomic_rc_box_release_full (self, face_clear);
}

/* Pixels from..from + n of it, in steps; what lies between two steps is passed over where that costs less. */
static gboolean
read_part (EsCubeReader *reader, const EsBandOrder *order, EsCubeFace *self, guint from, guint n, float *values,
           GCancellable *cancellable, GError **error)
{
  const guint64 first = (guint64) from * self->step, length = (guint64) (n - 1) * self->step + 1;
  const EsCubeWindow window = { self->row ? first : self->at, self->row ? self->at : first, self->row ? length : 1,
                                self->row ? 1 : length };

  if (!es_cube_reader_read_bands (reader, &window, order->n, order->bands, values, cancellable, error))
    return FALSE;
  for (guint band = 0; band < order->n; band++)
    for (guint i = 0; i < n; i++)
      self->values[(gsize) band * self->columns + from + i] =
        order->taken[band] ? values[(gsize) band * length + (gsize) i * self->step] : NAN;
  return TRUE;
}

EsCubeFace *
es_cube_read_face (EsCube *cube, const EsBandOrder *order, gboolean row, guint64 at, guint most,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (EsCubeFace) self = NULL;
  g_autoptr (EsCubeReader) reader = NULL;
  g_autofree float *values = NULL;
  guint portion;
  gsize size;

  g_return_val_if_fail (ES_IS_CUBE (cube) && order != NULL && most > 0, NULL);
  g_return_val_if_fail (at < (row ? es_cube_get_height (cube) : es_cube_get_width (cube)), NULL);

  self = g_atomic_rc_box_new0 (EsCubeFace);
  self->row = row;
  self->at = at;
  self->length = row ? es_cube_get_width (cube) : es_cube_get_height (cube);
  self->step = (guint) MIN ((self->length + most - 1) / most, G_MAXUINT);
  self->columns = (guint) ((self->length + self->step - 1) / self->step);
  self->rows = order->n;
  /* Along a row what lies between is read with the rest; along a column, where it would be whole rows, it is not. */
  portion = !row && self->step > 1 ? 1 : MAX (1, PORTION / MAX (order->n, 1) / self->step);
  if (!g_size_checked_mul (&size, self->columns, self->rows)
      || (self->values = g_try_new (float, size)) == NULL
      || (values = g_try_new (float, ((gsize) (portion - 1) * self->step + 1) * order->n)) == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is no memory for a side of the cube of %u × %u samples."), self->columns, self->rows);
      return NULL;
    }
  if ((reader = es_cube_reader_new (cube, error)) == NULL)
    return NULL;
  for (guint from = 0; from < self->columns; from += portion)
    if (!read_part (reader, order, self, from, MIN (portion, self->columns - from), values, cancellable, error))
      return NULL;
  return g_steal_pointer (&self);
}
