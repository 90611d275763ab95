/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scaling.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "published/es-published.h"
#include "result/es-saved-internal.h"

typedef struct
{
  char  *name, *title;
  double ms;                   /* of the process that took longest */
  double least_ms, mean_ms, waiting;   /* NAN: of one process */
} Step;

typedef struct
{
  GArray *steps;               /* Step */
  double  total, whole, waiting;
} Run;

typedef struct
{
  guint      processes;
  GPtrArray *runs;             /* Run, the fastest first */
} Count;

struct _EsScaling
{
  const EsOperation *operation;
  char              *name, *input;
  guint              threads;
  GPtrArray         *counts;   /* Count */
  GPtrArray         *steps;    /* borrowed names of steps, in the order in which they happen */
};

static void
step_clear (gpointer data)
{
  Step *step = data;

  g_free (step->name);
  g_free (step->title);
}

static void
run_free (gpointer data)
{
  Run *run = data;

  g_array_unref (run->steps);
  g_free (run);
}

static void
count_free (gpointer data)
{
  Count *count = data;

  g_ptr_array_unref (count->runs);
  g_free (count);
}

EsScaling *
es_scaling_new (const EsOperation *operation, const char *name, const char *input, guint threads)
{
  EsScaling *self = g_new0 (EsScaling, 1);

  self->operation = operation;
  self->name = g_strdup (name);
  self->input = g_strdup (input);
  self->threads = threads;
  self->counts = g_ptr_array_new_with_free_func (count_free);
  self->steps = g_ptr_array_new ();
  return self;
}

void
es_scaling_free (EsScaling *self)
{
  g_ptr_array_unref (self->counts);
  g_ptr_array_unref (self->steps);
  g_free (self->name);
  g_free (self->input);
  g_free (self);
}

/* ---- what a run tells ---- */

static Step
read_step (JsonObject *stage)
{
  JsonObject *processes = es_saved_get_object (stage, "processes");
  const char *name = es_saved_get_string (stage, "name");
  const double ms = es_saved_get_number (stage, "ms", NAN);

  return (Step) {
    .name = g_strdup (name), .title = g_strdup (es_saved_get_text (stage, "title", name)),
    .ms = processes != NULL ? es_saved_get_number (processes, "greatest_ms", ms) : ms,
    .least_ms = es_saved_get_number (processes, "least_ms", NAN),
    .mean_ms = es_saved_get_number (processes, "mean_ms", NAN),
    .waiting = es_saved_get_number (processes, "waiting", NAN),
  };
}

/* Of all the time of all processes; 0 of one. */
static double
read_waiting (JsonObject *values)
{
  JsonObject *processes = es_saved_get_object (values, "processes");
  JsonArray *ms = NULL, *waited = NULL;
  const guint n = processes != NULL ? es_saved_get_array (processes, "ms", &ms) : 0;
  double sum = 0, of_it = 0;

  if (n == 0 || es_saved_get_array (processes, "waited_ms", &waited) != n)
    return 0;
  for (guint i = 0; i < n; i++)
    {
      sum += json_array_get_double_element (ms, i);
      of_it += json_array_get_double_element (waited, i);
    }
  return sum > 0 ? CLAMP (of_it / sum, 0, 1) : 0;
}

static guint
read_processes (JsonObject *result)
{
  JsonObject *processes = es_saved_get_object (es_saved_get_object (result, "values"), "processes");

  return processes != NULL ? CLAMP (es_saved_get_number (processes, "n", 0), 0, G_MAXINT) : 1;
}

static Count *
find_count (EsScaling *self, guint processes)
{
  Count *count;

  for (guint i = 0; i < self->counts->len; i++)
    {
      count = g_ptr_array_index (self->counts, i);
      if (count->processes == processes)
        return count;
    }
  count = g_new0 (Count, 1);
  count->processes = processes;
  count->runs = g_ptr_array_new_with_free_func (run_free);
  g_ptr_array_add (self->counts, count);
  return count;
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const double x = (*(const Run *const *) a)->total, y = (*(const Run *const *) b)->total;

  return (x > y) - (x < y);
}

