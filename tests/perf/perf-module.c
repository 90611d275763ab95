/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How fast a loadable back end is on its first device: each hot spot on planes that are there already, beside the time
 * that the bytes alone would take at the best rate at which memory was read (summing) or copied there in the same run;
 * and loading from page-locked memory beside a plain upload of as many bytes.
 */

#include "perf-steps.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS 15
#define WARM_UPS 3

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Seconds of a step with the wait for it: the median. */
static double
time_step (Bench *bench,
           Step   step,
           void  *data)
{
  double times[REPEATS];

  for (int r = -WARM_UPS; r < REPEATS; r++)
    {
      double start = seconds ();
      int code = step (bench, data);
      int waited = bench->table->device->wait (bench->stream);

      if (r >= 0)
        times[r] = seconds () - start;
      if (bench->code == ESK_OK)
        bench->code = code != ESK_OK ? code : waited;
      if (code != ESK_OK || waited != ESK_OK)
        return NAN;
    }

  qsort (times, REPEATS, sizeof *times, compare);
  return times[REPEATS / 2];
}

/* bytes: what must be moved; rate: the rate of a plain copy of them, 0 where it is not known. */
static void
report (Bench      *bench,
        const char *what,
        const char *detail,
        double      time,
        double      bytes,
        double      rate)
{
  double floor_time = rate > 0.0 ? bytes / rate : 0.0;

  if (bench->scene->json)
    {
      printf ("%s\n  {\"name\": \"%s\", \"detail\": \"%s\"", bench->first ? "" : ",", what, detail);
      if (isfinite (time))
        printf (", \"ms\": %.4f", time * 1e3);
      else
        printf (", \"error\": %d", bench->code);
      if (bytes > 0.0 && isfinite (time))
        printf (", \"gb_per_s\": %.2f", bytes / time / 1e9);
      if (floor_time > 0.0 && isfinite (time))
        printf (", \"floor_ms\": %.4f, \"ratio\": %.3f", floor_time * 1e3, time / floor_time);
      printf ("}");
      bench->first = false;
    }
  else if (!isfinite (time))
    printf ("%-18s %-14s failed with %d: %s\n", what, detail, bench->code,
            bench->table->stream->last_error (bench->stream));
  else
    {
      printf ("%-18s %-14s %10.3f ms", what, detail, time * 1e3);
      if (bytes > 0.0)
        printf (" %9.1f GB/s", bytes / time / 1e9);
      if (floor_time > 0.0)
        printf ("   floor %8.3f ms, x %.2f", floor_time * 1e3, time / floor_time);
      printf ("\n");
    }
}

static void
run_step (Bench      *bench,
          const char *what,
          const char *detail,
          Step        step,
          void       *data,
          double      bytes,
          double      rate)
{
  report (bench, what, detail, time_step (bench, step, data), bytes, rate);
}

/* --- What is measured elsewhere ------------------------------------------------------------------------- */

typedef struct {
  PerfStep  step;
  void     *data;
} Other;

static int
step_other (Bench *bench,
            void  *data)
{
  Other *other = data;

  return other->step (other->data);
}

/* Of perf_ica (). */
static void
run_other (void       *user,
           const char *what,
           const char *detail,
           PerfStep    step,
           void       *data,
           double      bytes)
{
  Bench *bench = user;
  Other other = { step, data };

  run_step (bench, what, detail, step_other, &other, bytes, bench->memory_rate);
}

/* --- What they work on ---------------------------------------------------------------------------------- */

/* Samples that scatter, some 5000 wide in 16 bits, like radiance of real scenes. */
static void
fill_staging (Bench   *bench,
              EskType  type)
{
  size_t n = STAGING_BYTES / esk_type_size (type);
  uint64_t state = 1;

  for (size_t k = 0; k < n; k++)
    {
      unsigned value;

      state = state * 6364136223846793005u + 1442695040888963407u;
      value = (unsigned) (state >> 52);
      if (type == ESK_U8)
        ((uint8_t *) bench->staging)[k] = (uint8_t) (value >> 4);
      else if (type == ESK_I16)
        ((int16_t *) bench->staging)[k] = (int16_t) (value + 1000);
      else
        ((float *) bench->staging)[k] = (float) value * 0.25f + 300.0f;
    }
}

