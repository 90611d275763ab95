/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bands of a scene whose noise is known. */

#include "../job/es-test-scene.h"
#include "preparation/es-band-check.h"

#include <math.h>

static char *directory;

#define SIDE 64u
#define BANDS 12u
enum { EMPTY = 2, CONSTANT = 4, NOISY = 7, GAPPED = 9, NOT_FINITE = 10 };

static double
normal (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

/* A scene of waves that all bands share, with white noise of 2 in each and 60 in one. */
static EsDataset *
open_scene (EsTestScene *scene, double *variance_of_noisy)
{
  GRand *random = g_rand_new_with_seed (3);
  double sum = 0, square = 0;
  EsDataset *dataset;

  *scene = (EsTestScene) { .width = SIDE, .height = SIDE, .bands = BANDS, .type = ESK_F32, .interleave = "bil",
                           .no_data = -999 };
  scene->values = g_new (double, SIDE * SIDE * BANDS);
  for (guint b = 0; b < BANDS; b++)
    for (guint y = 0; y < SIDE; y++)
      for (guint x = 0; x < SIDE; x++)
        {
          double *value = &scene->values[(b * SIDE + y) * SIDE + x];

          /* Texture as fine as it gets, so that differences alone would call it noise. */
          *value = 500 + (20 + b) * sin (1.3 * x + 0.7 * y) + 30 * cos (0.2 * y - 0.05 * b)
                   + (b == NOISY ? 60 : 2) * normal (random);
          if (b == NOISY)
            {
              sum += *value;
              square += *value * *value;
            }
          if (b == EMPTY || (b == GAPPED && x < SIDE / 4))
            *value = -999;
          if (b == CONSTANT)
            *value = 17;
          if (b == NOT_FINITE)
            *value = y == 0 ? -999 : x % 2 ? NAN : INFINITY;
        }
  *variance_of_noisy = square / (SIDE * SIDE) - sum / (SIDE * SIDE) * sum / (SIDE * SIDE);
  dataset = es_test_scene_open (scene, directory, "bands");
  g_rand_free (random);
  return dataset;
}

static void
test_findings (void)
{
  EsTestScene scene;
  double variance;
  g_autoptr (EsDataset) dataset = open_scene (&scene, &variance);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBandCheck) check = es_band_check_run (ES_CUBE (dataset), NULL, NULL, &error);
  const EsBandFinding *findings;
  g_autofree char *empty = NULL, *noisy = NULL;
  guint n;

  g_assert_no_error (error);
  findings = es_band_check_get_findings (check, &n);
  g_assert_cmpuint (n, ==, BANDS);
  g_assert_cmpuint (es_band_check_get_pixels (check), ==, SIDE * SIDE);
  for (guint b = 0; b < n; b++)
    {
      const EsBandFault expected = b == EMPTY ? ES_BAND_EMPTY : b == CONSTANT ? ES_BAND_CONSTANT
                                   : b == NOISY ? ES_BAND_NOISY : b == GAPPED ? ES_BAND_GAPPED
                                   : b == NOT_FINITE ? ES_BAND_NOT_FINITE : ES_BAND_FINE;
      g_autofree char *told = es_band_finding_tell (&findings[b]);

      g_assert_cmpint (findings[b].fault, ==, expected);
      g_assert_cmpint (told == NULL, ==, expected == ES_BAND_FINE);
      if (expected == ES_BAND_FINE)
        {
          /* 2 * 2 of noise; what the bands beside it have of their own is fitted with it. */
          const double noise = findings[b].noise_share * findings[b].deviation * findings[b].deviation;

          g_assert_cmpfloat (noise, >, 3);
          g_assert_cmpfloat (noise, <, 9);
          g_assert_cmpfloat (findings[b].correlation, >, 0.9);
        }
    }
  g_assert_cmpfloat (fabs (findings[NOISY].noise_share * variance / 3600 - 1), <, 0.1);
  g_assert_cmpuint (findings[GAPPED].valid, ==, SIDE * SIDE * 3 / 4);
  g_assert_cmpfloat (findings[CONSTANT].mean, ==, 17);
  empty = es_band_check_list (check, ES_BAND_EMPTY);
  noisy = es_band_check_list (check, ES_BAND_NOISY);
  g_assert_cmpstr (empty, ==, "3");
  g_assert_cmpstr (noisy, ==, "8");
  es_test_scene_clear (&scene);
}

/* Of the pixels that take part alone. */
static void
test_part (void)
{
  EsTestScene scene;
  double variance;
  g_autoptr (EsDataset) dataset = open_scene (&scene, &variance);
  const EsSelectionWindow right = { SIDE / 2, 0, SIDE / 2, SIDE };
  g_autoptr (EsSelection) selection = es_selection_with_window (NULL, &right);
  g_autoptr (EsBandCheck) check = es_band_check_run (ES_CUBE (dataset), selection, NULL, NULL);
  guint n;

  g_assert_cmpint (es_band_check_get_findings (check, &n)[GAPPED].fault, ==, ES_BAND_FINE);
  g_assert_cmpuint (es_band_check_get_pixels (check), ==, SIDE * SIDE / 2);
  es_test_scene_clear (&scene);
}

static void
test_cancelled (void)
{
  EsTestScene scene;
  double variance;
  g_autoptr (EsDataset) dataset = open_scene (&scene, &variance);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (es_band_check_run (ES_CUBE (dataset), NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/compute/band-check/findings", test_findings);
  g_test_add_func ("/compute/band-check/part", test_part);
  g_test_add_func ("/compute/band-check/cancelled", test_cancelled);
  const int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
