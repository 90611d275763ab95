/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-held.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "layer/es-layer-internal.h"

/* One number of processes. */
typedef struct
{
  guint          processes;
  EsClusterWork *work;
  EsClusterTime *steps, all;
} Planned;

struct _EsClusterHeld
{
  EsScaling *measured;         /* borrowed */
  char      *name;             /* of the cluster */
  GArray    *planned;          /* of Planned, in the order of the measured ones */
  GPtrArray *names;            /* of steps: those of the runs, and what only the plan has; static */
};

static void
planned_clear (gpointer data)
{
  Planned *planned = data;

  g_free (planned->steps);
  g_clear_pointer (&planned->work, es_cluster_work_free);
}

void
es_cluster_held_free (EsClusterHeld *self)
{
  g_array_unref (self->planned);
  g_ptr_array_unref (self->names);
  g_free (self->name);
  g_free (self);
}

const char *
es_cluster_held_get_name (const EsClusterHeld *self)
{
  return self->name;
}

/* ---- planning ---- */

/* One of its nodes, or what of it the run had. */
static EsCluster *
make_node (const EsCluster *cluster, guint processes, guint threads, GError **error)
{
  g_autoptr (EsCluster) node = cluster != NULL ? es_cluster_copy (cluster) : es_cluster_new_here (processes, threads);
  double part;

  if (cluster == NULL)
    return es_cluster_measure_speeds (node, error) ? g_steal_pointer (&node) : NULL;
  node->nodes = 1;
  node->cards = 0;
  node->processes = processes;
  node->threads = (guint) MIN ((guint64) processes * threads, cluster->threads);
  part = (double) node->threads / cluster->threads;
  es_cluster_rates_multiply (&node->host, part);
  return g_steal_pointer (&node);
}

/* With the components that the run found, where their number was left to the data. */
static EsParams *
take_components (const char *operation, EsParams *params, guint components)
{
  EsParams *taken = es_params_copy (params);

  if (components > 0 && strcmp (operation, "pca") == 0 && es_params_get_int (params, "components") == 0)
    es_params_set_value (taken, "components", components);
  return taken;
}

static gboolean
add_planned (EsClusterHeld *self, const char *operation, EsDataset *dataset, EsParams *params,
             const EsCluster *cluster, guint steps, guint i, GError **error)
{
  Planned planned = { .processes = es_scaling_get_processes (self->measured, i) };
  g_autoptr (EsCluster) node = make_node (cluster, planned.processes, es_scaling_get_threads (self->measured), error);
  const guint taken = es_scaling_get_iterations (self->measured, i);
  g_autoptr (EsParams) found = take_components (operation, params, es_scaling_get_components (self->measured, i));

  if (node == NULL)
    return FALSE;
  /* Where it starts and its disk are not what a run tells of. */
  node->start = node->start_process = 0;
  node->has_disk = FALSE;
  planned.work = es_cluster_work_new (operation, dataset, found, node, steps > 0 ? steps : taken, error);
  if (planned.work == NULL)
    return FALSE;
  if (self->name == NULL)
    self->name = g_strdup (node->name);
  planned.steps = g_new0 (EsClusterTime, MAX (planned.work->n, 1));
  planned.all = es_cluster_plan_time (planned.work, node, 1, planned.steps);
  g_array_append_val (self->planned, planned);
  return TRUE;
}

static void
add_name (EsClusterHeld *self, const char *name)
{
  if (!g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL))
    g_ptr_array_add (self->names, (gpointer) g_intern_string (name));
}

EsClusterHeld *
es_cluster_held_new (const char *operation, EsDataset *dataset, EsParams *params, const EsCluster *cluster,
                     guint steps, EsScaling *measured, GError **error)
{
  g_autoptr (EsClusterHeld) self = g_new0 (EsClusterHeld, 1);

  self->measured = measured;
  self->names = g_ptr_array_new ();
  self->planned = g_array_new (FALSE, TRUE, sizeof (Planned));
  g_array_set_clear_func (self->planned, planned_clear);
  for (guint i = 0; i < es_scaling_get_n_counts (measured); i++)
    if (!add_planned (self, operation, dataset, params, cluster, steps, i, error))
      return NULL;
  for (guint i = 0; i < es_scaling_get_n_steps (measured); i++)
    add_name (self, es_scaling_get_step (measured, i));
  for (guint i = 0; i < self->planned->len; i++)
    for (guint k = 0; k < g_array_index (self->planned, Planned, i).work->n; k++)
      add_name (self, g_array_index (self->planned, Planned, i).work->steps[k].name);
  return g_steal_pointer (&self);
}

