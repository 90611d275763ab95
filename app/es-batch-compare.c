/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "es-batch-processes.h"
#include "es-batch-published.h"
#include "operations/es-operations.h"
#include "ranks/es-ranks.h"

/* ---- the run ---- */

typedef struct
{
  GPtrArray         *files;              /* of GFile: one, or those of one recording */
  EsBatchOpen       *open;
  const EsOperation *operation;
  EsParams          *params;
  EsLimits           limits;
  guint              repeats;
  char             **only;               /* ids; NULL: all */
  EsComparison      *comparison;
  EsBatchProcesses  *processes;          /* nullable: it is of these */
  EsScaling         *scaling;            /* what came of that */
} Compare;

static void
on_changed (EsComparison *comparison, gpointer data)
{
  if (es_comparison_is_running (comparison))
    es_batch_show_progress (es_comparison_get_status (comparison) ?: "", es_comparison_get_progress (comparison),
                            FALSE);
}

static gboolean
leave_out (Compare *compare, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  const guint n = es_comparison_get_n_contestants (compare->comparison);

  for (guint i = 0; i < n; i++)
    {
      const char *id = es_comparison_get_id (compare->comparison, i);

      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", id);
      es_comparison_set_takes_part (compare->comparison, i,
                                    g_strv_contains ((const char *const *) compare->only, id));
    }
  for (char **id = compare->only; *id != NULL; id++)
    {
      gboolean found = FALSE;

      for (guint i = 0; i < n; i++)
        found |= strcmp (es_comparison_get_id (compare->comparison, i), *id) == 0;
      if (!found)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                       _("There is no device “%s” to compare; there are %s."), *id, known->str);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
work (gpointer data, GCancellable *cancellable, GError **error)
{
  Compare *compare = data;
  g_autoptr (EsDataset) dataset = es_batch_open (compare->open, compare->files, cancellable, error);

  if (dataset == NULL)
    return FALSE;
  if ((compare->operation->takes & es_dataset_get_kind (dataset)) == 0)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
                   _("“%s” does not work on this kind of data: %s."), compare->operation->id,
                   es_dataset_get_name (dataset));
      return FALSE;
    }
  if (compare->processes != NULL)
    {
      compare->processes->dataset = g_object_ref (dataset);
      return es_batch_processes_run (compare->processes, &compare->scaling, cancellable, error);
    }
  compare->comparison = es_comparison_new (compare->operation, dataset, compare->params, &compare->limits);
  es_comparison_set_repeats (compare->comparison, compare->repeats);
  if (compare->only != NULL && !leave_out (compare, error))
    return FALSE;
  g_signal_connect (compare->comparison, "changed", G_CALLBACK (on_changed), NULL);
  return es_comparison_run (compare->comparison, cancellable, error);
}

/* ---- output ---- */

static void
print_comparison (Compare *compare, gboolean published)
{
  EsComparison *comparison = compare->comparison;
  EsDataset *dataset = es_comparison_get_dataset (comparison);
  g_autofree char *description = es_dataset_describe (dataset);
  g_autoptr (EsTable) table = es_comparison_make_table (comparison);

  g_print (_("%s of %s (%s), median of %u\n"), _(compare->operation->short_title), es_dataset_get_name (dataset),
           description, es_comparison_get_repeats (comparison));
  es_batch_print_table (table, "  ");
  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    if (es_comparison_get_error (comparison, i) != NULL)
      g_printerr ("eigenscope-batch: %s: %s\n", es_comparison_get_title (comparison, i),
                  es_comparison_get_error (comparison, i));

  for (guint i = 0; published && i < es_published_get_n (); i++)
    if (es_published_is_about (i, compare->operation->id))
      {
        g_autofree char *what = NULL;
        g_autoptr (EsTable) figures = es_comparison_make_published_table (comparison, i, &what);

        g_print ("\n");
        es_batch_print_published (i, figures, what);
      }
  if (published)
    es_batch_warn_published ();
}

static void
print_json (Compare *compare)
{
  JsonNode *root = es_comparison_to_json (compare->comparison);
  JsonArray *published = json_array_new ();

  for (guint i = 0; i < es_published_get_n (); i++)
    if (es_published_is_about (i, compare->operation->id))
      json_array_add_element (published, es_comparison_published_to_json (compare->comparison, i));
  json_object_set_array_member (json_node_get_object (root), "published", published);
  es_batch_print_json (root);
}

static gboolean
read_arguments (Compare *compare, int argc, char **argv, GError **error)
{
  for (int i = 2; i < argc; i++)
    if (es_batch_is_parameter (argv[i]))
      {
        if (!es_batch_parse_parameter (compare->params, argv[i], error))
          return FALSE;
      }
    else
      g_ptr_array_add (compare->files, es_batch_file (argv[i]));
  return TRUE;
}

