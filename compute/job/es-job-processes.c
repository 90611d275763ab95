/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the steps of a job took each of several processes. */

#include "es-job-object-private.h"

#include <math.h>
#include <string.h>

#include "ranks/es-ranks-internal.h"
#include "result/es-result-internal.h"

/* Shares of all are told to this part. */
#define SHARE_UNITS 1e4

/* What each process told of a step, or of all ("total"): name, ms and what it waited, which is not among those, a line
 * each. Those that have it not count as 0. */
static double
number_of (const char *told, const char *name, guint field)
{
  g_auto (GStrv) lines = g_strsplit (told, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, name) && (*line)[strlen (name)] == '\t')
      {
        g_auto (GStrv) fields = g_strsplit (*line, "\t", -1);

        return field < g_strv_length (fields) ? g_ascii_strtod (fields[field], NULL) : 0;
      }
  return 0;
}

static double
ms_of (const char *told, const char *name)
{
  return number_of (told, name, 1);
}

static JsonArray *
ms_of_all (char **told, const char *name)
{
  JsonArray *array = json_array_new ();

  for (; *told != NULL; told++)
    json_array_add_double_element (array, ms_of (*told, name));
  return array;
}

/* The least, the mean and the greatest time of a step, and what part of all that it took was waiting. */
static void
sum_up (EsStageTime *stage, char **told)
{
  EsStageProcesses *of = &stage->processes;
  double sum = 0, waited = 0;

  *of = (EsStageProcesses) { .least_ms = G_MAXDOUBLE };
  for (; told[of->n] != NULL; of->n++)
    {
      const double ms = ms_of (told[of->n], stage->name);

      of->least_ms = MIN (of->least_ms, ms);
      of->greatest_ms = MAX (of->greatest_ms, ms);
      sum += ms;
      waited += number_of (told[of->n], stage->name, 2);
    }
  of->mean_ms = sum / of->n;
  of->waiting = strcmp (stage->name, "waiting") == 0 ? 1 : waited > 0 ? waited / (sum + waited) : 0;
}

static JsonObject *
spread_of (const EsStageTime *stage)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "name", stage->name);
  json_object_set_double_member (object, "least_ms", stage->processes.least_ms);
  json_object_set_double_member (object, "mean_ms", stage->processes.mean_ms);
  json_object_set_double_member (object, "greatest_ms", stage->processes.greatest_ms);
  return object;
}

static GString *
list_stages (EsJob *self)
{
  GString *text = g_string_new (NULL);

  g_mutex_lock (&self->lock);
  es_job_end_stage_locked (self);
  for (guint i = 0; i < self->stages->len; i++)
    {
      const EsStageTime *stage = &g_array_index (self->stages, EsStageTime, i);

      g_string_append_printf (text, "%s\t%.3f\t%.3f\n", stage->name, stage->ms, stage->waited_ms);
    }
  g_string_append_printf (text, "total\t%.3f\n", (g_get_monotonic_time () - self->started) * 1e-3);
  g_mutex_unlock (&self->lock);
  return text;
}

/* Of several processes: where each ran, and how long its steps took. */
gboolean
es_job_tell_processes (EsJob *self, EsResult *result, GError **error)
{
  g_autoptr (GString) mine = NULL;
  g_auto (GStrv) told = NULL;
  JsonObject *processes;
  JsonArray *hosts, *steps, *shares;

  if (es_ranks_get_size () == 1)
    return TRUE;
  mine = list_stages (self);
  told = es_ranks_gather (mine->str, error);
  if (told == NULL)
    return FALSE;
  processes = json_object_new ();
  hosts = json_array_new ();
  steps = json_array_new ();
  shares = json_array_new ();
  for (guint i = 0; i < es_ranks_get_size (); i++)
    {
      json_array_add_string_element (hosts, es_ranks_get_host (i));
      json_array_add_double_element (shares, round (es_ranks_get_weight (i) * SHARE_UNITS) / SHARE_UNITS);
    }
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->stages->len; i++)
    {
      EsStageTime *stage = &g_array_index (self->stages, EsStageTime, i);

      sum_up (stage, told);
      json_array_add_object_element (steps, spread_of (stage));
    }
  g_mutex_unlock (&self->lock);
  json_object_set_int_member (processes, "n", es_ranks_get_size ());
  json_object_set_array_member (processes, "hosts", hosts);
  json_object_set_array_member (processes, "shares", shares);
  json_object_set_array_member (processes, "ms", ms_of_all (told, "total"));
  json_object_set_array_member (processes, "waited_ms", ms_of_all (told, "waiting"));
  json_object_set_array_member (processes, "steps", steps);
  if (self->sums != NULL)
    {
      json_object_set_string_member (processes, "sums", self->sums);
      json_object_set_double_member (processes, "sums_joined_ms", self->sums_joined_ms);
    }
  json_object_set_object_member (es_result_get_values (result), "processes", processes);
  return TRUE;
}
