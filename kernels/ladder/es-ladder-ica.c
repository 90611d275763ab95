/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-ica-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 31
/* Samples whose w'z is kept while the definition sums up. */
#define BLOCK 256
/* Samples that are made between two looks at whether anybody still wants them. */
#define STRETCH 65536

/* ---- samples ---- */

/* Vector r less what it has of those above it, twice, for the first time leaves what rounding made of it; of unit
 * length. */
static void
orthonormalise (double *w,
                size_t  rows,
                size_t  r)
{
  double *vector = w + r * rows, square = 0.0;

  for (size_t k = 0; k < 2 * r; k++)
    {
      const double *other = w + k % r * rows;
      double product = 0.0;

      for (size_t i = 0; i < rows; i++)
        product += vector[i] * other[i];
      for (size_t i = 0; i < rows; i++)
        vector[i] -= product * other[i];
    }
  for (size_t i = 0; i < rows; i++)
    square += vector[i] * vector[i];
  for (size_t i = 0; i < rows; i++)
    vector[i] /= sqrt (square);
}

/* w: vectors as random as orthogonal ones can be. z: independent, of unit variance. */
static int
fill (EskLadder  *ladder,
      EskIcaWork *work)
{
  const size_t n = work->rows * work->rows;
  double *w = malloc (n * sizeof *w);

  if (w == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++)
    w[k] = esk_ladder_random (SEED, k);
  for (size_t r = 0; r < work->rows; r++)
    orthonormalise (w, work->rows, r);
  for (size_t k = 0; k < n; k++)
    work->w[k] = (float) w[k];
  free (w);
  for (size_t k = 0; k < work->pixels * work->rows; k++)
    {
      if (k % STRETCH == 0)
        ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      work->z[k] = (float) (sqrt (3.0) * esk_ladder_random (SEED + 1, k));
    }

  return ESK_LADDER_OK;
}

int
esk_ica_work_init (EskLadder           *ladder,
                   EskIcaWork          *work,
                   const EskLadderSize *size)
{
  int code = ESK_LADDER_ERROR_MEMORY;

  memset (work, 0, sizeof *work);
  work->pixels = (size_t) size->width * size->height;
  work->rows = size->rows;
  if (work->pixels == 0 || work->rows == 0 || work->rows > ESK_ICA_MOST_ROWS || work->pixels > UINT32_MAX)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT,
                            "1 to 256 planes of 1 to 4294967295 samples were expected");
  ESK_LADDER_TRY (esk_ladder_room (4.0 * (double) work->pixels * (double) work->rows));
  work->z = malloc (work->pixels * work->rows * sizeof *work->z);
  work->w = malloc (work->rows * work->rows * sizeof *work->w);
  work->product = calloc (work->rows * work->rows, sizeof *work->product);
  work->derivative = calloc (work->rows, sizeof *work->derivative);
  if (work->z != NULL && work->w != NULL && work->product != NULL && work->derivative != NULL)
    code = fill (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_ica_work_clear (work);

  return code;
}

void
esk_ica_work_clear (EskIcaWork *work)
{
  free (work->z);
  free (work->w);
  free (work->product);
  free (work->derivative);
  free (work->right);
  memset (work, 0, sizeof *work);
}

double
esk_ica_operations (const EskIcaWork *work)
{
  const double pixels = (double) work->pixels, rows = (double) work->rows;

  return 4.0 * pixels * rows * rows + 4.0 * pixels * rows;
}

void
esk_ica_work_least (const EskLadderSize *size,
                    double              *bytes,
                    double              *operations)
{
  const EskIcaWork work = { .pixels = (size_t) size->width * size->height, .rows = size->rows };
  const double rows = size->rows;

  *bytes = 4.0 * (double) work.pixels * rows + 4.0 * rows * rows + 8.0 * rows * (rows + 1.0);
  *operations = esk_ica_operations (&work);
}

/* ---- what is right ---- */

/* Vector number k of those that are checked: the first, the last, and any. */
static size_t
checked_row (const EskIcaWork *work,
             size_t            k)
{
  if (work->rows <= ESK_ICA_CHECKED)
    return k;
  return k == 0 ? 0 : k == 1 ? work->rows - 1 : esk_ladder_hash (SEED + 2, k) % work->rows;
}

static size_t
n_checked (const EskIcaWork *work)
{
  return work->rows < ESK_ICA_CHECKED ? work->rows : ESK_ICA_CHECKED;
}

/* Row by row of the definition, BLOCK samples at a time. right: rows of z g, then g'. */
static void
define (const EskIcaWork *work,
        const float      *w,
        double           *right)
{
  double g[BLOCK];

  for (size_t first = 0; first < work->pixels; first += BLOCK)
    {
      const size_t n = work->pixels - first < BLOCK ? work->pixels - first : BLOCK;

      memset (g, 0, sizeof g);
      for (size_t i = 0; i < work->rows; i++)
        for (size_t p = 0; p < n; p++)
          g[p] += (double) w[i] * work->z[i * work->pixels + first + p];
      for (size_t p = 0; p < n; p++)
        {
          g[p] = tanh (g[p]);
          right[work->rows] += 1.0 - g[p] * g[p];
        }
      for (size_t i = 0; i < work->rows; i++)
        for (size_t p = 0; p < n; p++)
          right[i] += g[p] * work->z[i * work->pixels + first + p];
    }
}

