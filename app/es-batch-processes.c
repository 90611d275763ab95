/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-processes.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "base/es-json.h"
#include "es-batch-plan.h"
#include "es-batch-published.h"

#define LAUNCHER "mpirun"
#define MOST_PROCESSES 4096

static gboolean
parse (const char *text, guint *number)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 1, MOST_PROCESSES, &value, NULL))
    return FALSE;
  *number = value;
  return TRUE;
}

gboolean
es_batch_processes_check (const char *numbers)
{
  g_auto (GStrv) list = g_strsplit (numbers, ",", -1);
  guint number;
  gboolean good = *list != NULL;

  for (char **text = list; *text != NULL; text++)
    good &= parse (*text, &number);
  if (!good)
    es_batch_usage (_("--processes cannot be “%s”: expected numbers such as 1,2,4, of at most %d"), numbers,
                    MOST_PROCESSES);
  return good;
}

char **
es_batch_processes_forward (char **argv)
{
  static const struct { const char *name; gboolean has_value; } own[] = {
    { "--repeats", TRUE }, { "--json", FALSE }, { "--no-published", FALSE }, { "--threads", TRUE },
    { "--processes", TRUE }, { "--devices", TRUE }, { "--plan", TRUE },
  };
  GPtrArray *forward = g_ptr_array_new ();

  for (char **argument = argv + 1; *argument != NULL; argument++)
    {
      gboolean is_own = FALSE, skips = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (own); i++)
        {
          const gsize length = strlen (own[i].name);

          if (strncmp (*argument, own[i].name, length) != 0)
            continue;
          is_own |= (*argument)[length] == '\0' || (*argument)[length] == '=';
          skips |= (*argument)[length] == '\0' && own[i].has_value;
        }
      if (!is_own)
        g_ptr_array_add (forward, g_strdup (*argument));
      else if (skips && argument[1] != NULL)
        argument++;
    }
  g_ptr_array_add (forward, NULL);
  return (char **) g_ptr_array_free (forward, FALSE);
}

/* ---- one run ---- */

/* The sentence of the program, without what the launcher has to say to it. */
static char *
find_sentence (const char *text)
{
  const char *prefix = "eigenscope-batch: ", *found = text != NULL ? strstr (text, prefix) : NULL;

  if (found == NULL)
    return NULL;
  found += strlen (prefix);
  return g_strndup (found, strcspn (found, "\n"));
}

/* What the launcher says first, without the lines it draws about it: on one line. */
static char *
find_paragraph (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  GString *paragraph = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++)
    {
      const char *own = g_strstrip (*line);

      if (own[strspn (own, "-")] != '\0')
        g_string_append_printf (paragraph, "%s%s", paragraph->len > 0 ? " " : "", own);
      else if (paragraph->len > 0)
        break;
    }
  return g_string_free (paragraph, FALSE);
}

/* Several processes of one thread have a processor each, where there are as many: a process that the system moves to
 * another one begins there without what it had in the caches, and may meet the other. A process by itself is left
 * alone, as without a launcher; threads would all be bound to the one processor of their process; more processes than
 * processors, and those that wait for a card, take turns. Of two threads of one core a process may have either. */
static const char *
choose_binding (const EsBatchProcesses *self, guint processes)
{
  const gboolean has_own = !self->cards && self->threads == 1 && processes <= g_get_num_processors ();

  return processes > 1 && has_own ? "core:overload-allowed" : "none";
}

static GStrv
make_command (const EsBatchProcesses *self, const char *launcher, const char *program, guint processes,
              const char *directory)
{
  g_autofree char *n = g_strdup_printf ("%u", processes), *threads = g_strdup_printf ("%u", self->threads);
  const char *binding = choose_binding (self, processes);
  const char *const first[] = { launcher, "-q", "--oversubscribe", "--bind-to", binding, "-n", n, program, "run",
                                NULL };
  /* A process by itself takes the first card, several one each. */
  const char *device = !self->cards ? "cpu" : processes == 1 ? "cuda:0" : "cuda:all";
  const char *const last[] = { "--device", device, "-q", "-o", directory, self->threads > 0 ? "--threads" : NULL,
                               threads, NULL };
  GPtrArray *command = g_ptr_array_new ();

  for (guint i = 0; first[i] != NULL; i++)
    g_ptr_array_add (command, g_strdup (first[i]));
  for (char **argument = self->arguments; *argument != NULL; argument++)
    g_ptr_array_add (command, g_strdup (*argument));
  for (guint i = 0; last[i] != NULL; i++)
    g_ptr_array_add (command, g_strdup (last[i]));
  g_ptr_array_add (command, NULL);
  return (GStrv) g_ptr_array_free (command, FALSE);
}

static gboolean
start_and_wait (GStrv command, guint processes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSubprocess) child = g_subprocess_newv ((const char *const *) command,
                                                     G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                                     | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  g_autofree char *said = NULL, *sentence = NULL, *shown = NULL;

  if (child == NULL)
    return FALSE;
  if (!g_subprocess_communicate_utf8 (child, NULL, cancellable, NULL, &said, error))
    {
      g_subprocess_send_signal (child, SIGTERM);
      g_subprocess_wait (child, NULL, NULL);
      return FALSE;
    }
  if (g_subprocess_get_successful (child))
    return TRUE;
  sentence = find_sentence (said);
  if (sentence == NULL)
    sentence = find_paragraph (said);
  shown = es_text_show (sentence);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               g_dngettext (GETTEXT_PACKAGE, "A run of %u process failed: %s", "A run of %u processes failed: %s",
                            processes), processes, shown);
  return FALSE;
}

