/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-table-view.h"
#include "session/es-recording-watch.h"
#include "es-sonar-memory.h"
#include "es-sonar-workspace.h"
#include "sonar/transport/es-transport-bar.h"
#include "hydrophones/es-array-pane.h"
#include "widgets/es-section.h"

G_BEGIN_DECLS

typedef struct _EsSonarAdaptive EsSonarAdaptive;
typedef struct _EsSonarBeam EsSonarBeam;
typedef struct _EsSonarReplay EsSonarReplay;

struct _EsSonarWorkspace
{
  EsWorkspace     parent_instance;

  /* Made when a recording is shown first; view NULL until then. */
  GtkStack       *middle;            /* the displays, or what is to be done first; a reference, as the next two */
  GtkWidget      *side;              /* the view's inspector, and below it what a result lists */
  GtkWidget      *section;           /* the array */
  GtkWidget      *empty;
  EsSonarView    *view;
  EsSection      *table_section;
  EsTableView    *table;
  GtkWidget      *table_of, *table_mean;     /* what the peaks are of; back to the mean */
  GtkWidget      *table_line;                /* both; hidden where a table is of no time */
  EsTable        *listed;            /* of the result that is shown; nullable, a reference */
  EsArrayPane    *array;
  EsTransportBar *transport;         /* a reference */
  GMenuModel     *save_menu;
  EsSonarBeam    *beam;
  EsSonarReplay  *replay;
  EsSonarAdaptive *adaptive;
  EsSonarMemory  *memory;            /* how the view looks */

  GHashTable     *players;           /* EsRecording -> EsPlayer: what was heard of each */
  EsRecording    *recording;         /* shown; nullable */
  EsPlayer       *player;            /* of it; NULL while it has no array */
  EsRecording    *play_next;         /* is played once it is shown; compared only */
  GSignalGroup   *player_signals;
  GSignalGroup   *recording_signals;
  EsRecordingWatch *watch;           /* of the one that is shown; nullable */
  gulong          frames_handler;    /* of the same one */
  guint           focus_source;
  gboolean        shown;

  /* What is played (es-sonar-live.c). */
  GSignalGroup   *live_signals;      /* of the parameters that are played */
  EsParams       *applied;           /* a copy of what the player was last given; and the device, compared only */
  gconstpointer   applied_device;
  char           *bearing;           /* what was put as the bearing of those that ask for one; NULL: nothing yet */
  guint           params_source;
  gboolean        params_cheap;      /* it waits only a little */
  gconstpointer   left_result;       /* the one that was shown when parameters were changed; compared only */
};

/* What the window has to do with it. */
EsShell        *_es_sonar_workspace_get_shell  (EsSonarWorkspace *self);
EsAnalysePanel *_es_sonar_workspace_get_panel  (EsSonarWorkspace *self);
/* No result is shown. */
gboolean        _es_sonar_workspace_is_live    (EsSonarWorkspace *self);

/* es-sonar-workspace-side.c: what is to be done first; the column on the right */
GtkWidget      *_es_sonar_workspace_make_empty (void);
void            _es_sonar_workspace_make_side  (EsSonarWorkspace *self);
/* The display that fills the window; NULL: none. */
GtkWidget      *_es_sonar_workspace_get_large  (EsWorkspace *workspace);
/* What a result lists: the table that was chosen, else its peaks, else its first. */
void            _es_sonar_workspace_show_table (EsSonarWorkspace *self, EsResult *result, EsLayer *chosen);
/* Its peaks are those of the moment that is looked at, once somebody has pointed at one. */
void            _es_sonar_workspace_update_table (EsSonarWorkspace *self);
/* What a result without a bearing-time record has to show, where no row of it was chosen: its first map. */
EsLayer        *_es_sonar_workspace_first_map  (EsResult *result);

/* es-sonar-workspace-watch.c: more may be written to what is shown */
void            _es_sonar_workspace_watch (EsSonarWorkspace *self);
/* A sentence; nullable. */
const char     *_es_sonar_workspace_get_problem (EsSonarWorkspace *self);

/* es-sonar-workspace-actions.c */
void            _es_sonar_workspace_install_actions (EsWorkspaceClass *class);

/* es-sonar-keep.c: what sessions keep of it */
void            _es_sonar_keep_init            (EsSonarWorkspace *self);

