/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-stage-time.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-text-show.h"
#include "es-saved-internal.h"

/* Of anything that a step takes or is: more is no number of a run. */
#define MOST_AMOUNT 1e24
/* Within so much of its bound a step is at it. */
#define AT_BOUND 1.25

static const struct { const char *name, *title; } bounds[] = {
  [ES_BOUND_UNKNOWN] = { NULL, NULL },
  [ES_BOUND_ARITHMETIC] = { "arithmetic", N_("arithmetic") },
  [ES_BOUND_MEMORY] = { "memory", N_("memory") },
  [ES_BOUND_LINK] = { "link", N_("link") },
  [ES_BOUND_LATENCY] = { "latency", N_("latency") },
  [ES_BOUND_HOST_ARITHMETIC] = { "host-arithmetic", N_("processor") },
  [ES_BOUND_HOST_MEMORY] = { "host-memory", N_("host memory") },
  [ES_BOUND_FILE] = { "file", N_("file") },
  [ES_BOUND_OTHER_STEP] = { "other-step", N_("other steps") },
};

static const char *const types[] = { "float32", "float64", "int8", "int16" };

/* Amounts, by their name in files. */
static const struct { const char *name; gsize offset; } amounts[] = {
  { "file_bytes", G_STRUCT_OFFSET (EsStageWork, file_bytes) },
  { "disk_bytes", G_STRUCT_OFFSET (EsStageWork, disk_bytes) },
  { "written_bytes", G_STRUCT_OFFSET (EsStageWork, written_bytes) },
  { "link_bytes", G_STRUCT_OFFSET (EsStageWork, link_bytes) },
  { "link_back_bytes", G_STRUCT_OFFSET (EsStageWork, link_back_bytes) },
  { "memory_bytes", G_STRUCT_OFFSET (EsStageWork, memory_bytes) },
  { "host_bytes", G_STRUCT_OFFSET (EsStageWork, host_bytes) },
  { "operations", G_STRUCT_OFFSET (EsStageWork, operations) },
  { "launches", G_STRUCT_OFFSET (EsStageWork, launches) },
  { "busy_ms", G_STRUCT_OFFSET (EsStageWork, busy_ms) },
};

#define AMOUNT(work, i) (*(double *) ((char *) (work) + amounts[i].offset))

void
es_stage_time_clear (gpointer data)
{
  EsStageTime *stage = data;

  g_free (stage->name);
  g_free (stage->title);
  g_free (stage->advice);
}

void
es_stage_work_add (EsStageWork *self, const EsStageWork *more)
{
  if (more->operations > self->operations)
    self->type = more->type;
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    AMOUNT (self, i) += AMOUNT (more, i);
  self->threads = MAX (self->threads, more->threads);
  self->on_host |= more->on_host;
  self->joined |= more->joined;
  self->pageable |= more->pageable;
  if (more->less != NULL)
    self->less = more->less;
}

gboolean
es_stage_work_is_known (const EsStageWork *self)
{
  return self->file_bytes > 0 || self->written_bytes > 0 || self->link_bytes > 0 || self->link_back_bytes > 0
         || self->memory_bytes > 0 || self->host_bytes > 0 || self->operations > 0;
}

const char *
es_bound_get_name (EsBound bound)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (bounds) == ES_N_BOUNDS);

  g_return_val_if_fail (bound < ES_N_BOUNDS, NULL);
  return bounds[bound].name;
}

EsBound
es_bound_from_name (const char *name)
{
  for (guint i = 1; name != NULL && i < ES_N_BOUNDS; i++)
    if (strcmp (bounds[i].name, name) == 0)
      return i;
  return ES_BOUND_UNKNOWN;
}

const char *
es_bound_get_title (EsBound bound)
{
  g_return_val_if_fail (bound < ES_N_BOUNDS, NULL);
  return bounds[bound].title != NULL ? g_dgettext (GETTEXT_PACKAGE, bounds[bound].title) : "–";
}

char *
es_stage_time_describe_bound (const EsStageTime *self)
{
  const char *title = es_bound_get_title (self->bound);

  if (self->bound == ES_BOUND_UNKNOWN || self->bound == ES_BOUND_OTHER_STEP || !(self->times > AT_BOUND))
    return g_strdup (title);
  /* TRANSLATORS: what binds a step, and how many times as long as that it takes: "memory, 1.9 ×". */
  return g_strdup_printf (self->times < 10 ? _("%s, %.1f ×") : _("%s, %.0f ×"), title, self->times);
}

