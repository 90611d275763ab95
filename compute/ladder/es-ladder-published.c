/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which published figure is about which rung. Most ladders of cards are published under the names of their rungs. */

#include <math.h>
#include <string.h>

#include "es-ladder-climb-internal.h"

#define MS 1e-3

typedef struct
{
  EsLadderKind kind;
  const char  *backend, *rung;
  const char  *published;      /* the rung's name there */
} Name;

/* Those of libraries, which each back end has its own of. */
static const Name names[] = {
  { ES_LADDER_FOURIER, "cuda", "v0", "" },
  { ES_LADDER_FOURIER, "cuda", "v1", "cufft-1d" },
  { ES_LADDER_FOURIER, "cuda", "v2", "cufft-many" },
  { ES_LADDER_FOURIER, "cpu", "fftw", "fftw-1d" },
  { ES_LADDER_FOURIER, "cpu", "library", "fftw-many" },
};

typedef struct
{
  EsLadderKind kind;
  const char  *rung, *table, *column;
} Column;

/* Of processors, where only the programs are published. */
static const Column columns[] = {
  { ES_LADDER_COVARIANCE, "fused", "msc-covariance", "Serial" },
  { ES_LADDER_COVARIANCE, "threaded", "msc-covariance", "OpenMP 16" },
};

/* NULL: nothing was published of it. */
static const char *
find_name (EsLadderKind kind, const char *backend, const char *rung)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].kind == kind && strcmp (names[i].backend, backend) == 0 && strcmp (names[i].rung, rung) == 0)
      return *names[i].published != '\0' ? names[i].published : NULL;
  return strcmp (backend, "cpu") != 0 ? rung : NULL;
}

static gboolean
find_column (EsLadderKind kind, const char *row, const char *rung, double *seconds, const EsPublished **published)
{
  guint table;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].kind == kind && strcmp (columns[i].rung, rung) == 0
        && es_published_find (columns[i].table, &table))
      {
        *seconds = MS * es_published_get_value (table, row, columns[i].column);
        if (published != NULL)
          *published = es_published_get (table);
        return !isnan (*seconds);
      }
  return FALSE;
}

gboolean
es_ladder_find_published (const EsLadder *ladder, const char *backend, const char *row, const char *rung,
                          double *seconds, const EsPublished **published)
{
  const char *name = find_name (ladder->kind, backend, rung);
  double ms;

  *seconds = NAN;
  if (name == NULL)
    return find_column (ladder->kind, row, rung, seconds, published);
  if (!es_published_find_ladder (ladder->id, row, name, &ms, published))
    return FALSE;
  *seconds = MS * ms;
  return !isnan (*seconds);
}

gboolean
es_ladder_find_published_gain (const EsLadder *ladder, const char *backend, const char *row, const char *rung,
                               const char *below, double *gain, const char **of)
{
  g_auto (GStrv) all = es_published_list_ladder_rows (ladder->id);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  /* That of this size before any other. */
  g_ptr_array_add (rows, (gpointer) row);
  for (guint i = 0; all != NULL && all[i] != NULL; i++)
    g_ptr_array_add (rows, all[i]);
  for (guint i = 0; i < rows->len; i++)
    {
      const EsPublished *first = NULL, *second = NULL;
      double slower, faster;

      if (rows->pdata[i] != NULL
          && es_ladder_find_published (ladder, backend, rows->pdata[i], below, &slower, &first)
          && es_ladder_find_published (ladder, backend, rows->pdata[i], rung, &faster, &second)
          && first == second && faster > 0)
        {
          *gain = slower / faster;
          *of = g_intern_string (rows->pdata[i]);
          return TRUE;
        }
    }
  *gain = NAN;
  return FALSE;
}

/* PhD thesis, table 6.11: rows are numbers of elements. */
gboolean
es_ladder_find_published_threads (const EsLadder *ladder, const char *row, guint threads, double *seconds)
{
  g_autofree char *column = g_strdup_printf ("%u", threads);
  guint table;

  *seconds = NAN;
  if (ladder->kind == ES_LADDER_JACOBI && es_published_find ("phd-6.11", &table))
    *seconds = MS * es_published_get_value (table, row, column);
  return !isnan (*seconds);
}
