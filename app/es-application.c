/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-application.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#include "array/es-array.h"
#include "device/es-device.h"
#include "base/es-error.h"
#include "base/es-text-show.h"
#include "lab/es-machine.h"
#include "matrix/es-sparse-matrix.h"
#include "analyse/es-gpu-settings.h"
#include "axes/es-drawing-pdf.h"
#include "axes/es-figure-draw.h"
#include "analyse/es-outlook.h"
#include "window/es-preferences-window.h"
#include "widgets/es-settings.h"
#include "widgets/es-ui.h"
#include "window/es-window.h"
#include "workspace/es-start-trace.h"

#define LATEST_DEVICES_S 2

struct _EsApplication
{
  AdwApplication parent_instance;

  char          *run_operation;      /* --run */
  char          *device;             /* --device; NULL: the setting */
  char          *array;              /* --array, for the recording that is opened with it */
  gboolean       play;               /* --play */
  int            status;             /* that the program ends with, if not with GApplication's */
};

static const int ending_signals[] = { SIGTERM, SIGINT, SIGHUP };

G_DEFINE_FINAL_TYPE (EsApplication, es_application, ADW_TYPE_APPLICATION)

/* files: some are about to be opened in it. */
static EsWindow *
get_window (EsApplication *self, gboolean files)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_WINDOW (at->data))
      return at->data;
  EsWindow *window = ES_WINDOW (es_window_new (GTK_APPLICATION (self)));

  es_start_trace ("window");
  es_start_trace_frames (GTK_WIDGET (window));
  if (self->device != NULL)
    /* For this window alone: the setting stays. */
    es_device_choice_want (es_session_get_device_choice (es_window_get_session (window)), self->device);
  es_window_keep (window, files);
  return window;
}

static void
activate_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (es_preferences_window_new (GTK_WINDOW (get_window (data, FALSE)))));
}

static void
activate_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *developers[] = { _("The Eigenscope developers"), NULL };

  adw_show_about_window (GTK_WINDOW (get_window (data, FALSE)),
                         "application-name", _("Eigenscope"),
                         "application-icon", ES_APPLICATION_ID,
                         "developer-name", _("The Eigenscope developers"),
                         "developers", developers,
                         "version", ES_VERSION,
                         "comments", _("An instrument for hyperspectral cubes and hydrophone arrays: find the "
                                       "components that carry the variance of a cube, or form the beams of a "
                                       "recording while it plays, and save what was found."),
                         "license-type", GTK_LICENSE_GPL_3_0,
                         /* TRANSLATORS: put your names here, one a line */
                         "translator-credits", _("translator-credits"),
                         NULL);
}

static void
activate_shortcuts (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (get_window (data, FALSE)), "win.show-help-overlay", NULL);
}

/* Windows are asked one by one, so that a running job is not lost without a word. */
static void
activate_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  for (GList *at = windows; at != NULL; at = at->next)
    gtk_window_close (at->data);
}

/* Nothing half written stays behind. */
static void
end_windows (gpointer application)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (application)));

  /* Before there is one. */
  if (windows == NULL)
    g_application_quit (application);
  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_WINDOW (at->data))
      es_window_end (at->data);
    else
      gtk_window_destroy (at->data);
}

/* SIGTERM and the like, as at the end of a session or by a person at a terminal. The second one ends the program at
 * once. */
static gboolean
on_told_to_end (gpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (ending_signals); i++)
    signal (ending_signals[i], SIG_DFL);
  end_windows (data);
  return G_SOURCE_CONTINUE;
}

/* FALSE: there is no such device, which has been said. Waits until GPUs have been looked for. */
static gboolean
check_device (const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *shown = NULL;

  if (g_str_equal (id, "auto") || es_device_find (id, &error) != NULL)
    return TRUE;
  shown = es_text_show (error->message);
  g_printerr ("%s\n", shown);
  return FALSE;
}

