/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Devices measured, and their profiles. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "base/es-installed.h"
#include "lab/es-device-profile.h"
#include "lab/es-kept-profiles.h"
#include "lab/es-shown-unit.h"
#include "operations/lab/es-experiment.h"
#include "layer/es-verdict.h"
#include "saving/es-durable.h"

/* ---- characterise ---- */

typedef struct
{
  const char *id;
  GFile      *output;          /* nullable */
  gboolean    quiet;
  GPtrArray  *results;         /* of EsResult */
  GPtrArray  *failures;        /* sentences: of experiments that failed */
  guint       done, all;
  GError     *not_kept;        /* why the program itself has nothing of it; nullable */
  const char *title;
} Characterising;

static void
on_progress (EsJob *job, GParamSpec *spec, Characterising *self)
{
  es_batch_show_progress (self->title, (self->done + es_job_get_progress (job)) / self->all, FALSE);
}

static void
cancel_job (GCancellable *cancellable, gpointer job)
{
  es_job_cancel (job);
}

static gboolean
run_experiment (Characterising *self, const EsOperation *operation, EsDataset *machine, GCancellable *cancellable,
                GError **error)
{
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = es_job_new (operation, machine, params, NULL, NULL, NULL);
  gulong handler;
  EsResult *result;

  self->title = g_dgettext (GETTEXT_PACKAGE, operation->short_title);
  if (!self->quiet)
    g_signal_connect (job, "notify::progress", G_CALLBACK (on_progress), self);
  handler = g_cancellable_connect (cancellable, G_CALLBACK (cancel_job), job, NULL);
  result = es_job_run (job, error);
  g_cancellable_disconnect (cancellable, handler);
  self->done++;
  if (result != NULL)
    g_ptr_array_add (self->results, result);
  return result != NULL;
}

/* One that fails is no reason to lose what the others find; FALSE: cancelled. */
static gboolean
run_or_tell (Characterising *self, const EsOperation *operation, EsDataset *machine, GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GError) own = NULL;

  if (run_experiment (self, operation, machine, cancellable, &own))
    return TRUE;
  if (!g_error_matches (own, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_ptr_array_add (self->failures, g_strdup_printf ("%s: %s", self->title, own->message));
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

static gboolean
characterise (gpointer data, GCancellable *cancellable, GError **error)
{
  Characterising *self = data;
  const EsExperiment * const *experiments = es_experiments_get ();
  g_autoptr (EsMachine) machine = es_machine_open (self->id, error);

  /* Not after minutes of measuring. */
  if (machine == NULL || (self->output != NULL && !es_durable_try (self->output, error)))
    return FALSE;
  for (guint i = 0; experiments[i] != NULL; i++)
    self->all += experiments[i]->in_profile && es_experiment_suits (experiments[i], machine);
  for (guint i = 0; experiments[i] != NULL; i++)
    if (experiments[i]->in_profile && es_experiment_suits (experiments[i], machine)
        && !run_or_tell (self, experiments[i]->operation, ES_DATASET (machine), cancellable, error))
      return FALSE;
  g_autoptr (EsDeviceProfile) profile = es_device_profile_new (self->results);
  /* One that lacks something does not take the place of an earlier one. */
  if (profile != NULL && self->failures->len == 0)
    es_device_profile_keep (profile, &self->not_kept);
  if (self->output == NULL)
    return TRUE;
  if (profile == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("No experiment found a figure of “%s”."),
                   self->id);
      return FALSE;
    }
  return es_device_profile_save (profile, self->output, error);
}

static void
print_verdicts (EsResult *result)
{
  EsLayer *layer = es_result_find_layer (result, "verdict");
  const char * const *warnings = es_result_get_warnings (result);

  g_print ("%s\n", es_result_get_title (result));
  for (guint i = 0; layer != NULL && i < es_verdict_get_n (ES_VERDICT (layer)); i++)
    g_print ("  %s\n", es_verdict_get_sentence (ES_VERDICT (layer), i));
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    g_printerr ("eigenscope-batch: %s: %s\n", es_result_get_title (result), warnings[i]);
}

static int
measure (Characterising *self)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  self->results = g_ptr_array_new_with_free_func (g_object_unref);
  self->failures = g_ptr_array_new_with_free_func (g_free);
  done = es_batch_work (characterise, self, &error);
  es_batch_show_progress ("", 1, TRUE);
  for (guint i = 0; i < self->results->len && !self->quiet; i++)
    print_verdicts (g_ptr_array_index (self->results, i));
  for (guint i = 0; i < self->failures->len; i++)
    g_printerr ("eigenscope-batch: %s\n", (const char *) g_ptr_array_index (self->failures, i));
  const int status = self->failures->len > 0 ? ES_EXIT_DEVICE : ES_EXIT_DONE;
  g_ptr_array_unref (self->results);
  if (self->not_kept != NULL)
    g_printerr ("eigenscope-batch: %s\n", self->not_kept->message);
  else if (done && status == ES_EXIT_DONE && !self->quiet)
    g_print (_("The profile is kept: what this program chooses for “%s” follows from it.\n"), self->id);
  g_clear_error (&self->not_kept);
  g_ptr_array_unref (self->failures);
  return done ? status : es_batch_fail (error);
}