gboolean
es_scaling_add (EsScaling *self, guint processes, JsonObject *result, double whole_ms, GError **error)
{
  JsonArray *stages = NULL;
  const guint n = es_saved_get_array (result, "stages", &stages);
  const double total = es_saved_get_number (result, "total_ms", NAN);
  const guint found = read_processes (result);
  Run *run;

  if (!(total > 0) || n == 0 || found != processes)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("A run of %u processes does not tell what it took: its result is of %u, with %u steps."),
                   processes, found, n);
      return FALSE;
    }
  run = g_new0 (Run, 1);
  run->total = total;
  run->whole = whole_ms;
  run->waiting = read_waiting (es_saved_get_object (result, "values"));
  run->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (run->steps, step_clear);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *stage = es_saved_get_element (stages, i);

      if (stage == NULL || es_saved_get_string (stage, "name") == NULL)
        continue;
      const Step step = read_step (stage);
      g_array_append_val (run->steps, step);
      if (!g_ptr_array_find_with_equal_func (self->steps, step.name, g_str_equal, NULL))
        g_ptr_array_add (self->steps, (gpointer) g_intern_string (step.name));
    }
  GPtrArray *runs = find_count (self, processes)->runs;
  g_ptr_array_add (runs, run);
  g_ptr_array_sort (runs, compare_runs);
  return TRUE;
}

/* ---- what follows ---- */

static const Run *
get_median (const Count *count)
{
  return g_ptr_array_index (count->runs, (count->runs->len - 1) / 2);
}

static const Step *
find_step (const Run *run, const char *name)
{
  for (guint i = 0; i < run->steps->len; i++)
    if (strcmp (g_array_index (run->steps, Step, i).name, name) == 0)
      return &g_array_index (run->steps, Step, i);
  return NULL;
}

static double
get_ms (const Run *run, const char *name)
{
  const Step *step = find_step (run, name), *input, *output;

  if (strcmp (name, "total") == 0)
    return run->total;
  if (strcmp (name, "computing") != 0)
    return step != NULL ? step->ms : NAN;
  input = find_step (run, "input");
  output = find_step (run, "output");
  return run->total - (input != NULL ? input->ms : 0) - (output != NULL ? output->ms : 0);
}

static double
get_speed_up (EsScaling *self, const Count *count, const char *step)
{
  const Count *first = g_ptr_array_index (self->counts, 0);

  return first->processes * get_ms (get_median (first), step) / get_ms (get_median (count), step);
}

static const char *
get_step_title (EsScaling *self, const char *name)
{
  for (guint i = 0; i < self->counts->len; i++)
    {
      const Step *step = find_step (get_median (g_ptr_array_index (self->counts, i)), name);

      if (step != NULL)
        return step->title;
    }
  return name;
}

EsTable *
es_scaling_make_table (EsScaling *self)
{
  EsTable *table = es_table_new ("processes", _("Comparison of processes"));
  const guint n = self->counts->len, steps = self->steps->len;
  const char *const ends[] = { _("Total"), _("Program, start to end"), _("Speed-up (×)"), _("Efficiency (%)"),
                               _("Waiting (%)") };
  g_autofree gconstpointer *cells = g_new0 (gconstpointer, n + 1);
  g_autofree double *values = g_new0 (double, n);

  es_table_add_column (table, _("Step"), NULL, -1);
  for (guint i = 0; i < n; i++)
    {
      const guint processes = ((const Count *) g_ptr_array_index (self->counts, i))->processes;
      g_autofree char *title = g_strdup_printf (ngettext ("%u process", "%u processes", processes), processes);

      es_table_add_column (table, title, "ms", 1);
    }
  for (guint row = 0; row < steps + G_N_ELEMENTS (ends); row++)
    {
      const char *name = row < steps ? g_ptr_array_index (self->steps, row) : NULL;

      cells[0] = name != NULL ? get_step_title (self, name) : ends[row - steps];
      for (guint i = 0; i < n; i++)
        {
          const Count *count = g_ptr_array_index (self->counts, i);
          const Run *run = get_median (count);
          const double speed_up = get_speed_up (self, count, "total");
          const double of_all[] = { run->total, run->whole, speed_up, 100 * speed_up / count->processes,
                                    100 * run->waiting };

          values[i] = name != NULL ? get_ms (run, name) : of_all[row - steps];
          cells[i + 1] = &values[i];
        }
      es_table_add_row (table, cells);
    }
  return table;
}

