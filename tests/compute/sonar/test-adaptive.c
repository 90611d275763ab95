/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Adaptive beams as sonar.md 13 has them, items 4 to 7, and coherent sources (6.1), on every device. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-adaptive.h"

static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

/* Scenes take longer to make than their beams: one for all devices. */
static GHashTable *scenes;

static EsRecording *
find_scene (const char *name)
{
  EsRecording *recording = g_hash_table_lookup (scenes, name);

  return recording != NULL ? g_object_ref (recording) : NULL;
}

static EsRecording *
keep_scene (const char *name, EsRecording *recording)
{
  g_hash_table_insert (scenes, g_strdup (name), g_object_ref (recording));
  return recording;
}

static EsArray *
make_line (guint n)
{
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new_line (n, 1.5, 0, &error);

  g_assert_no_error (error);
  return array;
}

static EsRecording *
find_noise (guint n, double theta, double low, double high, gsize frames, double white)
{
  g_autofree char *name = g_strdup_printf ("noise %u %g %zu", n, theta, frames);
  EsRecording *recording = find_scene (name);

  if (recording == NULL)
    {
      g_autoptr (EsArray) array = make_line (n);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, frames, 1500);

      es_test_sonar_add_noise (sonar, es_test_place_far (array, theta), low, high, 1, 5);
      es_test_sonar_add_white (sonar, white, 6);
      recording = keep_scene (name, es_test_sonar_record (sonar, ESK_F32, 0.1));
    }
  return recording;
}

/* Every angle of a bin in the order in which conventional beams have it; ties of one as of the other. */
static void
check_order (EsBeamBlock *block)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const guint n = settings->n_angles, n_bins = settings->n_bins;
  const float *cbf = es_beam_block_get_spectra_of (block, ES_BEAM_CBF);
  const float *mvdr = es_beam_block_get_spectra_of (block, ES_BEAM_MVDR);

  for (guint b = 0; b < n_bins; b++)
    for (guint i = 0; i < n; i++)
      for (guint k = i + 1; k < n; k++)
        {
          const double c = (double) cbf[i * n_bins + b] - cbf[k * n_bins + b];
          const double m = (double) mvdr[i * n_bins + b] - mvdr[k * n_bins + b];

          /* Powers of conventional beams have an error of 1e-5 of the largest. */
          if (fabs (c) > 4e-5 * MAX (cbf[i * n_bins + b], cbf[k * n_bins + b]) + 1e-6)
            g_assert_cmpfloat (c * m, >, 0);
        }
}

/* Item 4: the right angles, no mirror images; several routes. */
static void
test_angles (gconstpointer data)
{
  const double thetas[] = { 20, 57, 123, 150 };
  const char *const methods[] = { "cholesky", "woodbury", "jacobi", "eigen" };

  for (guint i = 0; i < G_N_ELEMENTS (thetas); i++)
    for (guint many = 0; many < 2; many++)
      {
        /* 80 snapshots of 1,024 samples, half of each in the next. */
        g_autoptr (EsRecording) recording = find_noise (32, thetas[i], 330, 470, 41472, 0.01);
        g_autoptr (EsBeamBlock) first = NULL;

        for (guint method = 0; method < G_N_ELEMENTS (methods); method++)
          {
            g_autoptr (EsBeamSettings) settings =
              es_test_adaptive_new (recording, "band", many ? "330:470" : "330:350", "angles", "10:169:1", "loading",
                                    "0.01", "window", "rectangular", "block", many ? "41472" : "8192", "snapshots",
                                    many ? "80" : "1", "blocks", "1", "method", methods[method], NULL);
            g_autoptr (EsBeamBlock) block = es_test_adaptive_block (recording, settings, data, 0);
            const gsize n = (gsize) settings->n_angles * settings->n_bins;

            g_assert_cmpuint (settings->window_length, ==, many ? 1024 : 8192);
            g_assert_cmpfloat (fabs (es_test_strongest (block, ES_BEAM_MVDR) - thetas[i]), <=, 1);
            g_assert_cmpuint (es_beam_block_get_used (block), ==, many ? 80 : 1);
            g_assert_cmpint (es_beam_block_get_report (block)->method, ==, method + 1);
            if (method == 0)
              {
                if (!many)
                  check_order (block);
                first = es_beam_block_ref (block);
                continue;
              }
            for (gsize k = 0; k < n; k++)
              g_assert_cmpfloat_with_epsilon (es_beam_block_get_spectra_of (block, ES_BEAM_MVDR)[k]
                                              / es_beam_block_get_spectra_of (first, ES_BEAM_MVDR)[k], 1, 1e-6);
          }
      }
}

