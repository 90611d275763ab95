/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scaling-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "published/es-published.h"
#include "result/es-saved-internal.h"

static void
step_clear (gpointer data)
{
  EsScalingStep *step = data;

  g_free (step->name);
  g_free (step->title);
}

static void
run_free (gpointer data)
{
  EsScalingRun *run = data;

  g_array_unref (run->steps);
  g_free (run);
}

static void
count_free (gpointer data)
{
  EsScalingCount *count = data;

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

static EsScalingStep
read_step (JsonObject *stage)
{
  JsonObject *processes = es_saved_get_object (stage, "processes");
  const char *name = es_saved_get_string (stage, "name");
  const double ms = es_saved_get_number (stage, "ms", NAN);

  return (EsScalingStep) {
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

/* Of FastICA: as many as a component took, in the mean. */
static guint
read_iterations (const EsOperation *operation, JsonObject *values)
{
  JsonArray *steps = NULL;
  const guint n = strcmp (operation->id, "fastica") == 0 ? es_saved_get_array (values, "steps", &steps) : 0;
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += json_array_get_double_element (steps, i);
  return n > 0 ? (guint) CLAMP (floor (sum / n + 0.5), 0, G_MAXINT) : 0;
}

static guint
read_processes (JsonObject *result)
{
  JsonObject *processes = es_saved_get_object (es_saved_get_object (result, "values"), "processes");

  return processes != NULL ? CLAMP (es_saved_get_number (processes, "n", 0), 0, G_MAXINT) : 1;
}

static EsScalingCount *
find_count (EsScaling *self, guint processes)
{
  EsScalingCount *count;

  for (guint i = 0; i < self->counts->len; i++)
    {
      count = g_ptr_array_index (self->counts, i);
      if (count->processes == processes)
        return count;
    }
  count = g_new0 (EsScalingCount, 1);
  count->processes = processes;
  count->runs = g_ptr_array_new_with_free_func (run_free);
  g_ptr_array_add (self->counts, count);
  return count;
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const double x = (*(const EsScalingRun *const *) a)->total, y = (*(const EsScalingRun *const *) b)->total;

  return (x > y) - (x < y);
}

gboolean
es_scaling_add (EsScaling *self, guint processes, JsonObject *result, double whole_ms, GError **error)
{
  JsonArray *stages = NULL;
  const guint n = es_saved_get_array (result, "stages", &stages);
  const double total = es_saved_get_number (result, "total_ms", NAN);
  const guint found = read_processes (result);
  EsScalingRun *run;

  if (!(total > 0) || n == 0 || found != processes)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("A run of %u processes does not tell what it took: its result is of %u, with %u steps."),
                   processes, found, n);
      return FALSE;
    }
  run = g_new0 (EsScalingRun, 1);
  run->total = total;
  run->whole = whole_ms;
  run->waiting = read_waiting (es_saved_get_object (result, "values"));
  run->iterations = read_iterations (self->operation, es_saved_get_object (result, "values"));
  run->components = (guint) CLAMP (es_saved_get_number (es_saved_get_object (result, "values"), "components", 0), 0,
                                   G_MAXUINT16);
  run->steps = g_array_new (FALSE, FALSE, sizeof (EsScalingStep));
  g_array_set_clear_func (run->steps, step_clear);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *stage = es_saved_get_element (stages, i);

      if (stage == NULL || es_saved_get_string (stage, "name") == NULL)
        continue;
      const EsScalingStep step = read_step (stage);
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

const EsScalingRun *
_es_scaling_get_median (const EsScalingCount *count)
{
  return g_ptr_array_index (count->runs, (count->runs->len - 1) / 2);
}

static const EsScalingStep *
find_step (const EsScalingRun *run, const char *name)
{
  for (guint i = 0; i < run->steps->len; i++)
    if (strcmp (g_array_index (run->steps, EsScalingStep, i).name, name) == 0)
      return &g_array_index (run->steps, EsScalingStep, i);
  return NULL;
}

static double
get_ms (const EsScalingRun *run, const char *name)
{
  const EsScalingStep *step = find_step (run, name), *input, *output;

  if (strcmp (name, "total") == 0)
    return run->total;
  if (strcmp (name, "computing") != 0)
    return step != NULL ? step->ms : NAN;
  input = find_step (run, "input");
  output = find_step (run, "output");
  return run->total - (input != NULL ? input->ms : 0) - (output != NULL ? output->ms : 0);
}

double
_es_scaling_get_speed_up (EsScaling *self, const EsScalingCount *count, const char *step)
{
  const EsScalingCount *first = g_ptr_array_index (self->counts, 0);

  return first->processes * get_ms (_es_scaling_get_median (first), step)
         / get_ms (_es_scaling_get_median (count), step);
}

const char *
es_scaling_get_step_title (EsScaling *self, const char *name)
{
  for (guint i = 0; i < self->counts->len; i++)
    {
      const EsScalingStep *step = find_step (_es_scaling_get_median (g_ptr_array_index (self->counts, i)), name);

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
      const guint processes = ((const EsScalingCount *) g_ptr_array_index (self->counts, i))->processes;
      g_autofree char *title = g_strdup_printf (ngettext ("%u process", "%u processes", processes), processes);

      es_table_add_column (table, title, "ms", 1);
    }
  for (guint row = 0; row < steps + G_N_ELEMENTS (ends); row++)
    {
      const char *name = row < steps ? g_ptr_array_index (self->steps, row) : NULL;

      cells[0] = name != NULL ? es_scaling_get_step_title (self, name) : ends[row - steps];
      for (guint i = 0; i < n; i++)
        {
          const EsScalingCount *count = g_ptr_array_index (self->counts, i);
          const EsScalingRun *run = _es_scaling_get_median (count);
          const double speed_up = _es_scaling_get_speed_up (self, count, "total");
          const double of_all[] = { run->total, run->whole, speed_up, 100 * speed_up / count->processes,
                                    100 * run->waiting };

          values[i] = name != NULL ? get_ms (run, name) : of_all[row - steps];
          cells[i + 1] = &values[i];
        }
      es_table_add_row (table, cells);
    }
  return table;
}

/* ---- one by one ---- */

static const EsScalingRun *
get_run (EsScaling *self, guint count)
{
  return _es_scaling_get_median (g_ptr_array_index (self->counts, count));
}

guint
es_scaling_get_n_counts (EsScaling *self)
{
  return self->counts->len;
}

guint
es_scaling_get_processes (EsScaling *self, guint count)
{
  return ((const EsScalingCount *) g_ptr_array_index (self->counts, count))->processes;
}

guint
es_scaling_get_iterations (EsScaling *self, guint count)
{
  return get_run (self, count)->iterations;
}

guint
es_scaling_get_components (EsScaling *self, guint count)
{
  return get_run (self, count)->components;
}

double
es_scaling_get_ms (EsScaling *self, guint count, const char *step)
{
  return get_ms (get_run (self, count), step);
}

guint
es_scaling_get_threads (EsScaling *self)
{
  return self->threads;
}

guint
es_scaling_get_n_steps (EsScaling *self)
{
  return self->steps->len;
}

const char *
es_scaling_get_step (EsScaling *self, guint step)
{
  return g_ptr_array_index (self->steps, step);
}

/* ---- beside what was published ---- */

const EsScalingCount *
_es_scaling_get_greatest (EsScaling *self)
{
  const EsScalingCount *greatest = NULL;

  for (guint i = 0; i < self->counts->len; i++)
    {
      const EsScalingCount *count = g_ptr_array_index (self->counts, i);

      if (greatest == NULL || count->processes > greatest->processes)
        greatest = count;
    }
  return greatest != NULL && greatest->processes > 1 ? greatest : NULL;
}

/* "processes", "processes:2": one thread each; "processes:threads"; "cpu-1": one process of one thread. */
static const EsScalingCount *
find_program (EsScaling *self, const char *program)
{
  guint processes;

  if (self->threads == 0)
    return NULL;
  if (strcmp (program, self->threads == 1 ? "processes" : "processes:threads") == 0)
    return _es_scaling_get_greatest (self);
  if (strcmp (program, self->threads == 1 ? "cpu-1" : "cpu") == 0)
    processes = 1;
  else if (strcmp (program, "processes:2") == 0 && self->threads == 1)
    processes = 2;
  else
    return NULL;
  for (guint i = 0; i < self->counts->len; i++)
    {
      const EsScalingCount *count = g_ptr_array_index (self->counts, i);

      if (count->processes == processes)
        return count;
    }
  return NULL;
}

double
_es_scaling_measure (const char *program, const char *step, const char *unit, gpointer data)
{
  EsScaling *self = data;
  const EsScalingCount *count = find_program (self, program), *first = g_ptr_array_index (self->counts, 0);
  double ms;

  if (count == NULL)
    return NAN;
  ms = get_ms (_es_scaling_get_median (count), step);
  if (strcmp (unit, "ms") == 0)
    return ms;
  if (strcmp (unit, "s") == 0)
    return ms * 1e-3;
  if (strcmp (unit, "%") == 0)
    return 100 * ms / _es_scaling_get_median (count)->total;
  /* Speed-ups that were published are those over one thread. */
  return strcmp (unit, "×") == 0 && first->processes == 1 && self->threads == 1
         ? _es_scaling_get_speed_up (self, count, step)
         : NAN;
}

guint
_es_scaling_get_repeats (EsScaling *self)
{
  return self->counts->len > 0 ? ((const EsScalingCount *) g_ptr_array_index (self->counts, 0))->runs->len : 0;
}

EsTable *
es_scaling_make_published_table (EsScaling *self, guint published, char **what)
{
  const EsScalingCount *greatest = _es_scaling_get_greatest (self);
  gboolean any;
  EsTable *table;

  *what = NULL;
  if (greatest == NULL)
    return es_published_make_table (published);
  table = es_published_make_table_with (published, _("Here"), _es_scaling_measure, self, &any);
  if (any)
    *what = g_strdup_printf (ngettext ("Here: %s (%s); up to %u processes of %u thread, median of %u.",
                                       "Here: %s (%s); up to %u processes of %u threads, median of %u.", self->threads),
                             self->name, self->input, greatest->processes, self->threads,
                             _es_scaling_get_repeats (self));
  return table;
}
