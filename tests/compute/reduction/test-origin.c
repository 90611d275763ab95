/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Components of stored numbers with a scale and an offset a band are those of the physical values, with and without the
 * mean: the same scene is written both ways, and each is reduced by itself. */

#include "../job/es-test-scene.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"

#include <math.h>
#include <string.h>

#define WIDTH 45
#define HEIGHT 37
#define BANDS 5
#define PIXELS (WIDTH * HEIGHT)

static char *directory;
static const double scales[BANDS] = { 0.0001, 0.0001, 0.0004, 0.0001, 0.00005 };
static const double offsets[BANDS] = { -0.1, 0.25, 0, -0.4, 1.5 };

static EsDataset *
open_cube (const char *name, int type, gconstpointer samples, gsize bytes, gboolean scaled)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.img", directory, name);
  g_autofree char *header_path = g_strconcat (path, ".hdr", NULL);
  g_autoptr (GString) header = g_string_new ("ENVI\n");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset;

  g_string_append_printf (header, "samples = %d\nlines = %d\nbands = %d\ndata type = %d\ninterleave = bsq\n"
                          "byte order = 0\n", WIDTH, HEIGHT, BANDS, type);
  for (guint k = 0; scaled && k < 2; k++)
    {
      g_string_append (header, k == 0 ? "data gain values = {" : "data offset values = {");
      for (guint b = 0; b < BANDS; b++)
        g_string_append_printf (header, "%s%.17g", b == 0 ? "" : ", ", (k == 0 ? scales : offsets)[b]);
      g_string_append (header, "}\n");
    }
  g_assert_true (g_file_set_contents (path, samples, (gssize) bytes, NULL));
  g_assert_true (g_file_set_contents (header_path, header->str, -1, NULL));
  dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return dataset;
}

/* Bands that vary together, skewed, with noise: three sources. */
static void
make_scene (gint16 *stored, float *physical)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  static const double mixing[BANDS][3] = { { 900, 200, 30 }, { 500, -700, 90 }, { 80, 150, 300 }, { -300, 400, 500 },
                                           { 1000, 900, -800 } };

  for (guint p = 0; p < PIXELS; p++)
    {
      const double sources[3] = { exp (g_rand_double_range (rand, 0, 2)), sin (p % WIDTH * 0.3) * 2,
                                  pow (g_rand_double (rand), 4) * 5 };

      for (guint b = 0; b < BANDS; b++)
        {
          double value = 3000 + g_rand_double_range (rand, -40, 40);

          for (guint k = 0; k < 3; k++)
            value += mixing[b][k] * sources[k];
          stored[b * PIXELS + p] = (gint16) value;
          physical[b * PIXELS + p] = (float) (stored[b * PIXELS + p] * scales[b] + offsets[b]);
        }
    }
}

