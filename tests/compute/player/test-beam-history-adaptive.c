/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The record of adaptive beams: kinds, rows that are replaced, limits, tracks, and the same from a result. */

#include <math.h>

#include "beam/es-beam-block-private.h"
#include "player/es-beam-history-private.h"
#include "layer/es-layer-internal.h"
#include "es-test-beams.h"
#include "es-test-history.h"

/* ---- adaptive beams ---- */

static EsBeamForm *
make_adaptive_form (guint n_angles, guint n_bins, guint sources, double loading)
{
  g_autoptr (EsBeamForm) plain = es_test_history_form (n_angles, n_bins);
  g_autoptr (EsArray) array = es_array_new_line (6, 1.5, 0, NULL);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_copy (plain->settings);

  settings->adaptive = (EsAdaptiveSettings) { TRUE, ES_ADAPTIVE_CHOLESKY, loading, 2, 0, sources, TRUE };
  return es_beam_form_new (settings, array, FALSE);
}

/* What a kind's number i of block index is, in its field and in its spectra. */
static float
value_of (EsBeamKind kind, guint64 index, gsize i)
{
  return (float) (1 + kind * 100000 + (index % 100) * 1000 + i);
}

static EsBeamBlock *
make_adaptive_block (EsBeamForm *form, guint64 index)
{
  EsBeamBlock *block = es_test_history_block (form, index);
  const EsBeamSettings *settings = form->settings;

  for (guint kind = ES_BEAM_MVDR; kind < ES_N_BEAM_KINDS; kind++)
    {
      if (block->fields[kind] == NULL)
        continue;
      for (gsize i = 0; i < 2 * settings->n_angles; i++)
        block->fields[kind][i] = value_of (kind, index, i);
      for (gsize i = 0; i < (gsize) settings->n_angles * settings->n_bins; i++)
        block->by_bin[kind][i] = value_of (kind, index, i);
    }
  for (gsize i = 0; i < (gsize) settings->n_bins * block->n_eigenvalues; i++)
    block->eigenvalues[i] = (double) index + 1.0 / (1 + (double) i);
  block->used = 17;
  block->report.method = ES_ADAPTIVE_WOODBURY;
  return block;
}

/* MUSIC comes and goes as somebody asks for it; MVDR stays, and nothing is lost. */
static void
test_kinds (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = make_adaptive_form (7, 5, 0, -1), music = make_adaptive_form (7, 5, 2, 0.5);
  guint appended = 0, resets = 0, n = 99;
  float fraz[7 * 5];

  g_signal_connect (history, "filled", G_CALLBACK (es_test_history_count_rows), &appended);
  g_signal_connect_swapped (history, "reset", G_CALLBACK (es_test_history_count), &resets);
  g_assert_false (es_beam_history_has (history, ES_BEAM_CBF));
  g_assert_false (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_null (es_beam_history_get_report (history));
  g_assert_null (es_beam_history_get_probe (history));
  g_assert_null (es_beam_history_get_eigenvalues (history, &n));
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 0);
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==, 0);
  for (guint i = 0; i < 3000; i++)
    {
      g_autoptr (EsBeamBlock) block = make_adaptive_block (i >= 1000 && i < 2000 ? music : form, i);
      es_beam_history_append (history, block);
      g_assert_cmpint (es_beam_history_has (history, ES_BEAM_MUSIC), ==, i >= 1000);
      if (i == 1500)
        g_assert_cmpuint (es_beam_history_get_settings (history)->adaptive.sources, ==, 2);
    }
  g_assert_cmpuint (appended, ==, 3000);
  g_assert_cmpuint (resets, ==, 1);
  g_assert_true (es_beam_history_has (history, ES_BEAM_CBF));
  g_assert_true (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_cmpuint (es_beam_history_get_settings (history)->adaptive.sources, ==, 0);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 17);
  g_assert_cmpint (es_beam_history_get_report (history)->method, ==, ES_ADAPTIVE_WOODBURY);
  g_assert_cmpfloat (es_beam_history_get_eigenvalues (history, &n)[3], ==, 2999.25);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, 6);
  for (guint row = 0; row < 3000; row += 7)
    {
      const guint index = row;
      const gboolean has_music = index >= 1000 && index < 2000;

      g_assert_cmpfloat (es_beam_history_get_row (history, row)[4], ==, index * 1000 + 7 + 4);
      for (guint kind = ES_BEAM_MVDR; kind < ES_N_BEAM_KINDS; kind++)
        {
          const gboolean there = kind == ES_BEAM_MVDR || has_music;

          g_assert_cmpint (es_beam_history_get_row_of (history, kind, row) != NULL, ==, there);
          g_assert_cmpint (es_beam_history_get_field_of (history, kind, row) != NULL, ==, there);
          g_assert_cmpint (es_beam_history_copy_fraz_of (history, kind, row, fraz), ==, there);
          if (!there)
            {
              g_assert_true (isnan (fraz[3]));
              continue;
            }
          g_assert_cmpfloat (es_beam_history_get_row_of (history, kind, row)[4], ==, value_of (kind, index, 7 + 4));
          g_assert_cmpfloat (es_beam_history_get_field_of (history, kind, row)[2], ==, value_of (kind, index, 2));
          g_assert_cmpfloat (fabs (fraz[3 * 7 + 6] / value_of (kind, index, 6 * 5 + 3) - 1), <, 0.003);
          const float wanted = fraz[3 * 7 + 6];
          g_assert_true (es_beam_history_copy_beam_of (history, kind, row, 6, fraz));
          g_assert_cmpfloat (fraz[3], ==, wanted);
        }
    }

  /* Conventional beams alone are others. */
  g_autoptr (EsBeamForm) plain = es_test_history_form (7, 5);
  g_autoptr (EsBeamBlock) block = es_test_history_block (plain, 3);
  es_beam_history_append (history, block);
  g_assert_cmpuint (resets, ==, 2);
  g_assert_false (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_null (es_beam_history_get_row_of (history, ES_BEAM_MVDR, 0));
  g_assert_null (es_beam_history_get_report (history));
}

