/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "es-error.h"
#include "es-open-dialog.h"
#include "es-recent.h"
#include "es-simulate-task.h"

/* One file on its way in. */
typedef struct
{
  EsWindow     *window;
  EsActivity   *activity;
  GFile        *file;            /* NULL while it is being simulated */
  EsOpenOrigin  origin;
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
report_failure (EsWindow *self, const char *sentence, EsOpenOrigin origin)
{
  GtkWidget *dialog;

  if (origin == ES_OPEN_GIVEN)
    {
      es_window_say (self, sentence);
      return;
    }
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _("The File Could Not Be Opened"), sentence);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
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
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) opened = es_dataset_open_finish (result, &error);
  EsWindow *self = opening->window;
  EsDataset *dataset;
  guint64 rows, columns;

  if (!is_alive (self))
    return;
  es_window_end (self, opening->activity);
  if (opened == NULL)
    {
      if (is_cancelled (error))
        return;
      if (es_open_dialog_wants_shape (opening->file, error, &rows, &columns))
        {
          GtkWidget *dialog = es_open_dialog_new (GTK_WINDOW (self), opening->file, rows, columns);

          g_signal_connect_object (dialog, "response", G_CALLBACK (on_shape_response), self, 0);
          gtk_window_present (GTK_WINDOW (dialog));
        }
      else
        report_failure (self, error->message, opening->origin);
      return;
    }

  dataset = es_session_add_dataset (self->session, opened);
  es_recent_add (dataset);
  if (!es_data_tree_select (es_sidebar_get_tree (self->sidebar), G_OBJECT (dataset)))
    es_window_show_item (self, dataset, NULL, NULL, NULL);
  if (self->run_on_open != NULL)
    {
      g_autofree char *id = g_steal_pointer (&self->run_on_open);

      if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), id))
        es_window_run (self);
    }
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
    report_failure (self, error->message, opening->origin);
}

static gboolean
is_result (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ".json");
}

static void
open_file (EsWindow *self, GFile *file, const EsOpenOptions *options, EsOpenOrigin origin)
{
  g_autofree char *name = es_error_file_name (file);
  /* TRANSLATORS: a file is being opened */
  g_autofree char *title = g_strdup_printf (_("Opening %s"), name);
  Opening *opening = g_new0 (Opening, 1);

  opening->window = g_object_ref (self);
  opening->activity = g_object_ref (es_window_begin (self, title));
  opening->file = g_object_ref (file);
  opening->origin = origin;
  if (is_result (file))
    es_result_load_async (file, es_activity_get_cancellable (opening->activity), on_result_loaded, opening);
  else
    es_dataset_open_async (file, options, es_activity_get_cancellable (opening->activity), on_opened, opening);
}

void
es_window_open (EsWindow *self, GFile **files, guint n_files, EsOpenOrigin origin)
{
  g_return_if_fail (ES_IS_WINDOW (self));

  for (guint i = 0; i < n_files; i++)
    open_file (self, files[i], NULL, origin);
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

  if (response == GTK_RESPONSE_ACCEPT)
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      es_window_open (self, &file, 1, ES_OPEN_CHOSEN);
    }
  g_clear_object (&self->chooser);
}

void
es_window_choose_files (EsWindow *self)
{
  static const char * const all[] = {
    "hdr", "img", "dat", "bsq", "bil", "bip", "raw", "tif", "tiff", "h5", "hdf5", "hdf", "he5", "nc", "nc4", "mat",
    "vrt", "jp2", "pix", NULL,
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
  add_filter (GTK_FILE_CHOOSER (chooser), _("Hyperspectral cubes"), all);
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

  for (GSList *at = files; at != NULL; at = at->next)
    {
      GFile *file = at->data;

      es_window_open (self, &file, 1, ES_OPEN_GIVEN);
    }
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
    es_window_open (opening->window, &file, 1, ES_OPEN_GIVEN);
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
