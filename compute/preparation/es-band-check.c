/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-check.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "device/es-device-internal.h"

/* Read at most, and kept of it for the noise; read at once. */
#define MOST_READ ((guint64) 2 << 30)
#define MOST_KEPT ((guint64) 64 << 20)
#define PORTION ((guint64) 8 << 20)
/* Bands beside one whose differences are fitted. */
#define BESIDE 2
#define MOST_FITTED (2 * BESIDE)
/* Pairs of pixels below which nothing is fitted. */
#define LEAST_PAIRS 64
/* Of the pixels that bands have as a rule. */
#define LEAST_VALID 0.9

struct _EsBandCheck
{
  gatomicrefcount references;
  guint           n;
  EsBandFinding  *findings;
  guint64         pixels;
};

G_DEFINE_BOXED_TYPE (EsBandCheck, es_band_check, es_band_check_ref, es_band_check_unref)

EsBandCheck *
es_band_check_ref (EsBandCheck *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_band_check_unref (EsBandCheck *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->findings);
  g_free (self);
}

/* ---- one pass ---- */

typedef struct
{
  EsCube      *cube;
  EsBandCheck *check;
  guint        n;
  double      *shift, *sum, *square;   /* of the values less the first */
  guint64     *not_finite;
  guint8      *valid;                  /* of a portion of rows: a plane for all bands, or one a band */
  guint        masks;

  float       *kept;                   /* pixel by pixel, NAN where missing; rows of row_pixels */
  guint64      keep_every, row_pixels, kept_rows, most_rows;
} Scan;

static void
take_value (Scan *scan, guint b, double value, gboolean valid, float *kept)
{
  EsBandFinding *finding = &scan->check->findings[b];
  double no_data;

  if (kept != NULL)
    *kept = NAN;
  if (!valid || (es_cube_get_no_data (scan->cube, b, &no_data) && value == no_data))
    return;
  if (!isfinite (value))
    {
      scan->not_finite[b]++;
      return;
    }
  if (finding->valid++ == 0)
    {
      scan->shift[b] = finding->minimum = finding->maximum = value;
    }
  finding->minimum = MIN (finding->minimum, value);
  finding->maximum = MAX (finding->maximum, value);
  scan->sum[b] += value - scan->shift[b];
  scan->square[b] += (value - scan->shift[b]) * (value - scan->shift[b]);
  if (kept != NULL)
    *kept = (float) (value - scan->shift[b]);
}

static gboolean
take_row (Scan *scan, const EskTile *tile, guint64 row, const guint8 *valid, gsize plane, gboolean keep,
          double *spectrum)
{
  const guint64 width = tile->width;
  float *kept = keep ? scan->kept + scan->kept_rows * width * scan->n : NULL;

  for (guint64 x = 0; x < width; x++)
    {
      if (esk_convert_pixel (tile, x, row, spectrum) != ESK_OK)
        return FALSE;
      for (guint b = 0; b < scan->n; b++)
        take_value (scan, b, spectrum[b], valid[(scan->masks > 1 ? b * plane : 0) + row * width + x],
                    kept != NULL ? kept + x * scan->n + b : NULL);
    }
  scan->kept_rows += keep;
  return TRUE;
}

static gboolean
read_rows (Scan *scan, EsCubeReader *reader, guint64 y, guint64 rows, guint64 *looked, double *spectrum,
           GError **error)
{
  const EsCubeWindow window = { 0, y, es_cube_get_width (scan->cube), rows };
  const gsize plane = window.width * rows;
  EskTile tile;

  memset (scan->valid, 1, plane * scan->masks);
  if (!es_cube_reader_read (reader, &window, &tile, error))
    return FALSE;
  for (guint32 b = 0; b < scan->masks; b++)
    if (!es_cube_reader_mask (reader, &window, &b, 1, scan->valid + b * plane, error))
      return FALSE;
  for (guint64 row = 0; row < rows; row++, *looked += 1)
    if (!take_row (scan, &tile, row, scan->valid, plane,
                   *looked % scan->keep_every == 0 && scan->kept_rows < scan->most_rows, spectrum))
      {
        g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                             _("A pixel could not be turned into numbers"));
        return FALSE;
      }
  scan->check->pixels += plane;
  return TRUE;
}