static void
test_replace (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = make_adaptive_form (7, 5, 0, -1), music = make_adaptive_form (7, 5, 2, 0.5);
  guint appended = 0, resets = 0, filled = 0;
  float fraz[7 * 5];

  g_signal_connect (history, "filled", G_CALLBACK (es_test_history_count_rows), &appended);
  g_signal_connect_swapped (history, "reset", G_CALLBACK (es_test_history_count), &resets);
  g_signal_connect_swapped (history, "filled", G_CALLBACK (es_test_history_count), &filled);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (EsBeamBlock) block = make_adaptive_block (form, i);
      es_beam_history_append (history, block);
    }
  g_autoptr (EsBeamBlock) again = make_adaptive_block (music, 4);
  again->fields[ES_BEAM_MVDR][7 + 3] = 12345;
  again->by_bin[ES_BEAM_MVDR][0] = 100;
  const guint64 before = es_beam_history_get_memory (history);
  es_beam_history_replace (history, again);
  g_assert_cmpuint (filled, ==, 6);
  g_assert_cmpuint (appended, ==, 5);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 5);
  /* The rows before are of other settings. */
  g_assert_cmpuint (es_beam_history_get_n_current (history), ==, 1);
  g_assert_true (es_beam_history_is_known (history, 3) && !es_beam_history_is_current (history, 3));
  g_assert_cmpfloat (es_beam_history_get_row_of (history, ES_BEAM_MVDR, 4)[3], ==, 12345);
  g_assert_cmpfloat (es_beam_history_get_row_of (history, ES_BEAM_MVDR, 3)[3], ==, value_of (ES_BEAM_MVDR, 3, 10));
  g_assert_cmpfloat (es_beam_history_get_row_of (history, ES_BEAM_MUSIC, 4)[3], ==, value_of (ES_BEAM_MUSIC, 4, 10));
  g_assert_null (es_beam_history_get_row_of (history, ES_BEAM_MUSIC, 3));
  g_assert_true (es_beam_history_copy_fraz_of (history, ES_BEAM_MVDR, 4, fraz));
  g_assert_cmpfloat (fabs (fraz[0] / 100 - 1), <, 0.003);
  g_assert_cmpuint (es_beam_history_get_settings (history)->adaptive.sources, ==, 2);
  g_assert_cmpuint (es_beam_history_get_memory (history), >, before);

  /* Back again: MUSIC is gone, and its memory. */
  g_autoptr (EsBeamBlock) back = make_adaptive_block (form, 4);
  es_beam_history_replace (history, back);
  g_assert_cmpuint (filled, ==, 7);
  g_assert_false (es_beam_history_has (history, ES_BEAM_MUSIC));
  g_assert_null (es_beam_history_get_row_of (history, ES_BEAM_MUSIC, 4));
  g_assert_null (es_beam_history_get_field_of (history, ES_BEAM_MUSIC, 4));

  /* Another block is one more; other beams begin anew. */
  g_autoptr (EsBeamBlock) next = make_adaptive_block (form, 5);
  es_beam_history_replace (history, next);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 6);
  g_autoptr (EsBeamForm) other = make_adaptive_form (8, 5, 0, -1);
  g_autoptr (EsBeamBlock) wider = make_adaptive_block (other, 5);
  es_beam_history_replace (history, wider);
  g_assert_cmpuint (resets, ==, 2);
  g_assert_cmpuint (es_beam_history_get_n_known (history), ==, 1);
}

