/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Cubes whose values lie far from 0 by comparison to what they vary by. Whatever is the same everywhere moves no
 * distance: the embedding is that of the same values near 0, which float32 holds exactly. Angles and powers of scalar
 * products are other ones there, and are held against what they are in long double.
 */

#include "es-test-manifold.h"

#include "operations/manifold/es-manifold-private.h"

#include <math.h>
#include <string.h>

#define WIDTH 30
#define HEIGHT 20
#define PIXELS (WIDTH * HEIGHT)
#define BANDS 6

static char *directory;

/* A sheet that is bent, mixed into the bands: multiples of 2^-20 below 16, so that float32 holds them, and float64
 * those 1e8 away. Transfer full. */
static double *
make_sheet (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  double *rows = g_new (double, PIXELS * BANDS), mixing[3 * BANDS];

  for (guint i = 0; i < 3 * BANDS; i++)
    mixing[i] = g_rand_double_range (rand, -1, 1);
  for (guint p = 0; p < PIXELS; p++)
    {
      const double t = 1.5 * G_PI * (1 + g_rand_double (rand)), h = 2 * g_rand_double (rand);

      for (guint b = 0; b < BANDS; b++)
        {
          const double value = t * cos (t) / 4 * mixing[b] + h * mixing[BANDS + b]
                               + t * sin (t) / 4 * mixing[2 * BANDS + b] + 0.01 * g_rand_double (rand);
          rows[p * BANDS + b] = ldexp (rint (ldexp (value, 20)), -20);
        }
    }
  return rows;
}

typedef struct
{
  EskType type;
  double  scale;               /* what rows are multiplied by before they are rounded to integers */
  double  far[BANDS];          /* what is added */
  double  no_data;             /* NAN: pixels that are missing are NAN */
  guint   missing;             /* every so manieth pixel is; 0: none */
} Cube;

static EsDataset *
open_cube (const char *name, const Cube *cube, const double *rows)
{
  EsTestScene scene = { .width = WIDTH, .height = HEIGHT, .bands = BANDS, .type = cube->type, .interleave = "bil",
                        .no_data = cube->no_data };
  EsDataset *dataset;

  scene.values = g_new (double, PIXELS * BANDS);
  for (guint p = 0; p < PIXELS; p++)
    for (guint b = 0; b < BANDS; b++)
      {
        const double value = rows[p * BANDS + b] * cube->scale;

        scene.values[b * PIXELS + p] = cube->missing > 0 && p % cube->missing == 3 && b == 2 ? cube->no_data
                                       : (cube->type == ESK_F64 ? value : rint (value)) + cube->far[b];
      }
  dataset = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return dataset;
}

static gboolean
is_warned (EsResult *result)
{
  const char * const *warnings = es_result_get_warnings (result);

  for (; warnings != NULL && *warnings != NULL; warnings++)
    if (strstr (*warnings, "rounds off") != NULL)
      return TRUE;
  return FALSE;
}

/* Components of every pixel, PIXELS x 3. Transfer full. */
static float *
reduce (EsDataset *cube, const char *operation, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, operation, text, NULL, &error);
  guint m;
  float *found;

  g_assert_no_error (error);
  g_assert_false (is_warned (result));
  found = es_test_manifold_read (result, &m);
  g_assert_cmpuint (m, ==, 3);
  return found;
}

/* The largest difference of two embeddings, of the deviation of the component that it is of, either way round; pixels
 * that have no place are the same. unit: of whatever size. */
static double
compare (const float *found, const float *wanted, gboolean unit)
{
  double largest = 0;

  for (guint k = 0; k < 3; k++)
    {
      double squares[2] = { 0 }, product = 0, difference = 0, factor;

      for (guint p = 0; p < PIXELS; p++)
        {
          const double a = found[3 * p + k], b = wanted[3 * p + k];

          g_assert_cmpint (isfinite (a), ==, isfinite (b));
          if (!isfinite (a))
            continue;
          squares[0] += a * a;
          squares[1] += b * b;
          product += a * b;
        }
      factor = (product < 0 ? -1 : 1) * (unit ? sqrt (squares[0] / squares[1]) : 1);
      for (guint p = 0; p < PIXELS; p++)
        if (isfinite (found[3 * p + k]))
          difference = fmax (difference, fabs (found[3 * p + k] - factor * wanted[3 * p + k]));
      largest = fmax (largest, difference / sqrt (squares[0] / PIXELS));
    }
  return largest;
}

