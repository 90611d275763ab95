/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "files/es-open-dialog.h"
#include "files/es-open-set.h"
#include "files/es-raw-dialog.h"
#include "files/es-recent.h"
#include "files/es-simulate-dialog.h"
#include "files/es-simulate-task.h"
#include "readers/es-open.h"

/* One file, or several that belong together, on its way in. */
typedef struct
{
  EsWindow     *window;
  EsActivity   *activity;
  GFile        *file;            /* NULL while it is being simulated, and where there are several */
  EsOpenOrigin  origin;
  gboolean      play;            /* a recording that has been simulated is played at once */
} Opening;

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->window);
  g_object_unref (opening->activity);
  g_clear_object (&opening->file);
  g_free (opening);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static void open_file (EsWindow *self, GFile *file, const EsOpenOptions *options, EsOpenOrigin origin);

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* TRUE while the window is still one that can be spoken to. */
static gboolean
is_alive (EsWindow *self)
{
  return self->activities != NULL;
}

static void
on_failure_response (AdwMessageDialog *dialog, const char *response, EsWindow *self)
{
  if (g_strcmp0 (response, "raw") == 0)
    es_window_import_raw (self, g_object_get_data (G_OBJECT (dialog), "es-uri"));
}

/* raw: a file that no reader knows, which may still be samples (nullable). */
static void
report_failure (EsWindow *self, const char *sentence, EsOpenOrigin origin, GFile *raw)
{
  g_autofree char *uri = raw != NULL ? g_file_get_uri (raw) : NULL;
  GtkWidget *dialog;

  if (origin == ES_OPEN_GIVEN)
    {
      if (uri != NULL)
        es_window_say_with_action (self, sentence, _("_Import…"), "win.import-raw", g_variant_new_string (uri));
      else
        es_window_say (self, sentence);
      return;
    }
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _("The File Could Not Be Opened"), sentence);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  if (uri != NULL)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "raw", _("_Import as a Recording…"));
      g_object_set_data_full (G_OBJECT (dialog), "es-uri", g_steal_pointer (&uri), g_free);
      g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_response), self, 0);
    }
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- what a person has to tell ---- */

static void
on_rate_response (AdwMessageDialog *dialog, const char *response, EsWindow *self)
{
  GtkSpinButton *spin = g_object_get_data (G_OBJECT (dialog), "es-rate");
  EsOpenOptions options = { .samples = { .rate = gtk_spin_button_get_value (spin) } };

  if (g_strcmp0 (response, "open") == 0)
    open_file (self, g_object_get_data (G_OBJECT (dialog), "es-file"), &options, ES_OPEN_CHOSEN);
}

/* A recording that tells everything but its rate. */
static void
ask_rate (EsWindow *self, GFile *file, const char *sentence)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Sampling Rate"), sentence);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *spin = gtk_spin_button_new_with_range (0.001, 1e8, 100);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Rate (Hz)"));

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 8000);
  gtk_widget_set_hexpand (spin, TRUE);
  gtk_text_set_activates_default (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (spin))), TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), spin);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), box);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "open", _("_Open"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "open", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "open");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "es-file", g_object_ref (file), g_object_unref);
  g_object_set_data (G_OBJECT (dialog), "es-rate", spin);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_rate_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_import (EsRawDialog *dialog, EsWindow *self)
{
  EsOpenOptions options = { .samples = es_raw_dialog_get_samples (dialog) };

  open_file (self, es_raw_dialog_get_file (dialog), &options, ES_OPEN_CHOSEN);
}