/* Whatever kinds come and go, what is kept stays within its limits, and is right. */
static void
test_limits (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (200000);
  g_autoptr (EsBeamForm) form = make_adaptive_form (40, 50, 0, -1), music = make_adaptive_form (40, 50, 2, -1);
  const gsize chunk = ES_BEAM_HISTORY_CHUNK * 40 * sizeof (float);
  float fraz[40 * 50];

  history->rows_limit = 7 * chunk;
  for (guint i = 0; i < 9000; i++)
    {
      g_autoptr (EsBeamBlock) block = make_adaptive_block (i / 40 % 2 != 0 ? music : form, i);
      es_beam_history_append (history, block);
      g_assert_cmpuint (es_beam_archive_count (history->archive), <=, 200000 / 4320);
      g_assert_cmpuint (history->chunk_bytes, <=, 7 * chunk);
      if (i < 100 || i % 13 != 0)
        continue;
      /* As many kinds as there are share the room. */
      for (guint row = i - 15; row <= i; row++)
        if (es_beam_history_has_spectra_of (history, ES_BEAM_MVDR, row))
          {
            g_assert_true (es_beam_history_copy_fraz_of (history, ES_BEAM_MVDR, row, fraz));
            g_assert_cmpfloat (fabs (fraz[40 + 1] / value_of (ES_BEAM_MVDR, row, 51) - 1), <, 0.003);
          }
      g_assert_true (es_beam_history_has_spectra_of (history, ES_BEAM_MVDR, i - 13));
      g_assert_false (es_beam_history_copy_fraz_of (history, ES_BEAM_MVDR, i - 50, fraz));
    }
  /* Three kinds of rows; those that are farthest from where it is have gone. */
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 9000);
  g_assert_cmpuint (es_beam_history_get_n_known (history), <, 4 * ES_BEAM_HISTORY_CHUNK);
  g_assert_cmpuint (es_beam_history_get_n_known (history), >, ES_BEAM_HISTORY_CHUNK);
  for (guint row = 0; row < 9000; row++)
    {
      g_assert_cmpfloat (es_beam_history_get_time (history, row), ==, row + 0.5);
      g_assert_cmpint (es_beam_history_is_known (history, row), ==,
                       row >= 9000 - es_beam_history_get_n_known (history));
      if (!es_beam_history_is_known (history, row))
        {
          g_assert_null (es_beam_history_get_row_of (history, ES_BEAM_MVDR, row));
          continue;
        }
      g_assert_cmpfloat (es_beam_history_get_row_of (history, ES_BEAM_MVDR, row)[9], ==,
                         value_of (ES_BEAM_MVDR, row, 49));
      g_assert_cmpint (es_beam_history_get_row_of (history, ES_BEAM_MUSIC, row) != NULL, ==, row / 40 % 2 != 0);
    }
}

/* A peak that moves, elsewhere in MVDR than in CBF: what is tracked is MVDR's. */
static void
test_tracks (void)
{
  g_autoptr (EsBeamHistory) history = es_beam_history_new (0);
  g_autoptr (EsBeamForm) form = make_adaptive_form (160, 2, 0, -1);
  guint serial = es_beam_history_get_tracks_serial (history);
  const EsTrack *track;

  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (EsBeamBlock) block = make_adaptive_block (form, i);
      for (guint a = 0; a < 160; a++)
        {
          block->far[a] = (float) (0.001 + exp (-(a - 20.0) * (a - 20.0) / 8));
          block->fields[ES_BEAM_MVDR][160 + a] = (float) (0.001 + exp (-pow (a - 90.3 - 0.4 * i, 2) / 8));
        }
      es_beam_history_append (history, block);
      g_assert_cmpuint (es_beam_history_get_tracks_serial (history), !=, serial);
      serial = es_beam_history_get_tracks_serial (history);
    }
  GPtrArray *tracks = es_beam_history_get_tracks (history);
  g_assert_cmpuint (tracks->len, ==, 1);
  track = g_ptr_array_index (tracks, 0);
  g_assert_cmpuint (track->id, ==, 1);
  g_assert_false (track->ended);
  g_assert_cmpuint (track->points->len, ==, 30);
  for (guint i = 10; i < 30; i++)
    {
      const EsTrackPoint *point = &g_array_index (track->points, EsTrackPoint, i);
      g_assert_cmpfloat (point->time, ==, i + 0.5);
      g_assert_cmpfloat_with_epsilon (point->bearing, 90.3 + 0.4 * i, 0.3);
      g_assert_cmpfloat_with_epsilon (point->rate, 0.4, 0.1);
    }
  es_beam_history_clear (history);
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==, 0);
  g_assert_cmpuint (es_beam_history_get_tracks_serial (history), !=, serial);
}

