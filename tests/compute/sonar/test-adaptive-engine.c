/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The beamformer with adaptive beams: powers against sums in float64 and an elimination, what is remembered of blocks,
 * other settings of the same block, a closer look; on every device. */

#include <complex.h>
#include <math.h>
#include <string.h>

#include "beam/es-beam-params-internal.h"
#include "base/es-error.h"
#include "es-test-adaptive.h"

static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

#define BLOCK 2000

/* ---- powers ---- */

/* The spectra of an element's snapshot by the sum itself, a Hann window; scaled as in sonar.md 3. */
static double complex
transform (EsTestSonar *sonar, const EsBeamSettings *settings, guint element, gsize first, guint bin)
{
  double complex sum = 0;
  double squares = 0;

  for (guint i = 0; i < settings->window_length; i++)
    {
      const double window = 0.5 - 0.5 * cos (2 * G_PI * i / settings->window_length);

      squares += window * window;
      if (first + i < sonar->frames)
        sum += window * (float) sonar->samples[(first + i) * sonar->channels + element]
               * cexp (-2 * G_PI * I * ((double) bin * i / settings->length));
    }
  return sum * sqrt (2 / (settings->length * squares));
}

/* a' (R + delta I)^-1 a by elimination, over the elements that count. */
static double
quadratic_form (const double complex *matrix, guint n, double delta, const double complex *a)
{
  g_autofree double complex *m = g_memdup2 (matrix, sizeof *m * n * n), *x = g_memdup2 (a, sizeof *x * n);
  double complex sum = 0;

  for (guint i = 0; i < n; i++)
    m[i * n + i] += delta;
  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n; k++)
      {
        const double complex f = m[k * n + i] / m[i * n + i];

        for (guint j = i; j < n; j++)
          m[k * n + j] -= f * m[i * n + j];
        x[k] -= f * x[i];
      }
  for (guint i = n; i-- > 0; )
    {
      for (guint j = i + 1; j < n; j++)
        x[i] -= m[i * n + j] * x[j];
      x[i] /= m[i * n + i];
    }
  for (guint i = 0; i < n; i++)
    sum += conj (a[i]) * x[i];
  return creal (sum);
}

/* R of a bin from blocks with these weights, the last one at `frame`. */
static void
form_matrix (EsTestSonar *sonar, const EsBeamSettings *settings, guint bin, guint64 frame, const double *weights,
             guint n_blocks, double complex *matrix)
{
  const guint n = es_array_get_n_elements (sonar->array);
  g_autofree double complex *x = g_new (double complex, n);
  double total = 0;

  memset (matrix, 0, sizeof *matrix * n * n);
  for (guint b = 0; b < n_blocks; b++)
    for (guint s = 0; s < settings->snapshots; s++)
      {
        const gsize first = frame - (gsize) (n_blocks - 1 - b) * settings->block + (gsize) s * settings->hop;

        for (guint k = 0; k < n; k++)
          x[k] = transform (sonar, settings, k, first, bin);
        for (guint i = 0; i < n; i++)
          for (guint k = 0; k < n; k++)
            matrix[i * n + k] += weights[b] * x[i] * conj (x[k]);
        total += weights[b];
      }
  for (guint i = 0; i < n * n; i++)
    matrix[i] /= total;
}