static const char *const exact_methods[] = { "isomap", "laplacian-eigenmaps", "diffusion-map", "lle", "kernel-pca" };
static const char *const scalings[] = { "stored", "variance", "whitened" };

/* near: the cube whose values float32 holds. UMAP: test_umap (). */
static void
assert_same (const Cube *near, const Cube *far, gsize n_far, const char *search)
{
  g_autofree double *rows = make_sheet ();
  g_autoptr (EsDataset) there = open_cube ("near", near, rows);

  for (guint s = 0; s < G_N_ELEMENTS (scalings); s++)
    for (guint m = 0; m < G_N_ELEMENTS (exact_methods); m++)
      {
        const char *id = exact_methods[m];
        g_autofree char *text = g_strdup_printf ("samples=300 compare=no scaling=%s%s", scalings[s],
                                                 strcmp (id, "kernel-pca") == 0 ? "" : search);
        g_autofree float *wanted = reduce (there, id, text);

        for (gsize i = 0; i < n_far; i++)
          {
            g_autoptr (EsDataset) cube = open_cube ("far", &far[i], rows);
            g_autofree float *found = reduce (cube, id, text);
            const double difference = compare (found, wanted, FALSE);

            g_test_message ("%s, %s, cube %zu: %g", id, scalings[s], i, difference);
            g_assert_cmpfloat (difference, <, 1e-4);
          }
      }
}

/* UMAP moves points until the least rounding of the first epoch is large: of two cubes that lie equally far away
 * in all bands it makes the same bytes, and of others another picture that is as good. */
static void
test_umap (void)
{
  const Cube far[] = {
    { ESK_F64, 1, { 0 }, NAN },
    { ESK_F64, 1, { 1e4, 1e4, 1e4, 1e4, 1e4, 1e4 }, NAN },
    { ESK_F64, 1, { 1e8, 1e8, 1e8, 1e8, 1e8, 1e8 }, NAN },
    { ESK_F64, 1, { 1e8, -3e5, 2e3, -7e7, 1e6, 4e4 }, NAN },
  };
  g_autofree double *rows = make_sheet ();

  for (guint s = 0; s < G_N_ELEMENTS (scalings); s++)
    {
      g_autofree char *text = g_strdup_printf ("samples=300 neighbours=10 epochs=40 compare=no scaling=%s",
                                               scalings[s]);
      g_autofree float *before = NULL;
      double least = 1, most = 0;

      for (guint i = 0; i < G_N_ELEMENTS (far); i++)
        {
          g_autoptr (EsDataset) cube = open_cube ("far", &far[i], rows);
          g_autofree float *found = reduce (cube, "umap", text);
          const double trust = es_test_manifold_trust (rows, PIXELS, BANDS, found, 3, 10);

          g_test_message ("%s, cube %u: %g", scalings[s], i, trust);
          least = fmin (least, trust);
          most = fmax (most, trust);
          if (i == 2)
            g_assert_cmpmem (before, PIXELS * 3 * sizeof (float), found, PIXELS * 3 * sizeof (float));
          g_free (before);
          before = g_steal_pointer (&found);
        }
      g_assert_cmpfloat (least, >, 0.95);
      g_assert_cmpfloat (most - least, <, 0.01);
    }
}

static void
test_float64 (void)
{
  const Cube near = { .type = ESK_F64, .scale = 1, .no_data = NAN };
  const Cube far[] = {
    { ESK_F64, 1, { 1e4, 1e4, 1e4, 1e4, 1e4, 1e4 }, NAN },
    { ESK_F64, 1, { -1e6, -1e6, -1e6, -1e6, -1e6, -1e6 }, NAN },
    { ESK_F64, 1, { 1e8, 1e8, 1e8, 1e8, 1e8, 1e8 }, NAN },
    { ESK_F64, 1, { 1e8, -3e5, 2e3, -7e7, 1e6, 4e4 }, NAN },
  };

  assert_same (&near, far, G_N_ELEMENTS (far), "");
}

