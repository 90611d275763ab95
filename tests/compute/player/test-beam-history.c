/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The record of what has been heard: rows by time, limits, and the same from a result. */

#include <math.h>

#include "beam/es-beam-block-private.h"
#include "es-test-beams.h"
#include "es-test-history.h"

static void
test_rows (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = es_test_history_form (7, 5), same = es_test_history_form (7, 5);
  g_autoptr (EsBeamForm) other = es_test_history_form (8, 5);
  guint appended = 0, resets = 0, now = 0;
  float beam[5], fraz[8 * 5];

  g_signal_connect (history, "filled", G_CALLBACK (es_test_history_count_rows), &appended);
  g_signal_connect_swapped (history, "reset", G_CALLBACK (es_test_history_count), &resets);
  g_assert_null (es_beam_history_get_settings (history));
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 0);
  g_assert_false (es_beam_history_has_spectra (history));
  g_assert_false (es_beam_history_copy_beam (history, 0, 0, beam));
  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (i % 2 == 0 ? form : same, i);
      es_beam_history_append (history, block);
    }
  g_assert_cmpuint (appended, ==, 3000);
  g_assert_cmpuint (resets, ==, 1);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 3000);
  g_assert_cmpuint (es_beam_history_get_n_known (history), ==, 3000);
  g_assert_true (es_beam_history_get_now (history, &now));
  g_assert_cmpuint (now, ==, 2999);
  g_assert_true (es_beam_history_has_spectra (history));
  g_assert_cmpuint (es_beam_history_get_only_angle (history), ==, G_MAXUINT);
  for (guint row = 0; row < 3000; row += 7)
    {
      const guint index = row;

      g_assert_cmpfloat (es_beam_history_get_time (history, row), ==, index + 0.5);
      g_assert_cmpuint (es_beam_history_find_row (history, index + 0.8), ==, row);
      g_assert_cmpfloat (es_beam_history_get_row (history, row)[4], ==, index * 1000 + 7 + 4);
      g_assert_cmpfloat (es_beam_history_get_field (history, row)[2], ==, index * 1000 + 2);
      g_assert_true (es_beam_history_copy_beam (history, row, 6, beam));
      g_assert_true (es_beam_history_copy_fraz (history, row, fraz));
      for (guint b = 0; b < 5; b++)
        {
          const double wanted = pow (10, fmod (index + (6 * 5 + b) * 0.0137, 30) - 15);
          /* A hundredth of a decibel. */
          g_assert_cmpfloat (fabs (beam[b] / wanted - 1), <, 0.003);
          g_assert_cmpfloat (fraz[b * 7 + 6], ==, beam[b]);
        }
    }

  g_autoptr (EsBeamBlock) block = es_test_history_block (other, 5);
  block->spectra[1] = 0;
  block->spectra[2] = NAN;
  block->spectra[3] = -1;
  block->spectra[4] = INFINITY;
  es_beam_history_append (history, block);
  g_assert_cmpuint (resets, ==, 2);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 6);
  g_assert_cmpuint (es_beam_history_get_n_known (history), ==, 1);
  g_assert_cmpuint (es_beam_history_get_settings (history)->n_angles, ==, 8);
  g_assert_null (es_beam_history_get_row (history, 4));
  g_assert_true (es_beam_history_copy_beam (history, 5, 0, beam));
  g_assert_cmpfloat (beam[1], ==, 0);
  g_assert_true (isnan (beam[2]));
  g_assert_cmpfloat (beam[3], ==, 0);
  g_assert_cmpfloat (beam[4], >, 1e25);
  es_beam_history_clear (history);
  g_assert_cmpuint (resets, ==, 3);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 0);
}

