/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings: one source that goes by and two that stand, a ship that turns, two sources that only adaptive beams tell
 * apart. */

#include "es-pictures.h"
#include "sonar/es-sonar-view-private.h"

static gboolean
is_recorded (gpointer player)
{
  return es_player_get_progress (player) >= 1;
}

static EsPlayer *
open_recording (EsWindow *window, const char *name)
{
  EsPlayer *player;

  es_pictures_open (window, name);
  player = es_test_player (window);
  if (player == NULL)
    g_error ("%s is not played", name);
  ES_PICTURES_WAIT (is_recorded, player);
  es_pictures_settle (window);
  return player;
}

/* A while of it is heard. */
typedef struct
{
  EsPlayer *player;
  double    until;
} Heard;

static gboolean
is_heard (gpointer data)
{
  const Heard *heard = data;

  return es_player_get_position (heard->player) >= heard->until;
}

static void
take_playing (EsWindow *window, const char *name)
{
  Heard heard = { open_recording (window, "simulated-sonar.w64"), 28.5 };

  es_player_seek (heard.player, heard.until - 2);
  es_player_play (heard.player);
  es_sonar_view_set_bearing (es_test_sonar_view (window), 48.19);
  ES_PICTURES_WAIT (is_heard, &heard);
  es_pictures_take (GTK_WIDGET (window), name);
  es_player_pause (heard.player);
}

static void
take_sonar (EsWindow *window)
{
  take_playing (window, "sonar");
}

static void
take_dark (EsWindow *window)
{
  take_playing (window, "sonar-dark");
}

static void
take_chinese (EsWindow *window)
{
  take_playing (window, "sonar-chinese");
}

/* A moment that is looked at. */
static void
look_at (EsWindow *window, double time)
{
  g_object_set (es_test_sonar_view (window), "follow", FALSE, "time", time, NULL);
  es_pictures_settle (window);
}

static void
take_compass (EsWindow *window)
{
  open_recording (window, "turn.wav");
  es_pictures_activate (GTK_WIDGET (es_test_sonar_view (window)), "sonar.bearings", "true");
  es_pictures_activate (GTK_WIDGET (es_test_sonar_view (window)), "sonar.clock", "utc");
  es_pictures_settle (window);
  look_at (window, 25.5);
  /* Which is kept while the ship turns. */
  es_sonar_cursor_point_now (es_test_sonar_view (window)->cursor, 200.5);
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "compass");
}

static gboolean
has_adaptive (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_has (history, ES_BEAM_MVDR) && is_recorded (player);
}

static void
take_adaptive (EsWindow *window)
{
  EsPlayer *player = open_recording (window, "simulated-pair.w64");
  EsAnalysePanel *analyse = ES_ANALYSE_PANEL (es_pictures_find (window, ES_TYPE_ANALYSE_PANEL, NULL));

  es_pictures_activate (GTK_WIDGET (window), "win.live", "mvdr");
  es_params_set_text (es_analyse_panel_get_params (analyse), "angles", "70:110:0.25");
  es_pictures_settle (window);
  ES_PICTURES_WAIT (has_adaptive, player);
  es_pictures_settle (window);
  look_at (window, 28.5);
  es_sonar_view_set_bearing (es_test_sonar_view (window), 91.25);
  es_pictures_settle (window);
  es_pictures_take (GTK_WIDGET (window), "adaptive");
}

const EsPictureScene es_pictures_of_recordings[] = {
  { "sonar", 1440, 900, FALSE, FALSE, NULL, take_sonar },
  { "sonar-dark", 1440, 900, TRUE, FALSE, NULL, take_dark },
  { "sonar-chinese", 1440, 900, FALSE, TRUE, NULL, take_chinese },
  { "compass", 1440, 900, FALSE, FALSE, NULL, take_compass },
  { "adaptive", 1440, 900, FALSE, FALSE, NULL, take_adaptive },
  { 0 }
};