/* es-sonar-live.c: the parameters of what is played */
void            _es_sonar_live_init            (EsSonarWorkspace *self);
void            _es_sonar_live_close           (EsSonarWorkspace *self);
/* What counts as a peak is what the panel says of what is shown. */
void            _es_sonar_live_update_thresholds (EsSonarWorkspace *self);
/* The player gets them as they are now. */
void            _es_sonar_live_apply           (EsSonarWorkspace *self);
/* The beam of LOFAR and DEMON is that under the cursor, until somebody types another, or empties the row. */
void            _es_sonar_live_follow_bearing  (EsSonarWorkspace *self);
/* Another recording: the beam of the last one says nothing there. */
void            _es_sonar_live_forget_bearing  (EsSonarWorkspace *self);

/* es-sonar-adaptive.c: the switch between conventional and adaptive beams, and the bar of the latter */
EsSonarAdaptive *_es_sonar_adaptive_new         (EsSonarWorkspace *workspace);
void            _es_sonar_adaptive_free        (EsSonarAdaptive *self);
/* The operation that is played: "cbf" or "mvdr". */
const char     *_es_sonar_adaptive_get_live    (EsSonarAdaptive *self);
/* Also when what is shown has changed. */
void            _es_sonar_adaptive_set_player  (EsSonarAdaptive *self, EsPlayer *player);
void            _es_sonar_adaptive_set_settings (EsSonarAdaptive *self, const EsBeamSettings *settings, guint n_alive);
/* An operation of beams that is chosen in the panel is played. */
void            _es_sonar_adaptive_follow_panel (EsSonarAdaptive *self);
/* What the actions do: "live", "switch-live", "set-live" ("mvdr snapshots=1 blocks=1", "loading=": the default),
 * "compare-methods". */
void            _es_sonar_adaptive_choose      (EsSonarAdaptive *self, const char *live);
void            _es_sonar_adaptive_switch      (EsSonarAdaptive *self);
void            _es_sonar_adaptive_set         (EsSonarAdaptive *self, const char *words);
void            _es_sonar_adaptive_compare     (EsSonarAdaptive *self);

/* es-sonar-beam.c: the beam at the cursor, heard or saved */
EsSonarBeam    *_es_sonar_beam_new             (EsShell *shell, EsSonarView *view, EsTransportBar *transport);
void            _es_sonar_beam_free            (EsSonarBeam *self);
/* What is heard: the beam of `bearing` (NAN: none) of what the player plays (NULL: nothing). */
void            _es_sonar_beam_set             (EsSonarBeam *self, EsPlayer *player, EsBeamAim aim);
/* Asks where the beam at the cursor is to be saved as WAV; the beam of the whole recording, or of what is selected. */
void            _es_sonar_workspace_choose_beam (EsSonarWorkspace *self);
void            _es_sonar_workspace_choose_stretch (EsSonarWorkspace *self);
/* The array and shading of beams that are seen and heard; NULL: there is none. Transfer full. */
EsArray        *_es_sonar_workspace_dup_beam   (EsSonarWorkspace *self, EsShading *shading);

/* es-sonar-replay.c: the beam at the cursor, heard while nothing plays: what is selected, or from the moment on */
EsSonarReplay  *_es_sonar_replay_new           (EsSonarWorkspace *workspace);
void            _es_sonar_replay_free          (EsSonarReplay *self);
void            _es_sonar_replay_toggle        (EsSonarReplay *self);
void            _es_sonar_replay_stop          (EsSonarReplay *self);
/* Another bearing is heard, if any is. */
void            _es_sonar_replay_follow        (EsSonarReplay *self, EsBeamAim aim);

/* es-sonar-array.c: where the hydrophones are */
void            _es_sonar_array_describe       (EsShell *shell, EsRecording *recording);
void            _es_sonar_array_choose         (EsSonarWorkspace *self);
/* Positions for the recording (nullable); told where there is none. */
void            _es_sonar_array_open           (EsShell *shell, EsRecording *recording, GFile *file);
void            _es_sonar_array_set            (EsShell *shell, EsRecording *recording, const char *text);

/* Plays, from where somebody has pointed, or pauses. */
void       _es_sonar_workspace_toggle_play (EsSonarWorkspace *self);
/* es-sonar-calibration.c: what full scale is */
void            _es_sonar_calibration_describe (EsShell *shell, EsRecording *recording);
void            _es_sonar_calibration_undo     (EsShell *shell, EsRecording *recording);
void            _es_sonar_calibration_open     (EsShell *shell, EsRecording *recording, GFile *file);
/* es-sonar-navigation.c: when it began and where its array points */
void            _es_sonar_navigation_describe  (EsShell *shell, EsRecording *recording);
void            _es_sonar_navigation_undo      (EsShell *shell, EsRecording *recording);

G_END_DECLS