/* ---- beside what was published ---- */

static const Count *
get_greatest (EsScaling *self)
{
  const Count *greatest = NULL;

  for (guint i = 0; i < self->counts->len; i++)
    {
      const Count *count = g_ptr_array_index (self->counts, i);

      if (greatest == NULL || count->processes > greatest->processes)
        greatest = count;
    }
  return greatest != NULL && greatest->processes > 1 ? greatest : NULL;
}

/* "processes", "processes:2": one thread each; "processes:threads"; "cpu-1": one process of one thread. */
static const Count *
find_program (EsScaling *self, const char *program)
{
  guint processes;

  if (self->threads == 0)
    return NULL;
  if (strcmp (program, self->threads == 1 ? "processes" : "processes:threads") == 0)
    return get_greatest (self);
  if (strcmp (program, self->threads == 1 ? "cpu-1" : "cpu") == 0)
    processes = 1;
  else if (strcmp (program, "processes:2") == 0 && self->threads == 1)
    processes = 2;
  else
    return NULL;
  for (guint i = 0; i < self->counts->len; i++)
    {
      const Count *count = g_ptr_array_index (self->counts, i);

      if (count->processes == processes)
        return count;
    }
  return NULL;
}

static double
measure (const char *program, const char *step, const char *unit, gpointer data)
{
  EsScaling *self = data;
  const Count *count = find_program (self, program), *first = g_ptr_array_index (self->counts, 0);
  double ms;

  if (count == NULL)
    return NAN;
  ms = get_ms (get_median (count), step);
  if (strcmp (unit, "ms") == 0)
    return ms;
  if (strcmp (unit, "s") == 0)
    return ms * 1e-3;
  if (strcmp (unit, "%") == 0)
    return 100 * ms / get_median (count)->total;
  /* Speed-ups that were published are those over one thread. */
  return strcmp (unit, "×") == 0 && first->processes == 1 && self->threads == 1 ? get_speed_up (self, count, step)
                                                                                : NAN;
}

static guint
get_repeats (EsScaling *self)
{
  return self->counts->len > 0 ? ((const Count *) g_ptr_array_index (self->counts, 0))->runs->len : 0;
}

EsTable *
es_scaling_make_published_table (EsScaling *self, guint published, char **what)
{
  const Count *greatest = get_greatest (self);
  gboolean any;
  EsTable *table;

  *what = NULL;
  if (greatest == NULL)
    return es_published_make_table (published);
  table = es_published_make_table_with (published, _("Here"), measure, self, &any);
  if (any)
    *what = g_strdup_printf (ngettext ("Here: %s (%s); up to %u processes of %u thread, median of %u.",
                                       "Here: %s (%s); up to %u processes of %u threads, median of %u.", self->threads),
                             self->name, self->input, greatest->processes, self->threads, get_repeats (self));
  return table;
}

/* ---- JSON ---- */

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
add_count (JsonBuilder *builder, EsScaling *self, const Count *count)
{
  const Run *run = get_median (count);
  const double speed_up = get_speed_up (self, count, "total");

  json_builder_begin_object (builder);
  add_integer (builder, "processes", count->processes);
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < run->steps->len; i++)
    {
      const Step *step = &g_array_index (run->steps, Step, i);

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
  add_number (builder, "fastest_ms", ((const Run *) g_ptr_array_index (count->runs, 0))->total);
  add_number (builder, "slowest_ms", ((const Run *) g_ptr_array_index (count->runs, count->runs->len - 1))->total);
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
  add_integer (builder, "repeats", get_repeats (self));
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->counts->len; i++)
    add_count (builder, self, g_ptr_array_index (self->counts, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "published");
  json_builder_begin_array (builder);
  for (guint i = 0; get_greatest (self) != NULL && i < es_published_get_n (); i++)
    if (es_published_is_about (i, self->operation->id))
      json_builder_add_value (builder, es_published_to_json_with (i, measure, self));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