/* TRUE where there is nothing wrong with it. */
static gboolean
settle_processes (Compare *compare, EsBatchProcesses *processes, const char *devices, int threads)
{
  guint rank, size;

  if (!es_batch_processes_check (processes->numbers))
    return FALSE;
  processes->cards = g_strcmp0 (devices, "cuda") == 0;
  if (devices != NULL && !processes->cards && strcmp (devices, "cpu") != 0)
    es_batch_usage (_("--devices cannot be “%s” with --processes: expected cpu, or cuda, a card for each process"),
                    devices);
  else if (!compare->operation->by_ranks)
    es_batch_usage (_("“%s” is computed by one process: there is nothing to compare"), compare->operation->id);
  else if (es_ranks_are_launched (&rank, &size) && size > 1)
    es_batch_usage (_("--processes starts the processes itself: expected to be started alone"));
  else
    {
      processes->operation = compare->operation;
      processes->threads = threads > 0 || processes->cards ? threads : 1;
      processes->repeats = compare->repeats;
      compare->processes = processes;
      return TRUE;
    }
  return FALSE;
}

int
es_batch_compare (int argc, char **argv)
{
  g_auto (GStrv) forward = es_batch_processes_forward (argv);
  g_autofree char *numbers = NULL, *plan = NULL;
  EsBatchProcesses processes = { .arguments = forward };
  g_autofree char *memory = NULL, *gpu_memory = NULL, *devices = NULL;
  int threads = 0, repeats = 3;
  gboolean json = FALSE, published = TRUE;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[9 + ES_BATCH_OPEN_ENTRIES] = {
    { "repeats", 0, 0, G_OPTION_ARG_INT, &repeats, N_("Runs on each device; the median counts"), N_("N") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    { "devices", 0, 0, G_OPTION_ARG_STRING, &devices, N_("Only these, such as cpu-1,cpu,cuda:0"), N_("IDS") },
    { "processes", 0, 0, G_OPTION_ARG_STRING, &numbers,
      N_("Instead of devices, so many processes, of --threads each (1), or with --devices cuda of a card each"),
      N_("1,2,4") },
    { "plan", 0, 0, G_OPTION_ARG_STRING, &plan,
      N_("With --processes: what would have been planned for a cluster's node beside it; “here”: this machine"),
      N_("CLUSTER") },
    { "no-published", 0, G_OPTION_FLAG_REVERSE, G_OPTION_ARG_NONE, &published, N_("Leave out the published figures"),
      NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &threads, N_("Threads at most"), N_("N") },
    { "memory", 0, 0, G_OPTION_ARG_STRING, &memory, N_("Memory for buffers at most, such as 256M"), N_("SIZE") },
    { "gpu-memory", 0, 0, G_OPTION_ARG_STRING, &gpu_memory, N_("Memory of a GPU at most, such as 4G"), N_("SIZE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (EsParams) params = NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) groups = NULL;
  g_auto (GStrv) only = NULL;
  g_autoptr (GError) error = NULL;
  Compare compare = { .open = &open, .files = files };
  gboolean done;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("compare OPERATION FILE [key=value ...]: runs it with one thread, with all, on each "
                                 "GPU and on all of them, and shows the time of every step."), &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“compare” needs an operation and a file"));
  if ((compare.operation = es_operation_find (argv[1], &error)) == NULL)
    return es_batch_fail (error);
  if (threads < 0)
    return es_batch_usage (_("--threads takes a positive number"));
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  if (repeats < 1 || repeats > 99)
    return es_batch_usage (_("--repeats takes a number from 1 to 99"));
  if (memory != NULL && !es_batch_parse_size (memory, &compare.limits.memory))
    return es_batch_usage (_("--memory cannot be “%s”: expected a size such as 256M"), memory);
  if (gpu_memory != NULL && !es_batch_parse_size (gpu_memory, &compare.limits.device_memory))
    return es_batch_usage (_("--gpu-memory cannot be “%s”: expected a size such as 4G"), gpu_memory);

  compare.params = params = es_params_new (compare.operation->params);
  if (!read_arguments (&compare, argc, argv, &error))
    return es_batch_fail (error);
  if (files->len == 0)
    return es_batch_usage (_("“compare %s” needs a file"), compare.operation->id);
  groups = es_batch_open_group (&open, files);
  if (groups->len != 1)
    return es_batch_usage (_("“compare” takes one file, or the files of one recording"));
  compare.limits.threads = threads;
  compare.repeats = repeats;
  compare.only = only = devices != NULL ? g_strsplit (devices, ",", -1) : NULL;
  processes.numbers = numbers;
  processes.params = params;
  processes.plan = plan;
  if (plan != NULL && numbers == NULL)
    return es_batch_usage (_("--plan goes with --processes: a plan is held against what these take"));
  processes.json = json;
  processes.published = published;
  if (numbers != NULL && !settle_processes (&compare, &processes, devices, threads))
    return ES_EXIT_USAGE;

  done = es_batch_work (work, &compare, &error);
  es_batch_show_progress ("", 1, TRUE);
  if (done && compare.scaling != NULL)
    es_batch_processes_print (&processes, compare.scaling);
  else if (done && json)
    print_json (&compare);
  else if (done)
    print_comparison (&compare, published);
  g_clear_object (&compare.comparison);
  g_clear_pointer (&compare.scaling, es_scaling_free);
  g_clear_object (&processes.dataset);
  g_clear_pointer (&processes.held, es_cluster_held_free);
  return done ? ES_EXIT_DONE : es_batch_fail (error);
}