/* Portions of rows, evenly spread where the cube is larger than what is read. */
static gboolean
scan_rows (Scan *scan, GCancellable *cancellable, GError **error)
{
  const guint64 height = es_cube_get_height (scan->cube), width = es_cube_get_width (scan->cube);
  const EsCubeWindow one = { 0, 0, width, 1 };
  const guint64 row_bytes = es_cube_window_bytes (scan->cube, &one);
  guint64 block_width, block_height, portion, looked = 0;
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (scan->cube, error);
  g_autofree double *spectrum = g_new (double, scan->n);

  if (reader == NULL)
    return FALSE;
  es_cube_get_block (scan->cube, &block_width, &block_height);
  portion = MIN (MAX (PORTION / row_bytes / block_height, 1) * block_height, height);
  const guint64 portions = (height + portion - 1) / portion;
  const guint64 taken = CLAMP (MOST_READ / row_bytes / portion, 1, portions);
  const guint64 rows = MIN (taken * portion, height);

  scan->row_pixels = width;
  scan->most_rows = CLAMP (MOST_KEPT / sizeof (float) / scan->n / width, 1, rows);
  scan->keep_every = (rows + scan->most_rows - 1) / scan->most_rows;
  scan->kept = g_try_new (float, scan->most_rows * width * scan->n);
  scan->valid = g_try_malloc (portion * width * scan->masks);
  if (scan->kept == NULL || scan->valid == NULL)
    return es_compute_error_no_memory (_("the check of the bands"), error);
  for (guint64 i = 0; i < taken; i++)
    {
      const guint64 y = i * portions / taken * portion;

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !read_rows (scan, reader, y, MIN (portion, height - y), &looked, spectrum, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- the noise ---- */

/* Gauss elimination of a small positive system; FALSE: it has no solution. */
static gboolean
solve (guint n, double a[MOST_FITTED][MOST_FITTED + 1], double *x)
{
  for (guint k = 0; k < n; k++)
    {
      if (!(a[k][k] > 0))
        return FALSE;
      for (guint i = k + 1; i < n; i++)
        {
          const double factor = a[i][k] / a[k][k];

          for (guint j = k; j <= n; j++)
            a[i][j] -= factor * a[k][j];
        }
    }
  for (guint k = n; k-- > 0;)
    {
      x[k] = a[k][n];
      for (guint j = k + 1; j < n; j++)
        x[k] -= a[k][j] * x[j];
      x[k] /= a[k][k];
    }
  return TRUE;
}

/* Sums of products of the differences of a band (the last one) and those beside it. */
static guint64
sum_differences (const Scan *scan, const guint *bands, guint n, double sums[MOST_FITTED + 1][MOST_FITTED + 1])
{
  guint64 pairs = 0;

  memset (sums, 0, sizeof (double) * (MOST_FITTED + 1) * (MOST_FITTED + 1));
  for (guint64 p = 0; p < scan->kept_rows * scan->row_pixels; p++)
    {
      const float *here = scan->kept + p * scan->n, *right = here + scan->n;
      double d[MOST_FITTED + 1];
      gboolean valid = (p + 1) % scan->row_pixels != 0;

      for (guint i = 0; i < n && valid; i++)
        {
          d[i] = (double) right[bands[i]] - here[bands[i]];
          valid = !isnan (d[i]);
        }
      if (!valid)
        continue;
      pairs++;
      for (guint i = 0; i < n; i++)
        for (guint j = 0; j <= i; j++)
          sums[i][j] += d[i] * d[j];
    }
  return pairs;
}

static double
find_noise (const Scan *scan, const guint *bands, guint n, double variance)
{
  double sums[MOST_FITTED + 1][MOST_FITTED + 1], a[MOST_FITTED][MOST_FITTED + 1], x[MOST_FITTED], residual;
  const guint m = n - 1;
  const guint64 pairs = sum_differences (scan, bands, n, sums);

  if (pairs < LEAST_PAIRS || !(variance > 0))
    return NAN;
  residual = sums[m][m];
  for (guint i = 0; i < m; i++)
    {
      for (guint j = 0; j < m; j++)
        a[i][j] = i >= j ? sums[i][j] : sums[j][i];
      /* Bands that are the same twice. */
      a[i][i] *= 1 + 1e-9;
      a[i][m] = sums[m][i];
    }
  if (m > 0 && solve (m, a, x))
    for (guint i = 0; i < m; i++)
      residual -= x[i] * sums[m][i];
  return CLAMP (residual / (2.0 * (pairs - m)) / variance, 0, 1);
}

static double
correlate (const Scan *scan, guint a, guint b)
{
  double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;

  for (guint64 p = 0; p < scan->kept_rows * scan->row_pixels; p++)
    {
      const double u = scan->kept[p * scan->n + a], v = scan->kept[p * scan->n + b];

      if (isnan (u) || isnan (v))
        continue;
      n++;
      sa += u;
      sb += v;
      saa += u * u;
      sbb += v * v;
      sab += u * v;
    }
  const double va = saa - sa * sa / n, vb = sbb - sb * sb / n;
  return n > 1 && va > 0 && vb > 0 ? (sab - sa * sb / n) / sqrt (va * vb) : NAN;
}

/* The bands that are not dead, by wavelength where there is one: *n of them. */
static guint *
order_alive (const Scan *scan, guint *n)
{
  const double *wavelengths = es_cube_get_wavelengths (scan->cube);
  guint *order = g_new (guint, scan->n + 1);

  *n = 0;
  for (guint b = 0; b < scan->n; b++)
    if (scan->check->findings[b].fault == ES_BAND_FINE)
      {
        guint i = *n;

        for (; wavelengths != NULL && i > 0 && wavelengths[order[i - 1]] > wavelengths[b]; i--)
          order[i] = order[i - 1];
        order[i] = b;
        *n += 1;
      }
  return order;
}

static gboolean
find_noisy (Scan *scan, GCancellable *cancellable, GError **error)
{
  guint n;
  g_autofree guint *order = order_alive (scan, &n);

  for (guint i = 0; i < n; i++)
    {
      EsBandFinding *finding = &scan->check->findings[order[i]];
      guint bands[MOST_FITTED + 1], m = 0;
      double before = NAN, after = NAN;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint j = i > BESIDE ? i - BESIDE : 0; j <= i + BESIDE && j < n; j++)
        if (j != i)
          bands[m++] = order[j];
      bands[m] = order[i];
      finding->noise_share = find_noise (scan, bands, m + 1, finding->deviation * finding->deviation);
      before = i > 0 ? correlate (scan, order[i - 1], order[i]) : NAN;
      after = i + 1 < n ? correlate (scan, order[i + 1], order[i]) : NAN;
      finding->correlation = isnan (after) || fabs (before) > fabs (after) ? before : after;
      if (m > 0 && finding->noise_share >= ES_BAND_NOISE_SHARE)
        finding->fault = ES_BAND_NOISY;
    }
  return TRUE;
}

/* ---- what it comes to ---- */

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const guint64 first = *(const guint64 *) a, second = *(const guint64 *) b;

  return first < second ? -1 : first > second;
}

/* What bands have as a rule: the median of those with any. */
static guint64
find_usual (const Scan *scan)
{
  g_autofree guint64 *counts = g_new (guint64, scan->n);
  guint n = 0;

  for (guint b = 0; b < scan->n; b++)
    if (scan->check->findings[b].valid > 0)
      counts[n++] = scan->check->findings[b].valid;
  qsort (counts, n, sizeof *counts, compare_counts);
  return n > 0 ? counts[n / 2] : 0;
}

static void
find_dead (Scan *scan)
{
  const guint64 usual = find_usual (scan);

  for (guint b = 0; b < scan->n; b++)
    {
      EsBandFinding *finding = &scan->check->findings[b];
      const double count = finding->valid, mean = scan->sum[b] / count;

      finding->noise_share = finding->correlation = NAN;
      if (finding->valid == 0)
        {
          finding->fault = scan->not_finite[b] > 0 ? ES_BAND_NOT_FINITE : ES_BAND_EMPTY;
          finding->minimum = finding->maximum = finding->mean = finding->deviation = NAN;
          continue;
        }
      finding->mean = scan->shift[b] + mean;
      finding->deviation = finding->valid > 1 ? sqrt (MAX (scan->square[b] - count * mean * mean, 0) / (count - 1)) : 0;
      if (finding->valid > 1 && finding->minimum == finding->maximum)
        finding->fault = ES_BAND_CONSTANT;
      else if (count < LEAST_VALID * usual)
        finding->fault = ES_BAND_GAPPED;
    }
}

static gboolean
scan_cube (EsCube *cube, EsBandCheck *check, GCancellable *cancellable, GError **error)
{
  const guint n = check->n;
  g_autofree double *shift = g_new0 (double, n), *sum = g_new0 (double, n), *square = g_new0 (double, n);
  g_autofree guint64 *not_finite = g_new0 (guint64, n);
  Scan scan = { .cube = cube, .check = check, .n = n, .shift = shift, .sum = sum, .square = square,
                .not_finite = not_finite };
  gboolean done;

  scan.masks = es_cube_has_mask (cube) && es_cube_get_source (cube)->mask_by_band ? n : 1;
  done = scan_rows (&scan, cancellable, error);
  if (done)
    {
      find_dead (&scan);
      done = find_noisy (&scan, cancellable, error);
    }
  g_free (scan.kept);
  g_free (scan.valid);
  return done;
}

EsBandCheck *
es_band_check_run (EsCube *cube, EsSelection *selection, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsSelection) pixels = es_selection_with_bands (selection, NULL, NULL);
  g_autoptr (EsCube) part = NULL;
  g_autoptr (EsBandCheck) self = NULL;

  g_return_val_if_fail (ES_IS_CUBE (cube), NULL);

  part = es_cube_take_part (cube, pixels, FALSE, error);
  if (part == NULL)
    return NULL;
  self = g_new0 (EsBandCheck, 1);
  g_atomic_ref_count_init (&self->references);
  self->n = es_cube_get_bands (cube);
  self->findings = g_new0 (EsBandFinding, self->n);
  return scan_cube (part, self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/* ---- away from the main thread ---- */

static void
run_in_thread (GTask *task, gpointer cube, gpointer selection, GCancellable *cancellable)
{
  GError *error = NULL;
  EsBandCheck *check = es_band_check_run (cube, selection, cancellable, &error);

  if (check != NULL)
    g_task_return_pointer (task, check, (GDestroyNotify) es_band_check_unref);
  else
    g_task_return_error (task, error);
}

void
es_band_check_run_async (EsCube *cube, EsSelection *selection, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GTask) task = g_task_new (cube, cancellable, callback, data);

  g_task_set_source_tag (task, es_band_check_run_async);
  if (selection != NULL)
    g_task_set_task_data (task, es_selection_ref (selection), (GDestroyNotify) es_selection_unref);
  g_task_run_in_thread (task, run_in_thread);
}

EsBandCheck *
es_band_check_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- told ---- */

const EsBandFinding *
es_band_check_get_findings (EsBandCheck *self, guint *n)
{
  *n = self->n;
  return self->findings;
}

guint64
es_band_check_get_pixels (EsBandCheck *self)
{
  return self->pixels;
}

char *
es_band_check_list (EsBandCheck *self, EsBandFault fault)
{
  g_autofree gboolean *which = g_new (gboolean, self->n);

  for (guint b = 0; b < self->n; b++)
    which[b] = self->findings[b].fault == fault;
  return es_band_ranges_format (which, self->n);
}

char *
es_band_finding_tell (const EsBandFinding *self)
{
  switch (self->fault)
    {
    case ES_BAND_EMPTY:
      return g_strdup (_("dead: every sample is no-data"));
    case ES_BAND_NOT_FINITE:
      return g_strdup (_("dead: no sample is a finite number"));
    case ES_BAND_CONSTANT:
      return g_strdup_printf (_("dead: every sample is %g"), self->minimum);
    case ES_BAND_GAPPED:
      return g_strdup_printf (_("gaps: %llu pixels only, fewer than other bands have"),
                              (unsigned long long) self->valid);
    case ES_BAND_NOISY:
      return g_strdup_printf (_("noise: %.0f %% of its variance; correlation with the bands beside it %.2f"),
                              100 * self->noise_share, self->correlation);
    case ES_BAND_FINE:
    default:
      return NULL;
    }
}
