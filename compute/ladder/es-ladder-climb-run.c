/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Climbing: the module's rungs one after the other, each a stage of the job. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-ladder-climb-internal.h"
#include "es-ladder-module-internal.h"
#include "job/es-job-internal.h"
#include "lab/es-probing-internal.h"

#define USUAL_REPEATS 11
#define USUAL_SECONDS 2.0
/* Where nobody said how many: what takes longer than the usual ones is run once all the same, up to so many. It is
 * mostly the first rung, which all others are told by. */
#define MOST_SECONDS 8.0
/* Of what it seemed to take: it may be more. */
#define MARGIN 1.5

typedef struct
{
  EsLadderClimb         *climb;
  EsMachine             *machine;
  EsJob                 *job;
  const EsLadderRequest *request;
  const EskLadderTable  *table;
  EskLadder             *ladder;
  guint                  failed;       /* one after the other */
} Climbing;

static EskLadderSize
get_size (const EsLadderSize *size)
{
  return (EskLadderSize) { size->width, size->height, size->bands, size->rows, size->elements, size->angles,
                           size->ranges, size->bins, size->samples, size->threads };
}

static void
cancel_ladder (GCancellable *cancellable, gpointer data)
{
  Climbing *self = data;

  self->table->cancel (self->ladder);
}

/* Only what the contract promises is relied on. */
static void
list_rungs (EsLadderClimb *climb, const EskLadderTable *table)
{
  unsigned n = 0;
  const EskRung *rungs = table->rungs ((EskLadderKind) climb->ladder->kind, &n);

  climb->rungs = g_new0 (EsLadderRung, MAX (n, 1));
  climb->n = n;
  for (guint i = 0; i < n; i++)
    climb->rungs[i] = (EsLadderRung) {
      .id = g_strdup (rungs[i].id), .kind = (EsRungKind) rungs[i].kind,
      .strategies = g_strdup (rungs[i].strategies != NULL ? rungs[i].strategies : ""),
      .below = g_strdup (rungs[i].below), .source = g_strdup (rungs[i].source),
      .definition = rungs[i].definition, .state = ES_RUNG_LEFT_OUT,
      .needs = g_strdup (""), .type = g_strdup (""), .amount = NAN, .limit = NAN, .median = NAN, .least = NAN,
      .most = NAN, .spread = NAN, .preparation = NAN, .setup = NAN, .whole = NAN, .more_memory = NAN,
      .bytes = NAN, .operations = NAN, .occupancy = NAN, .error = NAN, .tolerance = NAN,
    };
}

static gboolean
is_listed (char **words, const char *word)
{
  return words != NULL && g_strv_contains ((const char * const *) words, word);
}

static gboolean
is_wanted (const EsLadderRequest *request, const char *id, const char *strategies)
{
  g_auto (GStrv) applied = es_strategies_split (strategies);

  for (guint i = 0; applied[i] != NULL; i++)
    if (is_listed (request->off, applied[i]))
      return FALSE;
  return request->rungs == NULL || request->rungs[0] == NULL || is_listed (request->rungs, id);
}

guint
es_ladder_climb_count_stages (const EsLadder *ladder, EsMachine *machine, const EsLadderRequest *request)
{
  const EskLadderTable *table = es_ladder_load (es_machine_get_id (machine), NULL);
  unsigned n = 0;
  const EskRung *rungs = table != NULL ? table->rungs ((EskLadderKind) ladder->kind, &n) : NULL;
  guint stages = table != NULL ? 1 + request->sweep : 0;

  for (guint i = 0; i < n; i++)
    stages += is_wanted (request, rungs[i].id, rungs[i].strategies);
  return stages;
}

/* Who asks for one that there is not is told which there are. */
static gboolean
check_wanted (Climbing *self, GError **error)
{
  char **wanted = self->request->rungs;

  for (guint i = 0; wanted != NULL && wanted[i] != NULL; i++)
    if (es_ladder_climb_find (self->climb, wanted[i]) < 0)
      {
        g_autoptr (GString) known = g_string_new (NULL);

        for (guint k = 0; k < self->climb->n; k++)
          g_string_append_printf (known, "%s%s", k > 0 ? ", " : "", self->climb->rungs[k].id);
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("There is no rung “%s”; there are %s."),
                     wanted[i], known->str);
        return FALSE;
      }
  return TRUE;
}

static gboolean
fail (Climbing *self, int code, const char *what, GError **error)
{
  const char *said = self->table->last_error (self->ladder), *id = es_machine_get_id (self->machine);

  if (code == ESK_LADDER_ERROR_CANCELLED || g_cancellable_is_cancelled (es_job_get_cancellable (self->job)))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The measurement was cancelled."));
  else if (code == ESK_LADDER_ERROR_ARGUMENT)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("No ladder is climbed at this size: %s."),
                 said != NULL && *said != '\0' ? said : _("no reason given"));
  else if (code == ESK_LADDER_ERROR_MEMORY)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("“%s” has not enough free memory for a ladder of this size: try a smaller one."), id);
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("“%s” on “%s” failed: %s."), what, id,
                 said != NULL && *said != '\0' ? said : _("no reason given"));
  return FALSE;
}

