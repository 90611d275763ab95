/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-task.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "writers/es-companion.h"

typedef struct
{
  EsParams   *params;
  EsActivity *activity;
  char       *folder;
  gboolean    recording;
} Simulation;

static void
simulation_free (Simulation *self)
{
  g_object_unref (self->params);
  g_object_unref (self->activity);
  g_free (self->folder);
  g_free (self);
}

EsParams *
es_simulate_default_params (void)
{
  static const struct { const char *key; double value; } wanted[] = {
    { "width", 480 }, { "height", 360 }, { "bands", 210 }, { "seed", 7 },
  };
  EsParams *params = es_params_new (es_simulate_cube_params);

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    es_params_set_value (params, wanted[i].key, wanted[i].value);
  return params;
}

/* The same parameters and version give the same bytes, so they name the folder. */
static char *
folder_of (EsParams *params)
{
  g_autoptr (GString) text = g_string_new (ES_VERSION);
  g_autofree char *sum = NULL;
  g_autofree char *name = NULL;

  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *value = es_params_format (params, spec->key);

      g_string_append_printf (text, " %s=%s", spec->key, value);
    }
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
  sum[12] = '\0';
  return g_build_filename (g_get_user_cache_dir (), "eigenscope", "simulated", sum, NULL);
}

/* ---- scenes ---- */

static EsParams *
make_scene (const char *array, double rate, double seconds, double ambient, const EsSource *scene, guint n)
{
  EsParams *params = es_params_new (es_simulate_recording_params);
  g_autoptr (GArray) sources = g_array_new (FALSE, TRUE, sizeof (EsSource));
  g_autofree char *text = NULL;

  g_array_append_vals (sources, scene, n);
  text = es_sources_to_text (sources);
  es_params_set_text (params, "array", array);
  es_params_set_text (params, "sources", text);
  es_params_set_value (params, "rate", rate);
  es_params_set_value (params, "seconds", seconds);
  es_params_set_value (params, "ambient", ambient);
  return params;
}

EsParams *
es_simulate_default_recording (void)
{
  const EsSource scene[] = {
    { .kind = ES_SOURCE_PROPELLER, .bearing = 48, .bearing_rate = 24, .range = INFINITY, .level = 0, .low = 100,
      .high = 480, .shaft = 2.5, .blades = 4, .harmonics = 1 },
    { .kind = ES_SOURCE_NOISE, .bearing = 123, .range = 200, .level = -4, .low = 300, .high = 480, .harmonics = 1 },
    { .kind = ES_SOURCE_TONE, .bearing = 97, .range = INFINITY, .level = -12, .low = 50, .high = 50, .harmonics = 8 },
  };

  return make_scene ("line:64,1.5", 8000, 90, -18, scene, G_N_ELEMENTS (scene));
}

/* Nearer to each other than a beam of 32 elements is wide, each 20 dB above the noise in its band. */
static EsParams *
make_two_sources (void)
{
  const EsSource scene[] = {
    { .kind = ES_SOURCE_NOISE, .bearing = 88.75, .range = INFINITY, .level = -10, .low = 300, .high = 480,
      .harmonics = 1 },
    { .kind = ES_SOURCE_NOISE, .bearing = 91.25, .range = INFINITY, .level = -10, .low = 300, .high = 480,
      .harmonics = 1 },
  };

  return make_scene ("line:32,1.5", 4000, 60, -20, scene, G_N_ELEMENTS (scene));
}

const EsSimulateScene *
es_simulate_get_scenes (guint *n)
{
  static EsSimulateScene scenes[] = { { "passing", NULL }, { "two-sources", NULL } };

  scenes[0].title = _("A ship passes by");
  scenes[1].title = _("Two sources 2.5° apart");
  *n = G_N_ELEMENTS (scenes);
  return scenes;
}

EsParams *
es_simulate_scene (const char *id)
{
  g_return_val_if_fail (id != NULL, NULL);

  if (g_str_equal (id, "passing"))
    return es_simulate_default_recording ();
  return g_str_equal (id, "two-sources") ? make_two_sources () : NULL;
}

/* What it makes, the data first; the writers rename last, so that what is there is whole. */
static GPtrArray *
list_files (Simulation *self)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  if (self->recording)
    {
      const char *format = es_params_get_choice_id (self->params, "format");
      g_autofree char *name = g_strconcat ("simulated.", g_str_equal (format, "auto") ? "wav" : format, NULL);

      g_ptr_array_add (paths, g_build_filename (self->folder, name, NULL));
      g_ptr_array_add (paths, g_build_filename (self->folder, "simulated_truth.csv", NULL));
    }
  else
    {
      g_ptr_array_add (paths, g_build_filename (self->folder, "simulated.img", NULL));
      g_ptr_array_add (paths, g_build_filename (self->folder, "simulated.hdr", NULL));
    }
  return paths;
}

static void
simulate_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Simulation *self = data;
  g_autoptr (GPtrArray) paths = list_files (self);
  g_autoptr (GFile) target = g_file_new_for_path (g_ptr_array_index (paths, 0));
  GError *error = NULL;
  gboolean there = TRUE, done;

  for (guint i = 0; i < paths->len; i++)
    there = there && g_file_test (g_ptr_array_index (paths, i), G_FILE_TEST_IS_REGULAR);
  if (there)
    {
      g_task_return_pointer (task, g_steal_pointer (&target), g_object_unref);
      return;
    }
  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    {
      int code = errno;
      g_autofree char *shown = g_filename_display_name (self->folder);

      g_task_return_new_error (task, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The folder “%s” could not be made: %s."),
                               shown, g_strerror (code));
      return;
    }
  /* Files of its own, of which somebody may have removed some. */
  es_companion_agree (target);
  if (self->recording)
    done = es_simulate_recording (target, self->params, es_activity_report, self->activity, cancellable, &error);
  else
    done = es_simulate_cube (target, self->params, es_activity_report, self->activity, cancellable, &error);
  if (done)
    g_task_return_pointer (task, g_steal_pointer (&target), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
begin (EsParams *params, gboolean recording, EsActivity *activity, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Simulation *self = g_new0 (Simulation, 1);

  self->params = es_params_copy (params);
  self->activity = g_object_ref (activity);
  self->folder = folder_of (params);
  self->recording = recording;
  task = g_task_new (NULL, es_activity_get_cancellable (activity), callback, user_data);
  g_task_set_source_tag (task, es_simulate_async);
  g_task_set_task_data (task, self, (GDestroyNotify) simulation_free);
  es_task_run_in_thread (task, simulate_in_thread);
}

void
es_simulate_async (EsParams *params, EsActivity *activity, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ES_IS_PARAMS (params) && ES_IS_ACTIVITY (activity));
  begin (params, FALSE, activity, callback, user_data);
}

void
es_simulate_recording_async (EsParams *params, EsActivity *activity, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (ES_IS_PARAMS (params) && ES_IS_ACTIVITY (activity));
  begin (params, TRUE, activity, callback, user_data);
}

GFile *
es_simulate_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
