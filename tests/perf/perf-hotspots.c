/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast the CPU's hot spots are on this machine, one thread, beside OpenBLAS' products of the same shape: medians of
 * processor time; a multiply-add counts once. With --module: those of a loadable back end (perf-module.c).
 */

#include "perf-hotspots.h"

#include "es-eigen.h"
#include "es-hotspots.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS 5

static size_t width = 614, height = 128, bands = 224, components = 27;

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
median (double times[REPEATS])
{
  qsort (times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

static void *
allocate (size_t bytes)
{
  void *data = aligned_alloc (64, (bytes + 63) / 64 * 64);

  if (data == NULL)
    {
      fprintf (stderr, "out of memory\n");
      exit (4);
    }
  memset (data, 0, bytes);
  return data;
}

/* A spectrum that scatters: some 5000 wide in 16 bits, like radiance of real scenes. */
static void
fill (EskTile *tile,
      void    *data)
{
  uint32_t state = 1;

  for (size_t p = 0; p < width * height; p++)
    for (size_t b = 0; b < bands; b++)
      {
        ptrdiff_t k = (ptrdiff_t) p * tile->column_stride + (ptrdiff_t) b * tile->band_stride;
        int value;

        if (tile->row_stride != (ptrdiff_t) width * tile->column_stride)
          k = (ptrdiff_t) (p % width) * tile->column_stride + (ptrdiff_t) (p / width) * tile->row_stride
              + (ptrdiff_t) b * tile->band_stride;
        state = state * 1664525u + 1013904223u;
        value = (int) (state >> 20);
        if (tile->type == ESK_U8)
          ((uint8_t *) data)[k] = (uint8_t) (value >> 4);
        else if (tile->type == ESK_I16)
          ((int16_t *) data)[k] = (int16_t) (value + 1000);
        else if (tile->type == ESK_U16)
          ((uint16_t *) data)[k] = (uint16_t) (value * 16);
        else if (tile->type == ESK_F64)
          ((double *) data)[k] = value * 0.25;
        else
          ((float *) data)[k] = (float) value * 0.25f;
      }
  tile->data = data;
}

static void
lay_out (EskTile    *tile,
         const char *interleave)
{
  ptrdiff_t w = (ptrdiff_t) width, h = (ptrdiff_t) height, n = (ptrdiff_t) bands;

  if (strcmp (interleave, "bsq") == 0)
    tile->column_stride = 1, tile->row_stride = w, tile->band_stride = w * h;
  else if (strcmp (interleave, "bil") == 0)
    tile->column_stride = 1, tile->row_stride = w * n, tile->band_stride = w;
  else
    tile->column_stride = n, tile->row_stride = w * n, tile->band_stride = 1;
}

static void
report (const char *what,
        const char *detail,
        double      multiply_adds,
        double      time)
{
  printf ("%-24s %-14s %9.2f ms %8.2f GMAC/s\n", what, detail, time * 1e3, multiply_adds / time / 1e9);
}

static void
time_blas (void)
{
  size_t n_pixels = width * height;
  float *x = allocate (bands * n_pixels * sizeof (float));
  float *c = allocate (bands * bands * sizeof (float));
  float *a = allocate (components * bands * sizeof (float));
  float *y = allocate (components * n_pixels * sizeof (float));
  double times[REPEATS];

  for (size_t k = 0; k < bands * n_pixels; k++)
    x[k] = (float) (k % 1013);
  for (size_t k = 0; k < components * bands; k++)
    a[k] = (float) (k % 7);

  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      cblas_ssyrk (CblasRowMajor, CblasLower, CblasNoTrans, (blasint) bands, (blasint) n_pixels, 1.0f, x,
                   (blasint) n_pixels, 0.0f, c, (blasint) bands);
      times[r] = seconds () - start;
    }
  report ("OpenBLAS ssyrk", "float32", 0.5 * (double) (bands * (bands + 1) * n_pixels), median (times));

  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint) components, (blasint) n_pixels,
                   (blasint) bands, 1.0f, a, (blasint) bands, x, (blasint) n_pixels, 0.0f, y, (blasint) n_pixels);
      times[r] = seconds () - start;
    }
  report ("OpenBLAS sgemm", "float32", (double) (components * bands * n_pixels), median (times));

  free (x);
  free (c);
  free (a);
  free (y);
}

