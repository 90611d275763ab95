/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shell-sections-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

struct _EsShell
{
  GObject          parent_instance;

  GtkWindow       *window;           /* borrowed, as the next two; NULL: closed */
  AdwToastOverlay *toasts;
  EsAnalysePanel  *analyse;

  EsSession       *session;
  EsShown         *shown;
  GListStore      *activities;       /* of EsActivity */
  GListModel      *work;             /* activities and jobs */
  GtkNativeDialog *chooser;          /* nullable */
  EsShellSections *sections;
  gboolean         keeping;
};

G_DEFINE_FINAL_TYPE (EsShell, es_shell, G_TYPE_OBJECT)

enum { UPDATE, CHANGED, COMPLETE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
es_shell_dispose (GObject *object)
{
  EsShell *self = ES_SHELL (object);

  es_shell_close (self);
  g_clear_object (&self->work);
  g_clear_object (&self->activities);
  g_clear_object (&self->shown);
  g_clear_object (&self->session);
  g_clear_pointer (&self->sections, _es_shell_sections_free);
  G_OBJECT_CLASS (es_shell_parent_class)->dispose (object);
}

static void
es_shell_class_init (EsShellClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_shell_dispose;

  signals[UPDATE] = g_signal_new ("update", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[COMPLETE] = g_signal_new ("complete", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_shell_init (EsShell *self)
{
  GListStore *models = g_list_store_new (G_TYPE_LIST_MODEL);

  self->session = es_session_new ();
  self->sections = _es_shell_sections_new ();
  self->shown = es_shown_new ();
  self->activities = g_list_store_new (ES_TYPE_ACTIVITY);
  g_list_store_append (models, es_session_get_jobs (self->session));
  g_list_store_append (models, self->activities);
  self->work = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (models)));
}

EsShell *
es_shell_new (GtkWindow *window, AdwToastOverlay *toasts, EsAnalysePanel *analyse)
{
  EsShell *self = g_object_new (ES_TYPE_SHELL, NULL);

  self->window = window;
  self->toasts = toasts;
  self->analyse = analyse;
  return self;
}

void
es_shell_close (EsShell *self)
{
  self->window = NULL;
  self->toasts = NULL;
  self->analyse = NULL;
  g_clear_object (&self->chooser);
}

gboolean
es_shell_is_open (EsShell *self)
{
  return self->window != NULL;
}

GtkWindow *
es_shell_get_window (EsShell *self)
{
  return self->window;
}

EsSession *
es_shell_get_session (EsShell *self)
{
  return self->session;
}

EsShown *
es_shell_get_shown (EsShell *self)
{
  return self->shown;
}

EsAnalysePanel *
es_shell_get_analyse (EsShell *self)
{
  return self->analyse;
}

void
es_shell_update (EsShell *self)
{
  if (self->window != NULL)
    g_signal_emit (self, signals[UPDATE], 0);
}

void
es_shell_complete (EsShell *self)
{
  if (self->window != NULL)
    g_signal_emit (self, signals[COMPLETE], 0);
}

/* ---- what sessions keep ---- */

void
es_shell_keep (EsShell *self, const EsShellSection *section, GObject *owner)
{
  g_return_if_fail (ES_IS_SHELL (self) && G_IS_OBJECT (owner));
  _es_shell_sections_add (self->sections, section, owner);
}

JsonNode *
es_shell_tell_sections (EsShell *self)
{
  return _es_shell_sections_tell (self->sections);
}

void
es_shell_take_sections (EsShell *self, JsonObject *told)
{
  _es_shell_sections_take (self->sections, told);
}

gboolean
es_shell_has_work (EsShell *self)
{
  return _es_shell_sections_has_work (self->sections);
}

void
es_shell_changed (EsShell *self)
{
  if (self->window != NULL)
    g_signal_emit (self, signals[CHANGED], 0);
}

void
es_shell_set_keeping (EsShell *self, gboolean keeping)
{
  self->keeping = keeping;
}

gboolean
es_shell_is_keeping (EsShell *self)
{
  return self->keeping;
}

/* ---- what is said ---- */

static AdwToast *
make_toast (const char *sentence)
{
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *shown = es_text_show_lines (sentence);
  GtkWidget *label = gtk_label_new (shown);

  /* A toast's own title is one line, and a sentence that is cut says nothing. */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 64);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "es-toast");
  adw_toast_set_custom_title (toast, label);
  /* Time to read it. */
  adw_toast_set_timeout (toast, (guint) CLAMP (g_utf8_strlen (sentence, -1) / 12, 4, 20));
  return toast;
}

