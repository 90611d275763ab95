/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The record of a whole recording: what is computed ahead, in which order, and where its spectra are kept. */

#include <math.h>
#include <string.h>

#include "beam/es-beam-block-private.h"
#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-history.h"
#include "es-test-player.h"
#include "operations/es-operations.h"
#include "player/es-player-private.h"

static EsRecording *
make_recording (double seconds)
{
  g_autoptr (EsTestSonar) sonar = es_test_history_scene (seconds);

  return es_test_sonar_record (sonar, ESK_F32, 1);
}

/* ---- the archive ---- */

/* In memory, then in a file, then nowhere; what is nearest stays where room is asked for. */
static void
test_archive (void)
{
  enum { ROWS = 300 };
  g_autoptr (EsBeamForm) form = es_test_history_form (40, 50);
  g_autoptr (EsBeamArchive) archive = es_beam_archive_new (form->settings, 100 * 4320 + 17, 150 * 4320 + 99);
  guint64 memory, file;
  guint16 levels[50];
  float beam[50], field[2 * 40];
  gboolean full;

  g_assert_cmpuint (es_beam_archive_get_capacity (archive), ==, 250);
  for (guint pass = 0; pass < 3; pass++)
    for (guint i = 0; i < ROWS; i++)
      {
        g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);
        const gboolean kept = es_beam_archive_put (archive, i, block, pass == 2);

        g_assert_cmpint (kept, ==, pass == 2 || i < 250);
      }
  es_beam_archive_get_use (archive, &memory, &file, &full);
  g_assert_cmpuint (memory, ==, 100 * 4320);
  g_assert_cmpuint (file, ==, 150 * 4320);
  g_assert_true (full);
  g_assert_cmpuint (es_beam_archive_count (archive), ==, 250);
  for (guint i = 0; i < ROWS; i++)
    {
      const gboolean there = es_beam_archive_read (archive, i, ES_BEAM_CBF, 3 * 50, 50, levels);

      /* Those farthest from the last ones went. */
      g_assert_cmpint (there, ==, i >= 50);
      g_assert_cmpint (there, ==, es_beam_archive_has (archive, i, ES_BEAM_CBF));
      g_assert_cmpint (there, ==, es_beam_archive_read_field (archive, i, ES_BEAM_CBF, field));
      if (!there)
        continue;
      _es_beam_levels_decode (levels, 1, beam, 50);
      g_assert_cmpfloat (fabs (beam[7] / pow (10, fmod (i + 157 * 0.0137, 30) - 15) - 1), <, 0.003);
      g_assert_cmpfloat (field[79], ==, i * 1000 + 79);
    }
  g_assert_false (es_beam_archive_has (archive, 1000000, ES_BEAM_CBF));
  g_assert_false (es_beam_archive_has (archive, 100, ES_BEAM_MVDR));
}

typedef struct
{
  EsBeamArchive *archive;
  EsBeamForm    *form;
  guint          first;
} Writer;

static gpointer
write_rows (gpointer data)
{
  const Writer *self = data;

  for (guint i = 0; i < 3000; i++)
    {
      const guint row = self->first + i * 7 % 400;
      g_autoptr (EsBeamBlock) block = es_test_history_block (self->form, row);

      es_beam_archive_put (self->archive, row, block, TRUE);
    }
  return NULL;
}

/* Two write and make room for each other, one reads: what is read is the row that was asked for. */
static void
test_archive_threads (void)
{
  g_autoptr (EsBeamForm) form = es_test_history_form (40, 50);
  g_autoptr (EsBeamArchive) archive = es_beam_archive_new (form->settings, 50 * 4320, 50 * 4320);
  Writer writers[2] = { { archive, form, 0 }, { archive, form, 200 } };
  GThread *threads[2];
  guint n_read = 0;
  float field[80];

  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new ("writer", write_rows, &writers[i]);
  for (guint i = 0; i < 200000; i++)
    if (es_beam_archive_read_field (archive, i % 600, ES_BEAM_CBF, field))
      {
        g_assert_cmpfloat (field[0], ==, (i % 600) * 1000);
        g_assert_cmpfloat (field[79], ==, (i % 600) * 1000 + 79);
        n_read++;
      }
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 600; i++)
    n_read += es_beam_archive_read_field (archive, i, ES_BEAM_CBF, field);
  g_assert_cmpuint (n_read, >, 0);
  g_assert_cmpuint (es_beam_archive_count (archive), ==, 100);
}

