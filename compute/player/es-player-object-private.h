/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-player-private.h"

G_BEGIN_DECLS

/* The object in the main context; for its own files. */
struct _EsPlayer
{
  GObject         parent_instance;

  EsPlayerLink   *link;
  GThread        *worker, *ahead;      /* NULL until they are needed */
  EsBeamHistory  *history;
  gulong          array_handler, calibration_handler, frames_handler, growing_handler;
  guint           position_timer;
  GQueue          waiting, ahead_waiting;      /* of EsPlayerNews: taken from the workers, not yet shown */

  /* What the main context was told last */
  gboolean        playing, loop, lagging, preparing;
  double          speed, factor;
  char           *failure;
  EsDevice       *device;
  EsElementHealth *health;
  guint           n_health;
};

enum
{
  PROP_0, PROP_PLAYING, PROP_POSITION, PROP_FACTOR, PROP_SPEED, PROP_LOOP, PROP_FAILURE, PROP_LAGGING, PROP_PREPARING,
  PROP_PROGRESS, PROP_DURATION, N_PROPS
};

void _es_player_notify       (EsPlayer *self, guint property);
/* The position is told while it moves. */
void _es_player_update_timer (EsPlayer *self);

G_END_DECLS
