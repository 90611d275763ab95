/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The rows of a line over time, shared between processes: each reads and makes groups of rows that follow each other,
 * and adds up their powers; the first one has all groups, in order, for the waterfall and the mean. Groups depend on
 * the rows alone, so that the sums are the same bytes for any number of processes.
 */

#include "es-line-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Groups of a few rows at least, of so many rows and bytes at most. */
#define FEW_GROUPS 64u
#define MOST_ROWS 64u
#define MOST_BYTES ((gsize) 1 << 20)
/* Of a process at a time: what stays in its cache, or so many times what it reads for its first row beside what is its
 * own. Never more than all processes together may have, and a share of what the run may take. */
#define CHUNK_BYTES ((guint64) 4 << 20)
#define TIMES_BEFORE 16
#define ROUND_BYTES ((guint64) 256 << 20)
#define ROUND_SHARE 8
/* Frames of a beam that are formed at once, about. */
#define SEGMENT 8192

/* A group: the sums of its powers, then its rows as they are shown. */
typedef struct
{
  EsLineGather     *gather;
  EsJob            *job;
  const EsLineRows *rows;
  guint64           groups;
  gsize             bytes;     /* of a group */
  float            *samples, *powers;      /* of a row */
  guint64           made;      /* rows, by this process */
} Run;

static guint64
first_row (const Run *run, guint64 group)
{
  const guint64 n = run->rows->n, groups = run->groups;

  return n / groups * group + n % groups * group / groups;
}

static void
share_out (Run *run)
{
  const gsize n = run->gather->n, row = n * sizeof (float);
  const guint64 rows = CLAMP (MOST_BYTES / row, 1, MOST_ROWS);
  const guint64 most = MAX ((run->rows->n + rows - 1) / rows, MIN (run->rows->n, FEW_GROUPS));

  run->groups = most;
  /* Sums lie on whole float64. */
  run->bytes = (n * sizeof (double) + (run->rows->n + most - 1) / most * row + 7) / 8 * 8;
}

static gboolean
make_row (Run *run, guint64 row, double *sums, float *shown, GError **error)
{
  EsLineGather *gather = run->gather;
  const EsLineRows *rows = run->rows;

  if (es_job_is_cancelled (run->job, error)
      || !es_line_source_read (gather->source, row * rows->step, rows->frames, run->samples, error)
      || !rows->make (run->samples, run->powers, rows->data, error))
    return FALSE;
  for (guint b = 0; b < gather->n; b++)
    sums[b] += run->powers[b];
  if (gather->is_normalised)
    es_normalise_line (&gather->normaliser, run->powers, 1, gather->n, shown, 1);
  else
    for (guint b = 0; b < gather->n; b++)
      shown[b] = (float) (run->powers[b] * gather->scale);
  run->made++;
  es_job_set_fraction (run->job, (double) run->made * es_ranks_get_size () / rows->n);
  return TRUE;
}

static gboolean
make_groups (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  Run *run = data;
  const guint bins = run->gather->n;

  for (guint64 g = first; g < first + n; g++)
    {
      double *sums = (double *) ((char *) out + (g - first) * run->bytes);
      float *shown = (float *) (sums + bins);

      for (guint b = 0; b < bins; b++)
        sums[b] = 0;
      for (guint64 row = first_row (run, g); row < first_row (run, g + 1); row++, shown += bins)
        if (!make_row (run, row, sums, shown, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
take_groups (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  Run *run = data;
  EsLineGather *gather = run->gather;
  const EsLineRows *rows = run->rows;

  for (guint64 g = first; g < first + n; g++)
    {
      const double *sums = (const double *) ((const char *) in + (g - first) * run->bytes);
      const float *shown = (const float *) (sums + gather->n);

      for (guint b = 0; b < gather->n; b++)
        gather->sums[b] += sums[b];
      for (guint64 row = first_row (run, g); row < first_row (run, g + 1); row++, shown += gather->n)
        {
          const guint64 frame = es_line_source_get_first (gather->source) + row * rows->step;

          if (!es_field_append (gather->waterfall, (frame + 0.5 * rows->frames) / rows->rate, shown, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* Groups of a process at a time: the same for all processes, whatever memory their hosts have. */
static guint
choose_chunk (const Run *run)
{
  const EsLineRows *rows = run->rows;
  const guint64 memory = es_job_get_limits (run->job)->memory, size = es_ranks_get_size ();
  const guint64 most = memory > 0 ? MIN (ROUND_BYTES, memory / ROUND_SHARE) : ROUND_BYTES;
  const guint64 before = rows->frames - MIN (rows->step, rows->frames) + SEGMENT;
  const guint64 fresh = MAX (rows->n / run->groups * rows->step, 1);
  const guint64 wanted = MAX (CHUNK_BYTES, (TIMES_BEFORE * before / fresh + 1) * run->bytes);

  return es_ranks_choose_chunk (run->groups, run->bytes, MIN (wanted * size, most));
}

gboolean
es_line_gather_rows (EsLineGather *self, EsJob *job, const EsLineRows *rows, double *share, GError **error)
{
  g_autofree float *samples = g_try_new (float, rows->frames), *powers = g_try_new (float, self->n);
  Run run = { .gather = self, .job = job, .rows = rows, .samples = samples, .powers = powers };

  if (samples == NULL || powers == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for rows of %.6g s."), rows->frames / rows->rate);
      return es_ranks_agree (FALSE, error);
    }
  share_out (&run);
  if (!es_ranks_collect (run.groups, run.bytes, choose_chunk (&run), make_groups, take_groups, &run, error)
      || !es_ranks_broadcast (self->sums, self->n * sizeof (double), error))
    return FALSE;
  self->rows = rows->n;
  *share = (double) run.made / rows->n;
  return es_line_source_share_health (self->source, error);
}
