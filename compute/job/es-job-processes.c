/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the steps of a job took each of several processes. */

#include "es-job-object-private.h"

#include <string.h>

#include "ranks/es-ranks-internal.h"

/* "covariance 12.5 3.25" a line. */
static char *
describe_stages (EsJob *self)
{
  GString *text = g_string_new (NULL);

  g_mutex_lock (&self->lock);
  es_job_end_stage_locked (self);
  for (guint i = 0; i < self->stages->len; i++)
    {
      const EsStageTime *stage = &g_array_index (self->stages, EsStageTime, i);
      char ms[G_ASCII_DTOSTR_BUF_SIZE], waited[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s %s %s\n", stage->name, g_ascii_dtostr (ms, sizeof ms, stage->ms),
                              g_ascii_dtostr (waited, sizeof waited, stage->waited_ms));
    }
  g_mutex_unlock (&self->lock);
  return g_string_free (text, FALSE);
}

/* What a process told of a step; nothing where it had none. */
static void
find_told (const char *told, const char *name, double *ms, double *waited)
{
  g_auto (GStrv) lines = g_strsplit (told, "\n", -1);

  *ms = *waited = 0;
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, " ", 3);

      if (g_strv_length (fields) < 3 || strcmp (fields[0], name) != 0)
        continue;
      *ms = g_ascii_strtod (fields[1], NULL);
      *waited = g_ascii_strtod (fields[2], NULL);
    }
}

static void
sum_up (EsStageTime *stage, char **told, guint n)
{
  double sum = 0, waited = 0;

  stage->processes = (EsStageProcesses) { .n = n, .least_ms = G_MAXDOUBLE };
  for (guint i = 0; i < n; i++)
    {
      double ms, its;

      find_told (told[i], stage->name, &ms, &its);
      stage->processes.least_ms = MIN (stage->processes.least_ms, ms);
      stage->processes.greatest_ms = MAX (stage->processes.greatest_ms, ms);
      sum += ms;
      waited += its;
    }
  stage->processes.mean_ms = sum / n;
  stage->processes.waiting = sum > 0 ? CLAMP (waited / sum, 0, 1) : 0;
}

gboolean
es_job_gather_stages (EsJob *self, GError **error)
{
  const guint n = es_ranks_get_size ();
  g_autofree char *mine = NULL;
  g_auto (GStrv) told = NULL;

  if (n == 1)
    return TRUE;
  mine = describe_stages (self);
  told = es_ranks_gather (mine, error);
  if (told == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->stages->len; i++)
    sum_up (&g_array_index (self->stages, EsStageTime, i), told, n);
  g_mutex_unlock (&self->lock);
  return TRUE;
}
