/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long an analysis would take on a cluster, of data that need not be there yet. */

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "es-batch-plan.h"
#include "operations/es-operations.h"
#include "page/es-cluster-page.h"
#include "plan/es-cluster-plan.h"
#include "plan/es-planned-data.h"
#include "saving/es-durable.h"

#define MOST_STEPS 100000
#define HERE "here"

typedef struct
{
  EsBatchOpen       *open;
  const EsOperation *operation;
  EsParams          *params;
  GPtrArray         *files;    /* of GFile: one, or those of one recording; empty: there is a shape */
  const char        *shape;    /* nullable */
  const char        *cluster_name;
  GFile             *measured_file;                  /* nullable */
  guint              steps;

  EsCluster         *cluster;
  EsClusterWork     *work;
  EsClusterPlan     *plan;
} Plan;

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->plan, es_cluster_plan_free);
  g_clear_pointer (&self->work, es_cluster_work_free);
  g_clear_pointer (&self->cluster, es_cluster_free);
  g_clear_object (&self->measured_file);
  g_clear_object (&self->params);
  g_clear_pointer (&self->files, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* ---- clusters ---- */

gboolean
es_batch_cluster_is_here (const char *name)
{
  return strcmp (name, HERE) == 0 && !g_file_test (name, G_FILE_TEST_EXISTS);
}

EsCluster *
es_batch_cluster_load (const char *name, GError **error)
{
  g_autoptr (GFile) installed = g_file_test (name, G_FILE_TEST_EXISTS) ? NULL : es_cluster_find_installed (name);
  g_autoptr (GFile) file = installed != NULL ? g_object_ref (installed) : es_batch_file (name);
  g_autoptr (EsCluster) here = NULL;

  if (!es_batch_cluster_is_here (name) && !g_file_query_exists (file, NULL))
    {
      g_auto (GStrv) known = es_cluster_list_installed ();
      g_autofree char *list = g_strjoinv (", ", known);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("There is no cluster “%s”: expected a file, one that is installed (%s), or “%s” for machines like "
                     "this one."), name, list, HERE);
      return NULL;
    }
  if (!es_batch_cluster_is_here (name))
    return es_cluster_load (file, error);
  here = es_cluster_new_here (1, 0);
  return es_cluster_measure_network (here, error) && es_cluster_measure_speeds (here, error) ? g_steal_pointer (&here)
                                                                                            : NULL;
}

/* ---- what it is made of ---- */

static EsDataset *
open_data (Plan *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsDataset) dataset = NULL;

  if (self->shape == NULL)
    return es_batch_open (self->open, self->files, cancellable, error);
  dataset = es_planned_data_new (self->shape, error);
  if (dataset != NULL && ES_IS_RECORDING (dataset) && self->open->array != NULL)
    {
      g_autoptr (EsArray) array = es_array_parse (self->open->array, error);

      if (array == NULL)
        return NULL;
      es_recording_set_array (ES_RECORDING (dataset), array);
    }
  return g_steal_pointer (&dataset);
}

static gboolean
refuse_measured (Plan *self, const char *expected, GError **error)
{
  g_autofree char *name = es_error_file_name (self->measured_file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("“%s” tells nothing of how fast it will be: %s."),
               name, expected);
  return FALSE;
}

/* "Expected" is what other files are not: a result of the same operation, on the processor. */
static gboolean
take_measured (Plan *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonNode) root = es_json_load (self->measured_file, cancellable, error);
  g_autoptr (GArray) stages = g_array_new (FALSE, TRUE, sizeof (EsStageTime));
  JsonObject *object, *device;
  JsonArray *list;
  JsonNode *node;
  gboolean taken;

  if (root == NULL)
    return FALSE;
  object = JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  if (object == NULL
      || g_strcmp0 (json_object_get_string_member_with_default (object, "operation", ""), self->operation->id) != 0)
    return refuse_measured (self, _("expected the result.json of a run of the same operation"), error);
  node = json_object_get_member (object, "device");
  device = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  node = json_object_get_member (object, "stages");
  list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (device == NULL || list == NULL
      || g_strcmp0 (json_object_get_string_member_with_default (device, "id", ""), "cpu") != 0
      || !(json_object_get_int_member_with_default (device, "threads", 0) > 0))
    return refuse_measured (self, _("expected a run on the processor, with the number of its threads"), error);
  g_array_set_clear_func (stages, es_stage_time_clear);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonNode *each = json_array_get_element (list, i);
      JsonObject *told = JSON_NODE_HOLDS_OBJECT (each) ? json_node_get_object (each) : NULL;
      EsStageTime stage = { 0 };

      if (told == NULL)
        continue;
      stage.name = g_strdup (json_object_get_string_member_with_default (told, "name", ""));
      stage.ms = json_object_get_double_member_with_default (told, "ms", 0);
      es_stage_time_read (&stage, told);
      g_array_append_val (stages, stage);
    }
  taken = es_cluster_work_take_measured (self->work, (EsStageTime *) stages->data, stages->len,
                                         (guint) json_object_get_int_member (device, "threads"), self->cluster);
  return taken || refuse_measured (self, _("none of its steps tells what it did"), error);
}

