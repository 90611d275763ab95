/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sides of a cube: their order of bands, gaps, and every sample against the spectrum of its pixel. */

#include <math.h>

#include "../writers/es-test-folder.h"
#include "faces/es-cube-face.h"
#include "readers/es-open.h"

static EsCube *
open_scene (const char *folder, const char *layout)
{
  g_autofree char *option = g_strconcat ("interleave=", layout, NULL);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  es_test_simulate_cube (folder, "scene.img", "width=37", "height=23", "bands=40", option, NULL);
  file = es_test_file (folder, "scene.img");
  EsDataset *cube = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return ES_CUBE (cube);
}

static void
check (EsCube *cube, gboolean all, gboolean row, guint64 at, guint most)
{
  g_autoptr (EsBandOrder) order = es_band_order_new (cube, all);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCubeFace) face = es_cube_read_face (cube, order, row, at, most, NULL, &error);
  g_autofree double *spectrum = g_new (double, es_cube_get_bands (cube));
  guint n_values = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (order->n, ==, all ? es_cube_get_bands (cube) : es_cube_get_n_good_bands (cube));
  g_assert_cmpuint (face->rows, ==, order->n);
  g_assert_cmpuint (face->columns, <=, most);
  g_assert_cmpuint ((face->columns - 1) * face->step, <, face->length);
  for (guint i = 0; i < face->columns; i++)
    {
      const guint64 along = (guint64) i * face->step;

      g_assert_true (es_cube_read_spectrum (cube, row ? along : at, row ? at : along, spectrum, NULL));
      for (guint band = 0; band < order->n; band++)
        {
          const float value = face->values[band * face->columns + i];

          if (!order->taken[band] || isnan (spectrum[order->bands[band]]))
            g_assert_true (isnan (value));
          else
            g_assert_cmpfloat_with_epsilon (value, spectrum[order->bands[band]], 1e-6);
          n_values += !isnan (value);
        }
    }
  g_assert_cmpuint (n_values, >, 0);
}

static void
test_faces (gconstpointer layout)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsCube) cube = open_scene (folder, layout);

  g_assert_cmpuint (es_cube_get_n_good_bands (cube), <, es_cube_get_bands (cube));
  for (guint all = 0; all < 2; all++)
    {
      check (cube, all, TRUE, 22, 1000);
      check (cube, all, TRUE, 0, 10);
      check (cube, all, FALSE, 36, 1000);
      check (cube, all, FALSE, 5, 7);
    }
}

/* Detectors that overlap: by wavelength, whatever the file's order. */
static void
test_order (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsCube) cube = open_scene (folder, "bsq");
  g_autoptr (EsBandOrder) order = es_band_order_new (cube, TRUE);
  const double *nm = es_cube_get_wavelengths (cube);

  for (guint i = 1; i < order->n; i++)
    g_assert_cmpfloat (nm[order->bands[i]], >=, nm[order->bands[i - 1]]);
  g_assert_cmpuint (order->step, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/faces/bsq", "bsq", test_faces);
  g_test_add_data_func ("/faces/bil", "bil", test_faces);
  g_test_add_data_func ("/faces/bip", "bip", test_faces);
  g_test_add_func ("/faces/order", test_order);
  return g_test_run ();
}
