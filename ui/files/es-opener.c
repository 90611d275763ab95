/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-opener-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "es-open-set.h"
#include "es-recent.h"
#include "es-simulate-dialog.h"
#include "es-simulate-task.h"
#include "keeping/es-session-file.h"
#include "lab/es-device-profile.h"
#include "lab/es-machine.h"
#include "matrix/es-sparse-matrix.h"
#include "readers/es-open.h"
#include "recording/es-recording.h"
#include "session/es-result-load.h"

struct _EsOpener
{
  GObject     parent_instance;

  EsShell    *shell;
  GHashTable *unread;            /* URI -> EsOpenRequest of what no reader knew, until it is imported */
};

G_DEFINE_FINAL_TYPE (EsOpener, es_opener, G_TYPE_OBJECT)

enum { OPENED, LOADED, POSITIONS, PROFILE, SESSION, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Files that go with a data set, such as positions and libraries: they wait for those that are opened with them, as
 * what is shown then decides what they are. The last of these to come lets them go. */
typedef struct
{
  EsOpener  *opener;
  GPtrArray *files;
} Companions;

static void
let_companions_go (gpointer data)
{
  Companions *companions = data;
  EsOpener *self = companions->opener;

  for (guint i = 0; i < companions->files->len && self->shell != NULL && es_shell_is_open (self->shell); i++)
    g_signal_emit (self, signals[POSITIONS], 0, g_ptr_array_index (companions->files, i));
  g_ptr_array_unref (companions->files);
  g_object_unref (self);
}

static void
companions_unref (Companions *companions)
{
  g_rc_box_release_full (companions, let_companions_go);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Companions, companions_unref)

/* One file, or several that belong together, on its way in. */
typedef struct
{
  EsOpener      *opener;
  EsActivity    *activity;
  EsOpenRequest *request;
  GFile         *file;           /* NULL while it is being simulated, and where there are several */
  Companions    *companions;     /* nullable */
} Opening;

static void
opening_free (Opening *opening)
{
  g_clear_pointer (&opening->companions, companions_unref);
  g_object_unref (opening->opener);
  g_object_unref (opening->activity);
  es_open_request_unref (opening->request);
  g_clear_object (&opening->file);
  g_free (opening);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static void
es_opener_dispose (GObject *object)
{
  EsOpener *self = ES_OPENER (object);

  g_clear_object (&self->shell);
  g_clear_pointer (&self->unread, g_hash_table_unref);
  G_OBJECT_CLASS (es_opener_parent_class)->dispose (object);
}

static void
es_opener_class_init (EsOpenerClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_opener_dispose;

  signals[OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                  ES_TYPE_DATASET, G_TYPE_POINTER);
  signals[LOADED] = g_signal_new ("loaded", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  ES_TYPE_RESULT);
  signals[POSITIONS] = g_signal_new ("positions", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                     G_TYPE_FILE);
  signals[PROFILE] = g_signal_new ("profile", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_FILE);
  signals[SESSION] = g_signal_new ("session", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_FILE);
}

static void
es_opener_init (EsOpener *self)
{
  self->unread = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) es_open_request_unref);
}

EsOpener *
es_opener_new (EsShell *shell)
{
  EsOpener *self = g_object_new (ES_TYPE_OPENER, NULL);

  self->shell = g_object_ref (shell);
  return self;
}

EsShell *
_es_opener_get_shell (EsOpener *self)
{
  return self->shell;
}

GtkWindow *
_es_opener_get_window (EsOpener *self)
{
  GtkWindow *window = es_shell_get_window (self->shell);

  /* One that was destroyed meanwhile, and is only still referred to, belongs to no application; it would be realised
   * again and never be unrealised. */
  if (!gtk_widget_get_visible (GTK_WIDGET (window)) && gtk_window_get_application (window) != NULL)
    gtk_window_present (window);
  return window;
}

EsOpenRequest *
_es_opener_take_unread (EsOpener *self, const char *uri)
{
  gpointer key = NULL, request = NULL;

  if (!g_hash_table_steal_extended (self->unread, uri, &key, &request))
    return es_open_request_new (NULL, 0, ES_OPEN_CHOSEN);
  g_free (key);
  return request;
}

