/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the person is asked and told while files come in: which they are, what they do not tell, why they do not. */

#include "es-opener-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "es-open-dialog.h"
#include "es-open-set.h"

static void
on_failure_response (AdwMessageDialog *dialog, const char *response, EsOpener *self)
{
  const char *uri = g_object_get_data (G_OBJECT (dialog), "es-uri");

  if (g_strcmp0 (response, "raw") == 0)
    es_opener_import_raw (self, uri);
  else if (g_strcmp0 (response, "cube") == 0)
    es_opener_import_cube (self, uri);
}

void
_es_opener_report_failure (EsOpener *self, EsOpenRequest *request, const char *sentence, GFile *raw)
{
  EsShell *shell = _es_opener_get_shell (self);
  g_autofree char *uri = raw != NULL ? g_file_get_uri (raw) : NULL, *shown = es_text_show_lines (sentence);
  GtkWidget *dialog;

  if (uri != NULL)
    _es_opener_keep_unread (self, uri, request);
  if (request->origin == ES_OPEN_GIVEN)
    {
      if (uri != NULL)
        es_shell_say_with_action (shell, sentence, _("_Import…"), "win.import-as", g_variant_new_string (uri));
      else
        es_shell_say (shell, sentence);
      return;
    }
  dialog = adw_message_dialog_new (_es_opener_get_window (self), _("The File Could Not Be Opened"), shown);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "close");
  if (uri != NULL)
    {
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "raw", _("As a _Recording…"));
      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cube", _("As a C_ube…"));
      g_object_set_data_full (G_OBJECT (dialog), "es-uri", g_steal_pointer (&uri), g_free);
      g_signal_connect_object (dialog, "response", G_CALLBACK (on_failure_response), self, 0);
    }
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- what a person has to tell ---- */

void
_es_opener_keep_request (gpointer dialog, EsOpenRequest *request)
{
  g_object_set_data_full (dialog, "es-request", es_open_request_ref (request), (GDestroyNotify) es_open_request_unref);
}

void
_es_opener_go_on (EsOpener *self, gpointer dialog, GFile *file, const EsOpenOptions *options)
{
  EsOpenRequest *request = g_object_get_data (dialog, "es-request");
  g_autoptr (EsOpenRequest) chosen = es_open_request_new (NULL, 0, ES_OPEN_CHOSEN);

  /* Unless another file of the same opening was sooner. */
  chosen->operation = g_steal_pointer (&request->operation);
  chosen->array = g_steal_pointer (&request->array);
  chosen->play = request->play;
  request->play = FALSE;
  _es_opener_open_file (self, chosen, file, options);
}

static void
on_rate_response (AdwMessageDialog *dialog, const char *response, EsOpener *self)
{
  GtkSpinButton *spin = g_object_get_data (G_OBJECT (dialog), "es-rate");
  EsOpenOptions options = { .samples = { .rate = gtk_spin_button_get_value (spin) } };

  if (g_strcmp0 (response, "open") == 0)
    _es_opener_go_on (self, dialog, g_object_get_data (G_OBJECT (dialog), "es-file"), &options);
}

/* A recording that tells everything but its rate. */
static void
ask_rate (EsOpener *self, EsOpenRequest *request, GFile *file, const char *sentence)
{
  GtkWidget *dialog = adw_message_dialog_new (_es_opener_get_window (self), _("Sampling Rate"),
                                              sentence);
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
  _es_opener_keep_request (dialog, request);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_rate_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_shape_response (EsOpenDialog *dialog, const char *response, EsOpener *self)
{
  EsOpenOptions options = { .width = es_open_dialog_get_width (dialog), .height = es_open_dialog_get_height (dialog) };

  if (g_strcmp0 (response, "open") == 0)
    _es_opener_go_on (self, dialog, es_open_dialog_get_file (dialog), &options);
}

/* Its bytes may be samples of something. */
static gboolean
can_be_raw (GFile *file, const GError *error)
{
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;

  return name != NULL && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT) && !es_open_set_is_matrix (name);
}