/* Whatever was found. */
static void
on_devices_known (EsApplication *self)
{
  es_start_trace ("devices");
  g_signal_handlers_disconnect_by_func (es_devices_get (), on_devices_known, self);
  if (self->device == NULL || check_device (self->device))
    return;
  self->status = 2;
  end_windows (self);
}

static void
update_style (void)
{
  g_autofree char *style = g_settings_get_string (es_settings_get (), "style");
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (g_str_equal (style, "light"))
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_str_equal (style, "dark"))
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

static void
install_actions (EsApplication *self)
{
  static const GActionEntry entries[] = {
    { "preferences", activate_preferences },
    { "about", activate_about },
    { "shortcuts", activate_shortcuts },
    { "quit", activate_quit },
  };
  static const struct { const char *action; const char *keys[3]; } accelerators[] = {
    { "app.quit", { "<Control>q" } },
    { "app.preferences", { "<Control>comma" } },
    { "app.shortcuts", { "<Control>question", "F1" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "win.open", { "<Control>o" } },
    { "win.other-arrays", { "<Control><Shift>o" } },
    { "win.run", { "<Control>r" } },
    { "win.save", { "<Control>s" } },
    { "win.save-all", { "<Control><Shift>s" } },
    { "win.copy-command", { "<Control><Shift>c" } },
    { "win.jobs", { "<Control>j" } },
    { "win.close", { "<Control>w" } },
    { "win.sidebar", { "F9" } },
    { "win.inspector", { "<Shift>F9" } },
    { "win.fullscreen", { "F11" } },
  };
  g_autoptr (GAction) style = g_settings_create_action (es_settings_get (), "style");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), style);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           (const char **) accelerators[i].keys);
}

/* A window that is not seen has no frame. */
static gboolean
on_late (gpointer data)
{
  es_devices_go ();
  return G_SOURCE_REMOVE;
}

static void
es_application_startup (GApplication *application)
{
  es_ui_init ();
  es_figure_set_draw (es_figure_draw_axes);
  es_drawing_set_print (es_drawing_print_pdf);
  /* Behind the first frame. */
  es_devices_announce ();
  g_timeout_add_seconds (LATEST_DEVICES_S, on_late, NULL);
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (on_devices_known), application,
                           G_CONNECT_SWAPPED);
  es_gpu_settings_start ();
  G_APPLICATION_CLASS (es_application_parent_class)->startup (application);
  /* What waits for GTK. */
  es_ui_init ();
  gtk_window_set_default_icon_name (ES_APPLICATION_ID);
  install_actions (ES_APPLICATION (application));
  g_signal_connect_object (es_settings_get (), "changed::style", G_CALLBACK (update_style), application, 0);
  update_style ();
  for (guint i = 0; i < G_N_ELEMENTS (ending_signals); i++)
    g_unix_signal_add (ending_signals[i], on_told_to_end, application);
  es_start_trace ("startup");
}

/* Nothing may be inside the driver when the program ends. */
static void
es_application_shutdown (GApplication *application)
{
  G_APPLICATION_CLASS (es_application_parent_class)->shutdown (application);
  /* Somebody may wait for it who is waited for here. */
  es_devices_go ();
  es_window_wait_for_jobs ();
  es_session_keeper_wait ();
  es_outlook_wait ();
  es_devices_stop ();
}

static void
es_application_activate (GApplication *application)
{
  es_window_begin (get_window (ES_APPLICATION (application), FALSE), FALSE);
  es_start_trace ("presented");
}

/* What is no file: a device or a matrix that is made. */
static gboolean
is_name (const char *text)
{
  return es_machine_is_name (text) || es_sparse_matrix_is_made_name (text);
}

/* "cpu", "cuda:0" and "poisson2d:1000x1000" are such, unless there is such a file. Transfer full; NULL: it is a
 * file. */
static char *
find_name (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file), *name = g_file_get_basename (file);
  g_autofree char *folder = g_get_current_dir ();
  g_autoptr (GFile) here = g_file_new_for_path (folder), own = NULL;

  if (is_name (uri))
    return g_steal_pointer (&uri);
  own = name != NULL && is_name (name) ? g_file_get_child (here, name) : NULL;
  return own != NULL && g_file_equal (own, file) && !g_file_query_exists (file, NULL) ? g_steal_pointer (&name) : NULL;
}