void
es_shell_add_toast (EsShell *self, AdwToast *toast)
{
  if (self->toasts != NULL)
    adw_toast_overlay_add_toast (self->toasts, toast);
  else
    g_object_unref (g_object_ref_sink (toast));
}

void
es_shell_say (EsShell *self, const char *sentence)
{
  es_shell_add_toast (self, make_toast (sentence));
}

void
es_shell_say_at_once (EsShell *self, const char *sentence)
{
  AdwToast *toast = make_toast (sentence);

  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  es_shell_add_toast (self, toast);
}

void
es_shell_say_with_action (EsShell *self, const char *sentence, const char *label, const char *action,
                          GVariant *target)
{
  AdwToast *toast = make_toast (sentence);

  adw_toast_set_button_label (toast, label);
  adw_toast_set_action_name (toast, action);
  adw_toast_set_action_target_value (toast, target);
  es_shell_add_toast (self, toast);
}

void
es_shell_say_saved (EsShell *self, GFile *file)
{
  g_autofree char *shown = es_error_file_name (file);
  g_autofree char *uri = g_file_get_uri (file);
  /* TRANSLATORS: a file or folder */
  g_autofree char *sentence = g_strdup_printf (_("“%s” saved"), shown);

  es_shell_say_with_action (self, sentence, _("Show in _Folder"), "win.show-saved", g_variant_new_string (uri));
}

/* ---- what is under way ---- */

EsActivity *
es_shell_begin (EsShell *self, const char *title)
{
  g_autoptr (EsActivity) activity = es_activity_new (title);

  g_list_store_append (self->activities, activity);
  return activity;
}

EsActivity *
es_shell_begin_saving (EsShell *self, GFile *target)
{
  g_autofree char *shown = es_error_file_name (target);
  /* TRANSLATORS: a file or folder is being written */
  g_autofree char *title = g_strdup_printf (_("Saving %s"), shown);

  return es_shell_begin (self, title);
}

void
es_shell_end (EsShell *self, EsActivity *activity)
{
  guint position;

  if (g_list_store_find (self->activities, activity, &position))
    g_list_store_remove (self->activities, position);
}

void
es_shell_end_saving (EsShell *self, EsActivity *activity, GFile *saved, const GError *error)
{
  if (!es_shell_is_open (self))
    return;
  es_shell_end (self, activity);
  if (saved != NULL)
    es_shell_say_saved (self, saved);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_shell_say (self, error->message);
}

GListModel *
es_shell_get_activities (EsShell *self)
{
  return G_LIST_MODEL (self->activities);
}

GListModel *
es_shell_get_work (EsShell *self)
{
  return self->work;
}

void
es_shell_cancel_all (EsShell *self)
{
  es_session_cancel_all (self->session);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->activities)); i++)
    {
      g_autoptr (EsActivity) activity = g_list_model_get_item (G_LIST_MODEL (self->activities), i);

      g_cancellable_cancel (es_activity_get_cancellable (activity));
    }
}

/* ---- choosing files ---- */

gboolean
es_shell_is_choosing (EsShell *self)
{
  return self->chooser != NULL;
}

/* Before the handler of whoever asked, who may ask for another file. */
static void
on_response (EsShell *self)
{
  g_clear_object (&self->chooser);
}

void
es_shell_choose (EsShell *self, GtkFileChooserNative *chooser, GCallback chosen, gpointer owner)
{
  g_return_if_fail (self->chooser == NULL && self->window != NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_response), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chooser, "response", chosen, owner, 0);
  self->chooser = GTK_NATIVE_DIALOG (chooser);
  gtk_native_dialog_show (self->chooser);
}
