/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A plan for people and for programs. */

#include "es-cluster-plan.h"

#include <glib/gi18n-lib.h>

#include "layer/es-layer-internal.h"

static const struct
{
  const char *name, *title;
  const char *why;             /* of a sentence: what it does not scale for */
} causes[ES_N_CLUSTER_CAUSES] = {
  [ES_CLUSTER_ARITHMETIC] = { "arithmetic", N_("arithmetic"),
    N_("arithmetic, of which each process does too much") },
  [ES_CLUSTER_COPY] = { "copies", N_("copies in memory"),
    N_("copies in the memory of the nodes") },
  [ES_CLUSTER_MEMORY] = { "memory", N_("memory"),
    N_("the memory of the nodes or cards") },
  [ES_CLUSTER_LINK] = { "link", N_("link to the cards"),
    N_("the link to the cards") },
  [ES_CLUSTER_LAUNCHES] = { "launches", N_("launches"),
    N_("launches of kernels, of which there are as many for a small share as for a large one") },
  [ES_CLUSTER_READ] = { "disk-read", N_("reading the disk"),
    N_("the shared disk, which gives all nodes together no more however many ask") },
  [ES_CLUSTER_WRITE] = { "disk-write", N_("writing the disk"),
    N_("the shared disk, which takes no more from all nodes together however many write") },
  [ES_CLUSTER_NETWORK] = { "network", N_("messages"),
    N_("messages, which do not become fewer") },
  [ES_CLUSTER_SERIAL] = { "serial", N_("what each does alone"),
    N_("what every process does by itself: eigenproblems, and adding up what all have found") },
  [ES_CLUSTER_PIECES] = { "pieces", N_("uneven shares"),
    N_("its pieces: whole ones are shared out, and some processes have one more than others, or there are too few for "
       "all") },
  [ES_CLUSTER_START] = { "start", N_("starting"),
    N_("starting the processes") },
};

const char *
es_cluster_cause_get_name (EsClusterCause cause)
{
  return causes[cause].name;
}

const char *
es_cluster_cause_get_title (EsClusterCause cause)
{
  return _(causes[cause].title);
}

/* ---- tables ---- */

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const guint first = *(const guint *) a, second = *(const guint *) b;

  return first < second ? -1 : first > second;
}

GArray *
es_cluster_plan_list_shown (const EsClusterPlan *self)
{
  const guint more[] = { self->cluster->nodes, self->useful, self->fastest, ES_CLUSTER_MOST_NODES };
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes *= 2)
    g_array_append_val (shown, nodes);
  g_array_append_vals (shown, more, G_N_ELEMENTS (more));
  g_array_sort (shown, compare_counts);
  for (guint i = shown->len; i-- > 1;)
    if (g_array_index (shown, guint, i) == g_array_index (shown, guint, i - 1))
      g_array_remove_index (shown, i);
  return shown;
}

static void
add_row (EsTable *table, const EsClusterPlan *self, guint nodes)
{
  const EsClusterTime *time = &self->times[nodes - 1];
  g_autofree char *shown = g_strdup_printf ("%u", nodes);
  const double processes = (double) nodes * self->cluster->processes;
  const double efficiency = es_cluster_plan_efficiency (self, nodes);
  const double speedup = efficiency * nodes, percent = 100 * efficiency;
  const double hours = es_cluster_plan_node_hours (self, nodes);
  const gconstpointer cells[] = { shown, &processes, &time->seconds, &speedup, &percent, &hours,
                                  es_cluster_cause_get_title (es_cluster_time_get_cause (time)) };

  es_table_add_row (table, cells);
}

EsTable *
es_cluster_plan_make_table (const EsClusterPlan *self, gboolean all)
{
  EsTable *table = es_table_new ("cluster-plan", _("Time by nodes"));
  g_autoptr (GArray) shown = es_cluster_plan_list_shown (self);

  es_table_add_column (table, _("Nodes"), NULL, -1);
  es_table_add_column (table, _("Processes"), NULL, 0);
  es_table_add_column (table, _("Time"), "s", 3);
  es_table_add_column (table, _("Speed-up"), "×", 2);
  es_table_add_column (table, _("Efficiency"), "%", 1);
  es_table_add_column (table, _("Node-hours"), NULL, 3);
  es_table_add_column (table, _("Most of it is"), NULL, -1);
  if (all)
    for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
      add_row (table, self, nodes);
  else
    for (guint i = 0; i < shown->len; i++)
      add_row (table, self, g_array_index (shown, guint, i));
  return table;
}

