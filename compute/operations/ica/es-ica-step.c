/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A step of FastICA's iteration: the means over the samples that it takes, of all processes.
 *
 * With several processes a step is one message. It has their sums, by groups; what checkpoints are to do next, which
 * processes do not decide alone; whether one has failed; and a check of the rotation that they took the step with. All
 * make the next one by themselves, and it is the same unless their processors round differently, in the eigenproblem of
 * the symmetric approach. Where the check finds that, the step is taken again from the first one's, and from then on
 * every step ends with what the first has come to. Nothing of a step is to be done while its message is on its way: the
 * next one needs all of it.
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Beside the sums. */
enum { NEXT, CHECK, CHECK_MORE, N_BESIDE };

/* What a chunk is worked on with. */
typedef struct
{
  EskContrast contrast;
  EskMatrix   w;
} Step;

/* ---- means over the samples ---- */

static int
step_of_chunk (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
               gconstpointer data, double *sums)
{
  const Step *step = data;
  EskIcaSums out = { step->w.rows, step->w.columns, 0, sums, sums + step->w.rows * step->w.columns };

  return hotspots->ica->ica_step (stream, samples, count, stride, &step->contrast, &step->w, &out);
}

static int
moments_of_chunk (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
                  gconstpointer data, double *sums)
{
  const Step *step = data;

  /* Four doubles each, and nothing else. */
  return hotspots->ica->ica_moments (stream, samples, count, stride, &step->contrast, &step->w, (EskIcaMoments *) sums);
}

static gboolean
run_lanes (EsIcaIteration *self, EsSampleWork work, guint rows, const double *w, gsize n_sums, double *sums,
           const EsSampleSteps *steps, GError **error)
{
  const gsize values = (gsize) rows * self->samples->m;
  g_autofree float *rounded = g_new (float, values);
  const Step step = { self->contrast, { rows, self->samples->m, rounded } };

  for (gsize i = 0; i < values; i++)
    rounded[i] = w[i];
  if (!es_sample_lanes_run (self->lanes, work, &step, _("a step of the iteration"), n_sums, sums, steps,
                            es_job_get_cancellable (self->job), error))
    return FALSE;
  for (gsize i = 0; i < n_sums; i++)
    sums[i] /= self->samples->count;
  return TRUE;
}

/* 4 m operations a sample and row, and the contrast, of which a polynomial of some twenty is counted; by moments: each
 * of the fourth moments once a row, by one thread. */
#define CONTRAST_OPERATIONS 24

static void
tell_step (EsIcaIteration *self, guint rows)
{
  const double m = self->samples->m, count = (double) self->samples->count;
  const gboolean on_device = self->lanes != NULL && es_sample_store_is_on_devices (self->samples->store);
  const EsStageWork work = self->lanes != NULL
    ? (EsStageWork) { .memory_bytes = count * m * sizeof (float), .operations = count * rows * (4 * m
                      + CONTRAST_OPERATIONS), .launches = 1, .on_host = self->on_host,
                      .link_bytes = self->on_host || on_device ? 0 : count * m * sizeof (float),
                      .less = N_("Fewer components help, a share of the samples, or a coarser tolerance.") }
    : (EsStageWork) { .operations = 4 * m * (m + 1) * (m + 2) * (m + 3) / 24 * rows, .type = ES_WORK_FLOAT64,
                      .threads = 1, .on_host = TRUE,
                      .less = N_("Fewer components help: moments go with their fourth power.") };

  es_job_add_work (self->job, NULL, &work);
}

/* ---- stopping, and going on ---- */

void
es_ica_save (EsIcaIteration *self)
{
  es_checkpoint_put (self->checkpoint, self->piece, es_ica_rotation_save (self->rotation, self->row));
}

/* What all are to do next is known from the last step. */
static EsCheckpointNext
settle_next (EsIcaIteration *self)
{
  const EsCheckpointNext next = self->steps != NULL ? (EsCheckpointNext) self->next
                                                    : es_checkpoint_ask (self->checkpoint);

  self->next = ES_CHECKPOINT_GO_ON;
  es_checkpoint_follow (self->checkpoint, next);
  return next;
}

/* Between two steps. FALSE: it is to be gone on with by another run. */
static gboolean
look (EsIcaIteration *self, GError **error)
{
  EsCheckpointNext next;

  if (self->checkpoint == NULL || (self->steps == NULL && !es_checkpoint_is_due (self->checkpoint)))
    return TRUE;
  next = settle_next (self);
  if (next != ES_CHECKPOINT_GO_ON)
    es_ica_save (self);
  if (next == ES_CHECKPOINT_WRITE)
    es_checkpoint_keep (self->checkpoint);
  if (next != ES_CHECKPOINT_STOP)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The run was stopped."));
  return FALSE;
}

/* ---- what goes with the sums ---- */

/* Of the rotation, as two whole numbers. */
static void
check_rotation (const EsIcaRotation *rotation, double *check)
{
  const gsize n = (gsize) rotation->m * rotation->m;
  guint64 sum = 14695981039346656037u;

  for (gsize i = 0; i < n; i++)
    {
      guint64 bits;

      memcpy (&bits, &rotation->w[i], sizeof bits);
      sum = (sum ^ bits) * 1099511628211u;
      sum ^= sum >> 29;
    }
  check[0] = (double) (sum >> 32);
  check[1] = (double) (sum & 0xffffffff);
}