void
es_window_import_raw (EsWindow *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  GtkWidget *dialog = es_raw_dialog_new (GTK_WINDOW (self), file);

  g_signal_connect_object (dialog, "import", G_CALLBACK (on_import), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_shape_response (EsOpenDialog *dialog, const char *response, EsWindow *self)
{
  EsOpenOptions options = { .width = es_open_dialog_get_width (dialog), .height = es_open_dialog_get_height (dialog) };

  if (g_strcmp0 (response, "open") == 0)
    open_file (self, es_open_dialog_get_file (dialog), &options, ES_OPEN_CHOSEN);
}

static void
tell_failure (EsWindow *self, GFile *file, const GError *error, EsOpenOrigin origin)
{
  guint64 rows, columns;

  if (is_cancelled (error))
    return;
  if (file != NULL && es_open_dialog_wants_shape (file, error, &rows, &columns))
    {
      GtkWidget *dialog = es_open_dialog_new (GTK_WINDOW (self), file, rows, columns);

      g_signal_connect_object (dialog, "response", G_CALLBACK (on_shape_response), self, 0);
      gtk_window_present (GTK_WINDOW (dialog));
    }
  else if (file != NULL && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_RATE))
    ask_rate (self, file, error->message);
  else
    report_failure (self, error->message, origin,
                    g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT) ? file : NULL);
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
  EsWindow *self = opening->window;
  EsDataset *dataset = es_session_add_dataset (self->session, opened);

  /* The first of several files would open alone. */
  if (!ES_IS_RECORDING (dataset) || !has_many_files (ES_RECORDING (dataset)))
    es_recent_add (dataset);
  if (ES_IS_RECORDING (dataset))
    {
      g_autofree char *array = g_steal_pointer (&self->array_on_open);

      if (array != NULL)
        es_window_set_array (self, ES_RECORDING (dataset), array);
    }
  if (!es_data_tree_select (es_sidebar_get_tree (self->sidebar), G_OBJECT (dataset)))
    es_window_show_item (self, dataset, NULL, NULL, NULL);
  /* It is played by now, unless it was open already. */
  if (self->play_on_open && es_window_get_player (self) != NULL)
    es_player_play (es_window_get_player (self));
  self->play_on_open = FALSE;
  if (self->run_on_open != NULL)
    {
      g_autofree char *id = g_steal_pointer (&self->run_on_open);

      if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), id))
        es_window_run (self);
    }
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) opened = opening->file != NULL ? es_dataset_open_finish (result, &error)
                                                       : es_recording_open_files_finish (result, &error);

  if (!is_alive (opening->window))
    return;
  es_window_end (opening->window, opening->activity);
  if (opened != NULL)
    take_dataset (opening, opened);
  else
    tell_failure (opening->window, opening->file, error, opening->origin);
}

/* A saved result brings its data set along. */
static void
on_result_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) loaded = es_result_load_finish (result, &error);
  EsWindow *self = opening->window;

  if (!is_alive (self))
    return;
  es_window_end (self, opening->activity);
  if (loaded != NULL)
    {
      es_recent_add (es_session_adopt_result (self->session, loaded));
      es_data_tree_select (es_sidebar_get_tree (self->sidebar), G_OBJECT (loaded));
    }
  else if (!is_cancelled (error))
    report_failure (self, error->message, opening->origin, NULL);
}

static gboolean
is_result (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ".json") && !es_open_set_is_array (file);
}

static Opening *
begin_opening (EsWindow *self, GFile *file, EsOpenOrigin origin)
{
  g_autofree char *name = es_error_file_name (file);
  /* TRANSLATORS: a file is being opened */
  g_autofree char *title = g_strdup_printf (_("Opening %s"), name);
  Opening *opening = g_new0 (Opening, 1);

  opening->window = g_object_ref (self);
  opening->activity = g_object_ref (es_window_begin (self, title));
  opening->origin = origin;
  return opening;
}

static void
open_file (EsWindow *self, GFile *file, const EsOpenOptions *options, EsOpenOrigin origin)
{
  Opening *opening;

  if (es_open_set_is_array (file))
    {
      es_window_open_array (self, file);
      return;
    }
  opening = begin_opening (self, file, origin);
  opening->file = g_object_ref (file);
  if (is_result (file))
    es_result_load_async (file, es_activity_get_cancellable (opening->activity), on_result_loaded, opening);
  else
    es_dataset_open_async (file, options, es_activity_get_cancellable (opening->activity), on_opened, opening);
}

static void
open_together (EsWindow *self, GPtrArray *files, EsOpenOrigin origin)
{
  Opening *opening = begin_opening (self, g_ptr_array_index (files, 0), origin);

  es_recording_open_files_async ((GFile **) files->pdata, files->len,
                                 es_activity_get_cancellable (opening->activity), on_opened, opening);
}

static void
on_sorted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (EsOpenSet) set = es_open_set_finish (result, NULL);

  if (!is_alive (opening->window))
    return;
  if (set != NULL && set->together)
    open_together (opening->window, set->files, opening->origin);
  else if (set != NULL)
    for (guint i = 0; i < set->files->len; i++)
      open_file (opening->window, g_ptr_array_index (set->files, i), NULL, opening->origin);
  if (set != NULL && set->problem != NULL)
    report_failure (opening->window, set->problem, opening->origin, NULL);
  /* Behind what follows from it, so that the window is never idle between them. */
  es_window_end (opening->window, opening->activity);
}

void
es_window_open (EsWindow *self, GFile **files, guint n_files, EsOpenOrigin origin)
{
  Opening *opening;

  g_return_if_fail (ES_IS_WINDOW (self));

  if (n_files == 0)
    return;
  if (n_files == 1 && g_file_query_file_type (files[0], G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY)
    {
      open_file (self, files[0], NULL, origin);
      return;
    }
  opening = begin_opening (self, files[0], origin);
  es_open_set_async (files, n_files, es_activity_get_cancellable (opening->activity), on_sorted, opening);
}

void
es_window_open_recent (EsWindow *self, const char *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);

  es_window_open (self, &file, 1, ES_OPEN_GIVEN);
}

