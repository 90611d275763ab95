/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A comparison of processes for programs. */

#include "es-scaling-private.h"

#include <math.h>

#include "published/es-published.h"

static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  if (!isfinite (value))
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_integer (JsonBuilder *builder, const char *name, guint value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_count (JsonBuilder *builder, EsScaling *self, const EsScalingCount *count)
{
  const EsScalingRun *run = _es_scaling_get_median (count);
  const EsScalingRun *slowest = g_ptr_array_index (count->runs, count->runs->len - 1);
  const double speed_up = _es_scaling_get_speed_up (self, count, "total");

  json_builder_begin_object (builder);
  add_integer (builder, "processes", count->processes);
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < run->steps->len; i++)
    {
      const EsScalingStep *step = &g_array_index (run->steps, EsScalingStep, i);

      json_builder_begin_object (builder);
      add_text (builder, "name", step->name);
      add_number (builder, "ms", step->ms);
      add_number (builder, "least_ms", step->least_ms);
      add_number (builder, "mean_ms", step->mean_ms);
      add_number (builder, "waiting", step->waiting);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  add_number (builder, "total_ms", run->total);
  add_number (builder, "whole_ms", run->whole);
  add_number (builder, "fastest_ms", ((const EsScalingRun *) g_ptr_array_index (count->runs, 0))->total);
  add_number (builder, "slowest_ms", slowest->total);
  add_number (builder, "speed_up", speed_up);
  add_number (builder, "efficiency", speed_up / count->processes);
  add_number (builder, "waiting", run->waiting);
  json_builder_end_object (builder);
}

JsonNode *
es_scaling_to_json (EsScaling *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_text (builder, "operation", self->operation->id);
  add_text (builder, "software", "Eigenscope " ES_VERSION);
  add_text (builder, "input", self->name);
  add_integer (builder, "threads", self->threads);
  add_integer (builder, "repeats", _es_scaling_get_repeats (self));
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->counts->len; i++)
    add_count (builder, self, g_ptr_array_index (self->counts, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "published");
  json_builder_begin_array (builder);
  for (guint i = 0; _es_scaling_get_greatest (self) != NULL && i < es_published_get_n (); i++)
    if (es_published_is_about (i, self->operation->id))
      json_builder_add_value (builder, es_published_to_json_with (i, _es_scaling_measure, self));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