/* Takes the devices and made matrices out of a list of files, and opens them. */
static void
open_named (EsWindow *window, EsOpenRequest *request)
{
  for (guint i = 0; i < request->files->len;)
    {
      g_autofree char *name = find_name (g_ptr_array_index (request->files, i));

      if (name == NULL)
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (request->files, i);
      if (es_machine_is_name (name))
        es_window_open_device (window, name, request);
      else
        es_window_make_matrix (window, name, request);
    }
}

static void
es_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  EsApplication *self = ES_APPLICATION (application);
  EsWindow *window = get_window (self, TRUE);
  g_autoptr (EsOpenRequest) request = es_open_request_new (files, (guint) n_files, ES_OPEN_GIVEN);

  request->operation = g_strdup (self->run_operation);
  request->array = g_strdup (self->array);
  request->play = self->play;
  open_named (window, request);
  es_window_open_request (window, request);
  es_window_begin (window, TRUE);
  es_start_trace ("presented");
}

/* One of those that there may be. */
static gboolean
is_name_of_device (const char *id)
{
  const char *number = g_str_has_prefix (id, "cuda:") ? id + strlen ("cuda:") : "";

  return g_str_equal (id, "auto") || g_str_equal (id, "cpu") || g_str_equal (number, "all")
         || (*number != '\0' && strspn (number, "0123456789") == strlen (number));
}

static int
es_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  EsApplication *self = ES_APPLICATION (application);

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("Eigenscope %s\n", ES_VERSION);
      return 0;
    }
  /* Whether there is the one that was named is seen when they are known: the window does not wait for GPUs. */
  if (g_variant_dict_lookup (options, "device", "s", &self->device) && !is_name_of_device (self->device)
      && !check_device (self->device))
    return 2;
  if (g_variant_dict_lookup (options, "array", "s", &self->array))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsArray) array = es_array_parse (self->array, &error);

      if (array == NULL)
        {
          g_autofree char *shown = es_text_show (error->message);

          g_printerr ("%s\n", shown);
          return error->domain == ES_COMPUTE_ERROR ? 2 : 3;
        }
    }
  g_variant_dict_lookup (options, "play", "b", &self->play);
  /* A run is asked of this process, not of a window that is open already. */
  if (g_variant_dict_lookup (options, "run", "s", &self->run_operation) || self->device != NULL || self->array != NULL
      || self->play)
    g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static void
es_application_finalize (GObject *object)
{
  g_free (ES_APPLICATION (object)->run_operation);
  g_free (ES_APPLICATION (object)->device);
  g_free (ES_APPLICATION (object)->array);
  G_OBJECT_CLASS (es_application_parent_class)->finalize (object);
}

static void
es_application_class_init (EsApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_application_finalize;
  application_class->startup = es_application_startup;
  application_class->shutdown = es_application_shutdown;
  application_class->activate = es_application_activate;
  application_class->open = es_application_open;
  application_class->handle_local_options = es_application_handle_local_options;
}

static void
es_application_init (EsApplication *self)
{
  static const GOptionEntry entries[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Run an operation on the file once it is open"), N_("OPERATION") },
    { "device", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Compute on this device: auto, cpu, cuda:N or cuda:all"),
      N_("DEVICE") },
    { "array", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_("Where the hydrophones of the recording are: a file, or line:ELEMENTS,SPACING"), N_("ARRAY") },
    { "play", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Play the recording once it is open"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Print the version and leave"), NULL },
    { NULL }
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _("[FILE…]"));
}

int
es_application_get_status (EsApplication *self)
{
  return self->status;
}

EsApplication *
es_application_new (void)
{
  return g_object_new (ES_TYPE_APPLICATION,
                       "application-id", ES_APPLICATION_ID,
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", "/org/eigenscope/Eigenscope",
                       NULL);
}
