/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-probing-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-order.h"
#include "es-machine-internal.h"
#include "job/es-job-internal.h"
#include "result/es-result-internal.h"

#define USUAL_REPEATS 11
/* gpu-lab.md, section 19: what a repeat may differ. */
#define STEADY 0.03
#define MOST_ATTEMPTS 3
/* A clock that moves by more than this makes latencies in seconds, and rates, those of another machine. */
#define CLOCK_MOVED 0.02
#define OTHERS_BUSY 0.15
/* How busy a device is comes as a share of up to its last second: what we did in it is nobody else's. */
#define BUSY_WINDOW (3 * G_USEC_PER_SEC / 2)

static GMutex last_lock;
static gint64 last_end;        /* under last_lock: when something was measured last, on any device; 0: never */

struct _EsProbing
{
  EsMachine         *machine;
  EsJob             *job;
  const EskLabTable *table;
  EskLab            *lab;
  EskLabMachine      facts;
  EskLabState        before;
  guint              probes, done;
  gulong             cancel_handler;
  double             lowest_hertz, highest_hertz, widest_spread;
  guint              unsteady;
  gboolean           unsupported;
  EskProbeResult     raw;
};

/* Between two neighbours where it falls between them. */
static double
quantile (const double *sorted, guint n, double share)
{
  const double at = share * (n - 1);
  const guint below = (guint) at, above = MIN (below + 1, n - 1);

  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

void
es_measured_of (double *samples, guint n, EsMeasured *measured)
{
  g_return_if_fail (n > 0);
  qsort (samples, n, sizeof *samples, es_compare_doubles);
  measured->repeats = n;
  measured->least = samples[0];
  measured->most = samples[n - 1];
  measured->median = quantile (samples, n, 0.5);
  measured->spread = measured->median > 0
                     ? (quantile (samples, n, 0.9) - quantile (samples, n, 0.1)) / (2 * measured->median) : 0;
}

static void
cancel_lab (GCancellable *cancellable, gpointer data)
{
  EsProbing *self = data;

  self->table->cancel (self->lab);
}

static unsigned
index_of (const char *id)
{
  const char *colon = strchr (id, ':');

  return colon != NULL ? (unsigned) g_ascii_strtoull (colon + 1, NULL, 10) : 0;
}

static gboolean
has_measured_just_now (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&last_lock);

  return last_end > 0 && g_get_monotonic_time () < last_end + BUSY_WINDOW;
}

static void
note_end (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&last_lock);

  last_end = g_get_monotonic_time ();
}

EsProbing *
es_probing_begin (EsMachine *machine, EsJob *job, guint probes, GError **error)
{
  const char *id = es_machine_get_id (machine);
  const EskLabTable *table;
  char reason[512] = "";
  EsProbing *self;

  if (!es_machine_is_here (machine))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("“%s” (%s) is not here: what was measured of it can be looked at, but not measured again."),
                   es_dataset_get_name (ES_DATASET (machine)), id);
      return NULL;
    }
  table = es_lab_load (id, error);
  if (table == NULL)
    return NULL;
  self = g_new0 (EsProbing, 1);
  self->table = table;
  self->probes = MAX (probes, 1);
  self->lowest_hertz = G_MAXDOUBLE;
  if (table->open (index_of (id), &self->lab, reason, sizeof reason) != ESK_LAB_OK)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("“%s” cannot be measured: %s."), id,
                   *reason != '\0' ? reason : _("no reason given"));
      g_free (self);
      return NULL;
    }
  self->machine = g_object_ref (machine);
  self->job = g_object_ref (job);
  if (table->describe (self->lab, &self->facts) == ESK_LAB_OK)
    es_machine_set_facts (machine, &self->facts);
  /* How busy it is is told between two calls. */
  table->state (self->lab, &self->before);
  g_usleep (50000);
  table->state (self->lab, &self->before);
  if (has_measured_just_now ())
    self->before.busy = -1;
  self->cancel_handler = g_cancellable_connect (es_job_get_cancellable (job), G_CALLBACK (cancel_lab), self, NULL);
  return self;
}

const EskLabMachine *
es_probing_get_facts (EsProbing *self)
{
  return &self->facts;
}

gboolean
es_probing_has (EsProbing *self, const EskProbe *probe)
{
  return self->table->has (self->lab, probe) != 0;
}

gboolean
es_probing_was_unsupported (EsProbing *self)
{
  return self->unsupported;
}

static gboolean
fail (EsProbing *self, int code, GError **error)
{
  const char *said = self->table->last_error (self->lab);

  if (code == ESK_LAB_ERROR_CANCELLED || g_cancellable_is_cancelled (es_job_get_cancellable (self->job)))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The measurement was cancelled."));
      return FALSE;
    }
  if (code == ESK_LAB_ERROR_MEMORY)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("“%s” has not enough free memory to be measured "
                                                                     "like this."), es_machine_get_id (self->machine));
  else if (code == ESK_LAB_ERROR_WRONG)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("“%s” computed something wrong while it was "
                                                                     "measured: %s."), es_machine_get_id
                 (self->machine), *said != '\0' ? said : _("no reason given"));
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("“%s” could not be measured: %s."),
                 es_machine_get_id (self->machine), *said != '\0' ? said : _("no reason given"));
  return FALSE;
}