static void
test_integers (void)
{
  const Cube near = { .type = ESK_I32, .scale = 1e4, .no_data = NAN };
  const Cube signs[] = {
    { ESK_I32, 1e4, { 1.9e9, 1.9e9, 1.9e9, 1.9e9, 1.9e9, 1.9e9 }, NAN },
    { ESK_I32, 1e4, { -2.1e9, 1.9e9, -1e8, 1e9, -1.5e9, 2e9 }, NAN },
    { ESK_U32, 1e4, { 4.2e9, 4e9, 3e9, 2e9, 1e9, 4.1e9 }, NAN },
  };

  assert_same (&near, signs, G_N_ELEMENTS (signs), "");
}

/* Pixels that are missing tell nothing of where the others lie. */
static void
test_missing (void)
{
  const Cube near = { .type = ESK_F64, .scale = 1, .no_data = NAN, .missing = 17 };
  const Cube far[] = {
    { ESK_F64, 1, { 1e8, 1e8, 1e8, 1e8, 1e8, 1e8 }, NAN, 17 },
    { ESK_F64, 1, { 1e8, 1e8, 1e8, 1e8, 1e8, 1e8 }, -9999, 17 },
  };

  assert_same (&near, far, G_N_ELEMENTS (far), "");
}

static void
test_searched (void)
{
  const Cube near = { .type = ESK_F64, .scale = 1, .no_data = NAN };
  const Cube far[] = { { ESK_F64, 1, { 1e8, -3e5, 2e3, -7e7, 1e6, 4e4 }, NAN } };

  assert_same (&near, far, 1, " search=approximate");
}

/* Superpixels are of the same pixels, so that what is embedded is the same. */
static void
test_superpixels (void)
{
  const Cube near = { .type = ESK_F64, .scale = 1, .no_data = NAN };
  const Cube far = { ESK_F64, 1, { 1e8, -3e5, 2e3, -7e7, 1e6, 4e4 }, NAN };
  g_autofree double *rows = make_sheet ();
  g_autoptr (EsDataset) there = open_cube ("super-near", &near, rows), cube = open_cube ("super-far", &far, rows);
  const char *text = "samples=150 subset=superpixels compare=no";
  g_autofree float *wanted = reduce (there, "isomap", text), *found = reduce (cube, "isomap", text);

  g_assert_cmpfloat (compare (found, wanted, FALSE), <, 1e-4);
}

/* The quality, and PCA and MNF beside it, are of the same spectra. */
static void
test_quality (void)
{
  const Cube near = { .type = ESK_F64, .scale = 1, .no_data = NAN };
  const Cube far = { ESK_F64, 1, { 1e8, -3e5, 2e3, -7e7, 1e6, 4e4 }, NAN };
  g_autofree double *rows = make_sheet ();
  g_autoptr (EsDataset) there = open_cube ("quality-near", &near, rows), cube = open_cube ("quality-far", &far, rows);
  const char *const ids[] = { "isomap", "pca", "mnf" };
  const char *const measures[] = { "trustworthiness", "continuity", "residual_variance" };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) wanted = es_test_manifold_run (there, "isomap", "samples=300 scaling=whitened", NULL, &error);
  g_autoptr (EsResult) found = es_test_manifold_run (cube, "isomap", "samples=300 scaling=whitened", NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    for (guint j = 0; j < G_N_ELEMENTS (measures); j++)
      {
        EsResult *const results[] = { wanted, found };
        double value[2];

        for (guint r = 0; r < 2; r++)
          {
            JsonObject *quality = json_object_get_object_member (es_result_get_values (results[r]), "quality");

            value[r] = json_object_get_double_member (json_object_get_object_member (quality, ids[i]), measures[j]);
          }
        g_test_message ("%s, %s: %g, %g", ids[i], measures[j], value[0], value[1]);
        g_assert_cmpfloat (fabs (value[0] - value[1]), <, 1e-5);
      }
}

/* ---- where 0 means something ---- */