/* Noise residuals and the errors of a reduction. */
static int
time_reductions (EskStream          *stream,
                 const EskTile      *tile,
                 const EskSelection *selection,
                 const EskMatrix    *basis,
                 const double       *mean,
                 const char         *detail)
{
  static const char *const kinds[] = { "noise mean", "noise median", "noise right", "noise lower",
                                       "noise lower-right" };
  const EskHotspots *cpu = esk_cpu_hotspots ();
  bool exact = esk_type_is_exact (tile->type) || selection->minimum != NULL;
  void *data = allocate (width * height * bands * (exact ? sizeof (int16_t) : sizeof (float)));
  float *planes = allocate (2 * width * height * sizeof (float));
  double *sums = allocate (2 * bands * sizeof (double));
  EskErrorSums errors = { .n_bands = bands, .error = sums, .square = sums + bands };
  EskMatrix back = { basis->columns, basis->rows, basis->values };
  double times[REPEATS];
  int code = ESK_OK;

  for (EskNoiseKind kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
    {
      EskMargin margin = esk_noise_margin (kind);
      size_t w = width - margin.left - margin.right, h = height - margin.top - margin.bottom;
      EskTile out = { data, exact ? ESK_I16 : ESK_F32, false, w, h, bands, 1, (ptrdiff_t) w, (ptrdiff_t) (w * h) };
      uint32_t overflow = 0;

      for (int r = 0; r < REPEATS; r++)
        {
          double start = seconds ();

          code |= cpu->cube->noise_residual (stream, tile, selection, NULL, kind, ESK_NOISE_WHOLE, &margin, &out, NULL,
                                             &overflow);
          times[r] = seconds () - start;
        }
      printf ("%-24s %-14s %9.2f ms\n", kinds[kind], detail, median (times) * 1e3);
    }
  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      code |= cpu->cube->project_error (stream, tile, selection, NULL, basis, &back, mean, NULL, NULL, planes,
                                        planes + width * height, &errors);
      times[r] = seconds () - start;
    }
  report ("errors", detail, 2.0 * (double) (components * bands * width * height), median (times));
  free (data);
  free (planes);
  free (sums);

  return code;
}

static void
time_type (EskStream  *stream,
           EskType     type,
           const char *interleave,
           bool        quantise)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  size_t n_pixels = width * height;
  EskTile tile = { .type = type, .width = width, .height = height, .bands = bands };
  uint32_t *selected = allocate (bands * sizeof *selected);
  double *minimum = allocate (bands * sizeof (double)), *maximum = allocate (bands * sizeof (double));
  double *mean = allocate (bands * sizeof (double));
  float *basis = allocate (components * bands * sizeof (float));
  float *out = allocate (components * n_pixels * sizeof (float));
  uint8_t *valid = allocate (n_pixels);
  void *data = allocate (n_pixels * bands * esk_type_size (type));
  EskSelection selection = { selected, bands, NULL, quantise ? minimum : NULL, quantise ? maximum : NULL };
  EskMatrix matrix = { components, bands, basis };
  EskCovariance covariance;
  double times[REPEATS];
  char detail[32];
  size_t n_valid;
  int code = ESK_OK;

  for (size_t b = 0; b < bands; b++)
    {
      selected[b] = (uint32_t) b;
      maximum[b] = 5000.0;
      mean[b] = 512.3;
    }
  for (size_t k = 0; k < components * bands; k++)
    basis[k] = (float) (k % 7) * 0.1f;
  memset (valid, 1, n_pixels);
  lay_out (&tile, interleave);
  fill (&tile, data);
  if (esk_covariance_init (&covariance, bands, quantise || esk_type_is_exact (type), mean) != ESK_OK)
    exit (4);

  snprintf (detail, sizeof detail, "%s %s%s", esk_type_name (type), interleave, quantise ? " q" : "");
  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      code |= cpu->cube->covariance_sums (stream, &tile, &selection, valid, &covariance);
      times[r] = seconds () - start;
    }
  report ("covariance", detail, 0.5 * (double) (bands * (bands + 1) * n_pixels), median (times));

  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      code |= cpu->cube->project (stream, &tile, &selection, valid, &matrix, mean, out, n_pixels);
      times[r] = seconds () - start;
    }
  report ("projection", detail, (double) (components * bands * n_pixels), median (times));

  for (int r = 0; r < REPEATS; r++)
    {
      double start = seconds ();

      code |= cpu->cube->valid_pixels (stream, &tile, &selection, valid, &n_valid);
      times[r] = seconds () - start;
    }
  printf ("%-24s %-14s %9.2f ms\n", "valid pixels", detail, median (times) * 1e3);
  if (width > 2 && height > 2)
    code |= time_reductions (stream, &tile, &selection, &matrix, mean, detail);
  if (code != ESK_OK)
    {
      fprintf (stderr, "a hot spot failed\n");
      exit (4);
    }

  esk_covariance_clear (&covariance);
  free (selected);
  free (minimum);
  free (maximum);
  free (mean);
  free (basis);
  free (out);
  free (valid);
  free (data);
}

