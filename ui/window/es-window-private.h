/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-banner.h"
#include "files/es-opener.h"
#include "lab/es-comparison.h"
#include "es-sidebar.h"
#include "sonar/es-sonar-view.h"
#include "progress/es-status-bar.h"
#include "sonar/es-transport-bar.h"
#include "files/es-welcome.h"
#include "es-window.h"

G_BEGIN_DECLS

typedef struct _EsWindowQuality EsWindowQuality;
typedef struct _EsWindowSonar EsWindowSonar;
typedef struct _EsWindowAdaptive EsWindowAdaptive;

struct _EsWindow
{
  AdwApplicationWindow parent_instance;

  /* Template widgets. */
  AdwSplitButton  *open_button;
  AdwSplitButton  *save_button;
  GMenuModel      *save_menu;
  GMenuModel      *sonar_save_menu;
  GtkMenuButton   *copy_button;
  GtkWidget       *sidebar_button;
  GtkWidget       *compare_button;
  GtkWidget       *inspector_button;
  AdwWindowTitle  *title;
  AdwToastOverlay *toasts;
  GtkStack        *stack;
  EsWelcome       *welcome;
  GtkPaned        *columns;
  GtkPaned        *right_columns;
  EsSidebar       *sidebar;
  GtkBox          *device_banners;   /* of GPUs that are lost */
  EsBanner        *banner;
  GtkStack        *middle;           /* the viewer, or the displays of the sonar workspace */
  EsViewer        *viewer;
  GtkBox          *transport_place;
  EsStatusBar     *status_bar;
  GtkStack        *right;            /* the inspectors of both, made here */
  GtkWidget       *inspector;        /* the viewer's, placed here */

  /* Owned. */
  EsShell         *shell;
  EsSession       *session;          /* the shell's */
  EsOpener        *opener;
  EsDataset       *dataset;          /* what is shown; nullable */
  EsResult        *result;
  EsLayer         *layer;

  /* The threshold that is being dragged. */
  EsJob           *live_job;         /* borrowed from the session, cleared when it ends */
  EsResult        *live_result;      /* whose place its result takes */
  EsParams        *live_next;        /* what to run when it has ended */

  GPtrArray       *lost_jobs;        /* of EsJob: unfinished on a GPU that was lost */
  GtkWidget       *fallback_dialog;  /* asks what becomes of them; borrowed, nullable */

  EsWindowSonar   *sonar;            /* of es-window-sonar.c; NULL until a recording is shown */
  GBinding        *status;           /* what the status line says; borrowed */

  EsWindowQuality *quality;          /* reconstructions under way, of es-window-quality.c */

  EsComparison    *comparison;       /* the last one: for the report; nullable */

  EsJob           *preview_job;      /* whose unfinished stack may be shown; nullable */
  guint            preview_source;

  gboolean         starting_live;    /* its job is in the list before it is known here */
  gboolean         leaving;          /* the person has agreed to lose what runs */
};

/* es-window.c */
void        es_window_show_item       (EsWindow *self, EsDataset *dataset, EsResult *result, EsLayer *layer,
                                       EsResult *replaces);
void        es_window_say             (EsWindow *self, const char *sentence);
/* A toast with a button. */
void        es_window_say_with_action (EsWindow *self, const char *sentence, const char *label, const char *action,
                                       GVariant *target);
void        es_window_update_title    (EsWindow *self);
/* Sentences that stay true of what is shown. */
void        es_window_update_banner   (EsWindow *self);
/* What the status line shows: the property "status" of a view. */
void        es_window_bind_status     (EsWindow *self, gpointer view);

/* es-window-actions.c */
void        es_window_install_actions (EsWindow *self);
/* The enabledness of every action, from the state of the window. */
void        es_window_update_actions  (EsWindow *self);
gboolean    es_window_is_busy         (EsWindow *self);

/* es-window-run.c */
void        es_window_run             (EsWindow *self);
void        es_window_cancel          (EsWindow *self);
void        es_window_remove_selected (EsWindow *self);
void        es_window_connect_session (EsWindow *self);

/* The same once more on another device; what its result would have taken the place of still makes place. */
void        es_window_repeat_job      (EsWindow *self, EsJob *job, EsDevice *device);

/* es-window-sonar.c */
/* Shows a recording, or a result of one; FALSE: it is something else, and the sonar workspace goes away. */
gboolean    es_window_show_recording  (EsWindow *self, EsDataset *dataset, EsResult *result, EsLayer *layer);
/* What the request says is to happen with it: its array now, playing once it is shown. */
void        es_window_prepare_recording (EsWindow *self, EsRecording *recording, EsOpenRequest *request);
void        es_window_leave_sonar     (EsWindow *self);
/* Forgets what was heard of a recording that is not open any more. */
void        es_window_forget_recording (EsWindow *self, EsDataset *dataset);
EsRecording *es_window_get_recording  (EsWindow *self);        /* shown; nullable */
/* It can be played: there is an array. */
gboolean    es_window_can_play        (EsWindow *self);
void        es_window_toggle_play     (EsWindow *self);
/* Why it cannot be played as it is set; nullable. */
const char *es_window_get_sonar_failure (EsWindow *self);
/* An action of the displays, "sonar.copy". */
void        es_window_activate_sonar  (EsWindow *self, const char *name);
/* The parameters of the live operation are played as they are now. */
void        es_window_apply_live      (EsWindow *self);
EsWindowAdaptive *es_window_get_adaptive (EsWindow *self);     /* NULL until a recording has been shown */

