/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "files/es-save.h"
#include "keeping/es-session-keeper.h"
#include "session/es-session.h"
#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/*
 * The main window: what is open on the left, its picture in the middle, what is known about it on the right, and the
 * status line. Everything that can be done is an action "win.*"; buttons, menus, keys and tests use these names.
 */
#define ES_TYPE_WINDOW (es_window_get_type ())
G_DECLARE_FINAL_TYPE (EsWindow, es_window, ES, WINDOW, AdwApplicationWindow)

GtkWidget *es_window_new         (GtkApplication *application);
EsSession *es_window_get_session (EsWindow *self);
/* Of this type (ES_TYPE_CUBE_WORKSPACE ...), shown or not; NULL: there is none of it. */
EsWorkspace *es_window_get_workspace (EsWindow *self, GType type);

/* Shows it for the first time, as soon as it has something to show: at once where nothing is about to be opened; else
 * with the picture of it, or after a moment without. The rest of it is made after its first frame. */
void       es_window_begin       (EsWindow *self, gboolean files);
/* What is open in it is saved by itself from now on, and what a process that is gone has left is there again; files:
 * some are about to be opened. Once. */
void       es_window_keep        (EsWindow *self, gboolean files);
EsSessionKeeper *es_window_get_keeper (EsWindow *self);
void       es_window_open        (EsWindow *self, GFile **files, guint n_files, EsOpenOrigin origin);
/* With what is to happen once they are open. */
void       es_window_open_request (EsWindow *self, EsOpenRequest *request);
/* At the end of the program: until what was cancelled with the windows has ended; ten seconds at most. */
void       es_window_wait_for_jobs (void);
/* The same of a device, to be measured: "cpu", "cuda:0". */
void       es_window_open_device   (EsWindow *self, const char *id, EsOpenRequest *request);
/* And of a matrix that is made: "poisson2d:1000x1000". */
void       es_window_make_matrix   (EsWindow *self, const char *name, EsOpenRequest *request);
/* What the save dialogs do once the target is chosen: saves of the shown result. FALSE: no result is shown. */
gboolean   es_window_save        (EsWindow *self, EsSaveKind kind, GFile *target);
/* What the dialog that asks about results that are not saved does once a folder is chosen: it saves them all into it,
 * and then closes the window, or the data set. wait: for what runs, too. FALSE: nothing has been asked. */
gboolean   es_window_leave_into  (EsWindow *self, GFile *folder, gboolean wait);
/* The program is told to end: whatever runs is cancelled, and the window goes, without a question, once that has put in
 * order what it had begun. */
void       es_window_end         (EsWindow *self);
/* Saves, openings and simulations under way. */
guint      es_window_get_n_activities (EsWindow *self);

G_END_DECLS