void
_es_opener_keep_unread (EsOpener *self, const char *uri, EsOpenRequest *request)
{
  if (es_open_request_is_plain (request))
    g_hash_table_remove (self->unread, uri);
  else
    g_hash_table_insert (self->unread, g_strdup (uri), es_open_request_ref (request));
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* TRUE while the window is still one that can be spoken to. */
static gboolean
is_alive (Opening *opening)
{
  return opening->opener->shell != NULL && es_shell_is_open (opening->opener->shell);
}

static gboolean
has_many_files (EsRecording *recording)
{
  GFile * const *files = es_recording_get_files (recording);

  return files != NULL && files[0] != NULL && files[1] != NULL;
}

static void
take_dataset (Opening *opening, EsDataset *opened)
{
  EsOpener *self = opening->opener;
  EsDataset *dataset;

  es_shell_complete (self->shell);
  dataset = es_session_add_dataset (es_shell_get_session (self->shell), opened);
  /* The first of several files would open alone. */
  if (!ES_IS_RECORDING (dataset) || !has_many_files (ES_RECORDING (dataset)))
    es_recent_add (dataset);
  g_signal_emit (self, signals[OPENED], 0, dataset, opening->request);
  _es_opener_tell_arrays (self, dataset);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) opened = opening->file != NULL ? es_dataset_open_finish (result, &error)
                                                       : es_recording_open_files_finish (result, &error);

  if (!is_alive (opening))
    return;
  es_shell_end (opening->opener->shell, opening->activity);
  if (opened != NULL)
    take_dataset (opening, opened);
  else if (!is_cancelled (error))
    _es_opener_tell_failure (opening->opener, opening->request, opening->file, error);
}

/* A saved result brings its data set along. */
static void
on_result_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) loaded = es_result_load_finish (result, &error);
  EsOpener *self = opening->opener;

  if (!is_alive (opening))
    return;
  es_shell_end (self->shell, opening->activity);
  if (loaded != NULL)
    {
      es_shell_complete (self->shell);
      es_recent_add (es_session_adopt_result (es_shell_get_session (self->shell), loaded));
      g_signal_emit (self, signals[LOADED], 0, loaded);
    }
  else if (!is_cancelled (error) && es_device_profile_is (opening->file))
    g_signal_emit (self, signals[PROFILE], 0, opening->file);
  else if (!is_cancelled (error))
    _es_opener_report_failure (self, opening->request, error->message, NULL);
}

static gboolean
is_result (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ".json") && !es_open_set_is_array (file);
}

static Opening *
begin (EsOpener *self, const char *title, EsOpenRequest *request)
{
  Opening *opening = g_new0 (Opening, 1);

  opening->opener = g_object_ref (self);
  opening->activity = g_object_ref (es_shell_begin (self->shell, title));
  opening->request = es_open_request_ref (request);
  return opening;
}

static Opening *
begin_file (EsOpener *self, EsOpenRequest *request, GFile *file)
{
  g_autofree char *name = es_error_file_name (file);
  /* TRANSLATORS: a file is being opened */
  g_autofree char *title = g_strdup_printf (_("Opening %s"), name);

  return begin (self, title, request);
}

static gboolean
is_companion (GFile *file)
{
  return es_open_set_is_array (file) || es_open_set_is_library (file);
}

/* companions: nullable. */
static void
open_file (EsOpener *self, EsOpenRequest *request, GFile *file, const EsOpenOptions *options, Companions *companions)
{
  Opening *opening;
  GCancellable *cancellable;

  if (is_companion (file))
    {
      if (companions != NULL)
        g_ptr_array_add (companions->files, g_object_ref (file));
      else
        g_signal_emit (self, signals[POSITIONS], 0, file);
      return;
    }
  if (es_session_file_is (file))
    {
      g_signal_emit (self, signals[SESSION], 0, file);
      return;
    }
  opening = begin_file (self, request, file);
  opening->file = g_object_ref (file);
  opening->companions = companions != NULL ? g_rc_box_acquire (companions) : NULL;
  cancellable = es_activity_get_cancellable (opening->activity);
  if (is_result (file))
    es_result_load_async (file, cancellable, on_result_loaded, opening);
  else
    es_dataset_open_async (file, options, cancellable, on_opened, opening);
}

void
_es_opener_open_file (EsOpener *self, EsOpenRequest *request, GFile *file, const EsOpenOptions *options)
{
  open_file (self, request, file, options, NULL);
}

/* What goes with the others comes after all of them. */
static void
open_each (EsOpener *self, EsOpenRequest *request, GPtrArray *files)
{
  g_autoptr (Companions) companions = g_rc_box_new0 (Companions);

  companions->opener = g_object_ref (self);
  companions->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < files->len; i++)
    open_file (self, request, g_ptr_array_index (files, i), NULL, companions);
}

static void
open_together (EsOpener *self, EsOpenRequest *request, GPtrArray *files)
{
  Opening *opening = begin_file (self, request, g_ptr_array_index (files, 0));

  es_recording_open_files_async ((GFile **) files->pdata, files->len,
                                 es_activity_get_cancellable (opening->activity), on_opened, opening);
}