static void
take_samples (EsLadderRung *rung, const EskRungResult *result)
{
  g_autofree double *sorted = g_memdup2 (result->samples, result->n * sizeof *sorted);
  EsMeasured measured;

  g_free (rung->samples);
  rung->samples = g_memdup2 (result->samples, result->n * sizeof *sorted);
  rung->repeats = result->n;
  es_measured_of (sorted, result->n, &measured);
  rung->median = measured.median;
  rung->least = measured.least;
  rung->most = measured.most;
  rung->spread = measured.spread;
}

static double
known (double value)
{
  return value > 0 ? value : NAN;
}

static void
take (EsLadderRung *rung, const EskRungResult *result)
{
  take_samples (rung, result);
  rung->state = result->error <= result->tolerance ? ES_RUNG_MEASURED : ES_RUNG_WRONG;
  rung->preparation = result->preparation;
  rung->setup = result->setup;
  rung->more_memory = result->more_memory;
  rung->bytes = known (result->bytes);
  rung->operations = known (result->operations);
  g_free (rung->type);
  rung->type = g_strdup (es_ladder_type_name (result->type));
  rung->matrix = result->matrix != 0;
  rung->launches = result->launches;
  rung->registers = result->registers;
  rung->shared = result->shared;
  rung->local = result->local;
  rung->threads = result->threads;
  rung->blocks = result->blocks;
  rung->occupancy = known (result->occupancy);
  rung->error = result->error;
  rung->tolerance = result->tolerance;
}

static void
refuse (EsLadderRung *rung, guint why, double amount, double limit, const char *needs)
{
  rung->state = ES_RUNG_REFUSED;
  rung->why = why;
  rung->amount = amount;
  rung->limit = limit;
  g_free (rung->needs);
  rung->needs = g_strdup (needs);
}

/* Times that cannot be: the module broke its promise. */
static gboolean
is_sound (const EskRungResult *result)
{
  if (result->n == 0 || result->n > ESK_LAB_MOST_REPEATS)
    return FALSE;
  for (guint i = 0; i < result->n; i++)
    if (!isfinite (result->samples[i]) || !(result->samples[i] > 0))
      return FALSE;
  return TRUE;
}

static int
measure (Climbing *self, guint i, EskRungResult *result)
{
  const EsLadderRequest *request = self->request;
  const guint repeats = request->repeats > 0 ? request->repeats : USUAL_REPEATS;
  double seconds;
  int code;

  memset (result, 0, sizeof *result);
  code = self->table->measure (self->ladder, i, repeats, request->seconds > 0 ? request->seconds : USUAL_SECONDS,
                               result);
  if (code == ESK_LADDER_ERROR_REFUSED && result->why == ESK_WHY_TIME && !(request->seconds > 0)
      && result->amount <= MOST_SECONDS)
    {
      seconds = fmax (MARGIN * result->amount, USUAL_SECONDS);
      memset (result, 0, sizeof *result);
      code = self->table->measure (self->ladder, i, repeats, seconds, result);
    }
  return code == ESK_LADDER_OK && !is_sound (result) ? ESK_LADDER_ERROR_DEVICE : code;
}

/* One that fails says so in its place; where the next one fails as well, the device is to blame. */
static gboolean
measure_rung (Climbing *self, guint i, GError **error)
{
  EsLadderRung *rung = &self->climb->rungs[i];
  const char *title = es_ladder_get_rung_title (self->climb->backend, self->climb->ladder->kind, rung->id);
  EskRungResult result;
  int code;

  if (es_job_is_cancelled (self->job, error))
    return FALSE;
  es_job_begin_stage (self->job, rung->id, title, 1);
  code = measure (self, i, &result);
  if (code == ESK_LADDER_ERROR_DEVICE && ++self->failed < 2 && !es_job_is_cancelled (self->job, NULL))
    {
      const char *said = self->table->last_error (self->ladder);

      refuse (rung, ESK_WHY_NONE, NAN, NAN, said != NULL ? said : "");
      return TRUE;
    }
  if (code == ESK_LADDER_ERROR_REFUSED)
    {
      result.needs[sizeof result.needs - 1] = '\0';
      refuse (rung, result.why, result.amount, result.limit, result.needs);
      return TRUE;
    }
  if (code == ESK_LADDER_ERROR_MEMORY)
    {
      refuse (rung, ESK_WHY_MEMORY, NAN, NAN, "");
      return TRUE;
    }
  if (code != ESK_LADDER_OK)
    return fail (self, code, title, error);
  self->failed = 0;
  take (rung, &result);
  return TRUE;
}

static gboolean
prepare (Climbing *self, const EsLadderSize *wanted, GError **error)
{
  const EskLadderSize size = get_size (wanted);
  const int code = self->table->prepare (self->ladder, (EskLadderKind) self->climb->ladder->kind, &size);

  return code == ESK_LADDER_OK
         || fail (self, code, g_dgettext (GETTEXT_PACKAGE, self->climb->ladder->title), error);
}

