/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-field-pane.h"
#include "es-pane-frame.h"
#include "es-sonar-display.h"
#include "es-sonar-view.h"

G_BEGIN_DECLS

#define ES_SONAR_N_MIDDLE 2
#define ES_SONAR_MOST_PANES 8

struct _EsSonarView
{
  GtkWidget           parent_instance;

  GtkWidget          *bar, *paned;
  GtkWidget          *inspector, *column;      /* the right column; a reference on the first */
  EsPaneFrame        *frames[ES_SONAR_MOST_PANES];     /* references; the first two begin in the middle */
  guint               n_frames;
  EsPaneFrame        *middle[ES_SONAR_N_MIDDLE];
  EsPaneFrame        *field_frame;             /* of layers that have no display of their own; hidden without one */
  EsPaneFrame        *maximised;               /* of the middle; NULL: none */

  EsSonarDisplay     *display;
  EsPlayer           *player;
  EsBeamHistory      *history;                 /* of the result */
  EsResult           *result;
  GSimpleActionGroup *actions;
  guint               tick, turn;
  gint64              longest;                 /* µs that a frame's work took at most */
  gboolean            status_stale;
  char               *status;
};

void         _es_sonar_view_swap        (EsSonarView *self, EsPaneFrame *frame);
void         _es_sonar_view_maximise    (EsSonarView *self, EsPaneFrame *frame);
/* All in their first places; FALSE: they were. */
gboolean     _es_sonar_view_restore     (EsSonarView *self);
gboolean     _es_sonar_view_is_home     (EsSonarView *self);
/* The one with the focus, else the first in the middle. */
EsPaneFrame *_es_sonar_view_get_current (EsSonarView *self);
EsPaneFrame *_es_sonar_view_find_frame  (EsSonarView *self, const char *id);
EsSonarDisplay *_es_sonar_view_get_display (EsSonarView *self);

/* es-sonar-view-actions.c */
void         _es_sonar_view_add_actions  (EsSonarView *self);
void         _es_sonar_view_sync_actions (EsSonarView *self);

G_END_DECLS
