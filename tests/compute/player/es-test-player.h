/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>

#include "player/es-player.h"

/* Lets the main loop run until a condition holds; fails where it does not within minutes. */
/* Only a failure takes as long. */
#ifdef __SANITIZE_THREAD__
#define LONGEST_WAIT_US 180000000
#else
#define LONGEST_WAIT_US 90000000
#endif

#define WAIT_UNTIL(condition) \
  G_STMT_START \
    { \
      const gint64 end_ = g_get_monotonic_time () + LONGEST_WAIT_US; \
      guint tick_ = g_timeout_add (2, es_test_tick, NULL); \
      while (!(condition) && g_get_monotonic_time () < end_) \
        g_main_context_iteration (NULL, TRUE); \
      g_source_remove (tick_); \
      g_assert_true (condition); \
    } \
  G_STMT_END

static inline gboolean
es_test_tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static inline void
es_test_run_for (double seconds)
{
  const gint64 end = g_get_monotonic_time () + (gint64) (1e6 * seconds);
  guint source = g_timeout_add (2, es_test_tick, NULL);

  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (source);
}

/* Where the block begins that was heard last, to the microsecond; how many rows have come. */
static inline double
es_test_newest (EsPlayer *player)
{
  guint row;

  return es_beam_history_get_now (es_player_get_history (player), &row)
         ? rint (es_beam_history_get_begin (es_player_get_history (player), row) * 1e6) / 1e6 : NAN;
}

static inline guint
es_test_rows (EsPlayer *player)
{
  return es_beam_history_get_n_known (es_player_get_history (player));
}