/* ---- telling ---- */

/* name NULL: all of it. NAN: there is no such step. */
static double
get_planned (const EsClusterHeld *self, guint i, const char *name)
{
  const Planned *planned = &g_array_index (self->planned, Planned, i);

  if (name == NULL)
    return 1e3 * planned->all.seconds;
  for (guint k = 0; k < planned->work->n; k++)
    if (strcmp (planned->work->steps[k].name, name) == 0)
      return 1e3 * planned->steps[k].seconds;
  return NAN;
}

static double
get_measured (const EsClusterHeld *self, guint i, const char *name)
{
  return es_scaling_get_ms (self->measured, i, name != NULL ? name : "total");
}

static double
get_off (double planned, double measured)
{
  return measured > 0 ? planned / measured - 1 : NAN;
}

static const char *
get_title (const EsClusterHeld *self, const char *name)
{
  const EsClusterWork *work = g_array_index (self->planned, Planned, 0).work;

  for (guint k = 0; k < work->n; k++)
    if (strcmp (work->steps[k].name, name) == 0)
      return _(work->steps[k].title);
  return es_scaling_get_step_title (self->measured, name);
}

EsTable *
es_cluster_held_make_table (const EsClusterHeld *self)
{
  EsTable *table = es_table_new ("planned-measured", _("Planned and measured"));
  const guint n = self->planned->len;
  g_autofree gconstpointer *cells = g_new0 (gconstpointer, 3 * n + 1);
  g_autofree double *values = g_new0 (double, 3 * n);

  es_table_add_column (table, _("Step"), NULL, -1);
  for (guint i = 0; i < n; i++)
    {
      const guint processes = g_array_index (self->planned, Planned, i).processes;
      g_autofree char *planned = g_strdup_printf (ngettext ("%u process, planned", "%u processes, planned", processes),
                                                  processes);

      es_table_add_column (table, planned, "ms", 1);
      es_table_add_column (table, _("measured"), "ms", 1);
      es_table_add_column (table, _("off"), "%", 0);
    }
  for (guint row = 0; row <= self->names->len; row++)
    {
      const char *name = row < self->names->len ? g_ptr_array_index (self->names, row) : NULL;

      cells[0] = name != NULL ? get_title (self, name) : _("Total");
      for (guint i = 0; i < n; i++)
        {
          double *of = &values[3 * i];

          of[0] = get_planned (self, i, name);
          of[1] = get_measured (self, i, name);
          of[2] = 100 * get_off (of[0], of[1]);
          for (guint k = 0; k < 3; k++)
            cells[3 * i + k + 1] = &of[k];
        }
      es_table_add_row (table, cells);
    }
  return table;
}

static void
add_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
}

static void
add_three (JsonObject *object, const EsClusterHeld *self, guint i, const char *name)
{
  const double planned = get_planned (self, i, name), measured = get_measured (self, i, name);

  add_number (object, "planned_ms", planned);
  add_number (object, "measured_ms", measured);
  add_number (object, "off", get_off (planned, measured));
}

JsonNode *
es_cluster_held_to_json (const EsClusterHeld *self)
{
  JsonArray *root = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  for (guint i = 0; i < self->planned->len; i++)
    {
      JsonObject *object = json_object_new ();
      JsonArray *steps = json_array_new ();

      json_object_set_int_member (object, "processes", g_array_index (self->planned, Planned, i).processes);
      add_three (object, self, i, NULL);
      for (guint row = 0; row < self->names->len; row++)
        {
          const char *name = g_ptr_array_index (self->names, row);
          JsonObject *step = json_object_new ();

          json_object_set_string_member (step, "name", name);
          add_three (step, self, i, name);
          json_array_add_object_element (steps, step);
        }
      json_object_set_array_member (object, "steps", steps);
      json_array_add_object_element (root, object);
    }
  json_node_take_array (node, root);
  return node;
}