/* Item 5: with one snapshot the order of conventional beams and hardly a floor; with several that of the table. */
static void
test_floors (gconstpointer data)
{
  g_autoptr (EsRecording) large = find_noise (1024, 123, 300, 440, 8192, 1 / 0.035), small = NULL;
  g_autoptr (EsBeamSettings) one = es_test_adaptive_new (large, "band", "319.4:416", "angles", "10:169:1", "loading",
                                                         "0.01", "window", "rectangular", "block", "8192", "snapshots",
                                                         "1", NULL);
  g_autoptr (EsBeamBlock) block = es_test_adaptive_block (large, one, data, 0);

  g_assert_cmpuint (one->first_bin, ==, 327);
  g_assert_cmpuint (one->n_bins, ==, 100);
  g_assert_cmpfloat (es_test_strongest (block, ES_BEAM_CBF), ==, 123);
  g_assert_cmpfloat (es_test_strongest (block, ES_BEAM_MVDR), ==, 123);
  g_test_message ("1,024 elements, K = 1: floors %.1f dB (MVDR), %.1f dB (CBF)", es_test_floor (block, ES_BEAM_MVDR),
                  es_test_floor (block, ES_BEAM_CBF));
  g_assert_cmpfloat_with_epsilon (es_test_floor (block, ES_BEAM_MVDR), -2.9, 0.7);
  g_assert_cmpfloat_with_epsilon (es_test_floor (block, ES_BEAM_CBF), -29.1, 1.5);
  /* Automatic: the closed form of the snapshot. */
  g_assert_cmpint (es_beam_block_get_report (block)->method, ==, ES_ADAPTIVE_WOODBURY);

  /* Snapshots of half a second: the array is short against them. */
  small = find_noise (128, 123, 300, 440, 26624, 1 / 0.035);
  g_autoptr (EsBeamSettings) many = es_test_adaptive_new (small, "band", "319.4:416", "angles", "10:169:1", "loading",
                                                          "0.01", "block", "26624", "snapshots", "12", "blocks", "1",
                                                          NULL);
  g_autoptr (EsBeamBlock) other = es_test_adaptive_block (small, many, data, 0);

  g_test_message ("128 elements, K = 12: floors %.1f dB (MVDR), %.1f dB (CBF)", es_test_floor (other, ES_BEAM_MVDR),
                  es_test_floor (other, ES_BEAM_CBF));
  g_assert_cmpfloat (fabs (es_test_strongest (other, ES_BEAM_MVDR) - 123), <=, 1);
  g_assert_cmpfloat_with_epsilon (es_test_floor (other, ES_BEAM_MVDR), -11.2, 1.5);
  g_assert_cmpfloat_with_epsilon (es_test_floor (other, ES_BEAM_CBF), -20.9, 1.5);
}

/* Exactly two peaks (of half the largest power and more), each within 0.4 degrees of a source. */
static gboolean
is_resolved (EsBeamBlock *block, EsBeamKind kind, double separation)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const float *far = es_beam_block_get_far_of (block, kind);
  const double strongest = es_test_power_at (block, kind, es_test_strongest (block, kind));
  guint n = 0;

  for (guint i = 1; i + 1 < settings->n_angles; i++)
    if (far[i] > far[i - 1] && far[i] >= far[i + 1] && far[i] > strongest / 2)
      {
        const double away = fabs (settings->angles[i] - 90) - separation / 2;

        if (fabs (away) > 0.4)
          return FALSE;
        n++;
      }
  return n == 2;
}