/* Spectra of unit length in long double, less their mean, of unit size. Transfer full. */
static double *
find_units (const Cube *cube, const double *rows)
{
  double *out = g_new (double, PIXELS * BANDS);
  g_autofree long double *units = g_new (long double, PIXELS * BANDS);
  long double mean[BANDS] = { 0 }, square = 0;

  for (guint p = 0; p < PIXELS; p++)
    {
      long double length = 0;

      for (guint b = 0; b < BANDS; b++)
        {
          units[p * BANDS + b] = (long double) cube->far[b] + rows[p * BANDS + b];
          length += units[p * BANDS + b] * units[p * BANDS + b];
        }
      for (guint b = 0; b < BANDS; b++)
        mean[b] += (units[p * BANDS + b] /= sqrtl (length)) / PIXELS;
    }
  for (guint i = 0; i < PIXELS * BANDS; i++)
    square += (units[i] - mean[i % BANDS]) * (units[i] - mean[i % BANDS]) / PIXELS;
  for (guint i = 0; i < PIXELS * BANDS; i++)
    out[i] = (double) ((units[i] - mean[i % BANDS]) / sqrtl (square));
  return out;
}

static void
test_angle (void)
{
  const Cube far[] = {
    { ESK_F64, 1, { 1e4, 1e4, 1e4, 1e4, 1e4, 1e4 }, NAN },
    { ESK_F64, 1, { 1e6, -1e6, 1e6, 1e6, 1e6, -1e6 }, NAN },
    { ESK_F64, 1, { 1e8, 1e8, -1e8, 1e8, 1e8, 1e8 }, NAN },
    { ESK_F64, 1, { 1e6, -3e5, 2e3, -7e6, 0, 4e4 }, NAN },
  };
  const Cube plain = { .type = ESK_F64, .scale = 1, .no_data = NAN };
  g_autofree double *rows = make_sheet ();

  for (guint i = 0; i < G_N_ELEMENTS (far); i++)
    {
      g_autofree double *units = find_units (&far[i], rows);
      g_autoptr (EsDataset) cube = open_cube ("angle", &far[i], rows), there = open_cube ("units", &plain, units);

      for (guint m = 0; m < G_N_ELEMENTS (exact_methods); m++)
        {
          g_autofree float *wanted = reduce (there, exact_methods[m], "samples=300 compare=no scaling=stored");
          g_autofree float *found = reduce (cube, exact_methods[m], "samples=300 compare=no scaling=angle");
          const double difference = compare (found, wanted, TRUE);

          g_test_message ("%s, cube %u: %g", exact_methods[m], i, difference);
          g_assert_cmpfloat (difference, <, 1e-4);
        }
    }
}

/*
 * Far away a polynomial (x.y / s + 1)^p is, but for what centring takes, the first term of its series:
 * p 2^(p - 1) d.e + p (p - 1) 2^(p - 2) (u.d) (u.e), by s, of x = c + d, y = c + e and u along c. That is the scalar
 * product of spectra that are stretched along u by sqrt (1 + (p - 1) / 2), whose linear kernel finds the same
 * components.
 */
static void
test_polynomial (void)
{
  static const Cube far[] = {
    { ESK_F64, 1, { 3e6, -2e6, 1e6, 1e6, 1e6, -1e6 }, NAN },
    { ESK_F64, 1, { 1e8, 2e8, -1e8, 1e8, 3e8, 1e8 }, NAN },
  };
  const Cube plain = { .type = ESK_F64, .scale = 1, .no_data = NAN };

  for (guint i = 0; i < G_N_ELEMENTS (far); i++)
    for (guint degree = 1; degree <= 4; degree++)
      {
        g_autofree double *rows = make_sheet (), *stretched = g_new (double, PIXELS * BANDS);
        g_autofree char *text = g_strdup_printf ("samples=300 landmarks=0 compare=no scaling=stored kernel=polynomial "
                                                 "degree=%u", degree);
        double length = 0, difference;

        for (guint b = 0; b < BANDS; b++)
          length += far[i].far[b] * far[i].far[b];
        for (guint p = 0; p < PIXELS; p++)
          {
            double along = 0;

            for (guint b = 0; b < BANDS; b++)
              along += rows[p * BANDS + b] * far[i].far[b] / sqrt (length);
            for (guint b = 0; b < BANDS; b++)
              stretched[p * BANDS + b] = rows[p * BANDS + b] + (sqrt (1 + (degree - 1) / 2.0) - 1) * along
                                         * far[i].far[b] / sqrt (length);
          }
        g_autoptr (EsDataset) cube = open_cube ("power", &far[i], rows), there = open_cube ("flat", &plain, stretched);
        g_autofree float *found = reduce (cube, "kernel-pca", text);
        g_autofree float *wanted = reduce (there, "kernel-pca", "samples=300 landmarks=0 compare=no scaling=stored "
                                           "kernel=polynomial degree=1");
        difference = compare (found, wanted, TRUE);
        g_test_message ("cube %u, degree %u: %g", i, degree, difference);
        g_assert_cmpfloat (difference, <, 2e-5);
      }
}