/* es-window-adaptive.c: the switch between conventional and adaptive beams, and the bar of the latter */
EsWindowAdaptive *es_window_adaptive_new (EsWindow *window, EsSonarView *view);
void        es_window_adaptive_free   (EsWindowAdaptive *self);
/* The operation that is played: "cbf" or "mvdr". */
const char *es_window_adaptive_get_live (EsWindowAdaptive *self);
/* Also when what the window shows has changed. */
void        es_window_adaptive_set_player (EsWindowAdaptive *self, EsPlayer *player);
void        es_window_adaptive_set_settings (EsWindowAdaptive *self, const EsBeamSettings *settings, guint n_alive);
/* An operation of beams that is chosen in the panel is played. */
void        es_window_adaptive_follow_panel (EsWindowAdaptive *self);
/* What the actions do: "live", "set-live" ("mvdr snapshots=1 blocks=1", "loading=": the default), "compare-methods",
 * "simulate-scene" (es_simulate_scene ()). */
void        es_window_choose_live     (EsWindow *window, const char *live);
void        es_window_set_live        (EsWindow *window, const char *words);
void        es_window_compare_methods (EsWindow *window);
void        es_window_simulate_scene  (EsWindow *window, const char *id);

/* es-window-array.c */
void        es_window_describe_array  (EsWindow *self);
void        es_window_choose_positions (EsWindow *self);
/* Positions for the recording that is shown; told where there is none. */
void        es_window_open_array      (EsWindow *self, GFile *file);

/* es-window-sound.c */
typedef struct _EsWindowSound EsWindowSound;
/* What is heard: the beam of `bearing` (NAN: none) of what the player plays (NULL: nothing). */
EsWindowSound *es_window_sound_new    (EsWindow *window, EsTransportBar *transport);
void        es_window_sound_free      (EsWindowSound *sound);
void        es_window_sound_set       (EsWindowSound *sound, EsPlayer *player, double bearing);
/* Asks where the beam at the cursor is to be saved as WAV; the beam of the whole recording. */
void        es_window_choose_beam     (EsWindow *self);
void        es_window_save_beam       (EsWindow *self, double bearing, GFile *target);

/* es-window-devices.c */
void        es_window_connect_devices (EsWindow *self);
/* A job that failed: FALSE where its failure is to be told as any other. */
gboolean    es_window_take_lost_job   (EsWindow *self, EsJob *job);
/* Cancels what runs and remembers it for es_window_wait_for_jobs (). */
void        es_window_leave_jobs      (EsWindow *self);

/* es-window-preview.c */
void        es_window_begin_preview   (EsWindow *self, EsJob *job);
/* Also where something else is shown: the job's stack is not any more. */
void        es_window_end_preview     (EsWindow *self);

/* es-window-quality.c */
void        es_window_connect_quality (EsWindow *self);
void        es_window_leave_quality   (EsWindow *self);
/* A result that has come: TRUE where it is a reconstruction that is shown where it belongs already. */
gboolean    es_window_take_quality_result (EsWindow *self, EsResult *result, EsJob *job);
/* What waits is not begun. */
void        es_window_cancel_quality  (EsWindow *self);
/* One is under way: it came of a switch or a threshold, and is no run of the panel's. */
gboolean    es_window_is_reconstructing (EsWindow *self);
/* It is what the inspector speaks of, shown or not. */
gboolean    es_window_is_judged       (EsWindow *self, EsResult *result);

/* es-window-instruments.c */
void        es_window_compare_devices (EsWindow *self);
void        es_window_choose_report   (EsWindow *self);
/* The shown result as one HTML page; the toast at the end says where. */
void        es_window_save_report     (EsWindow *self, GFile *target);
void        es_window_choose_noise    (EsWindow *self);
/* The noise statistics among the shown result's values; borrowed, nullable. */
JsonNode   *es_window_get_noise       (EsWindow *self);

/* es-window-save.c */
void        es_window_choose_target   (EsWindow *self, EsSaveKind kind);
/* The same for one layer of the shown result. */
void        es_window_choose_layer_target (EsWindow *self, EsSaveKind kind, const char *layer);
void        es_window_copy_command    (EsWindow *self);
void        es_window_show_in_folder  (EsWindow *self, const char *uri);

G_END_DECLS
