/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the worker of a job tells of itself: the steps and their times, how far it is, what can be seen already. */

#include "es-job-object-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-disk-bytes-private.h"
#include "ranks/es-ranks-internal.h"

/* Nullable. */
static EsStageTime *
find_stage (EsJob *self, const char *name)
{
  for (guint i = 0; i < self->stages->len; i++)
    if (strcmp (g_array_index (self->stages, EsStageTime, i).name, name) == 0)
      return &g_array_index (self->stages, EsStageTime, i);
  return NULL;
}

void
es_job_account_locked (EsJob *self, const char *name, const char *title, double ms)
{
  EsStageTime *known = find_stage (self, name);

  if (known != NULL)
    {
      known->ms += ms;
      return;
    }
  EsStageTime stage = { g_strdup (name), g_strdup (title), ms, { 0 } };
  g_array_append_val (self->stages, stage);
}

void
es_job_add_work (EsJob *self, const char *name, const EsStageWork *work)
{
  g_mutex_lock (&self->lock);
  if (name == NULL)
    name = self->stage_name;
  for (guint i = 0; name != NULL && i < self->stages->len; i++)
    {
      EsStageTime *stage = &g_array_index (self->stages, EsStageTime, i);

      if (strcmp (stage->name, name) == 0)
        es_stage_work_add (&stage->work, work);
    }
  g_mutex_unlock (&self->lock);
}

void
es_job_tell_disk_locked (EsJob *self)
{
  const double now = es_disk_bytes ();

  for (guint i = 0; now > self->disk_before && self->disk_before >= 0 && i < self->stages->len; i++)
    {
      EsStageWork *work = &g_array_index (self->stages, EsStageTime, i).work;
      const double left = now - self->disk_before;

      /* Readings of one file, in whichever step; what other jobs read meanwhile cannot be told apart. */
      work->disk_bytes = MIN (work->file_bytes, left);
    }
}

void
es_job_end_stage_locked (EsJob *self)
{
  gint64 now = g_get_monotonic_time ();
  const double waited = es_ranks_get_waited_ms () - self->waited_ms;

  /* Whose steps take longest is seen where the others wait. */
  self->waited_ms += waited;
  if (self->stage_name != NULL && es_ranks_get_size () > 1)
    {
      es_job_account_locked (self, "waiting", _("Waiting for other processes"), waited);
      self->stage_moved_ms += waited;
    }
  if (self->stage_name != NULL)
    {
      es_job_account_locked (self, self->stage_name, self->stage_title,
                             MAX ((now - self->stage_started) * 1e-3 - self->stage_moved_ms, 0));
      find_stage (self, self->stage_name)->waited_ms += waited;
    }
  g_clear_pointer (&self->stage_name, g_free);
  self->weight_done += self->stage_weight;
  self->stage_weight = self->fraction = self->stage_moved_ms = 0;
  self->stage_started = now;
}

void
es_job_set_total_weight (EsJob *self, double weight)
{
  g_mutex_lock (&self->lock);
  self->weight_total = weight;
  g_mutex_unlock (&self->lock);
}

void
es_job_begin_stage (EsJob *self, const char *name, const char *title, double weight)
{
  g_mutex_lock (&self->lock);
  es_job_end_stage_locked (self);
  self->stage_name = g_strdup (name);
  self->stage_title = g_intern_string (title);
  self->stage_weight = weight;
  es_job_account_locked (self, name, title, 0);           /* takes its place in the order of the steps */
  es_job_queue_notify_locked (self);
  g_mutex_unlock (&self->lock);
}

void
es_job_set_fraction (EsJob *self, double fraction)
{
  g_mutex_lock (&self->lock);
  self->fraction = CLAMP (fraction, 0, 1);
  es_job_queue_notify_locked (self);
  g_mutex_unlock (&self->lock);
}

void
es_job_set_preview (EsJob *self, EsImageStack *stack)
{
  g_autoptr (EsImageStack) old = NULL;

  g_mutex_lock (&self->lock);
  old = g_steal_pointer (&self->preview);
  g_set_object (&self->preview, stack);
  es_job_queue_notify_locked (self);
  g_mutex_unlock (&self->lock);
}

void
es_job_set_live_curve (EsJob *self, EsCurve *curve)
{
  g_autoptr (EsCurve) old = NULL;

  g_mutex_lock (&self->lock);
  old = g_steal_pointer (&self->curve);
  g_set_object (&self->curve, curve);
  es_job_queue_notify_locked (self);
  g_mutex_unlock (&self->lock);
}

void
es_job_tell_upload (EsJob *self, const EsUploadChoice *choice)
{
  self->upload = *choice;
  if (choice->warning != NULL)
    es_job_add_warning (self, choice->warning);
}

void
es_job_tell_sums (EsJob *self, const char *how, double joined_ms)
{
  g_free (self->sums);
  self->sums = g_strdup (how);
  self->sums_joined_ms = joined_ms;
}

void
es_job_describe_input_locked (EsJob *self)
{
  g_autofree char *how = es_upload_describe (&self->upload);

  for (guint i = 0; i < self->stages->len; i++)
    {
      EsStageTime *stage = &g_array_index (self->stages, EsStageTime, i);
      g_autofree char *title = NULL;

      if (strcmp (stage->name, "input") != 0)
        continue;
      title = g_steal_pointer (&stage->title);
      /* TRANSLATORS: the step "Input", and how: "12 threads, pieces of 2 MiB, page-locked; defaults". */
      stage->title = g_strdup_printf (_("%s (%s)"), title, how);
    }
}

void
es_job_add_stage_ms (EsJob *self, const char *name, const char *title, double ms)
{
  g_mutex_lock (&self->lock);
  es_job_account_locked (self, name, title, ms);
  self->stage_moved_ms += ms;
  g_mutex_unlock (&self->lock);
}