/* Item 6: the table of what is resolved; 21 bins, 20 dB. */
static void
test_resolution (gconstpointer data)
{
  const double separations[] = { 2.5, 4 };
  const guint snapshots[] = { 1, 8, 32, 64, 200 };
  const char *const loadings[] = { "0.001", "0.01", "0.1" };
  const guint n_trials = 20;

  for (guint s = 0; s < G_N_ELEMENTS (separations); s++)
    for (guint k = 0; k < G_N_ELEMENTS (snapshots); k++)
      {
        guint resolved[4] = { 0 };
        /* 200 snapshots take long to draw, and are no different. */
        const guint n = snapshots[k] == 200 ? 4 : snapshots[k] == 64 ? 8 : n_trials;

        for (guint trial = 0; trial < n; trial++)
          {
            g_autofree char *name = g_strdup_printf ("pair %u %u %u", s, k, trial);
            g_autofree char *block_text = g_strdup_printf ("%u", snapshots[k] * 1024);
            g_autofree char *snapshots_text = g_strdup_printf ("%u", snapshots[k]);
            g_autoptr (EsRecording) recording = find_scene (name);

            if (recording == NULL)
              {
                g_autoptr (EsArray) array = make_line (32);
                const EsTestSource pair[] = { { 90 - separations[s] / 2, 1, 0 }, { 90 + separations[s] / 2, 1, 1 } };
                const EsTestSpectra spectra = { array, 1024, 41, 21, snapshots[k], 0.01,
                                                1000 * s + 100 * k + trial };

                recording = keep_scene (name, es_test_draw_spectra (&spectra, pair, 2));
              }
            g_autoptr (EsBeamformer) beamformer = NULL;
            for (guint i = 0; i < G_N_ELEMENTS (loadings); i++)
              {
                g_autoptr (EsBeamSettings) settings =
                  es_test_adaptive_new (recording, "band", "320.3125:476.5625", "angles", "70:110:0.1", "loading",
                                        loadings[i], "window", "rectangular", "overlap", "0", "transform", "1024",
                                        "blocks", "1", "block", block_text, "snapshots", snapshots_text, NULL);
                g_autoptr (GError) error = NULL;
                g_autoptr (EsBeamBlock) block = NULL;

                g_assert_cmpuint (settings->n_bins, ==, 21);
                if (beamformer == NULL)
                  {
                    beamformer = es_test_beamformer_new (recording, settings, data);
                    block = es_beamformer_process (beamformer, 0, &error);
                    g_assert_no_error (error);
                    resolved[3] += is_resolved (block, ES_BEAM_CBF, separations[s]);
                  }
                else
                  {
                    es_beamformer_set_adaptive (beamformer, &settings->adaptive, &error);
                    g_assert_no_error (error);
                    block = es_beamformer_again (beamformer, &error);
                    g_assert_no_error (error);
                  }
                g_assert_cmpfloat (es_beam_block_get_report (block)->loading, ==, settings->adaptive.loading);
                resolved[i] += is_resolved (block, ES_BEAM_MVDR, separations[s]);
              }
          }
        g_test_message ("%.1f degrees, K = %3u: resolved %u / %u / %u, CBF %u of %u", separations[s], snapshots[k],
                        resolved[0], resolved[1], resolved[2], resolved[3], n);
        for (guint i = 0; i < 3; i++)
          if (snapshots[k] > 1)
            g_assert_cmpuint (resolved[i], ==, n);
          else
            g_assert_cmpuint (resolved[i], <=, 8);
        g_assert_cmpuint (resolved[3], <=, separations[s] < 4 ? 0 : 8);
      }
}

/* The far power in every bin at an angle, over that of the source: its mean. */
static double
mean_reading (EsBeamBlock *block, EsBeamKind kind, double theta)
{
  return es_test_power_at (block, kind, theta) / es_beam_block_get_settings (block)->n_bins;
}

