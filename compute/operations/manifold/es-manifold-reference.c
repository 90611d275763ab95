/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From float64 to float32: what is subtracted before, so that what spectra vary by is kept. */

#include "es-manifold-private.h"

#include <math.h>
#include <string.h>

/* Numbers are far from 0 where they are by so many times what they range over. */
#define FAR 16.0
/* Of them as many at either end are not looked at: dead pixels, and hot ones. */
#define TAIL 0.01

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

double
es_manifold_choose_reference (double *values, gsize n)
{
  const gsize tail = (gsize) (TAIL * (double) n);
  double median;

  qsort (values, n, sizeof *values, compare_numbers);
  median = values[n / 2];
  return fabs (median) > FAR * (values[n - 1 - tail] - values[tail]) ? median : 0;
}

void
es_manifold_find_reference (const EsManifoldBands *bands, const double *stored, gsize n, double *reference)
{
  const gsize looked_at = MIN (n, ES_MANIFOLD_LOOKED_AT);
  g_autofree double *values = g_new (double, looked_at);

  for (guint b = 0; b < bands->n; b++)
    {
      for (gsize i = 0; i < looked_at; i++)
        values[i] = stored[i * n / looked_at * bands->n + b] * bands->scale[b] + bands->offset[b];
      reference[b] = es_manifold_choose_reference (values, looked_at);
    }
}

float *
es_manifold_narrow (const EsManifoldBands *bands, double *stored, gsize n, const double *reference)
{
  g_autofree double *offset = g_new (double, bands->n);
  char *out = (char *) stored;

  if (stored == NULL)
    return NULL;
  for (guint b = 0; b < bands->n; b++)
    offset[b] = bands->offset[b] - reference[b];
  /* A number of float32 lies where one of float64 was that has been read. */
  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < bands->n; b++)
      {
        const gsize at = i * bands->n + b;
        const float value = (float) (stored[at] * bands->scale[b] + offset[b]);

        memcpy (out + at * sizeof value, &value, sizeof value);
      }
  return g_realloc (stored, (n * bands->n + 1) * sizeof (float));
}