static int
know (EskIcaWork *work)
{
  const size_t n = n_checked (work), values = work->rows + 1;

  if (work->right != NULL)
    return ESK_LADDER_OK;
  work->right = calloc (n * values, sizeof *work->right);
  if (work->right == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++)
    define (work, work->w + checked_row (work, k) * work->rows, work->right + k * values);
  for (size_t k = 0; k < n * values; k++)
    work->largest = fmax (work->largest, fabs (work->right[k]));

  return ESK_LADDER_OK;
}

int
esk_ica_work_check (EskIcaWork    *work,
                    double         own,
                    EskRungResult *result)
{
  const size_t rows = work->rows;
  double worst = 0.0;

  ESK_LADDER_TRY (know (work));
  for (size_t k = 0; k < n_checked (work); k++)
    {
      const size_t r = checked_row (work, k);
      const double *right = work->right + k * (rows + 1);

      for (size_t i = 0; i < rows; i++)
        worst = fmax (worst, fabs (work->product[r * rows + i] - right[i]));
      worst = fmax (worst, fabs (work->derivative[r] - right[rows]));
    }
  for (size_t k = 0; k < rows * rows; k++)
    if (!isfinite (work->product[k]))
      worst = INFINITY;
  result->error = worst / work->largest;
  result->tolerance = (32.0 + 4.0 * sqrt (own)) * 0x1p-24 * (double) work->pixels / work->largest;

  return ESK_LADDER_OK;
}

int64_t
esk_ica_work_output (const EskIcaWork *work,
                     double           *values,
                     size_t            n)
{
  const size_t products = work->rows * work->rows, whole = products + work->rows;

  for (size_t k = 0; k < whole && k < n; k++)
    values[k] = k < products ? work->product[k] : work->derivative[k - products];

  return (int64_t) whole;
}

/* ---- the hot spot ---- */

int
esk_ica_produce_begin (EskLadder        *ladder,
                       const EskIcaWork *work,
                       EskIcaProduced   *produced,
                       EskRungResult    *result)
{
  const EskHotspots *hotspots = ladder->production;
  const size_t bytes = work->pixels * work->rows * sizeof (float);

  memset (produced, 0, sizeof *produced);
  if (hotspots == NULL || !ESK_HAS (hotspots, ica, ica_step))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->z = work->z;
  produced->w = (EskMatrix) { work->rows, work->rows, work->w };
  produced->sums = calloc (work->rows * (work->rows + 1), sizeof *produced->sums);
  if (produced->sums == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  result->operations = esk_ica_operations (work);
  result->bytes = (double) bytes;
  if (hotspots->device == NULL)
    return ESK_LADDER_OK;

  produced->memory = hotspots->device->memory_new ((int) ladder->index, bytes);
  if (produced->memory == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->z = produced->memory;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, hotspots->device->upload (ladder->stream, produced->memory, work->z,
                                                                         bytes)));
  return esk_ladder_produced (ladder, hotspots->device->wait (ladder->stream));
}

int
esk_ica_produce_some (EskLadder            *ladder,
                      EskStream            *stream,
                      const EskIcaWork     *work,
                      const EskIcaProduced *produced,
                      size_t                first,
                      size_t                count,
                      double               *sums)
{
  const EskContrast contrast = { ESK_CONTRAST_TANH, 1.0 };
  EskIcaSums out = { work->rows, work->rows, 0, sums, sums + work->rows * work->rows };

  return ladder->production->ica->ica_step (stream, produced->z + first, count, work->pixels, &contrast, &produced->w,
                                            &out);
}

int
esk_ica_produce_run (EskLadder        *ladder,
                     const EskIcaWork *work,
                     EskIcaProduced   *produced)
{
  memset (produced->sums, 0, work->rows * (work->rows + 1) * sizeof *produced->sums);
  return esk_ladder_produced (ladder, esk_ica_produce_some (ladder, ladder->stream, work, produced, 0, work->pixels,
                                                            produced->sums));
}

void
esk_ica_produce_finish (const EskIcaProduced *produced,
                        EskIcaWork           *work)
{
  const size_t products = work->rows * work->rows;

  memcpy (work->product, produced->sums, products * sizeof *work->product);
  memcpy (work->derivative, produced->sums + products, work->rows * sizeof *work->derivative);
}

void
esk_ica_produce_end (EskLadder      *ladder,
                     EskIcaProduced *produced)
{
  if (produced->memory != NULL)
    ladder->production->device->memory_free ((int) ladder->index, produced->memory);
  free (produced->sums);
  memset (produced, 0, sizeof *produced);
}