/* ---- the order ---- */

static guint
compute_next (EsPlayerLink *link, gboolean has_memory, guint *first)
{
  guint step, n;

  if (!es_player_link_plan (link, has_memory, first, &step, &n))
    return 0;
  g_assert_cmpuint (n, >, 0);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (*first + i * step, <, link->n_rows);
      g_assert_cmpuint (link->known[*first + i * step], !=, link->generation);
      link->known[*first + i * step] = link->generation;
    }
  return n;
}

/* Lines all over the record first, then what is looked at, then the rest; every row once. */
static void
test_plan (gconstpointer has_memory)
{
  enum { SECONDS = 90001 };
  const gboolean memory = GPOINTER_TO_INT (has_memory);
  g_autoptr (EsRecording) recording = make_recording (2);
  g_autoptr (EsBeamForm) form = es_test_history_form (7, 5);
  EsPlayerLink *link = es_player_link_new (recording);
  guint first, n = 0, runs = 0;

  g_mutex_lock (&link->lock);
  es_player_link_set_form (link, form);
  g_free (link->known);
  link->known = g_new0 (guint, SECONDS);
  /* Where spectra are is another matter (test-player-spectra.c). */
  g_free (link->in_vain);
  link->in_vain = g_new (guint, SECONDS);
  for (guint row = 0; row < SECONDS; row++)
    link->in_vain[row] = G_MAXUINT;
  link->n_rows = SECONDS;
  link->view_first = 40000;
  link->view_end = 42000;
  link->known[3] = link->known[41000] = link->generation;
  while (n < SECONDS / 128)
    {
      n += compute_next (link, memory, &first);
      g_assert_cmpuint (first % 128, ==, 0);
    }
  for (guint row = 0; row < SECONDS; row += 128)
    g_assert_cmpuint (link->known[row], ==, link->generation);
  while (n < SECONDS / 128 + 2000 - 2000 / 128 - 2)
    {
      n += compute_next (link, memory, &first);
      g_assert_cmpuint (first, >=, 40000);
      g_assert_cmpuint (first, <, 42000);
      g_assert_cmpuint (++runs, <, 100);
    }
  for (guint row = 40000; row < 42000; row++)
    g_assert_cmpuint (link->known[row], ==, link->generation);
  for (guint k; (k = compute_next (link, memory, &first)) > 0;)
    {
      n += k;
      g_assert_cmpuint (++runs, <, 2000);
    }
  g_assert_cmpuint (n, ==, SECONDS - 2);
  /* Other adaptive beams: all of it once more. */
  link->generation++;
  for (guint k; (k = compute_next (link, memory, &first)) > 0;)
    n += k;
  g_assert_cmpuint (n, ==, 2 * SECONDS - 2);
  g_mutex_unlock (&link->lock);
  es_player_link_unref (link);
}

/* A block that was begun with settings that are left by now does not take the place of a newer one. */
static void
test_stale (void)
{
  g_autoptr (EsRecording) recording = make_recording (2);
  g_autoptr (EsBeamForm) form = es_test_history_form (7, 5);
  g_autoptr (EsBeamBlock) newer = es_test_history_block (form, 1), older = es_test_history_block (form, 1);
  EsPlayerLink *link = es_player_link_new (recording);
  float field[2 * 7];

  older->field[3] = -5;
  g_mutex_lock (&link->lock);
  es_player_link_set_form (link, form);
  link->generation++;
  g_mutex_unlock (&link->lock);
  es_player_link_keep (link, link->archive, newer, link->generation, TRUE, FALSE);
  g_assert_cmpuint (link->known[1], ==, link->generation);
  es_player_link_keep (link, link->archive, older, link->generation - 1, FALSE, FALSE);
  g_assert_cmpuint (link->known[1], ==, link->generation);
  g_assert_true (es_beam_archive_read_field (link->archive, 1, ES_BEAM_CBF, field));
  g_assert_cmpfloat (field[3], ==, 1003);
  es_player_link_unref (link);
}

