/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-display.h"
#include "es-track-rows.h"

G_BEGIN_DECLS

/* Rows. */
#define ES_SONAR_SHORTEST_SPAN 8
#define ES_SONAR_USUAL_SPAN    300

struct _EsSonarDisplay
{
  GObject          parent_instance;

  EsBeamHistory   *history;
  EsRecording     *recording;
  EsResult        *result;
  guint64          end;          /* rows so far, those that are gone too */
  guint            kinds;        /* of beams that there are; bits */
  EsTrackRows     *track_rows;

  double           time, bearing, frequency;
  guint64          row;          /* of the time */
  gboolean         cleared;      /* by a person: no bearing is proposed */

  gboolean         follow;
  double           top, span, usual_span;

  EsNormaliserKind normaliser;
  EsColormap       colormap;
  double           range;
  gboolean         auto_top, plan, harmonics, tracks, beside;
};

void _es_sonar_display_changed (EsSonarDisplay *self, EsSonarChange change);

G_END_DECLS