/* Item 7, and what K does to levels (6.1). */
static void
test_power (gconstpointer data)
{
  const struct { guint snapshots; const char *loading; double reading, error; } cases[] = {
    { 8, "0.001", 0.004, 0.003 }, { 64, "0", 33.0 / 64, 0.03 }, { 640, "0", 609.0 / 640, 0.02 },
  };
  const EsTestSource source = { 60, 1, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("power %u", i);
      g_autofree char *block_text = g_strdup_printf ("%u", cases[i].snapshots * 256);
      g_autofree char *snapshots_text = g_strdup_printf ("%u", cases[i].snapshots);
      g_autoptr (EsRecording) recording = find_scene (name);

      if (recording == NULL)
        {
          g_autoptr (EsArray) array = make_line (32);
          const EsTestSpectra spectra = { array, 256, 5, 11, cases[i].snapshots, 0.1, 9 + i };

          recording = keep_scene (name, es_test_draw_spectra (&spectra, &source, 1));
        }
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "156.25:468.75", "angles", "10:169:1", "loading", cases[i].loading,
                              "window", "rectangular", "overlap", "0", "transform", "256", "blocks", "1", "block",
                              block_text, "snapshots", snapshots_text, NULL);
      g_autoptr (EsBeamBlock) block = es_test_adaptive_block (recording, settings, data, 0);
      const double mvdr = mean_reading (block, ES_BEAM_MVDR, 60), cbf = mean_reading (block, ES_BEAM_CBF, 60);

      g_test_message ("K = %u, loading %s: MVDR reads %.4f (%.4f), CBF %.4f", cases[i].snapshots, cases[i].loading,
                      mvdr, cases[i].reading, cbf);
      g_assert_cmpuint (settings->n_bins, ==, 11);
      g_assert_cmpfloat_with_epsilon (mvdr / cbf, cases[i].reading, cases[i].error);
      if (cases[i].snapshots == 640)
        {
          g_assert_cmpfloat_with_epsilon (cbf, 1 + 0.1 / 32, 0.03);
          /* Elsewhere: noise, and side lobes in conventional beams only. */
          g_assert_cmpfloat_with_epsilon (mean_reading (block, ES_BEAM_MVDR, 120), 0.1 / 32 * cases[i].reading, 2e-4);
          g_assert_cmpfloat (mean_reading (block, ES_BEAM_CBF, 120), >, 0.095 / 32);
          g_assert_cmpfloat (mean_reading (block, ES_BEAM_CBF, 150), <, 0.012);
        }
    }
}

/* Coherent sources cancel in MVDR whatever K; conventional beams show both. The same two without coherence read 1. */
static void
test_coherent (gconstpointer data)
{
  for (guint coherent = 0; coherent < 2; coherent++)
    {
      const EsTestSource pair[] = { { 85, 1, 0 }, { 95, 1, coherent ? 0 : 1 } };
      g_autofree char *name = g_strdup_printf ("coherent %u", coherent);
      g_autoptr (EsRecording) recording = find_scene (name);

      if (recording == NULL)
        {
          g_autoptr (EsArray) array = make_line (32);
          const EsTestSpectra spectra = { array, 256, 9, 7, 320, 0.01, 21 };

          recording = keep_scene (name, es_test_draw_spectra (&spectra, pair, 2));
        }
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "281.25:468.75", "angles", "10:169:1", "loading", "0.0001", "window",
                              "rectangular", "overlap", "0", "transform", "256", "blocks", "1", "block", "81920",
                              "snapshots", "320", NULL);
      g_autoptr (EsBeamBlock) block = es_test_adaptive_block (recording, settings, data, 0);

      for (guint i = 0; i < 2; i++)
        {
          const double mvdr = mean_reading (block, ES_BEAM_MVDR, pair[i].theta);

          g_test_message ("%s sources: %.4g at %g degrees, CBF %.3g", coherent ? "coherent" : "other", mvdr,
                          pair[i].theta, mean_reading (block, ES_BEAM_CBF, pair[i].theta));
          g_assert_cmpfloat (mean_reading (block, ES_BEAM_CBF, pair[i].theta), >, 0.5);
          if (coherent)
            g_assert_cmpfloat (mvdr, <, 0.02);
          else
            g_assert_cmpfloat_with_epsilon (mvdr, 289.0 / 320, 0.12);
        }
    }
}

static void
add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/adaptive/%s/%s", name, devices[i]);
      g_test_add_data_func (path, devices[i], function);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  scenes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  add ("angles", test_angles);
  add ("floors", test_floors);
  add ("resolution", test_resolution);
  add ("power", test_power);
  add ("coherent", test_coherent);
  const int status = g_test_run ();
  g_hash_table_unref (scenes);
  return status;
}