void
_es_opener_tell_failure (EsOpener *self, EsOpenRequest *request, GFile *file, const GError *error)
{
  guint64 rows, columns;

  if (file != NULL && es_open_dialog_wants_shape (file, error, &rows, &columns))
    {
      GtkWidget *dialog = es_open_dialog_new (_es_opener_get_window (self), file, rows, columns);

      _es_opener_keep_request (dialog, request);
      g_signal_connect_object (dialog, "response", G_CALLBACK (on_shape_response), self, 0);
      gtk_window_present (GTK_WINDOW (dialog));
    }
  else if (file != NULL && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_RATE))
    ask_rate (self, request, file, error->message);
  else if (file != NULL && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED))
    _es_opener_ask_sources (self, request, file, error);
  else
    _es_opener_report_failure (self, request, error->message, can_be_raw (file, error) ? file : NULL);
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
on_files_chosen (GtkNativeDialog *dialog, int response, EsOpener *self)
{
  g_autoptr (GListModel) files = NULL;
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (EsOpenRequest) request = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (chosen, g_list_model_get_item (files, i));
  request = es_open_request_new ((GFile **) chosen->pdata, chosen->len, ES_OPEN_CHOSEN);
  es_opener_open (self, request);
}

void
es_opener_choose_files (EsOpener *self)
{
  static const char * const all[] = {
    "hdr", "img", "dat", "bsq", "bil", "bip", "raw", "tif", "tiff", "h5", "hdf5", "hdf", "he5", "nc", "nc4", "mat",
    "vrt", "jp2", "pix", "wav", "wave", "w64", "rf64", "flac", "caf", "aif", "aiff", "au", "sio", "csv", "xml",
    "sigmf-meta", "mtx", "mtx.gz", "eigenscope.json", NULL,
  };
  static const char * const sounds[] = {
    "wav", "wave", "w64", "rf64", "flac", "caf", "aif", "aiff", "au", "sio", "h5", "hdf5", "mat", "csv", "xml",
    "sigmf-meta", NULL,
  };
  static const char * const envi[] = { "hdr", "img", "dat", "bsq", "bil", "bip", "raw", NULL };
  static const char * const geotiff[] = { "tif", "tiff", NULL };
  static const char * const hdf[] = { "h5", "hdf5", "hdf", "he5", "nc", "nc4", NULL };
  static const char * const matlab[] = { "mat", NULL };
  static const char * const matrices[] = { "mtx", "mtx.gz", NULL };
  static const char * const results[] = { "json", NULL };
  static const char * const sessions[] = { "eigenscope.json", NULL };
  EsShell *shell = _es_opener_get_shell (self);
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (shell))
    return;
  chooser = gtk_file_chooser_native_new (_("Open Data Sets"), es_shell_get_window (shell),
                                         GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Cubes, recordings and matrices"), all);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Recordings and arrays"), sounds);
  add_filter (GTK_FILE_CHOOSER (chooser), _("ENVI"), envi);
  add_filter (GTK_FILE_CHOOSER (chooser), _("GeoTIFF"), geotiff);
  add_filter (GTK_FILE_CHOOSER (chooser), _("HDF5 and netCDF"), hdf);
  add_filter (GTK_FILE_CHOOSER (chooser), _("MATLAB"), matlab);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Matrix Market"), matrices);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Saved results (result.json)"), results);
  add_filter (GTK_FILE_CHOOSER (chooser), _("Sessions"), sessions);
  add_filter (GTK_FILE_CHOOSER (chooser), _("All files"), NULL);
  es_shell_choose (shell, chooser, G_CALLBACK (on_files_chosen), self);
}

/* ---- drop ---- */

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, EsOpener *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autoptr (GPtrArray) dropped = g_ptr_array_new ();
  g_autoptr (EsOpenRequest) request = NULL;

  for (GSList *at = files; at != NULL; at = at->next)
    g_ptr_array_add (dropped, at->data);
  request = es_open_request_new ((GFile **) dropped->pdata, dropped->len, ES_OPEN_GIVEN);
  es_opener_open (self, request);
  g_slist_free (files);
  return TRUE;
}

void
es_opener_install_drop (EsOpener *self, GtkWidget *widget)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}