/* What a result of adaptive beams found, and the same read from a folder. */
static void
check_adaptive_result (EsResult *result, guint n_rows)
{
  static const char *const names[ES_N_BEAM_KINDS][2] = {
    { "btr", "fraz" }, { "btr-mvdr", "fraz-mvdr" }, { "btr-music", "fraz-music" },
  };
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  const guint n_angles = settings->n_angles;
  EsField *eigenvalues = ES_FIELD (es_result_find_layer (result, "eigenvalues"));
  EsTable *table = ES_TABLE (es_result_find_layer (result, "tracks"));
  EsCurve *energy = ES_CURVE (es_result_find_layer (result, "band-energy"));
  g_autofree float *row = g_new (float, MAX (n_angles, settings->n_bins)), *wanted = NULL, *fraz = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *tracks = es_beam_history_get_tracks (history);
  const EsBeamProbe *probe = es_beam_history_get_probe (history);
  guint n, n_points = 0;

  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, n_rows);
  g_assert_cmpuint (n_angles, ==, 81);
  wanted = g_new (float, settings->n_bins * n_angles);
  fraz = g_new (float, settings->n_bins * n_angles);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      EsField *btr = ES_FIELD (es_result_find_layer (result, names[kind][0]));
      EsField *map = ES_FIELD (es_result_find_layer (result, names[kind][1]));

      g_assert_true (es_beam_history_has (history, kind));
      for (guint i = 0; i < n_rows; i++)
        {
          g_assert_true (es_field_read (btr, i, 1, row, &error));
          g_assert_cmpmem (es_beam_history_get_shown_row (history, kind, i), n_angles * sizeof *row, row,
                           n_angles * sizeof *row);
        }
      g_assert_true (es_field_read (map, 0, settings->n_bins, wanted, &error));
      g_assert_true (es_beam_history_copy_fraz_of (history, kind, 0, fraz));
      g_assert_cmpmem (fraz, settings->n_bins * n_angles * sizeof *fraz, wanted,
                       settings->n_bins * n_angles * sizeof *fraz);
      /* Without an energy field: what is far. */
      g_assert_null (es_result_find_layer (result, "energy-field"));
      g_assert_nonnull (es_beam_history_get_field_of (history, kind, 0));
      for (guint i = 0; i < n_angles; i++)
        g_assert_cmpfloat_with_epsilon (10 * log10 (es_beam_history_get_field_of (history, kind, 0)[i]),
                                        es_curve_get_series (energy, kind)->y[i], 1e-4);
    }

  const double *values = es_beam_history_get_eigenvalues (history, &n);
  g_assert_nonnull (values);
  g_assert_cmpuint (n, ==, es_field_get_columns (eigenvalues)->n);
  g_assert_true (es_field_read (eigenvalues, 2, 1, row, &error));
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (values[2 * n + i], ==, row[i]);
  g_assert_cmpuint (es_beam_history_get_used (history), >, 0);
  g_assert_null (es_beam_history_get_report (history));

  g_assert_nonnull (probe);
  g_assert_cmpfloat_with_epsilon (probe->bearing, 60, 3);
  g_assert_cmpfloat_with_epsilon (es_beam_settings_get_frequency (settings, settings->first_bin + probe->bin),
                                  probe->frequency, 0.51 * settings->rate / settings->length);
  for (guint i = 0; i < probe->n_angles; i++)
    g_assert_true (probe->patterns[ES_BEAM_CBF][i] >= 0 && probe->patterns[ES_BEAM_CBF][i] <= 1.001);

  g_assert_cmpuint (tracks->len, >, 0);
  for (guint i = 0; i < tracks->len; i++)
    n_points += ((EsTrack *) g_ptr_array_index (tracks, i))->points->len;
  g_assert_cmpuint (n_points, ==, es_table_get_n_rows (table));
}

static void
test_adaptive_result (void)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 20000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "block", "500ms", "snapshots", "16", "blocks", "2", "band",
                                                     "300:480", "angles", "10:170:2", "sources", "2", NULL);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, 7);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 300, 500, 0.005, 8);
  es_test_sonar_add_white (sonar, 1e-4, 9);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_run_beams ("mvdr", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  check_adaptive_result (result, 20);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-history/adaptive-result", test_adaptive_result);
  g_test_add_func ("/beam-history/kinds", test_kinds);
  g_test_add_func ("/beam-history/replace", test_replace);
  g_test_add_func ("/beam-history/limits", test_limits);
  g_test_add_func ("/beam-history/tracks", test_tracks);
  return g_test_run ();
}