/* ---- result.json ---- */

static void
write_work (const EsStageWork *work, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "work");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    if (AMOUNT (work, i) > 0)
      {
        json_builder_set_member_name (builder, amounts[i].name);
        json_builder_add_double_value (builder, AMOUNT (work, i));
      }
  if (work->operations > 0)
    {
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder, types[work->type]);
    }
  json_builder_end_object (builder);
}

static void
write_processes (const EsStageProcesses *self, JsonBuilder *builder)
{
  const struct { const char *name; double value; } numbers[] = {
    { "least_ms", self->least_ms }, { "mean_ms", self->mean_ms }, { "greatest_ms", self->greatest_ms },
    { "waiting", self->waiting },
  };

  json_builder_set_member_name (builder, "processes");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "n");
  json_builder_add_int_value (builder, self->n);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      json_builder_set_member_name (builder, numbers[i].name);
      json_builder_add_double_value (builder, numbers[i].value);
    }
  json_builder_end_object (builder);
}

void
es_stage_time_write (const EsStageTime *self, JsonBuilder *builder)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (types) == ES_N_WORK_TYPES);

  if (es_stage_work_is_known (&self->work))
    write_work (&self->work, builder);
  if (self->bound != ES_BOUND_UNKNOWN)
    {
      json_builder_set_member_name (builder, "bound");
      json_builder_add_string_value (builder, bounds[self->bound].name);
    }
  if (self->bound_ms > 0)
    {
      json_builder_set_member_name (builder, "bound_ms");
      json_builder_add_double_value (builder, self->bound_ms);
    }
  if (self->times > 0)
    {
      json_builder_set_member_name (builder, "times");
      json_builder_add_double_value (builder, self->times);
    }
  if (self->advice != NULL)
    {
      json_builder_set_member_name (builder, "advice");
      json_builder_add_string_value (builder, self->advice);
    }
  if (self->processes.n > 0)
    write_processes (&self->processes, builder);
}

static double
read_amount (JsonObject *object, const char *name)
{
  const double value = es_saved_get_number (object, name, 0);

  return value <= MOST_AMOUNT ? MAX (value, 0) : 0;
}

void
es_stage_time_read (EsStageTime *self, JsonObject *object)
{
  JsonObject *work = es_saved_get_object (object, "work");
  JsonObject *processes = es_saved_get_object (object, "processes");
  const char *type = es_saved_get_string (work, "type");

  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    AMOUNT (&self->work, i) = read_amount (work, amounts[i].name);
  for (guint i = 0; type != NULL && i < ES_N_WORK_TYPES; i++)
    if (strcmp (types[i], type) == 0)
      self->work.type = i;
  self->bound = es_bound_from_name (es_saved_get_string (object, "bound"));
  self->bound_ms = read_amount (object, "bound_ms");
  self->times = read_amount (object, "times");
  self->processes = (EsStageProcesses) {
    .n = CLAMP (read_amount (processes, "n"), 0, G_MAXINT),
    .least_ms = read_amount (processes, "least_ms"), .mean_ms = read_amount (processes, "mean_ms"),
    .greatest_ms = read_amount (processes, "greatest_ms"), .waiting = MIN (read_amount (processes, "waiting"), 1),
  };
  g_free (self->advice);
  self->advice = es_saved_get_string (object, "advice") != NULL ? es_text_show (es_saved_get_string (object, "advice"))
                                                                : NULL;
}

/* ---- who judges ---- */

static EsStageJudge judge;
static void (*prepare) (EsDevice *device);

void
es_stages_set_judge (EsStageJudge who, void (*before) (EsDevice *device))
{
  judge = who;
  prepare = before;
}

void
es_stages_prepare (EsDevice *device)
{
  if (prepare != NULL && device != NULL)
    prepare (device);
}

void
es_stages_judge (EsStageTime *stages, guint n, EsDevice *device, guint threads)
{
  if (judge != NULL && device != NULL)
    judge (stages, n, device, threads);
}
