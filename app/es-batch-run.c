/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "composite/es-batch-composite.h"
#include "es-batch.h"
#include "many/es-batch-queue.h"
#include "opening/es-batch-open.h"
#include "operations/es-operations.h"
#include "page/es-ladder-page.h"
#include "processes/es-batch-device.h"
#include "processes/es-batch-shares.h"
#include "ranks/es-ranks.h"
#include "run/es-batch-beside.h"
#include "run/es-batch-checkpoint.h"
#include "run/es-batch-folder.h"
#include "run/es-batch-summary.h"
#include "saving/es-durable.h"

/* Of --watch, in seconds: a hundred days. */
#define LONGEST_WAIT 8640000.0
#define PROGRESS_MS 250

typedef struct
{
  const EsOperation *operation;
  EsParams          *params;
  EsDevice          *device;             /* NULL: chosen for every file */
  const char        *chosen;             /* why the program has chosen it; NULL: somebody has told it */
  EsLimits           limits;
  EsBatchOpen       *open;
  EsStackFormat      format;
  gboolean           previews, quiet, is_last, is_one_of_many;
  const char        *options;            /* as all processes were told them */
  const char        *next_options;       /* those that a queue has to be told again, to go on */
  const char        *mend;               /* nullable: where the mended array goes */
  EsParams          *composite;          /* nullable: a picture of the first images goes with the result */
  EsBatchKeeping     keeping;            /* what is left behind when it is stopped */
  EsShares           shares;             /* of several processes */
  const char        *shares_text;        /* as it was told; nullable */

  /* of the data set at hand */
  GPtrArray         *files;              /* of GFile: one, or those of one recording */
  EsDataset         *opened;             /* nullable: what they hold, where somebody has looked already */
  GFile             *directory;
  EsCheckpoint      *checkpoint;         /* nullable */
  gboolean           stopped;            /* how to go on with it has been said */
  gboolean           saved;              /* the result is whole, whatever becomes of what is written beside it */
  EsResult          *result;
  GPtrArray         *notes;              /* of char *: what saving has to say */
} Run;

static void
on_progress (EsJob *job, GParamSpec *spec, gpointer data)
{
  es_ranks_tell_progress (es_job_get_progress (job));
  es_batch_show_progress (es_job_get_stage (job), es_job_get_progress (job), FALSE);
}

/* Others go on while this process waits for them. */
static gboolean
on_time (gpointer job)
{
  on_progress (job, NULL, NULL);
  return G_SOURCE_CONTINUE;
}

static void
cancel_job (GCancellable *cancellable, gpointer job)
{
  es_job_cancel (job);
}

/* What is left is done with files, which may take as long as a card takes to be given back. Recordings' cards still
 * have plans to be freed of. */
static void
leave_devices (gpointer data)
{
#if ES_LEAVE_AT_ONCE
  const Run *run = data;

  if (run->is_last && run->composite == NULL && run->operation->takes == ES_DATASET_CUBE)
    es_devices_leave ();
#endif
}

static gboolean
write_result (Run *run, GCancellable *cancellable, GError **error)
{
  run->saved = es_write_result_with (run->result, run->directory,
                                     &(EsResultWriting) { .format = run->format, .previews = run->previews,
                                                          .notes = run->notes, .read = leave_devices, .data = run },
                                     cancellable, error);
  return run->saved
         && (!es_ladder_page_suits (run->result)
             || es_batch_beside_ladder (run->result, run->directory, run->notes, cancellable, error));
}

/* What was asked for besides, when the result is safe. */
static gboolean
write_beside (Run *run, GCancellable *cancellable, GError **error)
{
  if (run->composite != NULL
      && !es_batch_beside_composite (run->result, run->composite, run->directory, run->format, run->notes, cancellable,
                                     error))
    {
      es_batch_beside_tell_saved (run->directory, "--rgb", error);
      return FALSE;
    }
  if (run->mend != NULL && !es_batch_beside_mended (run->result, run->mend, run->directory, run->notes, error))
    {
      es_batch_beside_tell_saved (run->directory, "--mend", error);
      return FALSE;
    }
  return TRUE;
}

/* What of that cannot be is refused before anything is computed, as far as it is known. */
static gboolean
check_beside (Run *run, EsJob *job, EsDataset *dataset, GError **error)
{
  return (run->composite == NULL
          || (es_batch_composite_check (job, run->composite, error)
              && (es_ranks_get_rank () > 0 || es_batch_beside_check_composite (run->directory, run->format, error))))
         && (run->mend == NULL || es_ranks_get_rank () > 0
             || es_batch_beside_check_mended (dataset, run->mend, run->directory, error));
}

