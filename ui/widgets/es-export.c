/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-export.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "saving/es-durable.h"
#include "base/es-error.h"
#include "base/es-file-name.h"
#include "base/es-text-show.h"

#define PLOT_WIDTH  720
#define PLOT_HEIGHT 420

typedef struct
{
  GtkWidget            *widget;      /* NULL once it has gone */
  GtkFileChooserNative *chooser;
  EsExportChosen        chosen;
  gpointer              user_data;
  gboolean              has_choice;  /* of a format, beside the name */
  char                 *ending;      /* of a file; NULL: of a folder */
} Question;

void
es_export_report (GtkWidget *widget, const char *sentence)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);
  GtkRoot *root = gtk_widget_get_root (widget);

  /* The right column may stand outside of the overlay. */
  if (overlay == NULL && ADW_IS_APPLICATION_WINDOW (root))
    {
      GtkWidget *content = adw_application_window_get_content (ADW_APPLICATION_WINDOW (root));

      if (ADW_IS_TOAST_OVERLAY (content))
        overlay = content;
    }
  if (overlay != NULL)
    {
      AdwToast *toast;
      g_autofree char *shown = es_text_show_lines (sentence), *escaped = g_markup_escape_text (shown, -1);

      toast = adw_toast_new (escaped);
      adw_toast_set_timeout (toast, 8);
      adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), toast);
    }
  else if (GTK_IS_WINDOW (root))
    {
      g_autofree char *shown = es_text_show_lines (sentence);
      GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (root), NULL, shown);

      adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _("_Close"));
      gtk_window_present (GTK_WINDOW (dialog));
    }
}

void
es_export_copy_plot (GtkWidget *widget, EsPlot *plot, int width, int height)
{
  cairo_surface_t *surface;
  cairo_t *cr;
  int stride;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  width = MAX (width, 2);
  height = MAX (height, 2);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 2 * width, 2 * height);
  cr = cairo_create (surface);
  cairo_scale (cr, 2, 2);
  es_plot_draw_still (plot, cr, width, height, &es_plot_colors_print);
  cairo_destroy (cr);
  cairo_surface_flush (surface);

  stride = cairo_image_surface_get_stride (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface), (gsize) stride * 2 * height);
  texture = gdk_memory_texture_new (2 * width, 2 * height, GDK_MEMORY_DEFAULT, bytes, stride);
  cairo_surface_destroy (surface);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

void
es_export_copy_text (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

const char *
es_export_plot_extension (EsPlotFormat format)
{
  static const char * const extensions[] = { "pdf", "svg", "png" };

  return extensions[format];
}

gboolean
es_export_find_format (const char *extension, EsPlotFormat *format)
{
  for (guint i = ES_PLOT_PDF; i <= ES_PLOT_PNG; i++)
    if (g_strcmp0 (extension, es_export_plot_extension (i)) == 0)
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

/* ---- asking where ---- */

static void
question_free (gpointer data, GClosure *closure)
{
  Question *question = data;

  g_clear_weak_pointer (&question->widget);
  g_free (question->ending);
  g_free (question);
}

static void
on_response (GtkNativeDialog *dialog, int response, Question *question)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  if (response == GTK_RESPONSE_ACCEPT && question->widget != NULL)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
      const char *choice = question->has_choice ? gtk_file_chooser_get_choice (chooser, "format") : NULL;

      g_autoptr (GError) error = NULL;

      if (file != NULL && question->ending != NULL && g_file_peek_path (file) != NULL
          && !es_file_name_fits (g_file_peek_path (file), question->ending, &error))
        es_export_report (question->widget, error->message);
      else if (file != NULL)
        question->chosen (question->widget, file, choice, question->user_data);
    }
  /* Held only for the time it is open; this also drops the question. */
  g_object_unref (dialog);
}

static GtkFileChooserNative *
ask (GtkWidget *widget, const char *title, GtkFileChooserAction action, gboolean has_choice, const char *ending,
     EsExportChosen chosen, gpointer user_data)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  Question *question = g_new0 (Question, 1);
  GtkFileChooserNative *chooser;

  chooser = gtk_file_chooser_native_new (title, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, action,
                                         _("_Save"), NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_set_weak_pointer (&question->widget, widget);
  question->has_choice = has_choice;
  question->ending = g_strdup (ending);
  question->chosen = chosen;
  question->user_data = user_data;
  es_export_place_apply (chooser);
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_response), question, question_free, 0);
  return chooser;
}