static gboolean
is_latency (EskProbeKind kind)
{
  return kind == ESK_PROBE_ARITHMETIC || kind == ESK_PROBE_CHASE || kind == ESK_PROBE_SHARING
         || kind == ESK_PROBE_ORDER || kind == ESK_PROBE_CONFLICT;
}

static gboolean
measure_once (EsProbing *self, const EskProbe *probe, EsMeasured *measured, GError **error)
{
  guint8 *picture = self->raw.picture;
  int code;

  memset (&self->raw, 0, sizeof self->raw);
  self->raw.picture = picture;
  self->raw.fused = -1;
  code = self->table->measure (self->lab, probe, &self->raw);
  self->unsupported = code == ESK_LAB_ERROR_SUPPORT;
  if (code != ESK_LAB_OK)
    return fail (self, code, error);
  if (self->raw.n == 0 || self->raw.n > ESK_LAB_MOST_REPEATS)
    return fail (self, ESK_LAB_ERROR_DEVICE, error);
  for (guint i = 0; i < self->raw.n; i++)
    if (!isfinite (self->raw.samples[i]))
      return fail (self, ESK_LAB_ERROR_DEVICE, error);
  es_measured_of (self->raw.samples, self->raw.n, measured);
  measured->hertz = self->raw.hertz;
  measured->fused = self->raw.fused;
  return TRUE;
}

gboolean
es_probing_measure (EsProbing *self, const EskProbe *asked, EsMeasured *measured, EskProbeResult *raw, GError **error)
{
  EskProbe probe = *asked;
  EsMeasured again;

  if (es_job_is_cancelled (self->job, error))
    return FALSE;
  if (probe.repeats == 0)
    probe.repeats = USUAL_REPEATS;
  self->raw.picture = raw != NULL ? raw->picture : NULL;
  if (!measure_once (self, &probe, measured, error))
    return FALSE;
  for (guint i = 1; is_latency (probe.kind) && measured->spread > STEADY && i < MOST_ATTEMPTS; i++)
    {
      if (!measure_once (self, &probe, &again, error))
        return FALSE;
      if (again.spread < measured->spread)
        *measured = again;
    }
  if (is_latency (probe.kind))
    {
      self->unsteady += measured->spread > STEADY;
      self->widest_spread = MAX (self->widest_spread, measured->spread);
    }
  /* Of what is told in clocks alone: other probes leave the units idle. */
  if (is_latency (probe.kind) && measured->hertz > 0)
    {
      self->lowest_hertz = MIN (self->lowest_hertz, measured->hertz);
      self->highest_hertz = MAX (self->highest_hertz, measured->hertz);
    }
  if (raw != NULL)
    *raw = self->raw;
  self->done++;
  es_job_set_fraction (self->job, MIN ((double) self->done / self->probes, 1));
  return TRUE;
}

/* What was not as it should have been. */
static void
tell (EsProbing *self, EsResult *result)
{
  EskLabState after = { 0 };
  JsonObject *values = es_result_get_values (result);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d");
  const gboolean clocks = self->lowest_hertz < G_MAXDOUBLE;

  self->table->state (self->lab, &after);
  json_object_set_string_member (values, "date", date);
  if (clocks)
    {
      json_object_set_double_member (values, "lowest_clock_hertz", self->lowest_hertz);
      json_object_set_double_member (values, "highest_clock_hertz", self->highest_hertz);
    }
  if (self->before.watts > 0 && after.watts > 0)
    json_object_set_double_member (values, "watts", after.watts);
  if (self->before.celsius > 0 && after.celsius > 0)
    json_object_set_double_member (values, "celsius", after.celsius);
  json_object_set_double_member (values, "widest_spread", self->widest_spread);

  if (clocks && self->highest_hertz > self->lowest_hertz * (1 + CLOCK_MOVED))
    es_result_add_warning (result, _("The clock moved from %.0f to %.0f MHz during the measurement: compare clocks, "
                                     "not seconds."), self->lowest_hertz * 1e-6, self->highest_hertz * 1e-6);
  if (after.throttled > 0)
    es_result_add_warning (result, _("The device lowered its clocks to stay within its power or temperature."));
  if (self->before.others > 0 || after.others > 0)
    es_result_add_warning (result, _("Another program used the device meanwhile: its share is in these numbers."));
  else if (self->before.busy > OTHERS_BUSY)
    es_result_add_warning (result, _("The device was %.0f %% busy with something else before it was measured."),
                           100 * self->before.busy);
  if (self->unsteady > 0)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u of the latencies spreads by more than 3 %% between repeats (%.0f "
                                                "%% at most), also when measured again.",
                                                "%u of the latencies spread by more than 3 %% between repeats (%.0f %% "
                                                "at most), also when measured again.", self->unsteady),
                           self->unsteady, 100 * self->widest_spread);
}

void
es_probing_end (EsProbing *self, EsResult *result)
{
  g_cancellable_disconnect (es_job_get_cancellable (self->job), self->cancel_handler);
  self->table->resume (self->lab);
  if (result != NULL)
    tell (self, result);
  self->table->close (self->lab);
  note_end ();
  g_object_unref (self->machine);
  g_object_unref (self->job);
  g_free (self);
}