/* What is done, as it would be told here. */
static char *
describe_command (Run *run)
{
  GString *command = g_string_new (run->operation->id);

  for (const EsParamSpec *spec = run->operation->params; spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *value = es_params_format (run->params, spec->key);

      if (!es_params_is_key_default (run->params, spec->key))
        g_string_append_printf (command, " %s=%s", spec->key, value);
    }
  return g_string_free (command, FALSE);
}

/* Several processes have to do the same to the same. */
static gboolean
compare_inputs (Run *run, EsDataset *dataset, GError **error)
{
  g_autofree char *what = describe_command (run);
  g_autoptr (GString) command = g_string_new (what);

  if (run->limits.memory > 0)
    g_string_append_printf (command, " --memory %" G_GUINT64_FORMAT, run->limits.memory);
  if (run->shares_text != NULL)
    g_string_append_printf (command, " --shares %s", run->shares_text);
  return es_ranks_compare (_("The version of the program"), ES_VERSION, error)
         && es_ranks_compare (_("What is to be computed"), command->str, error)
         && es_ranks_compare (_("The list of options"), run->options, error)
         && es_ranks_compare (_("The identity of the input"), es_dataset_get_identity (dataset), error);
}

/* Of those who share the work; where each has a file of its own there is nothing to be shared. */
static gboolean
settle_shares (Run *run, GError **error)
{
  return run->device == NULL
         || es_shares_settle (&run->shares, run->device, &run->limits, run->operation->takes, error);
}

static gboolean
compute_one (Run *run, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsDataset) dataset = run->opened != NULL ? g_object_ref (run->opened)
                                  : es_batch_open (run->open, run->files, cancellable, error);
  g_autoptr (EsJob) job = NULL;
  gulong handler;
  guint timer;

  if (dataset == NULL || !compare_inputs (run, dataset, error) || !settle_shares (run, error))
    return FALSE;
  job = es_job_new (run->operation, dataset, run->params, run->device, &run->limits, NULL);
  if (run->chosen != NULL)
    es_job_set_chosen (job, run->chosen);
  es_job_set_checkpoint (job, run->checkpoint);
  if ((run->directory != NULL && !es_write_result_check (run->directory, error))
      || !check_beside (run, job, dataset, error))
    return FALSE;
  if (!run->quiet)
    g_signal_connect (job, "notify::progress", G_CALLBACK (on_progress), NULL);
  timer = run->quiet || es_ranks_get_size () == 1 ? 0
          : g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, on_time, g_object_ref (job), g_object_unref);
  handler = g_cancellable_connect (cancellable, G_CALLBACK (cancel_job), job, NULL);
  run->result = es_job_run (job, error);
  g_cancellable_disconnect (cancellable, handler);
  if (timer > 0)
    g_source_remove (timer);
  return run->result != NULL;
}

/* Of several processes each has computed its part; the first one writes what belongs to all, and the others wait with
 * theirs, which is hidden beside it, until it has done so. */
static gboolean
run_one (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  if (!es_ranks_agree (compute_one (run, cancellable, error), error))
    return FALSE;
  if (run->directory != NULL && es_ranks_get_rank () > 0)
    leave_devices (run);
  if (!es_ranks_agree (run->directory == NULL || es_ranks_get_rank () > 0
                       || write_result (run, cancellable, error), error))
    return FALSE;
  return es_ranks_agree (es_ranks_get_rank () > 0 || write_beside (run, cancellable, error), error);
}