/* Spectra stay within what they are allowed; what is farthest from the row that was heard last goes. */
static void
test_limit (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (100000);
  g_autoptr (EsBeamForm) form = es_test_history_form (40, 50);
  guint64 memory = 0;
  float beam[50];
  guint n = 0;

  for (guint i = 0; i < 2500; i++)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);
      es_beam_history_append (history, block);
      if (i == 1500)
        memory = es_beam_history_get_memory (history);
    }
  for (guint i = 0; i < 2500; i++)
    {
      const gboolean there = es_beam_history_copy_beam (history, i, 3, beam);

      g_assert_cmpint (there, ==, es_beam_history_has_spectra_of (history, ES_BEAM_CBF, i));
      g_assert_cmpint (there, ==, es_beam_history_get_field (history, i) != NULL);
      g_assert_cmpint (there, ==, i >= 2500 - 23);
      n += there;
      if (there)
        {
          g_assert_cmpfloat (fabs (beam[7] / pow (10, fmod (i + 157 * 0.0137, 30) - 15) - 1), <, 0.003);
          g_assert_cmpfloat (es_beam_history_get_field (history, i)[2], ==, i * 1000 + 2);
        }
      else
        {
          g_assert_true (isnan (beam[7]));
        }
      g_assert_nonnull (es_beam_history_get_row (history, i));
    }
  /* 4,000 bytes of levels and 320 of two ranges. */
  g_assert_cmpuint (n, ==, 100000 / 4320);
  /* Only rows of 40 numbers have come since. */
  g_assert_cmpuint (es_beam_history_get_memory (history) - memory, <, 2100 * 40 * 4 + 1100 * 9);
}

/* Blocks come in any order, some twice, and each has its own place. */
static void
test_timeline (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = es_test_history_form (7, 5);
  guint grown = 0, now = 0, fills = 0;
  float beam[5];

  es_beam_history_set_frames (history, 1000 * 1000 + 999);
  g_signal_connect (history, "filled", G_CALLBACK (es_test_history_count_rows), &grown);
  for (guint i = 0; i < 2000; i++)
    {
      const guint index = i * 387 % 1000;
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, index);

      es_beam_history_append (history, block);
      g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 1000);
      g_assert_cmpuint (es_beam_history_get_n_known (history), ==, MIN (i + 1, 1000));
      g_assert_true (es_beam_history_get_now (history, &now));
      g_assert_cmpuint (now, ==, index);
      fills = MIN (i + 1, 1000);
      g_assert_cmpuint (es_beam_history_get_n_fills (history), ==, fills);
      g_assert_cmpuint (es_beam_history_get_fill (history, fills - 1), ==, i < 1000 ? index : 999 * 387 % 1000);
      if (i > 1000)
        continue;
      g_assert_cmpint (es_beam_history_is_known (history, (index + 387) % 1000), ==, i + 1 >= 1000);
      g_assert_cmpint (es_beam_history_get_row (history, (index + 387) % 1000) != NULL, ==, i + 1 >= 1000);
    }
  /* The record is as long as the recording from its first block on. */
  g_assert_cmpuint (grown, ==, 0);
  for (guint row = 0; row < 1000; row++)
    {
      g_assert_cmpfloat (es_beam_history_get_time (history, row), ==, row + 0.5);
      g_assert_cmpuint (es_beam_history_find_row (history, row + 0.8), ==, row);
      g_assert_cmpfloat_with_epsilon (es_beam_history_find_place (history, ES_BEAM_CBF, row + 0.8), row + 0.8, 1e-9);
      g_assert_cmpfloat (es_beam_history_get_row (history, row)[4], ==, row * 1000 + 7 + 4);
      g_assert_true (es_beam_history_copy_beam (history, row, 6, beam));
      g_assert_cmpfloat (fabs (beam[2] / pow (10, fmod (row + 32 * 0.0137, 30) - 15) - 1), <, 0.003);
    }
  g_assert_cmpuint (es_beam_history_find_row (history, -5), ==, 0);
  g_assert_cmpuint (es_beam_history_find_row (history, 5000), ==, 999);
}