static void
on_sorted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (EsOpenSet) set = es_open_set_finish (result, NULL);
  EsOpener *self = opening->opener;

  if (!is_alive (opening))
    return;
  if (set != NULL && set->together)
    open_together (self, opening->request, set->files);
  else if (set != NULL)
    open_each (self, opening->request, set->files);
  if (set != NULL && set->problem != NULL)
    _es_opener_report_failure (self, opening->request, set->problem, NULL);
  /* Behind what follows from it, so that the window is never idle between them. */
  es_shell_end (self->shell, opening->activity);
}

void
es_opener_open (EsOpener *self, EsOpenRequest *request)
{
  GFile **files = (GFile **) request->files->pdata;
  Opening *opening;

  if (request->files->len == 0)
    return;
  /* One may be a folder, and may be far away: even that is found out in the background. */
  opening = begin_file (self, request, files[0]);
  es_open_set_async (files, request->files->len, es_activity_get_cancellable (opening->activity), on_sorted, opening);
}

/* ---- what is opened by a name ---- */

/* A matrix is made; else it is a device, and waits until cards have been looked for. */
static void
open_named_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  gpointer opened = es_sparse_matrix_is_made_name (data) ? (gpointer) es_sparse_matrix_make (data, cancellable, &error)
                    : (gpointer) es_machine_open (data, &error);

  if (opened != NULL)
    g_task_return_pointer (task, opened, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_named_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) opened = g_task_propagate_pointer (G_TASK (result), &error);

  if (!is_alive (opening))
    return;
  es_shell_end (opening->opener->shell, opening->activity);
  if (opened != NULL)
    take_dataset (opening, opened);
  else if (!is_cancelled (error))
    _es_opener_report_failure (opening->opener, opening->request, error->message, NULL);
}

static void
open_named (EsOpener *self, const char *name, const char *title, EsOpenRequest *request)
{
  Opening *opening = begin (self, title, request);
  g_autoptr (GTask) task = g_task_new (self, es_activity_get_cancellable (opening->activity), on_named_opened, opening);

  g_task_set_source_tag (task, open_named);
  g_task_set_task_data (task, g_strdup (name), g_free);
  es_task_run_in_thread (task, open_named_in_thread);
}

void
es_opener_open_device (EsOpener *self, const char *id, EsOpenRequest *request)
{
  /* TRANSLATORS: a device is being opened: "cuda:0" */
  g_autofree char *title = g_strdup_printf (_("Opening %s"), id);

  g_return_if_fail (ES_IS_OPENER (self) && id != NULL);
  open_named (self, id, title, request);
}

void
es_opener_make_matrix (EsOpener *self, const char *name, EsOpenRequest *request)
{
  /* TRANSLATORS: a sparse matrix is being made: "poisson2d:1000x1000" */
  g_autofree char *title = g_strdup_printf (_("Making %s"), name);

  g_return_if_fail (ES_IS_OPENER (self) && name != NULL);
  open_named (self, name, title, request);
}

/* ---- simulation ---- */

static void
on_simulated (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = es_simulate_finish (result, &error);
  EsOpener *self = opening->opener;

  if (!is_alive (opening))
    return;
  es_shell_end (self->shell, opening->activity);
  if (file != NULL)
    _es_opener_open_file (self, opening->request, file, NULL);
  else if (!is_cancelled (error))
    es_shell_say (self->shell, error->message);
}

void
es_opener_simulate_cube (EsOpener *self)
{
  g_autoptr (EsOpenRequest) request = es_open_request_new (NULL, 0, ES_OPEN_GIVEN);
  g_autoptr (EsParams) params = es_simulate_default_params ();
  Opening *opening = begin (self, _("Simulating a cube"), request);

  es_simulate_async (params, opening->activity, on_simulated, opening);
}

void
es_opener_simulate_recording (EsOpener *self, EsParams *params)
{
  g_autoptr (EsOpenRequest) request = es_open_request_new (NULL, 0, ES_OPEN_GIVEN);
  Opening *opening = begin (self, _("Simulating a recording"), request);

  request->play = TRUE;
  es_simulate_recording_async (params, opening->activity, on_simulated, opening);
}

static void
on_scene (EsOpener *self, EsParams *params)
{
  es_opener_simulate_recording (self, params);
}

void
es_opener_choose_scene (EsOpener *self)
{
  GtkWidget *dialog = es_simulate_dialog_new (es_shell_get_window (self->shell), NULL);

  g_signal_connect_object (dialog, "simulate", G_CALLBACK (on_scene), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
es_opener_simulate_scene (EsOpener *self, const char *id)
{
  g_autoptr (EsParams) params = es_simulate_scene (id);

  if (params != NULL)
    es_opener_simulate_recording (self, params);
}