static gboolean
make_plan (gpointer data, GCancellable *cancellable, GError **error)
{
  Plan *self = data;
  g_autoptr (EsDataset) dataset = NULL;

  if ((self->cluster = es_batch_cluster_load (self->cluster_name, error)) == NULL
      || (dataset = open_data (self, cancellable, error)) == NULL)
    return FALSE;
  self->work = es_cluster_work_new (self->operation->id, dataset, self->params, self->cluster, self->steps, error);
  if (self->work == NULL || (self->measured_file != NULL && !take_measured (self, cancellable, error)))
    return FALSE;
  self->plan = es_cluster_plan_new (self->work, self->cluster);
  return TRUE;
}

/* ---- what is told of it ---- */

static void
print_plan (const Plan *self)
{
  g_auto (GStrv) lines = es_cluster_plan_describe (self->plan);
  g_autoptr (EsTable) table = es_cluster_plan_make_table (self->plan, FALSE);
  g_autoptr (EsTable) steps = es_cluster_plan_make_steps (self->plan, self->cluster->nodes);

  g_print ("%s  %s  (%.4g GB)\n%s\n\n", self->operation->id, self->work->data, self->work->bytes * 1e-9,
           self->cluster->name);
  es_batch_print_table (table, "  ");
  g_print ("\n");
  es_batch_print_table (steps, "  ");
  g_print ("\n");
  for (char **line = lines; *line != NULL; line++)
    g_print ("%s\n", *line);
}

static gboolean
save_cluster (const Plan *self, const char *name, GError **error)
{
  g_autoptr (GFile) file = es_batch_file (name);
  g_autoptr (JsonNode) root = es_cluster_to_json (self->cluster);
  g_autofree char *text = es_json_to_text (root);

  return es_durable_write_text (file, text, error);
}

/* ---- the verb ---- */

/* Files, a shape, and parameters of the operation. */
static gboolean
read_arguments (Plan *self, int argc, char **argv, GError **error)
{
  for (int i = 2; i < argc; i++)
    if (g_str_has_prefix (argv[i], "shape="))
      self->shape = argv[i] + strlen ("shape=");
    else if (!es_batch_is_parameter (argv[i]))
      g_ptr_array_add (self->files, es_batch_file (argv[i]));
    else if (!es_batch_parse_parameter (self->params, argv[i], error))
      return FALSE;
  return TRUE;
}

int
es_batch_plan (int argc, char **argv)
{
  g_autofree char *cluster = NULL, *measured = NULL, *output = NULL, *saved = NULL;
  gboolean json = FALSE;
  int steps = -1;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[6 + 1 + ES_BATCH_OPEN_ENTRIES] = {
    { "cluster", 0, 0, G_OPTION_ARG_FILENAME, &cluster, N_("The cluster: a file, an installed one, or “here”"),
      N_("FILE.json") },
    { "measured", 0, 0, G_OPTION_ARG_FILENAME, &measured,
      N_("A result of the same operation, whose speed counts in the place of expected ones"), N_("RESULT.json") },
    { "steps", 0, 0, G_OPTION_ARG_INT, &steps, N_("Steps of FastICA that are expected"), N_("N") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("File to be written: .html, .csv or .json"), N_("FILE") },
    { "save-cluster", 0, 0, G_OPTION_ARG_FILENAME, &saved, N_("Write the cluster's file, with all its figures"),
      N_("FILE.json") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_auto (Plan) plan = { .open = &open };
  g_autoptr (GFile) target = NULL;
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("plan OPERATION FILE|shape=SHAPE --cluster FILE.json [-o FILE] [key=value ...]: how "
                                 "long it would take on 1 to 1,000 nodes of a cluster, and what holds it back. A shape "
                                 "is WIDTHxHEIGHTxBANDS:TYPE, or CHANNELSxSECONDSs@RATE:TYPE of a recording."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“plan” needs an operation, and a file or a shape"));
  if ((plan.operation = es_operation_find (argv[1], &error)) == NULL)
    return es_batch_fail (error);
  plan.params = es_params_new (plan.operation->params);
  plan.files = g_ptr_array_new_with_free_func (g_object_unref);
  if (!read_arguments (&plan, argc, argv, &error))
    return es_batch_fail (error);
  if ((plan.files->len > 0) == (plan.shape != NULL))
    return es_batch_usage (_("“plan” needs a file or a shape, such as shape=614x512x224:int16"));
  if (cluster == NULL)
    return es_batch_usage (_("“plan” needs --cluster with the file of one"));
  if (steps == 0 || steps < -1 || steps > MOST_STEPS)
    return es_batch_usage (_("--steps takes a number from 1 to %d"), MOST_STEPS);
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  plan.cluster_name = cluster;
  plan.measured_file = measured != NULL ? es_batch_file (measured) : NULL;
  plan.steps = (guint) MAX (steps, 0);
  if (output != NULL && !es_cluster_page_knows (output))
    return es_batch_usage (_("“%s” has the ending of no plan: expected .html, .csv or .json"), output);
  target = output != NULL ? es_batch_file (output) : NULL;
  if (!es_batch_work (make_plan, &plan, &error)
      || (target != NULL && !es_cluster_page_write (plan.plan, target, &error))
      || (saved != NULL && !save_cluster (&plan, saved, &error)))
    return es_batch_fail (error);
  if (json)
    es_batch_print_json (es_cluster_plan_to_json (plan.plan));
  else
    print_plan (&plan);
  return ES_EXIT_DONE;
}