/* However often rows come again, what is kept of their order is bounded, and who looks now and then misses none. */
static void
test_fills (void)
{
  enum { ROWS = 50 };
  g_autoptr (EsBeamHistory) history = es_beam_history_new (50000);
  g_autoptr (EsBeamForm) form = es_test_history_form (3, 2);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  gboolean came[3][ROWS] = { { FALSE } };
  guint seen[3] = { 0, 0, 0 }, n = 0;
  const guint pauses[3] = { 1, 700, 9000 };

  es_beam_history_set_frames (history, ROWS * 1000);
  for (guint i = 0; i < 40000; i++)
    {
      /* Mostly the same, as while a slider moves. */
      const guint row = i < ROWS ? i : g_rand_int_range (random, 0, 20) > 0 ? 7 : g_rand_int_range (random, 0, ROWS);
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, row);

      es_beam_history_replace (history, block);
      g_assert_cmpuint (es_beam_history_get_n_fills (history), ==, ++n);
      g_assert_cmpuint (n - es_beam_history_get_first_fill (history), <=, 2 * ROWS + 1024);
      g_assert_cmpuint (es_beam_history_get_fill (history, n - 1), ==, row);
      for (guint who = 0; who < 3; who++)
        {
          came[who][row] = TRUE;
          if ((i + 1) % pauses[who] != 0)
            continue;
          for (guint k = MAX (seen[who], es_beam_history_get_first_fill (history)); k < n; k++)
            came[who][es_beam_history_get_fill (history, k)] = FALSE;
          seen[who] = n;
          for (guint k = 0; k < ROWS; k++)
            g_assert_false (came[who][k]);
        }
    }
  g_assert_cmpuint (es_beam_history_get_memory (history), <, 100000);
  es_beam_history_clear (history);
  g_assert_cmpuint (es_beam_history_get_n_fills (history), ==, 0);
  g_assert_cmpuint (es_beam_history_get_first_fill (history), ==, 0);
}

static void
test_result (void)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 40000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "block", "100ms", "band",
                                                     "300:500", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree float *row = NULL, *fraz = NULL;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  EsField *btr = ES_FIELD (es_result_find_layer (result, "btr"));
  EsField *lofar = ES_FIELD (es_result_find_layer (result, "lofar"));
  EsField *map = ES_FIELD (es_result_find_layer (result, "fraz"));

  g_assert_cmpuint (settings->n_angles, ==, 160);
  g_assert_cmpuint (settings->n_ranges, ==, 8);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 200);
  g_assert_cmpuint (es_beam_history_get_only_angle (history), ==, 50);
  g_assert_false (es_beam_history_is_calibrated (history));
  row = g_new (float, MAX (settings->n_bins, 160));
  fraz = g_new (float, settings->n_bins * 160);
  for (guint i = 0; i < 200; i += 9)
    {
      g_assert_true (es_field_read (btr, i, 1, row, &error));
      g_assert_cmpmem (es_beam_history_get_row (history, i), 160 * sizeof (float), row, 160 * sizeof (float));
      g_assert_cmpfloat_with_epsilon (es_beam_history_get_begin (history, i), 0.1 * i, 1e-9);
      g_assert_true (es_beam_history_copy_beam (history, i, 50, fraz));
      g_assert_true (es_field_read (lofar, i, 1, row, &error));
      g_assert_cmpmem (fraz, settings->n_bins * sizeof (float), row, settings->n_bins * sizeof (float));
      g_assert_false (es_beam_history_copy_beam (history, i, 51, fraz));
    }
  g_assert_true (es_beam_history_copy_fraz (history, 3, fraz));
  g_assert_cmpmem (fraz, settings->n_bins * 160 * sizeof (float), es_field_peek (map),
                   settings->n_bins * 160 * sizeof (float));
  g_assert_cmpmem (es_beam_history_get_field (history, 0), 8 * 160 * sizeof (float),
                   es_field_peek (ES_FIELD (es_result_find_layer (result, "energy-field"))), 8 * 160 * sizeof (float));
}

/* What is heard beyond what is known has contacts, and no numbers until all before it is there. */
static void
test_track_numbers (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = es_test_history_form (40, 50);

  for (guint i = 0; i < 20; i++)
    {
      const guint index = i < 10 ? i + 10 : i - 10;
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, index);

      for (guint k = 0; k < 2 * 40; k++)
        block->field[k] = (float) exp (-0.1 * (k % 40 - 17.) * (k % 40 - 17.)) + 1e-3f;
      es_beam_history_append (history, block);
      g_assert_cmpint (es_beam_history_has_track_numbers (history), ==, i >= 10);
      g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==, i % 10 < 2 ? 0 : 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-history/rows", test_rows);
  g_test_add_func ("/beam-history/limit", test_limit);
  g_test_add_func ("/beam-history/timeline", test_timeline);
  g_test_add_func ("/beam-history/fills", test_fills);
  g_test_add_func ("/beam-history/result", test_result);
  g_test_add_func ("/beam-history/track-numbers", test_track_numbers);
  return g_test_run ();
}