static double
count_messages (const EsClusterStep *step)
{
  return step->sums + step->broadcasts + step->gathers + (!step->joined && !step->serial ? 1 : 0)
         + (step->gathered_bytes > 0 ? 1 : 0);
}

static double
count_message_bytes (const EsClusterStep *step)
{
  return step->sums * step->sum_bytes + step->broadcasts * step->broadcast_bytes + step->gathers * step->gather_bytes
         + step->gathered_bytes;
}

EsTable *
es_cluster_plan_make_steps (const EsClusterPlan *self, guint nodes)
{
  const EsClusterWork *work = self->work;
  EsTable *table = es_table_new ("cluster-steps", _("Steps"));
  g_autofree EsClusterTime *one = g_new0 (EsClusterTime, work->n), *many = g_new0 (EsClusterTime, work->n);
  g_autofree char *title = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u node", "%u nodes", nodes), nodes);

  es_cluster_plan_time (work, self->cluster, 1, one);
  es_cluster_plan_time (work, self->cluster, nodes, many);
  es_table_add_column (table, _("Step"), NULL, -1);
  es_table_add_column (table, _("Read"), "GB", 3);
  es_table_add_column (table, _("Written"), "GB", 3);
  es_table_add_column (table, _("Operations"), "G", 1);
  es_table_add_column (table, _("Collectives"), NULL, 0);
  es_table_add_column (table, _("of them, bytes"), "MB", 3);
  es_table_add_column (table, _("1 node"), "s", 3);
  if (nodes > 1)
    es_table_add_column (table, title, "s", 4);
  es_table_add_column (table, _("Most of it is"), NULL, -1);
  for (guint i = 0; i < work->n; i++)
    {
      const EsClusterStep *step = &work->steps[i];
      const double read = step->file_bytes * 1e-9, written = step->written_bytes * 1e-9;
      const double operations = step->operations * 1e-9, messages = count_messages (step);
      const double bytes = count_message_bytes (step) * 1e-6;
      const char *cause = es_cluster_cause_get_title (es_cluster_time_get_cause (&many[i]));
      const gconstpointer cells[] = { _(step->title), &read, &written, &operations, &messages, &bytes, &one[i].seconds,
                                      nodes > 1 ? (gconstpointer) &many[i].seconds : cause, cause };

      es_table_add_row (table, cells);
    }
  return table;
}

/* ---- sentences ---- */

const char *
es_cluster_plan_describe_basis (const EsClusterPlan *self)
{
  return es_cluster_has_speeds (self->cluster)
         ? _("A plan, not a measurement: each kind of work goes at the speed that one thread was measured to reach, "
             "times the threads.")
         : _("A plan, not a measurement: rates are the best that devices reach, times the share that was measured of "
             "each step.");
}

char **
es_cluster_plan_describe (const EsClusterPlan *self)
{
  const guint have = self->cluster->nodes;
  GPtrArray *lines = g_ptr_array_new ();

  g_ptr_array_add (lines, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                        "%u node of this cluster takes %.4g s, at an efficiency of "
                                                        "%.3g %%.",
                                                        "The %u nodes of this cluster take %.4g s, at an efficiency of "
                                                        "%.3g %%.", have), have, self->times[have - 1].seconds,
                                           100 * es_cluster_plan_efficiency (self, have)));
  if (self->useful >= ES_CLUSTER_MOST_NODES)
    g_ptr_array_add (lines, g_strdup_printf (_("All %u nodes that are looked at are at least half used."),
                                             ES_CLUSTER_MOST_NODES));
  else
    g_ptr_array_add (lines, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                          "It scales to %u node: with more of them each is less than "
                                                          "half used. What holds it back is %s.",
                                                          "It scales to %u nodes: with more of them each is less than "
                                                          "half used. What holds it back is %s.", self->useful),
                                             self->useful, _(causes[self->why].why)));
  g_ptr_array_add (lines, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "It is fastest with %u node, in %.4g s.",
                                                        "It is fastest with %u nodes, in %.4g s.", self->fastest),
                                           self->fastest, self->times[self->fastest - 1].seconds));
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