static EsResult *
run (EsDataset *dataset, const char *id, const char *center)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_params_parse (params, "center", center, &error));
  if (strcmp (id, "mnf") == 0)
    g_assert_true (es_params_parse (params, "keep", "count", &error));
  g_assert_true (es_params_parse (params, "components", "3", &error));
  g_autoptr (EsJob) job = es_job_new (operation, dataset, params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static void
read_plane (EsResult *result, guint plane, float *out)
{
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  g_autoptr (GError) error = NULL;

  g_assert_true (es_image_stack_read (stack, plane, 0, 0, WIDTH, HEIGHT, 1, out, &error));
  g_assert_no_error (error);
}

static void
test_units (gconstpointer data)
{
  const char *id = data;
  /* Principal components are in the unit of the first band's stored numbers; the others have none. */
  const double unit = strcmp (id, "pca") == 0 ? scales[0] : 1;
  g_autofree gint16 *stored = g_new (gint16, BANDS * PIXELS);
  g_autofree float *physical = g_new (float, BANDS * PIXELS), *a = g_new (float, PIXELS), *b = g_new (float, PIXELS);

  make_scene (stored, physical);
  g_autoptr (EsDataset) scaled = open_cube ("stored", 2, stored, BANDS * PIXELS * sizeof *stored, TRUE);
  g_autoptr (EsDataset) plain = open_cube ("physical", 4, physical, BANDS * PIXELS * sizeof *physical, FALSE);

  for (guint centred = 0; centred < 2; centred++)
    {
      g_autoptr (EsResult) first = run (scaled, id, centred ? "yes" : "no");
      g_autoptr (EsResult) second = run (plain, id, centred ? "yes" : "no");

      if (strcmp (id, "pca") == 0)
        {
          EsCurve *stored_scree = ES_CURVE (es_result_find_layer (first, "eigenvalues"));
          EsCurve *scree = ES_CURVE (es_result_find_layer (second, "eigenvalues"));
          const EsCurveSeries *x = es_curve_get_series (stored_scree, 0), *y = es_curve_get_series (scree, 0);

          /* Of no band's stored numbers but the first's. */
          g_assert_cmpstr (x->unit, ==, "(stored, by the scale of band 1)²");
          g_assert_cmpstr (y->unit, ==, "stored²");
          g_assert_cmpfloat (fabs (x->y[0] * unit * unit - y->y[0]), <, 1e-4 * y->y[0]);
        }
      for (guint k = 0; k < 3; k++)
        {
          double largest = 0, difference = 0, mean = 0, together = 0;

          read_plane (first, k, a);
          read_plane (second, k, b);
          /* The largest loading, which is positive, may be another band's in other units. */
          for (guint p = 0; p < PIXELS; p++)
            together += a[p] * b[p];
          for (guint p = 0; p < PIXELS; p++)
            {
              largest = fmax (largest, fabs (b[p]));
              difference = fmax (difference, fabs (copysign (unit, together) * a[p] - b[p]));
              mean += b[p] / PIXELS;
            }
          g_assert_cmpfloat (difference, <, 2e-4 * largest);
          /* The scene is such that it matters. */
          g_assert_true (centred == (fabs (mean) < 1e-4 * largest));
        }
    }
}

/* Spectra of a result are in the cube's unit, and as stored beside it where that is something else; each says which. */
static void
test_spectra (void)
{
  g_autofree gint16 *stored = g_new (gint16, BANDS * PIXELS);
  g_autofree float *physical = g_new (float, BANDS * PIXELS);

  make_scene (stored, physical);
  g_autoptr (EsDataset) scaled = open_cube ("stored", 2, stored, BANDS * PIXELS * sizeof *stored, TRUE);
  g_autoptr (EsDataset) plain = open_cube ("physical", 4, physical, BANDS * PIXELS * sizeof *physical, FALSE);
  g_autoptr (EsResult) first = run (scaled, "mnf", "yes"), second = run (plain, "mnf", "yes");
  static const char *const names[] = { "mean", "noise", "band-snr", "loadings" };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      EsCurve *a = ES_CURVE (es_result_find_layer (first, names[k]));
      EsCurve *b = ES_CURVE (es_result_find_layer (second, names[k]));
      const EsCurveSeries *x = es_curve_get_series (a, 0), *y = es_curve_get_series (b, 0);

      for (guint band = 0; band < BANDS; band++)
        g_assert_cmpfloat (fabs (fabs (x->y[band]) - fabs (y->y[band])), <, 1e-4 * fabs (y->y[band]) + 1e-6);
      g_assert_cmpstr (x->unit, ==, k == 2 ? NULL : "scaled");
      g_assert_cmpstr (y->unit, ==, k == 2 ? NULL : "stored");
      if (k > 1)
        continue;
      g_assert_cmpuint (es_curve_get_n_series (a), ==, 2);
      g_assert_cmpuint (es_curve_get_n_series (b), ==, 1);
      x = es_curve_get_series (a, 1);
      g_assert_cmpint (x->style, ==, ES_CURVE_LISTED);
      g_assert_cmpstr (x->unit, ==, "stored");
      for (guint band = 0; band < BANDS && k == 0; band++)
        {
          double mean = 0;

          for (guint p = 0; p < PIXELS; p++)
            mean += (double) stored[band * PIXELS + p] / PIXELS;
          g_assert_cmpfloat (fabs (x->y[band] - mean), <, 1e-9 * fabs (mean));
        }
    }
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_data_func ("/origin/pca", "pca", test_units);
  g_test_add_data_func ("/origin/fastica", "fastica", test_units);
  g_test_add_data_func ("/origin/mnf", "mnf", test_units);
  g_test_add_func ("/origin/spectra", test_spectra);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