static void
time_eigen (void)
{
  double *matrix = allocate (bands * bands * sizeof (double)), *vectors = allocate (bands * bands * sizeof (double));
  double *values = allocate (bands * sizeof (double));
  unsigned sweeps = 0;
  double off, start;
  int code;

  for (size_t i = 0; i < bands; i++)
    for (size_t j = 0; j < bands; j++)
      matrix[i * bands + j] = 1.0 / (double) (1 + (i > j ? i - j : j - i)) + (i == j ? (double) i : 0.0);

  start = seconds ();
  code = esk_eigen_lapack (bands, matrix, values, vectors);
  printf ("%-24s %-14s %9.2f ms\n", "eigen", code == ESK_OK ? "lapack" : "lapack failed", (seconds () - start) * 1e3);
  start = seconds ();
  code = esk_eigen_jacobi (bands, matrix, NULL, values, vectors, 50, &sweeps, &off);
  printf ("%-24s %-14s %9.2f ms, %u sweeps\n", "eigen", code == ESK_OK ? "jacobi" : "jacobi failed",
          (seconds () - start) * 1e3, sweeps);

  free (matrix);
  free (vectors);
  free (values);
}

static int
usage (void)
{
  fprintf (stderr, "usage: perf-hotspots [--module PATH [--quantise] [--json]] [--only-ica]"
                   " [WIDTH HEIGHT BANDS COMPONENTS]\n"
                   "       perf-hotspots --only-beams [--single|--many] [ELEMENTS]\n");
  return 2;
}

/* The best of five. */
static void
run_ica (void       *user,
         const char *what,
         const char *detail,
         PerfStep    step,
         void       *data,
         double      bytes)
{
  double best = INFINITY;

  for (int turn = 0; turn < 5; turn++)
    {
      double start = seconds ();

      if (step (data) != ESK_OK)
        {
          printf ("%-24s %-14s failed\n", what, detail);
          return;
        }
      best = fmin (best, seconds () - start);
    }
  printf ("%-24s %-14s %9.2f ms %8.2f GB/s\n", what, detail, best * 1e3, bytes / best / 1e9);
}

static int
perf_cpu (const PerfScene *scene)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const EskType types[] = { ESK_U8, ESK_I16, ESK_U16, ESK_F32, ESK_F64 };
  const char *interleaves[] = { "bsq", "bil", "bip" };
  EskStream *stream = cpu->stream->stream_new (0);

  if (stream == NULL)
    return 4;

  printf ("%zu x %zu x %zu, %zu components, one thread\n", width, height, bands, components);
  if (!scene->only_ica)
    {
      time_blas ();
      for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < 3; i++)
          time_type (stream, types[t], interleaves[i], false);
      for (size_t i = 0; i < 3; i++)
        time_type (stream, ESK_I16, interleaves[i], true);
      time_eigen ();
    }
  if (perf_ica (cpu, stream, scene, run_ica, NULL) != ESK_OK)
    printf ("independent components failed\n");
  cpu->stream->stream_free (stream);

  return 0;
}

int
main (int    argc,
      char **argv)
{
  size_t *sizes[] = { &width, &height, &bands, &components };
  size_t n_sizes = 0;
  const char *module = NULL;
  PerfScene scene = { 0 };
  bool only_beams = false;
  EskDftLibrary library = ESK_DFT_AUTO;

  for (int a = 1; a < argc; a++)
    if (strcmp (argv[a], "--module") == 0 && a + 1 < argc)
      module = argv[++a];
    else if (strcmp (argv[a], "--quantise") == 0)
      scene.quantise = true;
    else if (strcmp (argv[a], "--json") == 0)
      scene.json = true;
    else if (strcmp (argv[a], "--only-ica") == 0)
      scene.only_ica = true;
    else if (strcmp (argv[a], "--only-beams") == 0)
      only_beams = true;
    else if (strcmp (argv[a], "--single") == 0)
      library = ESK_DFT_SINGLE;
    else if (strcmp (argv[a], "--many") == 0)
      library = ESK_DFT_MANY;
    else if (n_sizes < sizeof sizes / sizeof *sizes && (*sizes[n_sizes] = strtoul (argv[a], NULL, 10)) > 0)
      n_sizes++;
    else
      return usage ();
  if (module == NULL && (scene.json || scene.quantise))
    return usage ();

  if (only_beams)
    return module != NULL ? usage () : perf_beams (n_sizes > 0 ? width : 0, library);

  /* The scene of the table in docs/measurements.md, for a device does a small one in no time. */
  if (module != NULL && n_sizes == 0)
    width = 781, height = 6955;
  scene.width = width;
  scene.height = height;
  scene.bands = bands;
  scene.components = components;

  return module != NULL ? perf_module (module, &scene) : perf_cpu (&scene);
}
