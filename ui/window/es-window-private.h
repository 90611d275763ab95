/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-banner.h"
#include "files/es-opener.h"
#include "keeping/es-session-keeper.h"
#include "lab/es-comparison.h"
#include "es-sidebar.h"
#include "progress/es-status-bar.h"
#include "es-header-bar.h"
#include "es-leaving.h"
#include "es-window.h"

#include "session/es-live-run.h"

G_BEGIN_DECLS


struct _EsWindow
{
  AdwApplicationWindow parent_instance;

  /* Template widgets. */
  EsHeaderBar     *header;
  GtkStack        *stack;            /* "welcome", or the columns */
  GtkPaned        *columns;
  GtkPaned        *right_columns;
  guint            side_columns;     /* that the right column has been given the width for */
  guint            store_source;
  EsSidebar       *sidebar;
  GtkBox          *device_banners;   /* of GPUs that are lost */
  EsBanner        *banner;
  GtkStack        *middle;           /* of each workspace */
  GtkBox          *footer;
  EsStatusBar     *status_bar;
  GtkStack        *right;            /* the sides of the workspaces, made here */

  /* Owned. */
  EsShell         *shell;
  EsSession       *session;          /* the shell's */
  EsShown         *shown;            /* the shell's */
  EsOpener        *opener;
  EsSessionKeeper *keeper;
  GPtrArray       *workspaces;       /* of EsWorkspace, one of each kind; empty until es_window_complete () */
  EsWorkspace     *current;          /* the one that is shown; borrowed; NULL until then */
  guint            start_source;     /* completes the window */
  guint            present_source;   /* shows it, once something has been opened or it is that late */
  gint64           present_until;

  GPtrArray       *lost_jobs;        /* of EsJob: unfinished on a GPU that was lost */
  GtkWidget       *fallback_dialog;  /* asks what becomes of them; borrowed, nullable */

  EsComparison    *comparison;       /* the last one: for the report; nullable */

  EsLeaving       *asked;            /* the last question about what is not saved; nullable */
  gboolean         leaving;          /* nothing is lost any more, or the person has agreed to it */
  gboolean         ending;           /* es_window_end () */
};

/* es-window.c */
void        es_window_say             (EsWindow *self, const char *sentence);
/* A toast with a button. */
void        es_window_say_with_action (EsWindow *self, const char *sentence, const char *label, const char *action,
                                       GVariant *target);
/* A run of the panel's, or one that takes its place, has begun. */
void        es_window_watch_job       (EsWindow *self, EsJob *job);
/* Where closing the window (dataset NULL) or a data set would lose something: asks, and does it when nothing is lost
 * any more. FALSE: nothing would be lost, and nothing has been asked. */
gboolean    es_window_ask_to_leave    (EsWindow *self, EsDataset *dataset);

/* es-window-start.c */
/* Makes the workspaces, where that is not done: nothing that welcomes somebody needs them. */
void        es_window_complete        (EsWindow *self);
void        es_window_connect_start   (EsWindow *self);
/* The window goes. */
void        es_window_leave_start     (EsWindow *self);

/* es-window-layout.c: the columns, and the workspaces in them */
void        es_window_add_right       (EsWindow *self);
void        es_window_add_workspaces  (EsWindow *self);
/* A workspace is shown, or one of its widgets has come or gone. */
void        es_window_place_workspace (EsWindow *self);
/* The columns, what fills the window instead of them, or what welcomes while nothing is open. */
void        es_window_place_page      (EsWindow *self);
void        es_window_restore_geometry (EsWindow *self);
void        es_window_store_geometry  (EsWindow *self);
/* Of the workspace that is shown, and of the columns. */
void        es_window_reset_layout    (EsWindow *self);

/* es-window-actions.c */
void        es_window_install_actions (EsWindow *self);
/* The enabledness of every action, from the state of the window. */
void        es_window_update_actions  (EsWindow *self);
gboolean    es_window_is_busy         (EsWindow *self);

/* es-window-command.c: of the shown result, else of what Run would do; says so once it is on the clipboard. */
void        es_window_copy_command    (EsWindow *self);

/* es-window-folder.c: the file manager selects the file; says so where none answers. */
void        es_window_show_in_folder  (EsWindow *self, const char *uri);

/* es-window-run.c */
void        es_window_run             (EsWindow *self);
/* The same as soon as it is known whether there is the GPU that it is to run on, where one is named: nobody asked for
 * it in the window, which goes on until then. */
void        es_window_run_when_known  (EsWindow *self);
void        es_window_cancel          (EsWindow *self);
void        es_window_remove_selected (EsWindow *self);
void        es_window_remove_dataset  (EsWindow *self, EsDataset *dataset);
void        es_window_connect_session (EsWindow *self);

/* The same once more on another device; what its result would have taken the place of still makes place. */
void        es_window_repeat_job      (EsWindow *self, EsJob *job, EsDevice *device);

/* es-window-devices.c */
void        es_window_connect_devices (EsWindow *self);
/* A job that failed: FALSE where its failure is to be told as any other. */
gboolean    es_window_take_lost_job   (EsWindow *self, EsJob *job);
/* Cancels what runs and remembers it for es_window_wait_for_jobs (). */
void        es_window_leave_jobs      (EsWindow *self);

/* es-window-session.c */
void        es_window_connect_keeper  (EsWindow *self);
/* A data set of a session that could not be opened: asks where it is, or leaves it out from now on, or not. */
void        es_window_locate          (EsWindow *self, const char *id);
void        es_window_forget_lost     (EsWindow *self, const char *id);
void        es_window_remember_lost   (EsWindow *self, const char *id);
/* The shown result, which was not kept; says so. */
void        es_window_run_again       (EsWindow *self);
void        es_window_tell_absent     (EsWindow *self);
void        es_window_rename_result   (EsWindow *self);
/* es-window-steps.c */
void        es_window_show_steps      (EsWindow *self);

/* es-window-instruments.c */
void        es_window_compare_devices (EsWindow *self);
void        es_window_choose_report   (EsWindow *self);
/* The shown result as one HTML page; the toast at the end says where. */
void        es_window_save_report     (EsWindow *self, GFile *target);

G_END_DECLS