/* The first step that counts, by the threads of a block, or of a processor. */
static gboolean
sweep_threads (Climbing *self, GError **error)
{
  static const guint threads[] = { 64, 128, 256, 512, 1024 };
  EsLadderClimb *climb = self->climb;
  int at = -1;

  for (guint i = 0; i < climb->n && at < 0; i++)
    if (climb->rungs[i].kind == ES_RUNG_STEP && climb->rungs[i].state == ES_RUNG_MEASURED)
      at = (int) i;
  if (at < 0)
    return TRUE;
  climb->swept = g_strdup (climb->rungs[at].id);
  climb->sweep = g_new0 (EsLadderSweep, G_N_ELEMENTS (threads));
  es_job_begin_stage (self->job, "threads", _("By threads"), 1);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      EsLadderSize size = climb->size;
      EskRungResult result;
      EsMeasured measured;
      int code;

      size.threads = threads[i];
      if (es_job_is_cancelled (self->job, error) || !prepare (self, &size, error))
        return FALSE;
      code = measure (self, (guint) at, &result);
      /* What is not right has no time, and what there is no room for none either. */
      if (code == ESK_LADDER_ERROR_REFUSED || code == ESK_LADDER_ERROR_MEMORY
          || (code == ESK_LADDER_OK && !(result.error <= result.tolerance)))
        continue;
      if (code != ESK_LADDER_OK)
        return fail (self, code, climb->rungs[at].id, error);
      es_measured_of (result.samples, result.n, &measured);
      climb->sweep[climb->n_sweep++] = (EsLadderSweep) { threads[i], measured.median, measured.least, measured.most,
                                                         NAN };
      es_job_set_fraction (self->job, (double) (i + 1) / G_N_ELEMENTS (threads));
    }
  return TRUE;
}

static gboolean
climb_all (Climbing *self, GError **error)
{
  EsLadderClimb *climb = self->climb;
  const EskLadderSize size = get_size (&climb->size);

  self->table->least ((EskLadderKind) climb->ladder->kind, &size, &climb->least_bytes, &climb->least_operations);
  climb->least_bytes = known (climb->least_bytes);
  climb->least_operations = known (climb->least_operations);
  es_job_begin_stage (self->job, "prepare", _("Preparing"), 1);
  if (!prepare (self, &climb->size, error))
    return FALSE;
  for (guint i = 0; i < climb->n; i++)
    if (is_wanted (self->request, climb->rungs[i].id, climb->rungs[i].strategies) && !measure_rung (self, i, error))
      return FALSE;
  return !self->request->sweep || sweep_threads (self, error);
}

static unsigned
index_of (const char *id)
{
  const char *colon = strchr (id, ':');

  return colon != NULL ? (unsigned) g_ascii_strtoull (colon + 1, NULL, 10) : 0;
}

/* NULL: the device's own back end cannot be used, and its rung says so. */
static const EskHotspots *
find_production (const char *id)
{
  EsDevice *device = es_device_find (id, NULL);

  return device != NULL ? es_device_get_hotspots (device) : NULL;
}

gboolean
es_ladder_climb_run (EsLadderClimb *self, EsMachine *machine, EsJob *job, const EsLadderRequest *request,
                     GError **error)
{
  const char *id = es_machine_get_id (machine);
  Climbing climbing = { self, machine, job, request, es_ladder_load (id, error), NULL, 0 };
  char reason[512] = "";
  gboolean done;
  gulong handler;

  if (climbing.table == NULL)
    return FALSE;
  self->size = request->size;
  list_rungs (self, climbing.table);
  if (!check_wanted (&climbing, error))
    return FALSE;
  if (climbing.table->open (index_of (id), find_production (id), &climbing.ladder, reason, sizeof reason)
      != ESK_LADDER_OK)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("“%s” cannot be climbed on: %s."), id,
                   *reason != '\0' ? reason : _("no reason given"));
      return FALSE;
    }
  handler = g_cancellable_connect (es_job_get_cancellable (job), G_CALLBACK (cancel_ladder), &climbing, NULL);
  done = climb_all (&climbing, error);
  g_cancellable_disconnect (es_job_get_cancellable (job), handler);
  climbing.table->close (climbing.ladder);
  return done;
}

EsLadderClimb *
es_ladder_climb_new_unmeasured (const EsLadder *ladder, const char *id, const char *machine, GError **error)
{
  const EskLadderTable *table;
  EsLadderClimb *self;

  g_return_val_if_fail (ladder != NULL && id != NULL, NULL);

  table = es_ladder_load (id, error);
  if (table == NULL)
    return NULL;
  const gboolean is_cpu = g_str_equal (id, "cpu");
  self = es_ladder_climb_new (ladder, is_cpu ? "cpu" : "cuda", machine);
  self->size = is_cpu ? ladder->cpu : ladder->gpu;
  list_rungs (self, table);
  es_ladder_climb_settle (self);
  return self;
}