char **
es_cluster_plan_describe_nodes (const EsClusterPlan *self, guint nodes)
{
  const EsClusterTime *time = &self->times[nodes - 1];
  const double efficiency = 100 * es_cluster_plan_efficiency (self, nodes);
  GPtrArray *lines = g_ptr_array_new ();
  gboolean kept;
  const double bytes = es_cluster_plan_node_bytes (self, nodes, &kept);
  const gboolean on_card = self->cluster->cards > 0;
  const double memory = on_card ? self->cluster->cards * self->cluster->card_memory : self->cluster->memory;

  g_ptr_array_add (lines, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                        "%u node takes %.4g s, at an efficiency of %.3g %%: %.3g "
                                                        "node-hours. Most of it is %s.",
                                                        "%u nodes take %.4g s, at an efficiency of %.3g %%: %.3g "
                                                        "node-hours. Most of it is %s.", nodes), nodes, time->seconds,
                                           efficiency, es_cluster_plan_node_hours (self, nodes),
                                           es_cluster_cause_get_title (es_cluster_time_get_cause (time))));
  if (bytes > 0)
    g_ptr_array_add (lines, g_strdup_printf (!kept ? _("A node goes through up to %.4g GB of the data and cannot keep "
                                                       "them in %.4g GB of memory: each pass reads them again.")
                                             : _("A node goes through up to %.4g GB of the data and keeps them in "
                                                 "%.4g GB of memory: they are read once."), bytes * 1e-9,
                                             memory * 1e-9));
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

/* ---- JSON ---- */

static void
set_time (JsonObject *object, const EsClusterTime *time)
{
  JsonObject *of = json_object_new ();

  for (EsClusterCause c = 0; c < ES_N_CLUSTER_CAUSES; c++)
    if (time->of[c] > 0)
      json_object_set_double_member (of, causes[c].name, time->of[c]);
  json_object_set_double_member (object, "seconds", time->seconds);
  json_object_set_string_member (object, "cause", causes[es_cluster_time_get_cause (time)].name);
  json_object_set_object_member (object, "of", of);
}

static JsonArray *
list_steps (const EsClusterPlan *self, guint nodes)
{
  const EsClusterWork *work = self->work;
  g_autofree EsClusterTime *times = g_new0 (EsClusterTime, work->n);
  JsonArray *array = json_array_new ();

  es_cluster_plan_time (work, self->cluster, nodes, times);
  for (guint i = 0; i < work->n; i++)
    {
      const EsClusterStep *step = &work->steps[i];
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "name", step->name);
      json_object_set_double_member (object, "file_bytes", step->file_bytes);
      json_object_set_double_member (object, "written_bytes", step->written_bytes);
      json_object_set_double_member (object, "memory_bytes", step->memory_bytes);
      json_object_set_double_member (object, "operations", step->operations);
      json_object_set_double_member (object, "collectives", count_messages (step));
      json_object_set_double_member (object, "collective_bytes", count_message_bytes (step));
      json_object_set_double_member (object, "pieces", (double) step->pieces);
      set_time (object, &times[i]);
      json_array_add_object_element (array, object);
    }
  return array;
}

JsonNode *
es_cluster_plan_to_json (const EsClusterPlan *self)
{
  JsonObject *root = json_object_new ();
  JsonArray *counts = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_string_member (root, "operation", self->work->operation);
  json_object_set_string_member (root, "data", self->work->data);
  json_object_set_double_member (root, "bytes", self->work->bytes);
  json_object_set_string_member (root, "cluster", self->cluster->name);
  json_object_set_int_member (root, "nodes_there", self->cluster->nodes);
  json_object_set_int_member (root, "useful_nodes", self->useful);
  json_object_set_int_member (root, "fastest_nodes", self->fastest);
  json_object_set_string_member (root, "held_back_by", causes[self->why].name);
  json_object_set_array_member (root, "steps_of_one", list_steps (self, 1));
  json_object_set_array_member (root, "steps_of_all", list_steps (self, self->cluster->nodes));
  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
    {
      JsonObject *object = json_object_new ();

      json_object_set_int_member (object, "nodes", nodes);
      json_object_set_int_member (object, "processes", (gint64) nodes * self->cluster->processes);
      json_object_set_double_member (object, "efficiency", es_cluster_plan_efficiency (self, nodes));
      json_object_set_double_member (object, "node_hours", es_cluster_plan_node_hours (self, nodes));
      set_time (object, &self->times[nodes - 1]);
      json_array_add_object_element (counts, object);
    }
  json_object_set_array_member (root, "counts", counts);
  json_node_take_object (node, root);
  return node;
}