/* ---- the file chooser ---- */

static void
add_filter (GtkFileChooser *chooser, const char *name, const char * const *suffixes)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  if (suffixes == NULL)
    gtk_file_filter_add_pattern (filter, "*");
  for (guint i = 0; suffixes != NULL && suffixes[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, suffixes[i]);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
on_files_chosen (GtkNativeDialog *dialog, int response, EsWindow *self)
{
  g_autoptr (GListModel) files = NULL;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);

  if (response == GTK_RESPONSE_ACCEPT)
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (chosen, g_list_model_get_item (files, i));
  g_clear_object (&self->chooser);
  es_window_open (self, (GFile **) chosen->pdata, chosen->len, ES_OPEN_CHOSEN);
}

void
es_window_choose_files (EsWindow *self)
{
  static const char * const all[] = {
    "hdr", "img", "dat", "bsq", "bil", "bip", "raw", "tif", "tiff", "h5", "hdf5", "hdf", "he5", "nc", "nc4", "mat",
    "vrt", "jp2", "pix", "wav", "wave", "w64", "rf64", "flac", "caf", "aif", "aiff", "au", "sio", "csv", "xml",
    "sigmf-meta", NULL,
  };
  static const char * const sounds[] = {
    "wav", "wave", "w64", "rf64", "flac", "caf", "aif", "aiff", "au", "sio", "h5", "hdf5", "mat", "csv", "xml",
    "sigmf-meta", NULL,
  };
  static const char * const envi[] = { "hdr", "img", "dat", "bsq", "bil", "bip", "raw", NULL };
  static const char * const geotiff[] = { "tif", "tiff", NULL };
  static const char * const hdf[] = { "h5", "hdf5", "hdf", "he5", "nc", "nc4", NULL };
  static const char * const matlab[] = { "mat", NULL };
  static const char * const results[] = { "json", NULL };
  GtkFileChooserNative *chooser;

  if (self->chooser != NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Open Data Sets"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN,
                                         _("_Open"), _("_Cancel"));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Cubes and recordings"), all);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Recordings and arrays"), sounds);
  add_filter (GTK_FILE_CHOOSER (chooser), _("ENVI"), envi);
  add_filter (GTK_FILE_CHOOSER (chooser), _("GeoTIFF"), geotiff);
  add_filter (GTK_FILE_CHOOSER (chooser), _("HDF5 and netCDF"), hdf);
  add_filter (GTK_FILE_CHOOSER (chooser), _("MATLAB"), matlab);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Saved results (result.json)"), results);
  add_filter (GTK_FILE_CHOOSER (chooser), _("All files"), NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  self->chooser = GTK_NATIVE_DIALOG (chooser);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_files_chosen), self, 0);
  gtk_native_dialog_show (self->chooser);
}

/* ---- drop ---- */

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, EsWindow *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autoptr (GPtrArray) dropped = g_ptr_array_new ();

  for (GSList *at = files; at != NULL; at = at->next)
    g_ptr_array_add (dropped, at->data);
  es_window_open (self, (GFile **) dropped->pdata, dropped->len, ES_OPEN_GIVEN);
  g_slist_free (files);
  return TRUE;
}

void
es_window_install_drop (EsWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

/* ---- simulation ---- */

static void
on_simulated (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = es_simulate_finish (result, &error);

  if (!is_alive (opening->window))
    return;
  es_window_end (opening->window, opening->activity);
  if (file != NULL)
    {
      opening->window->play_on_open = opening->play;
      es_window_open (opening->window, &file, 1, ES_OPEN_GIVEN);
    }
  else if (!is_cancelled (error))
    es_window_say (opening->window, error->message);
}

void
es_window_simulate (EsWindow *self)
{
  g_autoptr (EsParams) params = es_simulate_default_params ();
  Opening *opening = g_new0 (Opening, 1);

  opening->window = g_object_ref (self);
  opening->activity = g_object_ref (es_window_begin (self, _("Simulating a cube")));
  es_simulate_async (params, opening->activity, on_simulated, opening);
}

void
es_window_simulate_recording (EsWindow *self, EsParams *params)
{
  Opening *opening = g_new0 (Opening, 1);

  opening->window = g_object_ref (self);
  opening->activity = g_object_ref (es_window_begin (self, _("Simulating a recording")));
  opening->play = TRUE;
  es_simulate_recording_async (params, opening->activity, on_simulated, opening);
}

static void
on_scene (EsWindow *self, EsParams *params)
{
  es_window_simulate_recording (self, params);
}

void
es_window_choose_scene (EsWindow *self)
{
  GtkWidget *dialog = es_simulate_dialog_new (GTK_WINDOW (self), NULL);

  g_signal_connect_object (dialog, "simulate", G_CALLBACK (on_scene), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}