void
es_export_ask_file (GtkWidget *widget, const char *title, const char *name, const char *extension,
                    EsExportChosen chosen, gpointer user_data)
{
  GtkFileChooserNative *chooser = ask (widget, title, GTK_FILE_CHOOSER_ACTION_SAVE, FALSE, extension,
                                       chosen, user_data);
  g_autofree char *stem = es_file_name_make (name, NULL);
  g_autofree char *file_name = g_strdup_printf ("%s.%s", stem, extension);
  g_autofree char *pattern = g_strdup_printf ("*.%s", extension);
  g_autofree char *filter_name = g_ascii_strup (extension, -1);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, filter_name);
  gtk_file_filter_add_pattern (filter, pattern);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), file_name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
es_export_ask_folder (GtkWidget *widget, const char *title, const char * const *formats,
                      EsExportChosen chosen, gpointer user_data)
{
  gboolean has_choice = formats != NULL && formats[0] != NULL;
  GtkFileChooserNative *chooser = ask (widget, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, has_choice, NULL,
                                       chosen, user_data);

  if (has_choice)
    {
      g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);

      for (guint i = 0; formats[i] != NULL; i++)
        g_ptr_array_add (labels, g_ascii_strup (formats[i], -1));
      g_ptr_array_add (labels, NULL);
      gtk_file_chooser_add_choice (GTK_FILE_CHOOSER (chooser), "format", _("Format"),
                                   (const char **) formats, (const char **) labels->pdata);
      gtk_file_chooser_set_choice (GTK_FILE_CHOOSER (chooser), "format", formats[0]);
    }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

typedef struct
{
  EsPlot       *plot;
  EsPlotFormat  format;
} PlotToSave;

static void
plot_to_save_free (gpointer data)
{
  PlotToSave *what = data;

  g_object_unref (what->plot);
  g_free (what);
}

static void
save_plot_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  PlotToSave *what = user_data;
  g_autoptr (GError) error = NULL;

  if (!es_plot_save (what->plot, file, what->format, PLOT_WIDTH, PLOT_HEIGHT, &error))
    es_export_report (widget, error->message);
}

void
es_export_save_plot (GtkWidget *widget, EsPlot *plot, EsPlotFormat format)
{
  PlotToSave *what = g_new0 (PlotToSave, 1);
  const char *title = es_plot_get_title (plot);

  what->plot = g_object_ref (plot);
  what->format = format;
  /* The widget owns the request until it is asked again or goes. */
  g_object_set_data_full (G_OBJECT (widget), "es-plot-to-save", what, plot_to_save_free);
  es_export_ask_file (widget, _("Save Plot"), title != NULL && *title != '\0' ? title : _("plot"),
                      es_export_plot_extension (format), save_plot_to, what);
}

/* ---- text ---- */

static void
on_text_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) && gtk_widget_get_root (widget) != NULL)
    es_export_report (widget, error->message);
}

static void
save_text (GTask *task, gpointer source, gpointer text, GCancellable *cancellable)
{
  GError *error = NULL;

  if (es_durable_write_text (source, text, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
es_export_save_text (GtkWidget *widget, GFile *target, char *text)
{
  g_autoptr (GTask) task = g_task_new (target, NULL, on_text_saved, g_object_ref (widget));

  g_task_set_source_tag (task, es_export_save_text);
  g_task_set_task_data (task, text, g_free);
  es_task_run_in_thread (task, save_text);
}

/* ---- textures ---- */

static void
save_texture (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GdkTexture *texture = source;
  GFile *target = data;
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);
  g_autoptr (GError) error = NULL;

  if (bytes == NULL)
    {
      g_autofree char *name = es_error_file_name (target);

      g_task_return_new_error (task, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("Cannot write %s: %s."), name,
                               _("the picture could not be encoded"));
    }
  else if (g_task_return_error_if_cancelled (task))
    return;
  else if (es_durable_write (target, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
es_export_save_texture_async (GdkTexture *texture, GFile *target, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (texture, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_export_save_texture_async);
  g_task_set_task_data (task, g_object_ref (target), g_object_unref);
  es_task_run_in_thread (task, save_texture);
}

gboolean
es_export_save_texture_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, es_export_save_texture_async), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
