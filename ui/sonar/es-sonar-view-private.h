/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sonar/panes/es-field-pane.h"
#include "es-pane-frame.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-display.h"
#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"
#include "es-sonar-view.h"
#include "player/es-beam-recall.h"

G_BEGIN_DECLS

/* Places in the middle: above, below, and beside the first one. */
#define ES_SONAR_N_MIDDLE 3
#define ES_SONAR_BESIDE 2
#define ES_SONAR_MOST_PANES 12

struct _EsSonarView
{
  GtkWidget           parent_instance;

  GtkWidget          *bar, *strip, *paned, *upper;     /* strip is nullable */
  GtkWidget          *inspector, *column;      /* the right column; a reference on the first */
  EsPaneFrame        *frames[ES_SONAR_MOST_PANES];     /* references; the first two begin in the middle */
  guint               n_frames;
  EsPaneFrame        *middle[ES_SONAR_N_MIDDLE];       /* the last is NULL where the first stands alone */
  EsPaneFrame        *field_frame;             /* of layers that have no display of their own; hidden without one */
  EsPaneFrame        *maximised;               /* of the middle; NULL: none */
  GtkWidget          *large;                   /* a reference: a bar and the display that is enlarged */
  EsPaneFrame        *enlarged;                /* NULL: none */
  GtkWidget          *enlarged_after;          /* where it stood in the column; nullable */
  EsPaneFrame        *chosen;                  /* what a person put above in the middle: it stands there if filled */
  EsBeamKind          first_kinds[ES_SONAR_MOST_PANES];    /* what each began with, of those with a choice; and how */
  gboolean            first_expanded[ES_SONAR_MOST_PANES];
  double              divider;                 /* share of the upper displays of the middle's height; 0: by itself */
  int                 divided;                 /* the height that it was last placed in */
  guint               divider_source;

  EsSonarDisplay     *display;
  EsSonarSource      *source;                  /* this and the next three: the display's */
  EsSonarCursor      *cursor;
  EsSonarExtent      *extent;
  EsSonarLook        *look;
  EsPlayer           *player;
  EsBeamHistory      *history;                 /* of the result */
  EsBeamRecall       *recall;                  /* forms again what it did not keep */
  EsPeakThresholds    thresholds;
  EsResult           *result;
  GSimpleActionGroup *actions;
  GtkWidget          *beside;                  /* the switch in the heading of a pair's first */
  double              probe_bearing, probe_frequency;  /* that the player was asked for; NAN: none */
  double              closer_bearing, closer_frequency;        /* and of which row, or the recall was */
  guint               closer_row;                      /* G_MAXUINT: none */
  guint               tick, turn;
  gint64              longest;                 /* µs that a frame's work took at most */
  gboolean            status_stale;
  char               *status;
};

/* es-sonar-view-refresh.c: panes, read-out and the closer look are brought up to date on the next frames */
void         _es_sonar_view_want_tick   (EsSonarView *self);

/* es-sonar-view-panes.c: the displays and the right column, which comes first */
void         _es_sonar_view_make_inspector (EsSonarView *self);
void         _es_sonar_view_add_panes   (EsSonarView *self);

/* es-sonar-view-places.c */
void         _es_sonar_view_take_out    (EsSonarView *self, EsPaneFrame *frame);
void         _es_sonar_view_put_in_middle (EsSonarView *self, EsPaneFrame *frame, guint place);
void         _es_sonar_view_update_visible (EsSonarView *self);
void         _es_sonar_view_swap        (EsSonarView *self, EsPaneFrame *frame);
void         _es_sonar_view_maximise    (EsSonarView *self, EsPaneFrame *frame);
/* All where a person wants them, as far as they have something to show; FALSE: they were. */
gboolean     _es_sonar_view_go_home     (EsSonarView *self);
/* No display fills the middle any more; FALSE: none did. */
gboolean     _es_sonar_view_restore     (EsSonarView *self);
/* Places, folds, the divider and the kinds of beams as they were when the view was made. */
void         _es_sonar_view_reset       (EsSonarView *self);
/* Above in the middle stands what is to stand there. */
gboolean     _es_sonar_view_is_home     (EsSonarView *self);
/* The one with the focus, else the first in the middle. */
EsPaneFrame *_es_sonar_view_get_current (EsSonarView *self);
EsPaneFrame *_es_sonar_view_find_frame  (EsSonarView *self, const char *id);
/* The display of the same of other beams, which goes with this one; NULL: there is none. */
EsPaneFrame *_es_sonar_view_get_second  (EsSonarView *self, EsPaneFrame *frame);
gboolean     _es_sonar_view_is_second   (EsSonarView *self, EsPaneFrame *frame);

/* The divider between the upper displays and the lower one; "arranged" tells once a person moves it. */
void         _es_sonar_view_add_divider (EsSonarView *self);
void         _es_sonar_view_set_divider (EsSonarView *self, double share);

/* es-sonar-view-large.c: one display over the whole window */
void         _es_sonar_view_make_large  (EsSonarView *self);
/* What is enlarged already goes back. */
void         _es_sonar_view_enlarge     (EsSonarView *self, EsPaneFrame *frame);
/* Where it was; FALSE: none was enlarged. */
gboolean     _es_sonar_view_shrink      (EsSonarView *self);

/* es-sonar-view-layers.c */
gboolean     _es_sonar_view_can_be_filled (EsSonarView *self, EsPaneFrame *frame);
/* There are adaptive beams to be set beside the others. */
gboolean     _es_sonar_view_has_pairs     (EsSonarView *self);

/* The bearing is that of the one beam that the result kept over time. */
void         _es_sonar_view_show_own_beam (EsSonarView *self);

/* es-sonar-view-actions.c */
void         _es_sonar_view_add_actions  (EsSonarView *self);
void         _es_sonar_view_sync_actions (EsSonarView *self);

G_END_DECLS
