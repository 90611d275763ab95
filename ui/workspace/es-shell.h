/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "analyse/es-analyse-panel.h"
#include "progress/es-activity.h"
#include "session/es-session.h"
#include "session/es-shown.h"

G_BEGIN_DECLS

/*
 * What a window and what it shows have in common: the session, what of it is shown, what is under way, and the ways to
 * say something to the person. Workspaces know the window by this alone. It may outlive its window (what is under way
 * keeps it), and is then closed: nothing is said any more.
 *
 * Signals: "update": something else can be done now, or is true of what is shown; "changed": something is otherwise
 * that sessions keep; "complete": es_shell_complete ().
 */
#define ES_TYPE_SHELL (es_shell_get_type ())
G_DECLARE_FINAL_TYPE (EsShell, es_shell, ES, SHELL, GObject)

/* All three are borrowed, until es_shell_close (). */
EsShell        *es_shell_new            (GtkWindow *window, AdwToastOverlay *toasts, EsAnalysePanel *analyse);
void            es_shell_close          (EsShell *self);
gboolean        es_shell_is_open        (EsShell *self);

GtkWindow      *es_shell_get_window     (EsShell *self);       /* NULL once it is closed */
EsSession      *es_shell_get_session    (EsShell *self);
EsShown        *es_shell_get_shown      (EsShell *self);
/* The parameters that the next run would take; NULL once it is closed. */
EsAnalysePanel *es_shell_get_analyse    (EsShell *self);
void            es_shell_update         (EsShell *self);
/* Something is about to be put into the session, or told to what sessions keep: what of the window was left for later
 * is made now. */
void            es_shell_complete       (EsShell *self);

/* ---- what sessions keep ---- */
/* One part of what is kept of a window, beside its data and results. Its name is that of a member of "sections" in the
 * session's file. Main context. */
typedef struct
{
  const char *name;                  /* "cube-view" */
  /* What there is now; NULL: nothing. Transfer full. Called often: it has a millisecond at most. */
  JsonNode *(*tell) (gpointer owner);
  /* What was told, once the data of the session are open. It may come from anybody's file. */
  void      (*take) (gpointer owner, JsonNode *told);
  /* There is something that would be missed though no data are open. NULL: never. */
  gboolean  (*is_work) (gpointer owner);
} EsShellSection;

/* section: constant. owner: borrowed, while it lives. */
void            es_shell_keep           (EsShell *self, const EsShellSection *section, GObject *owner);
/* All of them, as members of an object; transfer full. */
JsonNode       *es_shell_tell_sections  (EsShell *self);
/* Those that are there (nullable: none). What nobody knows is told again the next time. */
void            es_shell_take_sections  (EsShell *self, JsonObject *told);
/* One of them is work of its own. */
gboolean        es_shell_has_work       (EsShell *self);
void            es_shell_changed        (EsShell *self);
/* Whether what is open is kept by itself: nobody need be asked about it when the window is closed. */
void            es_shell_set_keeping    (EsShell *self, gboolean keeping);
gboolean        es_shell_is_keeping     (EsShell *self);

/* ---- what is said ---- */
/* A toast; with a button; about a file that has been written, with the way to it. */
void            es_shell_say            (EsShell *self, const char *sentence);
/* Before what waits to be said: what nobody may miss. */
void            es_shell_say_at_once    (EsShell *self, const char *sentence);
void            es_shell_say_with_action (EsShell *self, const char *sentence, const char *label, const char *action,
                                         GVariant *target);
void            es_shell_say_saved      (EsShell *self, GFile *file);
/* A toast of one's own; takes it. */
void            es_shell_add_toast      (EsShell *self, AdwToast *toast);

/* ---- what is under way ---- */
EsActivity     *es_shell_begin          (EsShell *self, const char *title);    /* borrowed until the end */
/* "Saving NAME". */
EsActivity     *es_shell_begin_saving   (EsShell *self, GFile *target);
void            es_shell_end            (EsShell *self, EsActivity *activity);
/* The same, and what came of it is told: `saved` was written, or the error. */
void            es_shell_end_saving     (EsShell *self, EsActivity *activity, GFile *saved, const GError *error);
GListModel     *es_shell_get_activities (EsShell *self);       /* of EsActivity */
GListModel     *es_shell_get_work       (EsShell *self);       /* jobs and activities: the status line */
void            es_shell_cancel_all     (EsShell *self);

/* ---- choosing files ---- */
gboolean        es_shell_is_choosing    (EsShell *self);
/* One at a time. chosen is a handler of "response", swapped no, with owner as its data, while that lives. Takes the
 * chooser. */
void            es_shell_choose         (EsShell *self, GtkFileChooserNative *chooser, GCallback chosen,
                                         gpointer owner);

G_END_DECLS