/* ---- the player ---- */

static gboolean
is_complete (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) > 0
         && es_beam_history_get_n_current (history) == es_beam_history_get_n_rows (history);
}

/* Nothing plays, and all of it is there soon; a seek makes it neither longer nor other. */
static void
test_whole (gconstpointer data)
{
  const char *operation = data;
  g_autoptr (EsRecording) recording = make_recording (30.3);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_history_params (operation);
  EsBeamHistory *history = es_player_get_history (player);
  guint tracks, serial;

  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, es_operation_find (operation, NULL), params, es_device_get_cpu ());
  WAIT_UNTIL (is_complete (player));
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 60);
  g_assert_cmpfloat (es_player_get_progress (player), ==, 1);
  g_assert_cmpfloat (es_player_get_position (player), ==, 0);
  /* The first block was heard. */
  g_assert_cmpfloat (es_test_newest (player), ==, 0);
  es_test_history_check_rows (recording, params, history);
  es_test_run_for (0.05);
  tracks = es_beam_history_get_tracks (history)->len;
  g_assert_cmpuint (tracks, >, 0);
  serial = es_beam_history_get_tracks_serial (history);

  es_player_seek (player, 20.1);
  WAIT_UNTIL (es_test_newest (player) == 20);
  es_player_seek (player, 3);
  WAIT_UNTIL (es_test_newest (player) == 3);
  es_player_set_speed (player, 20);
  es_player_play (player);
  WAIT_UNTIL (!es_player_is_playing (player));
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 60);
  g_assert_cmpuint (es_beam_history_get_n_current (history), ==, 60);
  es_test_history_check_rows (recording, params, history);
  /* No contact has another number. */
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==, tracks);
  g_assert_cmpuint (es_beam_history_get_tracks_serial (history), ==, serial);
}

/* A contact has the same number, and the same path, in the displays of a recording and in the result of it. */
static void
test_numbers (gconstpointer data)
{
  const char *operation = data;
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 60 * 2000, 1500);
  g_autoptr (EsParams) params = es_test_history_params (operation);
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsPlayer) player = NULL;
  g_autoptr (EsBeamHistory) of_result = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autoptr (GError) error = NULL;
  EsBeamHistory *history;
  GPtrArray *a, *b;

  /* Weak ones beside a loud one: contacts come and go. */
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, 7);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 300, 500, 0.0012, 8);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 140), 300, 500, 0.001, 10);
  es_test_sonar_add_white (sonar, 0.02, 9);
  recording = es_test_sonar_record (sonar, ESK_F32, 1);
  player = es_player_new (recording);
  history = es_player_get_history (player);
  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, es_operation_find (operation, NULL), params, es_device_get_cpu ());
  WAIT_UNTIL (is_complete (player));
  es_test_run_for (0.05);
  result = es_test_run_beams (operation, recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  of_result = es_beam_history_new_from_result (result);

  a = es_beam_history_get_tracks (history);
  b = es_beam_history_get_tracks (of_result);
  g_assert_cmpuint (a->len, >, 2);
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const EsTrack *live = g_ptr_array_index (a, i), *made = g_ptr_array_index (b, i);

      g_assert_cmpuint (live->id, ==, made->id);
      g_assert_cmpuint (live->points->len, ==, made->points->len);
      for (guint k = 0; k < live->points->len; k++)
        {
          const EsTrackPoint *p = &g_array_index (live->points, EsTrackPoint, k);
          const EsTrackPoint *q = &g_array_index (made->points, EsTrackPoint, k);

          g_assert_cmpfloat (p->time, ==, q->time);
          g_assert_cmpfloat_with_epsilon (p->bearing, q->bearing, 1e-3);
          g_assert_true (isnan (p->level) == isnan (q->level));
        }
    }
}