/* Each band starts somewhere else in the samples, so that no two are alike. */
static int
fill_planes (Bench         *bench,
             const EskTile *planes)
{
  size_t size = esk_type_size (planes->type), n_staging = STAGING_BYTES / size;

  for (size_t b = 0; b < planes->bands; b++)
    {
      size_t from = b * 1013904223u % n_staging;

      for (size_t done = 0; done < bench->n_pixels;)
        {
          size_t part = bench->n_pixels - done < n_staging - from ? bench->n_pixels - done : n_staging - from;
          char *to = (char *) planes->data + (b * (size_t) planes->band_stride + done) * size;
          int code = bench->table->device->upload (bench->stream, to, bench->staging + from * size, part * size);

          if (code != ESK_OK)
            return code;
          done += part;
          from = 0;
        }
    }

  return bench->table->device->wait (bench->stream);
}

/* Loading as many rows as the staging memory holds, in each interleave. */
static void
time_loads (Bench      *bench,
            const Work *resident)
{
  static const char *const interleaves[] = { "bsq", "bil", "bip" };
  const PerfScene *scene = bench->scene;
  size_t size = esk_type_size (resident->planes.type), row_bytes = scene->width * scene->bands * size;
  size_t rows = STAGING_BYTES / row_bytes;

  if (rows > scene->height)
    rows = scene->height;
  for (size_t i = 0; i < 3 && rows > 0; i++)
    {
      ptrdiff_t w = (ptrdiff_t) scene->width, h = (ptrdiff_t) rows, n = (ptrdiff_t) scene->bands;
      Work work = *resident;
      char detail[32];

      work.planes.height = rows;
      work.tile = work.planes;
      work.tile.data = bench->staging;
      work.tile.column_stride = i == 2 ? n : 1;
      work.tile.row_stride = i == 0 ? w : w * n;
      work.tile.band_stride = i == 0 ? w * h : i == 1 ? w : 1;
      snprintf (detail, sizeof detail, "%s %s", esk_type_name (work.tile.type), interleaves[i]);
      run_step (bench, "load", detail, step_load, &work, (double) (rows * row_bytes), bench->upload_rate);
    }
}

static void
time_covariance (Bench      *bench,
                 Work       *work,
                 const char *detail,
                 bool        quantise,
                 bool        precise,
                 double      bytes)
{
  bool exact = quantise || esk_type_is_exact (work->planes.type);

  work->selection.minimum = quantise ? work->minimum : NULL;
  work->selection.maximum = quantise ? work->maximum : NULL;
  bench->code = esk_covariance_init (&work->covariance, bench->scene->bands, exact, exact ? NULL : work->mean);
  work->covariance.precise = precise;
  if (bench->code == ESK_OK)
    {
      run_step (bench, "covariance", detail, step_covariance, work, bytes, bench->memory_rate);
      run_step (bench, "and collected", detail, step_collected_covariance, work, bytes, bench->memory_rate);
    }
  esk_covariance_clear (&work->covariance);
  work->selection.minimum = work->selection.maximum = NULL;
}