static void
remove_folder (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

static gboolean
run_once (const EsBatchProcesses *self, GStrv command, const char *directory, guint processes, EsScaling *scaling,
          GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) root = NULL;
  const gint64 start = g_get_monotonic_time ();

  if (!start_and_wait (command, processes, cancellable, error))
    return FALSE;
  const double whole_ms = (g_get_monotonic_time () - start) * 1e-3;
  root = es_json_load (file, cancellable, error);
  return root != NULL && es_scaling_add (scaling, processes, json_node_get_object (root), whole_ms, error);
}

static gboolean
run_number (const EsBatchProcesses *self, const char *launcher, const char *program, guint processes,
            EsScaling *scaling, GCancellable *cancellable, GError **error)
{
  g_autofree char *above = g_dir_make_tmp ("eigenscope-XXXXXX", error);
  g_autofree char *directory = above != NULL ? g_build_filename (above, "result", NULL) : NULL;
  g_auto (GStrv) command = NULL;
  gboolean done = above != NULL;

  if (!done)
    return FALSE;
  command = make_command (self, launcher, program, processes, directory);
  for (guint i = 0; done && i < self->repeats; i++)
    {
      done = run_once (self, command, directory, processes, scaling, cancellable, error);
      remove_folder (directory);
    }
  g_rmdir (above);
  return done;
}

/* ---- beside a plan ---- */

/* Before anything has run: *cluster is that of the plan, NULL: this machine. FALSE: what is wrong with either. */
static gboolean
prepare_plan (const EsBatchProcesses *self, EsCluster **cluster, GError **error)
{
  g_autoptr (EsCluster) here = es_cluster_new_here (1, self->threads);
  g_autoptr (EsClusterWork) work = NULL;

  if (self->plan == NULL)
    return TRUE;
  if (!es_batch_cluster_is_here (self->plan) && (*cluster = es_batch_cluster_load (self->plan, error)) == NULL)
    return FALSE;
  work = es_cluster_work_new (self->operation->id, self->dataset, self->params, here, 0, error);
  return work != NULL;
}

static gboolean
hold_plan (EsBatchProcesses *self, const EsCluster *cluster, EsScaling *scaling, GError **error)
{
  if (self->plan != NULL)
    self->held = es_cluster_held_new (self->operation->id, self->dataset, self->params, cluster, 0, scaling, error);
  return self->plan == NULL || self->held != NULL;
}

gboolean
es_batch_processes_run (EsBatchProcesses *self, EsScaling **scaling, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) numbers = g_strsplit (self->numbers, ",", -1);
  g_autofree char *launcher = g_find_program_in_path (LAUNCHER), *program = g_file_read_link ("/proc/self/exe", error);
  g_autofree char *input = es_dataset_describe (self->dataset);
  const guint n = g_strv_length (numbers);
  g_autoptr (EsCluster) cluster = NULL;
  guint processes;

  if (program == NULL || !prepare_plan (self, &cluster, error))
    return FALSE;
  if (launcher == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("“compare --processes” has its processes started by “%s” of Open MPI, which is not in PATH."),
                   LAUNCHER);
      return FALSE;
    }
  *scaling = es_scaling_new (self->operation, es_dataset_get_name (self->dataset), input,
                             self->cards ? 0 : self->threads);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *stage = NULL;

      if (!parse (numbers[i], &processes))
        return FALSE;
      stage = g_strdup_printf (ngettext ("%u process", "%u processes", processes), processes);
      es_batch_show_progress (stage, (double) i / n, FALSE);
      if (!run_number (self, launcher, program, processes, *scaling, cancellable, error))
        return FALSE;
    }
  return hold_plan (self, cluster, *scaling, error);
}

/* ---- output ---- */

static void
print_json (const EsBatchProcesses *self, EsScaling *scaling)
{
  JsonNode *root = es_scaling_to_json (scaling);

  if (self->held != NULL)
    json_object_set_member (json_node_get_object (root), "planned", es_cluster_held_to_json (self->held));
  es_batch_print_json (root);
}

static void
print_plan (const EsBatchProcesses *self)
{
  g_autoptr (EsTable) table = es_cluster_held_make_table (self->held);

  g_print ("\n%s: %s\n", es_layer_get_title (ES_LAYER (table)), es_cluster_held_get_name (self->held));
  es_batch_print_table (table, "  ");
}

void
es_batch_processes_print (const EsBatchProcesses *self, EsScaling *scaling)
{
  g_autofree char *description = es_dataset_describe (self->dataset);
  g_autoptr (EsTable) table = NULL;

  if (self->json)
    {
      print_json (self, scaling);
      return;
    }
  table = es_scaling_make_table (scaling);
  if (self->cards)
    g_print (_("%s of %s (%s), a card a process, median of %u\n"), _(self->operation->short_title),
             es_dataset_get_name (self->dataset), description, self->repeats);
  else
    g_print (ngettext ("%s of %s (%s), %u thread a process, median of %u\n",
                       "%s of %s (%s), %u threads a process, median of %u\n", self->threads),
             _(self->operation->short_title), es_dataset_get_name (self->dataset), description, self->threads,
             self->repeats);
  es_batch_print_table (table, "  ");
  if (self->held != NULL)
    print_plan (self);
  /* What was published is of processors. */
  for (guint i = 0; self->published && !self->cards && i < es_published_get_n (); i++)
    if (es_published_is_about (i, self->operation->id))
      {
        g_autofree char *what = NULL;
        g_autoptr (EsTable) figures = es_scaling_make_published_table (scaling, i, &what);

        /* Tables without a place for processes say nothing here. */
        if (what == NULL)
          continue;
        g_print ("\n");
        es_batch_print_published (i, figures, what);
      }
  if (self->published && !self->cards)
    es_batch_warn_published ();
}