/* One data set; outcome (nullable) gets what else is to be said of it. */
static gboolean
run_files (Run *run, EsBatchOutcome *outcome, GError **error)
{
  g_autofree char *directory = run->directory != NULL ? g_file_get_path (run->directory) : NULL;
  g_autofree char *existing = directory != NULL ? es_batch_folder_above (directory) : NULL;
  const gboolean first = es_ranks_get_rank () == 0;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  gboolean done;

  /* The components are made where they will stay, so the folder has to be there first. All processes know what was
   * there before it, for the first of them may be gone when nothing comes of it. */
  if (!es_ranks_agree (TRUE, error)
      || !es_ranks_agree (!first || directory == NULL || es_durable_make_folder (directory, NULL, error), error))
    {
      if (directory != NULL)
        es_batch_folder_remove (directory, existing);
      return FALSE;
    }
  run->limits.output_dir = directory;
  run->limits.output_ending = es_stack_format_get_ending (run->format);
  run->notes = notes;

  GError *failed = NULL;
  g_autoptr (EsCheckpoint) checkpoint = es_batch_checkpoint_new (&run->keeping, run->directory,
                                                                 g_ptr_array_index (run->files, 0), &failed);
  run->checkpoint = checkpoint;
  run->saved = FALSE;
  done = es_ranks_agree (failed == NULL, &failed) && es_batch_work (run_one, run, &failed);
  es_batch_show_progress ("", 1, TRUE);
  /* All processes know the error by now. */
  run->stopped = es_batch_checkpoint_end (&run->keeping, checkpoint, done || run->saved, notes, failed);
  run->checkpoint = NULL;
  if (done || run->saved)
    {
      EsDataset *dataset = es_result_get_dataset (run->result);
      g_autofree char *name = g_file_get_basename (g_ptr_array_index (run->files, 0));

      es_batch_summary_warn (run->result, notes, run->is_one_of_many ? name : NULL);
      if (!run->quiet)
        es_batch_summary_print (run->result, run->directory);
      if (done && outcome != NULL)
        *outcome = (EsBatchOutcome) { .identity = g_strdup (dataset != NULL ? es_dataset_get_identity (dataset) : ""),
                                      .message = es_batch_summary_join (run->result, notes) };
    }
  g_clear_object (&run->result);
  if (!done && directory != NULL)
    es_batch_folder_remove (directory, existing);
  if (failed != NULL)
    g_propagate_error (error, failed);
  return done;
}

/* ---- one of many ---- */

static EsDataset *
open_one (gpointer data, GPtrArray *files, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  return es_batch_open (run->open, files, cancellable, error);
}

static gboolean
analyse_one (gpointer data, GPtrArray *files, EsDataset *opened, GFile *directory, gboolean is_last,
             EsBatchOutcome *outcome, GError **error)
{
  Run *run = data;

  run->files = files;
  run->opened = opened;
  run->directory = directory;
  run->is_last = is_last;
  return run_files (run, outcome, error);
}

static int
run_group (Run *run, GPtrArray *group, const char *output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) directory = output != NULL ? es_batch_file (output) : NULL;

  run->files = group;
  run->is_last = TRUE;
  run->directory = directory;
  return run_files (run, NULL, &error) ? ES_EXIT_DONE : run->stopped ? ES_EXIT_CANCELLED : es_batch_fail (error);
}

/* What several processes do not share the first one computes, and the others wait for its status. */
static int
run_alone (Run *run, GPtrArray *group, const char *output)
{
  g_autoptr (GError) error = NULL;
  int status = ES_EXIT_DONE;

  if (es_ranks_get_rank () == 0)
    {
      g_printerr (_("eigenscope-batch: “%s” is computed by one process: the others of %u have nothing to do\n"),
                  run->operation->id, es_ranks_get_size ());
      es_ranks_set_alone (TRUE);
      status = run_group (run, group, output);
      es_ranks_set_alone (FALSE);
    }
  return es_ranks_tell_status (&status, &error) ? status : es_batch_fail (error);
}

static gboolean
settle_watch (const EsBatchWatch *watch, const EsBatchKeeping *keeping, guint n_files, const char *output)
{
  /* Not given, or not a number that a wait could take. */
  const gboolean idle_is_told = watch->until_idle != -1;

  if (watch->folder == NULL && idle_is_told)
    es_batch_usage (_("--until-idle goes with --watch"));
  else if (watch->folder != NULL && n_files > 0)
    es_batch_usage (_("--watch takes its files from its folder: no others can be named"));
  else if (watch->folder != NULL && output == NULL)
    es_batch_usage (_("--watch needs -o DIR"));
  else if (watch->folder != NULL && (keeping->resume || keeping->path != NULL || keeping->minutes != 0))
    es_batch_usage (_("--watch goes on with what it has not done by itself: it takes neither --resume nor "
                      "--checkpoint"));
  else if (idle_is_told && !(watch->until_idle >= 0 && watch->until_idle <= LONGEST_WAIT))
    es_batch_usage (_("--until-idle takes seconds"));
  else if (!(watch->settle >= 0 && watch->settle <= LONGEST_WAIT))
    es_batch_usage (_("--settle takes seconds"));
  else
    return TRUE;
  return FALSE;
}

/* What each process may have of its own: nothing in the result is of these, but for what it says of who computed it.
 * And what a queue may be told otherwise when it goes on. */