/* ---- profiles beside each other ---- */

static void
print_head (GPtrArray *profiles)
{
  for (guint i = 0; i < profiles->len; i++)
    {
      EsDeviceProfile *profile = g_ptr_array_index (profiles, i);

      g_print ("%u  %s, %s (%s)\n", i + 1, es_device_profile_get_name (profile), es_device_profile_get_date (profile),
               es_device_profile_get_source (profile));
    }
}

/* Numbers in the unit of the first. */
static void
print_other (const EsFigure *figure, const EsFigure *other, double scale)
{
  if (other == NULL || strcmp (other->unit, figure->unit) != 0)
    g_print ("; –");
  else if (figure->value > 0)
    g_print ("; %.5g (x %.3g)", other->value * scale, other->value / figure->value);
  else
    g_print ("; %.5g", other->value * scale);
}

static void
print_figure (const EsFigure *figure, double *scale)
{
  const char *unit = es_shown_unit (figure->unit, figure->value, scale), *x_unit = NULL;
  double one;

  g_print ("  %s: %s", figure->group, figure->name);
  if (!isnan (figure->x))
    {
      x_unit = es_shown_unit (figure->x_unit, figure->x, &one);
      g_print (x_unit != NULL ? ", %.10g %s" : ", %.10g", figure->x, x_unit);
    }
  g_print (unit != NULL ? ": %.5g %s" : ": %.5g", figure->value * *scale, unit);
}

/* Every figure of the first, the same of the others, and how many times as much. */
static void
print_figures (GPtrArray *profiles)
{
  EsDeviceProfile *first = g_ptr_array_index (profiles, 0);
  const char *experiment = "";

  for (guint i = 0; i < es_device_profile_get_n (first); i++)
    {
      const EsFigure *figure = es_device_profile_get (first, i);
      double scale;

      if (strcmp (figure->experiment, experiment) != 0)
        g_print ("%s\n", figure->experiment);
      experiment = figure->experiment;
      print_figure (figure, &scale);
      for (guint k = 1; k < profiles->len; k++)
        print_other (figure, es_device_profile_find (g_ptr_array_index (profiles, k), figure->experiment, figure->group,
                                                     figure->name, figure->x), scale);
      g_print ("\n");
    }
}

/* One that is installed, where there is no such file. */
static GFile *
find_profile (const char *name)
{
  GFile *file = es_batch_file (name);
  g_autofree char *folder = es_installed_find_data ("profiles");
  g_autofree char *path = folder != NULL && strchr (name, G_DIR_SEPARATOR) == NULL
                          ? g_build_filename (folder, name, NULL) : NULL;

  if (path == NULL || g_file_query_exists (file, NULL) || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return file;
  g_object_unref (file);
  return g_file_new_for_path (path);
}

static int
show (char **names, int n)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) es_device_profile_unref);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < n; i++)
    {
      g_autoptr (GFile) file = find_profile (names[i]);
      EsDeviceProfile *profile = es_device_profile_load (file, &error);

      if (profile == NULL)
        return es_batch_fail (error);
      g_ptr_array_add (profiles, profile);
    }
  print_head (profiles);
  print_figures (profiles);
  return ES_EXIT_DONE;
}

int
es_batch_characterise (int argc, char **argv)
{
  g_autofree char *output = NULL;
  g_autoptr (GFile) file = NULL;
  Characterising self = { 0 };
  GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("The device profile that is written"), N_("FILE.json") },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self.quiet, N_("Print errors and warnings only"), NULL },
    G_OPTION_ENTRY_NULL
  };

  if (!es_batch_parse_options (entries, _("characterise DEVICE: runs the laboratory's experiments on “cpu” or a card "
                                          "such as “cuda:0”; characterise FILE...: device profiles beside each other."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  if (argc < 2)
    return es_batch_usage (_("“characterise” needs a device, or device profiles"));
  if (argc > 2 || !es_machine_is_name (argv[1]))
    return output == NULL ? show (argv + 1, argc - 1)
                          : es_batch_usage (_("-o goes with “characterise DEVICE”, and one device"));
  if (output != NULL && !g_str_has_suffix (output, ".json"))
    return es_batch_usage (_("-o cannot be “%s”: expected a file that ends with .json"), output);
  /* Profiles that are only shown may end at once. */
  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  self.id = argv[1];
  self.output = file = output != NULL ? es_batch_file (output) : NULL;
  return measure (&self);
}