/* What changes on the way: in the end all rows are of what was asked for last. */
static void
test_changes (void)
{
  g_autoptr (EsRecording) recording = make_recording (60);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_history_params ("mvdr");
  g_autoptr (GError) error = NULL;
  EsBeamHistory *history = es_player_get_history (player);

  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *loading = g_strdup_printf ("0.%03u", i + 1);

      es_test_run_for (0.02);
      es_player_set_view (player, i * 4, i * 4 + 10);
      g_assert_true (es_params_parse (params, "loading", loading, &error));
      es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
    }
  WAIT_UNTIL (is_complete (player) && es_beam_history_get_report (history)->loading == 0.03);
  es_test_history_check_rows (recording, params, history);
  /* The same beams by another device: what is there stays. */
  const guint fills = es_beam_history_get_n_fills (history);
  es_player_set_params (player, &es_operation_mvdr, params, es_device_find ("cuda:0", NULL));
  WAIT_UNTIL (strcmp (es_device_get_id (es_player_get_device (player)), "cuda:0") == 0);
  es_test_run_for (0.5);
  g_assert_true (is_complete (player));
  g_assert_cmpuint (es_beam_history_get_n_fills (history), <=, fills + 1);
  /* Other beams, in the middle of it. */
  g_assert_true (es_params_parse (params, "angles", "10:160:1", &error));
  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  WAIT_UNTIL (es_beam_history_get_settings (history)->n_angles == 151);
  WAIT_UNTIL (is_complete (player));
  es_test_history_check_rows (recording, params, history);
}

/* A card that is lost: the CPU goes on, and nothing is left out. */
static void
test_lost (void)
{
  g_autoptr (EsRecording) recording = make_recording (60);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_history_params ("cbf");

  es_player_set_ahead (player, TRUE);
  g_setenv ("ES_FAKE_LOSE_AT", "60", TRUE);
  es_player_set_params (player, &es_operation_cbf, params, es_device_find ("cuda:1", NULL));
  WAIT_UNTIL (es_test_rows (player) > 0);
  es_player_play (player);
  WAIT_UNTIL (is_complete (player));
  g_unsetenv ("ES_FAKE_LOSE_AT");
  es_test_history_check_rows (recording, params, es_player_get_history (player));
}

/* Gone in the middle of it. */
static void
test_gone (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (EsRecording) recording = make_recording (20);
      g_autoptr (EsPlayer) player = es_player_new (recording);
      g_autoptr (EsParams) params = es_test_history_params (i % 2 == 0 ? "cbf" : "mvdr");

      es_player_set_ahead (player, TRUE);
      es_player_set_params (player, es_operation_find (i % 2 == 0 ? "cbf" : "mvdr", NULL), params,
                            es_device_get_cpu ());
      es_test_run_for (0.03 * i);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/archive", test_archive);
  g_test_add_func ("/record/archive-threads", test_archive_threads);
  g_test_add_data_func ("/record/plan", GINT_TO_POINTER (FALSE), test_plan);
  g_test_add_data_func ("/record/plan-with-memory", GINT_TO_POINTER (TRUE), test_plan);
  g_test_add_func ("/record/stale", test_stale);
  g_test_add_data_func ("/record/whole-cbf", "cbf", test_whole);
  g_test_add_data_func ("/record/whole-mvdr", "mvdr", test_whole);
  g_test_add_data_func ("/record/numbers-cbf", "cbf", test_numbers);
  g_test_add_data_func ("/record/numbers-mvdr", "mvdr", test_numbers);
  g_test_add_func ("/record/changes", test_changes);
  g_test_add_func ("/record/lost", test_lost);
  g_test_add_func ("/record/gone", test_gone);
  const int status = g_test_run ();
  /* Workers that are still on their way. */
  es_devices_stop ();
  return status;
}