static const char *const own_options[] = { "device", "gpu-memory", "threads", "quiet", "progress", NULL };
static const char *const next_options[] = { "device", "gpu-memory", "threads", "quiet", "progress", "resume", "queue",
                                            "checkpoint", "checkpoint-every", "output", "shares", NULL };

static int
run_many (Run *run, GPtrArray *groups, const EsBatchWatch *watch, const char *output)
{
  g_autofree char *what = describe_command (run);
  g_autofree char *about = g_strdup_printf ("%s%s%s", what, *run->next_options != '\0' ? " " : "", run->next_options);
  const EsBatchAnalysis analysis = { .data = run, .what = what, .about = about, .options = run->options,
                                     .operation = run->operation, .quiet = run->quiet, .open = open_one,
                                     .analyse = analyse_one };

  /* A summary of steps that several processes print at once nobody can read. */
  run->quiet |= es_ranks_get_size () > 1;
  run->is_one_of_many = TRUE;
  return watch->folder != NULL ? es_batch_watch (&analysis, watch, output)
                               : es_batch_queue (&analysis, groups, output, run->keeping.resume);
}

int
es_batch_run (int argc, char **argv)
{
  g_autofree char *output = NULL, *device = NULL, *memory = NULL, *gpu_memory = NULL, *format = NULL;
  g_autofree char *mend = NULL, *rgb = NULL, *options = NULL, *again = NULL, *shares = NULL;
  g_autofree double *told_shares = NULL;
  g_autoptr (EsParams) composite = NULL;
  int threads = 0;
  gboolean quiet = FALSE, previews = FALSE, queue = FALSE, progress = FALSE, many;
  g_autofree char *folder = NULL;
  EsBatchWatch watch = { .settle = 2, .until_idle = -1 };
  g_auto (EsBatchOpen) open = { 0 };
  g_auto (EsBatchKeeping) keeping = { 0 };
  Run run = { .open = &open };
  GOptionEntry entries[19 + ES_BATCH_OPEN_ENTRIES] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("Folder for layers and result.json"), N_("DIR") },
    { "device", 0, 0, G_OPTION_ARG_STRING, &device, N_("auto (default), or a device as “devices” names it"), N_("ID") },
    { "threads", 0, 0, G_OPTION_ARG_INT, &threads, N_("Threads at most"), N_("N") },
    { "shares", 0, 0, G_OPTION_ARG_STRING, &shares,
      N_("Of several processes: auto (default), equal, measured, or a number for each"), N_("HOW") },
    { "memory", 0, 0, G_OPTION_ARG_STRING, &memory, N_("Memory for buffers at most, such as 256M"), N_("SIZE") },
    { "gpu-memory", 0, 0, G_OPTION_ARG_STRING, &gpu_memory, N_("Memory of a GPU at most, such as 4G"), N_("SIZE") },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format, N_("Of image stacks: envi (default), bil, bip, geotiff or hdf5"),
      N_("FORMAT") },
    { "previews", 0, 0, G_OPTION_ARG_NONE, &previews, N_("Write a PNG picture of every plane, too"), NULL },
    { "mend", 0, 0, G_OPTION_ARG_FILENAME, &mend,
      N_("Of “health”: write the array with what it found put right"), N_("FILE.json") },
    { "rgb", 0, 0, G_OPTION_ARG_STRING, &rgb,
      N_("Write a picture of three components, too: “1,2,3”; parameters of “composite” may follow"),
      N_("R,G,B") },
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &keeping.path,
      N_("What a run that is stopped leaves: a file, or a folder for it; beside -o otherwise"), N_("PATH") },
    { "checkpoint-every", 0, 0, G_OPTION_ARG_DOUBLE, &keeping.minutes,
      N_("Write it every so many minutes, too"), N_("MINUTES") },
    { "resume", 0, 0, G_OPTION_ARG_NONE, &keeping.resume,
      N_("Go on from what a run that was stopped has left, if it has"), NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_("Print errors and warnings only"), NULL },
    { "progress", 0, 0, G_OPTION_ARG_NONE, &progress, N_("Print how far it is, also where there is no terminal"),
      NULL },
    { "queue", 0, 0, G_OPTION_ARG_NONE, &queue,
      N_("Each file by itself, one after the other, and a report of all; also files of one recording"), NULL },
    { "watch", 0, 0, G_OPTION_ARG_FILENAME, &folder,
      N_("Analyse what is in a folder, and every file that lands in it, until a signal"), N_("FOLDER") },
    { "until-idle", 0, 0, G_OPTION_ARG_DOUBLE, &watch.until_idle,
      N_("Of --watch: end when nothing has landed for so long"), N_("SECONDS") },
    { "settle", 0, 0, G_OPTION_ARG_DOUBLE, &watch.settle,
      N_("Of --watch: how long a file has to have kept its size (2)"), N_("SECONDS") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EsParams) params = NULL;
  g_autoptr (GPtrArray) groups = NULL;
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  if (!es_ranks_start (&error))
    return es_batch_fail (error);
  es_batch_open_add_entries (&open, entries);
  options = es_batch_list_options (entries, own_options, argc, argv);
  again = es_batch_list_options (entries, next_options, argc, argv);
  if (!es_batch_parse_options (entries, _("run OPERATION FILE... [key=value ...]: computes and writes a result."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“run” needs an operation and a file"));
  if ((run.operation = es_operation_find (argv[1], &error)) == NULL)
    return es_batch_fail (error);

  watch.folder = folder;
  if (progress)
    es_batch_always_show_progress ();
  params = es_params_new (run.operation->params);
  for (int i = 2; i < argc; i++)
    if (es_batch_is_parameter (argv[i]))
      {
        if (!es_batch_parse_parameter (params, argv[i], &error))
          return es_batch_fail (error);
      }
    else
      g_ptr_array_add (files, es_batch_file (argv[i]));

  if (files->len == 0 && watch.folder == NULL)
    return es_batch_usage (_("“run %s” needs a file"), run.operation->id);
  if (output != NULL && *output == '\0')
    return es_batch_usage (_("-o cannot be “”: expected a folder"));
  if (mend != NULL && strcmp (run.operation->id, "health") != 0)
    return es_batch_usage (_("--mend goes with “run health”, not with “run %s”"), run.operation->id);
  if (mend != NULL && !g_str_has_suffix (mend, ".json"))
    return es_batch_usage (_("--mend cannot be “%s”: expected a file that ends with .json"), mend);
  if (rgb != NULL && run.operation->takes != ES_DATASET_CUBE)
    return es_batch_usage (_("--rgb goes with operations on cubes, not with “run %s”"), run.operation->id);
  if (rgb != NULL && output == NULL)
    return es_batch_usage (_("--rgb needs -o DIR"));
  if (rgb != NULL && (composite = es_batch_composite_parse (rgb, &error)) == NULL)
    return es_batch_fail (error);
  if (threads < 0)
    return es_batch_usage (_("--threads takes a positive number"));
  if (!es_batch_shares_parse (shares, &run.shares, &told_shares) || !es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  if (memory != NULL && !es_batch_parse_size (memory, &run.limits.memory))
    return es_batch_usage (_("--memory cannot be “%s”: expected a size such as 256M"), memory);
  if (gpu_memory != NULL && !es_batch_parse_size (gpu_memory, &run.limits.device_memory))
    return es_batch_usage (_("--gpu-memory cannot be “%s”: expected a size such as 4G"), gpu_memory);
  if (format != NULL && !es_stack_format_find (format, &run.format))
    return es_batch_usage (_("--format cannot be “%s”: expected one of envi, bil, bip, geotiff, hdf5"), format);
  if (queue)
    open.separately = TRUE;
  groups = es_batch_open_group (&open, files);
  many = queue || watch.folder != NULL || groups->len > 1;
  if (mend != NULL && many)
    return es_batch_usage (_("--mend takes one recording"));
  if (!settle_watch (&watch, &keeping, files->len, output))
    return ES_EXIT_USAGE;
  if (many && output == NULL && es_ranks_get_size () > 1)
    return es_batch_usage (_("Several processes take their files from a list in the folder of the results: -o DIR is "
                             "missing"));
  if (!es_batch_device_settle (run.operation, device, many, &run.device, &run.chosen, &run.limits, &error))
    return es_batch_fail (error);

  run.params = params;
  run.shares_text = shares;
  run.limits.threads = threads > 0 ? threads : es_batch_threads_of_process ();
  run.previews = previews;
  run.quiet = quiet;
  run.options = options;
  run.next_options = again;
  run.mend = mend;
  run.composite = composite;

  keeping.off = !run.operation->resumes || watch.folder != NULL;
  keeping.many = many;
  run.keeping = keeping;
  if (!es_batch_checkpoint_settle (&run.keeping, run.operation, output != NULL, groups->len))
    return ES_EXIT_USAGE;
  if (many)
    return run_many (&run, groups, &watch, output);
  return es_ranks_get_size () > 1 && !run.operation->by_ranks ? run_alone (&run, g_ptr_array_index (groups, 0), output)
                                                              : run_group (&run, g_ptr_array_index (groups, 0), output);
}