static void
tell_beside (double *beside, gpointer data)
{
  EsIcaIteration *self = data;

  beside[NEXT] = self->checkpoint != NULL && es_checkpoint_is_due (self->checkpoint)
                 ? es_checkpoint_ask (self->checkpoint) : ES_CHECKPOINT_GO_ON;
  check_rotation (self->rotation, beside + CHECK);
}

/* TRUE where all had the same rotation. */
static gboolean
hear_beside (EsIcaIteration *self)
{
  gboolean same = TRUE;
  const double *first;
  gsize n;

  first = es_ranks_steps_of (self->steps, 0, &n);
  for (guint i = 0; i < es_ranks_get_size (); i++)
    {
      const double *told = es_ranks_steps_of (self->steps, i, &n);

      self->next = MAX (self->next, (gint64) told[NEXT]);
      same &= told[CHECK] == first[CHECK] && told[CHECK_MORE] == first[CHECK_MORE];
    }
  return same;
}

gboolean
es_ica_steps_begin (EsIcaIteration *self, guint rows, GError **error)
{
  const gsize n_sums = (gsize) rows * self->samples->m + rows;

  if (es_ranks_get_size () == 1)
    return TRUE;
  self->steps = es_ranks_steps_begin (self->lanes != NULL ? es_sample_lanes_count (self->lanes, n_sums, N_BESIDE)
                                                          : N_BESIDE, error);
  return self->steps != NULL;
}

/* All of them do it at the same step: nobody fails between that and this. */
static gboolean
take_of_first (EsIcaIteration *self, GError **error)
{
  EsIcaRotation *rotation = self->rotation;

  self->follow = TRUE;
  return es_ranks_broadcast (rotation->w, (gsize) rotation->m * rotation->m * sizeof (double), error);
}

gboolean
es_ica_steps_end (EsIcaIteration *self, gboolean done, GError **error)
{
  gboolean ended;

  if (self->steps == NULL)
    return done;
  tell_beside (es_ranks_steps_own (self->steps), self);
  ended = es_ranks_steps_end (self->steps, done, error) && (hear_beside (self) || take_of_first (self, error));
  /* Who is to stop by now does so at the end of it. */
  if (ended && self->checkpoint != NULL)
    es_checkpoint_follow (self->checkpoint, (EsCheckpointNext) self->next);
  g_clear_pointer (&self->steps, es_ranks_steps_free);
  return ended;
}

/* ---- the step ---- */

static gboolean
sum_up (EsIcaIteration *self, guint rows, const double *w, GError **error)
{
  const gsize m = self->samples->m;
  const EsSampleSteps steps = { self->steps, N_BESIDE, tell_beside, self };

  if (self->lanes != NULL)
    return run_lanes (self, step_of_chunk, rows, w, rows * m + rows, self->sums, self->steps != NULL ? &steps : NULL,
                      error);
  if (!es_device_check (es_device_get_cpu (), NULL,
                        esk_moment_table_step (self->samples->moments, rows, w, self->sums, self->sums + rows * m),
                        _("a step of the iteration"), error))
    return FALSE;
  if (self->steps == NULL)
    return TRUE;
  tell_beside (es_ranks_steps_own (self->steps), self);
  return es_ranks_steps_next (self->steps, error);
}

gboolean
es_ica_update (EsIcaIteration *self, guint first, guint rows, double *w, GError **error)
{
  const gsize m = self->samples->m;
  const double *product = self->sums, *derivative = self->sums + rows * m;

  if (es_job_is_cancelled (self->job, error) || !look (self, error) || !sum_up (self, rows, w, error))
    return FALSE;
  if (self->steps != NULL && !hear_beside (self))
    {
      if (!take_of_first (self, error))
        return FALSE;
      memcpy (w, self->rotation->w + first * m, rows * m * sizeof (double));
      if (!sum_up (self, rows, w, error))
        return FALSE;
      hear_beside (self);
    }
  tell_step (self, rows);
  for (gsize r = 0; r < rows; r++)
    for (gsize j = 0; j < m; j++)
      w[r * m + j] = product[r * m + j] - derivative[r] * w[r * m + j];
  return TRUE;
}

gboolean
es_ica_settle (EsIcaIteration *self, double *next, gsize n, int *code, GError **error)
{
  gboolean made = *code == ESK_ERROR_NO_CONVERGENCE
                  || es_device_check (es_device_get_cpu (), NULL, *code, _("a step of the iteration"), error);

  if (!self->follow)
    return made;
  return es_ranks_agree (made, error) && es_ranks_broadcast (next, n * sizeof (double), error)
         && es_ranks_broadcast (code, sizeof *code, error);
}

/* ---- after all steps ---- */

gboolean
es_ica_find_moments (EsIcaIteration *self, GError **error)
{
  EsIcaRotation *rotation = self->rotation;

  rotation->contrast_of_normal = esk_contrast_of_normal (&self->contrast);
  if (self->lanes != NULL)
    return run_lanes (self, moments_of_chunk, rotation->m, rotation->w, 4 * (gsize) rotation->m,
                      (double *) rotation->moments, NULL, error);
  return es_device_check (es_device_get_cpu (), NULL,
                          esk_moment_table_moments (self->samples->moments, rotation->m, rotation->w,
                                                    rotation->moments),
                          _("the moments"), error);
}