/* ---- what is subtracted ---- */

static void
test_reference (void)
{
  double values[400];
  const struct { double far, other; guint n_others; double wanted; } cases[] = {
    { 0, 0, 0, 0 }, { 12, 0, 0, 0 }, { 1e6, 0, 0, 1e6 }, { -1e6, 0, 0, -1e6 },
    /* Some are dead, or hot. */
    { 1e6, 0, 3, 1e6 }, { 1e6, 1e30, 3, 1e6 }, { 1e6, INFINITY, 3, 1e6 },
    /* One of two groups lies near 0: it is not to lose its digits to the other. */
    { 1e6, 0, 150, 0 }, { 1e6, 0, 250, 0 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        values[i] = i < cases[c].n_others ? cases[c].other : cases[c].far + (i * 7 % 400) / 400.0;
      g_assert_cmpfloat (fabs (es_manifold_choose_reference (values, G_N_ELEMENTS (values)) - cases[c].wanted), <=, 1);
      for (guint i = 1; i < G_N_ELEMENTS (values); i++)
        g_assert_true (values[i - 1] <= values[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = 7.25;
  g_assert_cmpfloat (es_manifold_choose_reference (values, G_N_ELEMENTS (values)), ==, 7.25);
  g_assert_cmpfloat (es_manifold_choose_reference (values, 1), ==, 7.25);
}

/* Two groups so far from each other that float32 has no digits for what either varies by: that is told. */
static void
test_warning (void)
{
  /* A pixel alone that is far away moves the mean, so that only spectra that are not scaled keep their digits. */
  const struct { double apart; guint n_far; EskType type; double scale; gboolean warned; guint n_scalings; } cases[] = {
    { 0, 300, ESK_F64, 1, FALSE, 3 }, { 1e3, 300, ESK_F64, 1, FALSE, 3 }, { 1e8, 300, ESK_F64, 1, TRUE, 3 },
    { 1e8, 3, ESK_F64, 1, FALSE, 1 }, { 2e9, 300, ESK_I32, 1000, TRUE, 3 }, { 2e9, 300, ESK_I32, 1e7, FALSE, 3 },
    { 3e4, 300, ESK_I16, 100, FALSE, 3 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint s = 0; s < cases[c].n_scalings; s++)
      {
        g_autofree double *rows = make_sheet ();
        g_autofree char *text = g_strdup_printf ("samples=300 compare=no scaling=%s", scalings[s]);
        const Cube plain = { .type = cases[c].type, .scale = 1, .no_data = NAN };
        g_autoptr (GError) error = NULL;

        for (guint p = 0; p < PIXELS; p++)
          for (guint b = 0; b < BANDS; b++)
            rows[p * BANDS + b] = rows[p * BANDS + b] * cases[c].scale + (p < cases[c].n_far ? cases[c].apart : 0);
        g_autoptr (EsDataset) cube = open_cube ("groups", &plain, rows);
        g_autoptr (EsResult) result = es_test_manifold_run (cube, "kernel-pca", text, NULL, &error);
        g_assert_no_error (error);
        g_test_message ("case %u, %s", c, scalings[s]);
        g_assert_cmpint (is_warned (result), ==, cases[c].warned);
      }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/manifold/far/reference", test_reference);
  g_test_add_func ("/manifold/far/float64", test_float64);
  g_test_add_func ("/manifold/far/umap", test_umap);
  g_test_add_func ("/manifold/far/integers", test_integers);
  g_test_add_func ("/manifold/far/missing", test_missing);
  g_test_add_func ("/manifold/far/searched", test_searched);
  g_test_add_func ("/manifold/far/superpixels", test_superpixels);
  g_test_add_func ("/manifold/far/quality", test_quality);
  g_test_add_func ("/manifold/far/angle", test_angle);
  g_test_add_func ("/manifold/far/polynomial", test_polynomial);
  g_test_add_func ("/manifold/far/warning", test_warning);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