static void
check_powers (EsTestSonar *sonar, EsBeamBlock *block, const double *weights, guint n_blocks, double loading)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const guint n = es_array_get_n_elements (sonar->array), n_angles = settings->n_angles;
  g_autofree double complex *matrix = g_new (double complex, n * n), *a = g_new (double complex, n);
  g_autofree double *near = g_new0 (double, n_angles), *far = g_new0 (double, n_angles);
  const float *by_bin = es_beam_block_get_spectra_of (block, ES_BEAM_MVDR);
  guint n_eigenvalues;
  const double *eigenvalues = es_beam_block_get_eigenvalues (block, &n_eigenvalues);

  for (guint bin = 0; bin < settings->n_bins; bin++)
    {
      const double frequency = es_beam_settings_get_frequency (settings, settings->first_bin + bin);
      double trace = 0, sum = 0;

      form_matrix (sonar, settings, settings->first_bin + bin, es_beam_block_get_frame (block), weights, n_blocks,
                   matrix);
      for (guint k = 0; k < n; k++)
        trace += creal (matrix[k * n + k]);
      for (guint row = 0; row < settings->n_ranges; row++)
        for (guint i = 0; i < n_angles; i++)
          {
            const gboolean is_far = isinf (settings->ranges[row]);
            const EsTestPlace place = is_far ? es_test_place_far (sonar->array, settings->angles[i])
                                      : es_test_place_perpendicular (sonar->array, settings->angles[i],
                                                                     settings->ranges[row]);

            for (guint k = 0; k < n; k++)
              a[k] = cexp (-2 * G_PI * I * frequency * es_test_sonar_delay (sonar, place, k));
            const double power = 1 / quadratic_form (matrix, n, loading * trace / n, a);
            if (is_far)
              g_assert_cmpfloat_with_epsilon (by_bin[i * settings->n_bins + bin] / power, 1, 1e-4);
            (is_far ? far : near)[i] += power;
          }
      for (guint i = 0; i < n_eigenvalues; i++)
        {
          sum += eigenvalues[bin * n_eigenvalues + i];
          g_assert_cmpfloat (eigenvalues[bin * n_eigenvalues + i], <=,
                             i == 0 ? INFINITY : eigenvalues[bin * n_eigenvalues + i - 1]);
        }
      g_assert_cmpfloat_with_epsilon (sum / trace, 1, 1e-5);
    }
  for (guint i = 0; i < n_angles; i++)
    {
      g_assert_cmpfloat_with_epsilon (es_beam_block_get_far_of (block, ES_BEAM_MVDR)[i] / far[i], 1, 1e-4);
      g_assert_cmpfloat_with_epsilon (es_beam_block_get_field_of (block, ES_BEAM_MVDR)[i] / near[i], 1, 1e-4);
    }
}

/* Rows near and far, snapshots of several blocks, with and without forgetting. */
static void
test_reference (gconstpointer data)
{
  const struct { const char *blocks, *forgetting; guint n; double weights[4]; gboolean keeps_matrix; } cases[] = {
    { "1", "0", 1, { 1 }, FALSE },
    { "3", "0", 3, { 1, 1, 1 }, FALSE },
    { "1", "0.8", 3, { 0.04, 0.16, 0.8 }, TRUE },
    { "1", "0.95", 2, { 0.05, 0.95 }, FALSE },
  };
  g_autoptr (EsTestSonar) sonar = es_test_adaptive_sonar (5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint many = 0; many < 2; many++)
      {
        g_autoptr (EsBeamSettings) settings =
          es_test_adaptive_new (recording, "band", "312.5:468.75", "angles", "20:160:20", "ranges", "30,far", "block",
                                "2000", "snapshots", many ? "6" : "2", "blocks", cases[i].blocks, "forgetting",
                                cases[i].forgetting, "eigenvalues", "yes", NULL);
        const gboolean keeps_matrix = atof (cases[i].forgetting) > 0 && settings->snapshots * cases[i].n >= 5;
        const guint n_weights = cases[i].n;
        const guint used = keeps_matrix ? 0 : settings->snapshots * n_weights;
        const double snapshots = es_beam_settings_get_effective_snapshots (settings);
        const double weights_last[] = { 0.05, 0.95 };
        g_autoptr (EsBeamBlock) block = es_test_adaptive_block (recording, settings, data, 4 * BLOCK);

        g_assert_cmpuint (es_beam_block_get_used (block), ==, used);
        g_assert_cmpfloat (es_beam_block_get_report (block)->loading, ==, snapshots >= 5 ? 0.01 : 0.1);
        check_powers (sonar, block, n_weights == 2 ? weights_last : cases[i].weights, n_weights,
                      snapshots >= 5 ? 0.01 : 0.1);
      }
}

/* ---- what is remembered ---- */

typedef struct
{
  EsBeamBlock *blocks[16];
  guint n;
} Taken;

static gboolean
take (EsBeamBlock *block, gpointer data, GError **error)
{
  Taken *taken = data;

  taken->blocks[taken->n++] = es_beam_block_ref (block);
  return TRUE;
}

static void
drop (Taken *taken)
{
  while (taken->n > 0)
    es_beam_block_unref (taken->blocks[--taken->n]);
}

static void
assert_same (EsBeamBlock *a, EsBeamBlock *b, double error)
{
  const EsBeamSettings *settings = es_beam_block_get_settings (a);
  const gsize n = (gsize) settings->n_angles * settings->n_bins;

  g_assert_cmpuint (es_beam_block_get_frame (a), ==, es_beam_block_get_frame (b));
  g_assert_cmpuint (es_beam_block_get_used (a), ==, es_beam_block_get_used (b));
  g_assert_cmpmem (es_beam_block_get_spectra (a), n * sizeof (float), es_beam_block_get_spectra (b),
                   n * sizeof (float));
  for (gsize i = 0; i < n; i++)
    {
      const double p = es_beam_block_get_spectra_of (a, ES_BEAM_MVDR)[i];
      const double q = es_beam_block_get_spectra_of (b, ES_BEAM_MVDR)[i];

      g_assert_cmpfloat (fabs (p - q), <=, error * q);
    }
}