/* Kinds of noise, each beside reading the samples and writing as many residuals. */
static int
time_residuals (Bench *bench,
                Work  *work)
{
  static const char *const kinds[] = { "mean", "median", "right", "lower", "lower-right" };
  const EskTile *planes = &work->planes;
  size_t n = planes->bands, size = esk_type_is_exact (planes->type) ? 2 : 4;
  void *memory = bench->table->device->memory_new (0, n * (size_t) planes->band_stride * size);

  if (memory == NULL)
    return ESK_ERROR_MEMORY;
  for (EskNoiseKind kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
    {
      EskMargin margin = esk_noise_margin (kind);
      Residuals residuals = { work, kind, *planes };
      EskTile *out = &residuals.out;
      char detail[32];

      out->data = memory;
      out->type = size == 2 ? ESK_I16 : ESK_F32;
      out->width -= margin.left + margin.right;
      out->height -= margin.top + margin.bottom;
      out->row_stride = (ptrdiff_t) out->width;
      snprintf (detail, sizeof detail, "%s %s", esk_type_name (planes->type), kinds[kind]);
      run_step (bench, "residuals", detail, step_residuals, &residuals,
                (double) (n * bench->n_pixels * (esk_type_size (planes->type) + size)), bench->memory_rate);
    }
  bench->table->device->memory_free (0, memory);

  return ESK_OK;
}

static void
time_errors (Bench *bench,
             Work  *work)
{
  size_t n = work->planes.bands;
  float *factors = calloc (64 * n, sizeof *factors);

  for (size_t k = 0; factors != NULL && k < 64 * n; k++)
    factors[k] = (float) (k % 13) * 0.01f - 0.06f;
  for (size_t m = 1; factors != NULL && m <= 64 && m <= n; m = m == 1 ? 9 : m == 9 ? 27 : m == 27 ? 64 : 65)
    {
      Errors errors = { work, { m, n, factors }, { n, m, factors } };
      char detail[32];

      snprintf (detail, sizeof detail, "%s of %zu", esk_type_name (work->planes.type), m);
      run_step (bench, "errors", detail, step_errors, &errors,
                (double) (n * bench->n_pixels * esk_type_size (work->planes.type)), bench->memory_rate);
    }
  free (factors);
}

static int
time_type (Bench   *bench,
           EskType  type)
{
  const EskHotspots *table = bench->table;
  const PerfScene *scene = bench->scene;
  size_t n = scene->bands, size = esk_type_size (type), band_stride = (bench->n_pixels + 127) / 128 * 128;
  /* What halving makes goes behind the components. */
  size_t out_bytes = (scene->components + 1) * bench->n_pixels * sizeof (float);
  double bytes = (double) (n * bench->n_pixels * size);
  double out_floor = (double) (scene->components * bench->n_pixels * sizeof (float));
  uint32_t *selected = calloc (n, sizeof *selected);
  double *numbers = calloc (4 * n, sizeof *numbers);
  float *basis = calloc (scene->components * n, sizeof *basis);
  void *samples = table->device->memory_new (0, n * band_stride * size);
  float *out = table->device->memory_new (0, out_bytes);
  uint8_t *valid = type == ESK_F32 ? table->device->memory_new (0, band_stride) : NULL;
  const char *name = esk_type_name (type);
  char quantised[32];
  Work work = { .valid = valid, .out = out };
  int code = ESK_ERROR_MEMORY;

  if (selected == NULL || numbers == NULL || basis == NULL || samples == NULL || out == NULL
      || (type == ESK_F32 && valid == NULL))
    goto out;

  for (size_t b = 0; b < n; b++)
    {
      selected[b] = (uint32_t) b;
      numbers[b] = type == ESK_F32 ? 812.3 : 0.0;        /* mean */
      numbers[n + b] = 0.0;                              /* minimum */
      numbers[2 * n + b] = 5000.0;                       /* maximum */
    }
  for (size_t k = 0; k < scene->components * n; k++)
    basis[k] = (float) (k % 7) * 0.1f - 0.3f;
  work.mean = numbers;
  work.minimum = numbers + n;
  work.maximum = numbers + 2 * n;
  work.sum = numbers + 3 * n;
  work.selection = (EskSelection) { selected, n, NULL, NULL, NULL };
  work.basis = (EskMatrix) { scene->components, n, basis };
  work.planes = (EskTile) { samples, type, false, scene->width, scene->height, n,
                            1, (ptrdiff_t) scene->width, (ptrdiff_t) band_stride };

  fill_staging (bench, type);
  code = fill_planes (bench, &work.planes);
  if (code == ESK_OK && valid != NULL)
    {
      memset (bench->staging, 1, bench->n_pixels < STAGING_BYTES ? bench->n_pixels : STAGING_BYTES);
      for (size_t done = 0; done < bench->n_pixels && code == ESK_OK; done += STAGING_BYTES)
        code = table->device->upload (bench->stream, valid + done, bench->staging,
                                      bench->n_pixels - done < STAGING_BYTES ? bench->n_pixels - done : STAGING_BYTES);
      bytes += (double) bench->n_pixels;
      if (code == ESK_OK)
        code = table->device->wait (bench->stream);
    }
  if (code != ESK_OK)
    goto out;

  if (ESK_HAS (table, cube, covariance_sums))
    {
      time_covariance (bench, &work, name, false, false, bytes);
      if (type == ESK_F32)
        time_covariance (bench, &work, "float64 sums", false, true, bytes);
      snprintf (quantised, sizeof quantised, "%s q", name);
      if (scene->quantise && type != ESK_U8)
        time_covariance (bench, &work, quantised, true, false, bytes);
    }
  if (ESK_HAS (table, cube, project))
    {
      run_step (bench, "projection", name, step_project, &work, bytes + out_floor, bench->memory_rate);
      if (type == ESK_F32 && ESK_HAS (table, picture, plane_statistics))
        run_step (bench, "plane statistics", "float32", step_statistics, &work,
                  (double) (bench->n_pixels * sizeof (float)), bench->memory_rate);
      if (type == ESK_F32 && ESK_HAS (table, picture, plane_halve))
        run_step (bench, "plane halving", "float32", step_halve, &work,
                  1.25 * (double) (bench->n_pixels * sizeof (float)), bench->memory_rate);
    }
  if (ESK_HAS (table, cube, noise_residual))
    code = time_residuals (bench, &work);
  if (code == ESK_OK && ESK_HAS (table, cube, project_error) && scene->components > 1)
    time_errors (bench, &work);
  if (ESK_HAS (table, cube, band_sums))
    run_step (bench, "band sums", name, step_sums, &work, bytes, bench->memory_rate);
  if (ESK_HAS (table, cube, band_ranges))
    run_step (bench, "band ranges", name, step_ranges, &work, bytes, bench->memory_rate);
  if (ESK_HAS (table, device, load))
    {
      fill_staging (bench, type);
      time_loads (bench, &work);
    }

out:
  table->device->memory_free (0, valid);
  table->device->memory_free (0, out);
  table->device->memory_free (0, samples);
  free (basis);
  free (numbers);
  free (selected);
  return code;
}

static int
time_eigen (Bench *bench)
{
  size_t n = bench->scene->bands;
  double *matrix = calloc (4 * n * n + n, sizeof *matrix);
  Eigen eigen = { n, matrix, matrix + 4 * n * n, matrix + n * n, matrix + 2 * n * n, matrix + 3 * n * n };
  char detail[32];

  if (matrix == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      matrix[i * n + j] = 1.0 / (double) (1 + (i > j ? i - j : j - i)) + (i == j ? (double) i : 0.0);

  snprintf (detail, sizeof detail, "%zu", n);
  run_step (bench, "eigen", detail, step_eigen, &eigen, 0.0, 0.0);
  if (ESK_HAS (bench->table, eigen, eigen_pair))
    {
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          eigen.data[i * n + j] = matrix[i * n + j] + 50.0 * cos (0.01 * (double) i) * cos (0.01 * (double) j);
      run_step (bench, "eigen pair", detail, step_eigen_pair, &eigen, 0.0, 0.0);
    }
  if (ESK_HAS (bench->table, eigen, eigen_leading))
    run_step (bench, "eigen, leading", detail, step_eigen_leading, &eigen, 0.0, 0.0);
  free (matrix);
  return ESK_OK;
}

/* The rates that the others are held against. */
static int
time_ceilings (Bench *bench)
{
  const EskHotspots *table = bench->table;
  void *memory = table->device->memory_new (0, COPY_BYTES);
  double time;

  if (memory == NULL)
    return ESK_ERROR_MEMORY;

  fill_staging (bench, ESK_F32);
  time = time_step (bench, step_upload, memory);
  report (bench, "upload", "page-locked", time, (double) STAGING_BYTES, 0.0);
  bench->upload_rate = isfinite (time) ? (double) STAGING_BYTES / time : 0.0;
  run_step (bench, "download", "page-locked", step_download, memory, (double) STAGING_BYTES, 0.0);
  if (ESK_HAS (table, picture, plane_decimate))
    {
      time = time_step (bench, step_copy, memory);
      report (bench, "copy", "read and write", time, (double) COPY_BYTES, 0.0);
      bench->memory_rate = isfinite (time) ? (double) COPY_BYTES / time : 0.0;
    }
  if (ESK_HAS (table, cube, band_sums))
    {
      time = time_step (bench, step_read, memory);
      report (bench, "sum", "read", time, (double) COPY_BYTES, 0.0);
      if (isfinite (time) && (double) COPY_BYTES / time > bench->memory_rate)
        bench->memory_rate = (double) COPY_BYTES / time;
    }
  table->device->memory_free (0, memory);

  return bench->code;
}

int
perf_module (const char      *path,
             const PerfScene *scene)
{
  static const EskType types[] = { ESK_U8, ESK_I16, ESK_F32 };
  Bench bench = { .scene = scene, .n_pixels = scene->width * scene->height, .first = true };
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  EskModuleEntry entry = NULL;
  EskDeviceInfo info;
  char why[256] = "it exports no " ESK_MODULE_ENTRY;
  void *symbol;
  int status = 4, code;

  if (module == NULL)
    {
      fprintf (stderr, "%s\n", dlerror ());
      return 2;
    }
  symbol = dlsym (module, ESK_MODULE_ENTRY);
  memcpy (&entry, &symbol, sizeof entry);
  bench.table = entry != NULL ? entry (ESK_HOTSPOTS_ABI, why, sizeof why) : NULL;
  if (bench.table == NULL || bench.table->device->device_count (why, sizeof why) == 0)
    {
      fprintf (stderr, "%s: %s\n", path, why);
      return 77;
    }

  code = bench.table->device->device_warm_up (0);
  bench.stream = bench.table->stream->stream_new (0);
  bench.staging = bench.table->device->staging_new (STAGING_BYTES);
  if (code != ESK_OK || bench.stream == NULL || bench.staging == NULL
      || bench.table->device->device_info (0, &info) != ESK_OK)
    {
      fprintf (stderr, "the device could not be started\n");
      goto out;
    }

  if (scene->json)
    printf ("{\"device\": \"%s\", \"width\": %zu, \"height\": %zu, \"bands\": %zu, \"components\": %zu, \"steps\": [",
            info.name, scene->width, scene->height, scene->bands, scene->components);
  else
    printf ("%s, %zu x %zu x %zu, %zu components\n", info.name, scene->width, scene->height, scene->bands,
            scene->components);

  code = time_ceilings (&bench);
  for (size_t t = 0; t < sizeof types / sizeof *types && code == ESK_OK && bench.code != ESK_ERROR_LOST
       && !scene->only_ica; t++)
    code = time_type (&bench, types[t]);
  if (code == ESK_OK && bench.code != ESK_ERROR_LOST && ESK_HAS (bench.table, eigen, eigen_symmetric)
      && !scene->only_ica)
    code = time_eigen (&bench);
  if (code == ESK_OK && bench.code != ESK_ERROR_LOST && ESK_HAS (bench.table, ica, ica_step))
    code = perf_ica (bench.table, bench.stream, scene, run_other, &bench);
  if (scene->json)
    printf ("\n]}\n");
  if (code == ESK_OK && bench.code == ESK_OK)
    status = 0;
  else
    fprintf (stderr, "failed with %d: %s\n", bench.code != ESK_OK ? bench.code : code,
             code == ESK_ERROR_MEMORY ? "out of memory" : bench.table->stream->last_error (bench.stream));

out:
  bench.table->device->staging_free (bench.staging);
  bench.table->stream->stream_free (bench.stream);
  return status;
}
