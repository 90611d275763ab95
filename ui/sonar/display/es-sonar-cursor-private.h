/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-display-private.h"

G_BEGIN_DECLS

struct _EsSonarCursor
{
  GObject        parent_instance;

  EsSonarSource *source;
  double         time, bearing, frequency;
  double         wanted;         /* the bearing that was pointed at; the other one is that of its beam */
  double         band[2];        /* Hz, of the bins that there were last; NAN: none yet */
  guint64        row;            /* of the time */
  double         chosen;         /* the moment that was asked for, s, whether there is a row of it or not; NAN: none */
  double         listened;       /* s: where playing has come to, or was moved to; NAN: it stands at the beginning */
  guint64        seen_row;       /* that was looked at last */
  guint          seen_fills;     /* of the history */
  gboolean       cleared;        /* by a person: no bearing is proposed */
  EsBearingScale *scale;         /* borrowed, nullable */
  guint          side;           /* of the axis that bearings are written on */
  double         held;           /* the true bearing while the array turns; NAN: none */
  double         begin, end;     /* of the stretch, s; NAN: none */
  gconstpointer  selector;       /* whose it is; compared only */
  double         heard;          /* s, of what is heard while nothing plays; NAN: nothing */
};

/* Tells what has changed. */
void          _es_sonar_cursor_changed (EsSonarCursor *self, EsSonarChange change);

/* ---- es-sonar-cursor-bearing.c ---- */

/* What is kept of the bearing there is while the array turns, from the moment that is looked at on. */
void          _es_sonar_cursor_hold    (EsSonarCursor *self);
/* The beam of what is kept at the moment that is looked at: ES_SONAR_CHANGE_TURNED, or 0 where it is the same. */
EsSonarChange _es_sonar_cursor_turn    (EsSonarCursor *self);
/* Whether later angles are further left, as they are written at this moment. */
gboolean      _es_sonar_cursor_is_reversed (EsSonarCursor *self, int angle);

G_END_DECLS