static void
test_memory (gconstpointer data)
{
  /* Snapshots are kept; the matrix is kept. */
  const char *const blocks[] = { "3", "1" }, *const forgetting[] = { "0", "0.5" };
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);

  for (guint kind = 0; kind < 2; kind++)
    {
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:5", "block", "2000", "snapshots", "4",
                              "blocks", blocks[kind], "forgetting", forgetting[kind], NULL);
      g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, data);
      g_autoptr (GError) error = NULL;
      /* What was heard 1 % ago is left out where it begins anew. */
      const double close = kind == 0 ? 0 : 0.05;
      Taken all = { 0 }, some = { 0 };

      g_assert_cmpuint (es_adaptive_settings_get_memory (settings), ==, kind == 0 ? 2 : 6);
      g_assert_true (es_beamformer_run (beamformer, 0, BLOCK, 12, take, &all, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (all.n, ==, 12);
      for (guint i = 0; i < 12; i++)
        {
          g_assert_cmpuint (es_beam_block_get_frame (all.blocks[i]), ==, i * BLOCK);
          g_assert_cmpuint (es_beam_block_get_used (all.blocks[i]), ==, kind == 0 ? 4 * MIN (i + 1, 3) : 0);
          /* 8 elements: too few snapshots at first. */
          g_assert_cmpfloat (es_beam_block_get_report (all.blocks[i])->loading, ==, i == 0 ? 0.1 : 0.01);
        }
      /* Every other block; each begins anew. */
      g_assert_true (es_beamformer_run (beamformer, BLOCK, 2 * BLOCK, 5, take, &some, NULL, &error));
      g_assert_no_error (error);
      for (guint i = 0; i < 5; i++)
        assert_same (some.blocks[i], all.blocks[2 * i + 1], close);
      drop (&some);
      /* One after the other, back and forth, leaving a few out, twice the same. */
      const guint order[] = { 0, 1, 2, 3, 5, 8, 7, 11, 11, 0, 4, 5, 6, 9, 10 };
      for (guint i = 0; i < G_N_ELEMENTS (order); i++)
        {
          g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, order[i] * BLOCK, &error);
          g_autoptr (EsBeamBlock) again = es_beamformer_again (beamformer, &error);

          g_assert_no_error (error);
          assert_same (block, all.blocks[order[i]], close);
          assert_same (again, block, 0);
        }
      /* From the middle on. */
      g_assert_true (es_beamformer_run (beamformer, 7 * BLOCK, BLOCK, 3, take, &some, NULL, &error));
      g_assert_no_error (error);
      for (guint i = 0; i < 3; i++)
        assert_same (some.blocks[i], all.blocks[7 + i], close);
      g_assert_null (es_beamformer_again (beamformer, &error));
      g_assert_no_error (error);
      drop (&some);
      /* The share of a process: whatever is remembered, as one process has it. */
      g_assert_true (es_beamformer_run_share (beamformer, 0, BLOCK, 7, 12, take, &some, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (some.n, ==, 5);
      for (guint i = 0; i < 5; i++)
        assert_same (some.blocks[i], all.blocks[7 + i], 0);
      g_assert_true (es_beamformer_run_share (beamformer, 0, BLOCK, 12, 12, take, &some, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (some.n, ==, 5);
      drop (&some);
      drop (&all);
    }
}

/* ---- other settings of the same block ---- */

static void
test_again (gconstpointer data)
{
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);
  g_autoptr (EsBeamSettings) settings =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:1", "block", "4000", "snapshots", "12",
                          "blocks", "2", "method", "cholesky", "eigenvalues", "no", NULL);
  g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, data);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamBlock) first = NULL;
  EsAdaptiveSettings adaptive = settings->adaptive;
  guint n;

  g_assert_null (es_beamformer_again (beamformer, &error));
  g_assert_no_error (error);
  first = es_beamformer_process (beamformer, 8000, &error);
  g_assert_no_error (error);
  g_assert_true (es_beam_block_has (first, ES_BEAM_MVDR));
  g_assert_false (es_beam_block_has (first, ES_BEAM_MUSIC));
  g_assert_null (es_beam_block_get_eigenvalues (first, &n));
  g_assert_null (es_beam_block_get_probe (first));

  /* Every method says the same. */
  for (adaptive.method = ES_ADAPTIVE_CHOLESKY; adaptive.method < ES_N_ADAPTIVE_METHODS; adaptive.method++)
    {
      g_assert_true (es_beamformer_set_adaptive (beamformer, &adaptive, &error));
      g_autoptr (EsBeamBlock) block = es_beamformer_again (beamformer, &error);
      g_assert_no_error (error);
      assert_same (block, first, 1e-6);
      g_assert_cmpint (es_beam_block_get_report (block)->method, ==, adaptive.method);
      g_assert_cmpuint (es_beam_block_get_report (block)->sweeps > 0, ==, adaptive.method == ES_ADAPTIVE_JACOBI);
    }

  /* MUSIC sees the two sources; eigenvalues come with it; more loading reads higher. */
  adaptive = settings->adaptive;
  adaptive.sources = 2;
  adaptive.eigenvalues = TRUE;
  adaptive.loading = 1;
  for (adaptive.method = ES_ADAPTIVE_CHOLESKY; adaptive.method < ES_N_ADAPTIVE_METHODS; adaptive.method++)
    {
      g_assert_true (es_beamformer_set_adaptive (beamformer, &adaptive, &error));
      g_autoptr (EsBeamBlock) block = es_beamformer_again (beamformer, &error);
      g_assert_no_error (error);
      const float *music = es_beam_block_get_far_of (block, ES_BEAM_MUSIC);

      g_assert_nonnull (es_beam_block_get_eigenvalues (block, &n));
      g_assert_cmpuint (n, ==, 8);
      g_assert_cmpfloat (MIN (fabs (es_test_strongest (block, ES_BEAM_MUSIC) - 60),
                              fabs (es_test_strongest (block, ES_BEAM_MUSIC) - 100)), <=, 2);
      g_assert_cmpfloat (music[50], >, 3 * music[70]);
      g_assert_cmpfloat (music[90], >, 3 * music[70]);
      for (guint i = 0; i < settings->n_angles; i++)
        {
          g_assert_cmpfloat (music[i], >=, 1);
          g_assert_cmpfloat (es_beam_block_get_far_of (block, ES_BEAM_MVDR)[i], >,
                             es_beam_block_get_far_of (first, ES_BEAM_MVDR)[i]);
        }
      /* The next block has them too, and the one before stands as it was. */
      g_autoptr (EsBeamBlock) next = es_beamformer_process (beamformer, 12000, &error);
      g_assert_no_error (error);
      g_assert_true (es_beam_block_has (next, ES_BEAM_MUSIC));
      g_autoptr (EsBeamBlock) back = es_beamformer_process (beamformer, 8000, &error);
      g_assert_no_error (error);
      assert_same (back, block, 0);
    }
  g_assert_true (es_beam_settings_equal_but_adaptive (es_beam_block_get_settings (first), settings));

  /* What cannot be is refused, and nothing changes. */
  adaptive.sources = 8;
  g_assert_false (es_beamformer_set_adaptive (beamformer, &adaptive, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

/* ---- a closer look ---- */

static float
pattern_at (const EsBeamProbe *probe, EsBeamKind kind, double angle)
{
  guint nearest = 0;

  for (guint i = 0; i < probe->n_angles; i++)
    if (fabs (probe->angles[i] - angle) < fabs (probe->angles[nearest] - angle))
      nearest = i;
  return probe->patterns[kind][nearest];
}

static void
test_probe (gconstpointer data)
{
  const char *const forgetting[] = { "0", "0.3" };
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);

  for (guint kind = 0; kind < 2; kind++)
    {
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "300:500", "angles", "0:180:1", "block", "8000", "snapshots", "24",
                              "blocks", "2", "eigenvalues", kind == 0 ? "yes" : "no", "forgetting", forgetting[kind],
                              NULL);
      g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, data);
      g_autoptr (GError) error = NULL;

      es_beamformer_set_probe (beamformer, 60, 402);
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 8000, &error);
      g_assert_no_error (error);
      const EsBeamProbe *probe = es_beam_block_get_probe (block);
      g_assert_nonnull (probe);
      g_assert_cmpfloat (probe->bearing, ==, 60);
      g_assert_cmpfloat (probe->frequency, ==, 402);
      g_assert_cmpfloat (fabs (es_beam_settings_get_frequency (settings, settings->first_bin + probe->bin) - 402), <=,
                         settings->rate / settings->length / 2);
      g_assert_cmpfloat (probe->angles[0], ==, 0);
      g_assert_cmpfloat (probe->angles[probe->n_angles - 1], ==, 180);
      g_assert_cmpfloat_with_epsilon (pattern_at (probe, ES_BEAM_CBF, 60), 1, 1e-5);
      g_assert_cmpfloat_with_epsilon (pattern_at (probe, ES_BEAM_MVDR, 60), 1, 1e-5);
      /* The other source stands in a null of the adaptive beam. */
      g_assert_cmpfloat (pattern_at (probe, ES_BEAM_MVDR, 100), <, 0.02);
      g_assert_cmpuint (probe->n_eigenvalues, ==, 8);
      guint n;
      const double *eigenvalues = es_beam_block_get_eigenvalues (block, &n);
      for (guint i = 0; eigenvalues != NULL && i < n; i++)
        g_assert_cmpfloat (eigenvalues[probe->bin * n + i], ==, probe->eigenvalues[i]);
      g_assert_cmpfloat (probe->eigenvalues[1], >, 2 * probe->eigenvalues[2]);
      /* w'Rw of the adaptive weights is the power; any other unit response at 60 hears more. */
      g_assert_cmpfloat (probe->eigenvalues[7], >, 0);

      /* Nothing but the probe, where others have been heard before. */
      g_autoptr (EsBeamBlock) look = es_beamformer_look (beamformer, 8000, &error);
      g_assert_no_error (error);
      const EsBeamProbe *looked = es_beam_block_get_probe (look);
      g_assert_cmpuint (looked->bin, ==, probe->bin);
      g_assert_cmpuint (looked->n_eigenvalues, ==, 0);
      g_assert_cmpmem (looked->patterns[ES_BEAM_CBF], looked->n_angles * sizeof (float), probe->patterns[ES_BEAM_CBF],
                       probe->n_angles * sizeof (float));
      g_assert_cmpmem (looked->patterns[ES_BEAM_MVDR], looked->n_angles * sizeof (float), probe->patterns[ES_BEAM_MVDR],
                       probe->n_angles * sizeof (float));
      g_assert_null (es_beamformer_again (beamformer, &error));
      g_assert_no_error (error);
      g_autoptr (EsBeamBlock) once_more = es_beamformer_process (beamformer, 8000, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (es_beam_block_get_field_of (once_more, ES_BEAM_MVDR), settings->n_angles * sizeof (float),
                       es_beam_block_get_field_of (block, ES_BEAM_MVDR), settings->n_angles * sizeof (float));

      /* Another one of the same block; out of the band: the nearest; none. */
      es_beamformer_set_probe (beamformer, 100, 1e6);
      g_autoptr (EsBeamBlock) other = es_beamformer_again (beamformer, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (es_beam_block_get_probe (other)->bin, ==, settings->n_bins - 1);
      g_assert_cmpfloat_with_epsilon (pattern_at (es_beam_block_get_probe (other), ES_BEAM_MVDR, 100), 1, 1e-5);
      es_beamformer_set_probe (beamformer, NAN, NAN);
      g_autoptr (EsBeamBlock) none = es_beamformer_again (beamformer, &error);
      g_assert_no_error (error);
      g_assert_null (es_beam_block_get_probe (none));
    }

  /* Conventional beams alone have a pattern, too. */
  g_autoptr (EsParams) params = es_params_new (es_beam_params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  es_params_parse (params, "shading", "hann", &error);
  g_autoptr (EsBeamSettings) plain = es_beam_settings_new (params, recording, array, &error);
  g_assert_no_error (error);
  g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, plain, data);
  es_beamformer_set_probe (beamformer, 90, 400);
  g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 0, &error);
  g_assert_no_error (error);
  g_assert_null (es_beam_block_get_report (block));
  g_assert_null (es_beam_block_get_probe (block)->patterns[ES_BEAM_MVDR]);
  g_assert_cmpfloat_with_epsilon (pattern_at (es_beam_block_get_probe (block), ES_BEAM_CBF, 90), 1, 1e-3);
  g_assert_cmpuint (es_beam_block_get_probe (block)->n_eigenvalues, ==, 0);
}

static void
add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/adaptive-engine/%s/%s", name, devices[i]);
      g_test_add_data_func (path, devices[i], function);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("reference", test_reference);
  add ("memory", test_memory);
  add ("again", test_again);
  add ("probe", test_probe);
  return g_test_run ();
}
