/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What adaptive beams have heard: columns in a ring, or the matrix itself. */

#include "es-cpu-adaptive-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const EskCpuAdaptiveLoops *
esk_cpu_adaptive_loops (const EskStream *stream)
{
  if (!stream->has_avx2 || esk_cpu_adaptive_loops_avx2 == NULL)
    return &esk_cpu_adaptive_loops_portable;
  if (stream->wide && esk_cpu_adaptive_loops_avx512 != NULL)
    return esk_cpu_adaptive_loops_avx512;
  return esk_cpu_adaptive_loops_avx2;
}

/* ---- preparing ---- */

/* Phases of more than 2^50 quarter turns have no fraction left. */
static bool
phases_fit (const EskAdaptivePlan *plan)
{
  double largest = 0.0, direction = 2.0, last;

  for (size_t k = 0; k < 3 * plan->elements; k++)
    {
      if (!isfinite (plan->positions[k]))
        return false;
      largest = fmax (largest, fabs (plan->positions[k]));
    }
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      const EskFocus *p = &plan->foci[f];

      if (!isfinite (p->x) || !isfinite (p->y) || !isfinite (p->z))
        return false;
      if (!p->near)
        direction = fmax (direction, fabs (p->x) + fabs (p->y) + fabs (p->z));
    }
  last = plan->first_frequency + (double) plan->bins * plan->bin_spacing;

  return 3.0 * largest * direction / plan->sound_speed * fmax (fabs (plan->first_frequency), fabs (last)) < 0x1p48;
}

static bool
plan_is_right (const EskAdaptivePlan *plan)
{
  size_t count;

  return plan != NULL && plan->elements >= 1 && plan->positions != NULL && plan->n_foci >= 1 && plan->foci != NULL
         && plan->bins >= 1 && isfinite (plan->sound_speed) && plan->sound_speed > 0.0
         && isfinite (plan->first_frequency) && isfinite (plan->bin_spacing)
         && !__builtin_mul_overflow (plan->elements, 3 * sizeof (double), &count)
         && !__builtin_mul_overflow (plan->n_foci, plan->bins, &count)
         && !__builtin_mul_overflow (count, 2 * sizeof (double), &count) && phases_fit (plan);
}

/* Rooms for what is heard: false where there are not so many bytes. */
static bool
make_rooms (EskAdaptive *self)
{
  const EskAdaptivePlan *plan = &self->plan;
  const size_t panels = esk_adaptive_panels (plan->elements);
  size_t bytes;

  self->stride = esk_spectra_stride (plan->elements);
  if (plan->columns > 0)
    {
      if (__builtin_mul_overflow (plan->columns, 2 * sizeof (float), &bytes)
          || __builtin_mul_overflow (bytes, self->stride, &bytes) || __builtin_mul_overflow (bytes, plan->bins, &bytes)
          || bytes > SIZE_MAX / 2)
        return false;
      self->ring = aligned_alloc (ESK_PANEL_ALIGNMENT, bytes);
      self->slot_weights = calloc (plan->columns, sizeof (double));
      return self->ring != NULL && self->slot_weights != NULL;
    }

  if (__builtin_mul_overflow (panels, panels + 1, &bytes)
      || __builtin_mul_overflow (bytes, ESK_ADAPTIVE_TILE / 2 * sizeof (double), &bytes))
    return false;
  self->matrix_size = bytes / sizeof (double);
  if (__builtin_mul_overflow (bytes, plan->bins, &bytes) || bytes > SIZE_MAX / 2)
    return false;
  self->matrices = aligned_alloc (ESK_PANEL_ALIGNMENT, bytes);
  return self->matrices != NULL;
}

void
esk_cpu_adaptive_free (EskAdaptive *self)
{
  if (self == NULL)
    return;

  free ((void *) self->plan.positions);
  free ((void *) self->plan.foci);
  free (self->ring);
  free (self->slot_weights);
  free (self->matrices);
  free (self->opposites);
  free (self->half_positions);
  free (self->looks);
  free (self);
}

EskAdaptive *
esk_cpu_adaptive_new (EskStream             *stream,
                      const EskAdaptivePlan *plan,
                      int                   *code)
{
  EskAdaptive *self;
  double *positions;
  EskFocus *foci;

  *code = stream != NULL && plan_is_right (plan) ? ESK_ERROR_MEMORY : ESK_ERROR_ARGUMENT;
  if (*code != ESK_ERROR_MEMORY)
    return NULL;
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->plan = *plan;
  self->plan.positions = positions = reallocarray (NULL, plan->elements, 3 * sizeof *positions);
  self->plan.foci = foci = reallocarray (NULL, plan->n_foci, sizeof *foci);
  if (positions == NULL || foci == NULL || !make_rooms (self))
    {
      esk_cpu_adaptive_free (self);
      return NULL;
    }
  memcpy (positions, plan->positions, plan->elements * 3 * sizeof *positions);
  memcpy (foci, plan->foci, plan->n_foci * sizeof *foci);
  if (!esk_adaptive_find_symmetry (self))
    {
      esk_cpu_adaptive_free (self);
      return NULL;
    }
  *code = ESK_OK;

  return self;
}

int
esk_cpu_adaptive_reset (EskStream   *stream,
                        EskAdaptive *self)
{
  if (stream == NULL || self == NULL)
    return ESK_ERROR_ARGUMENT;

  self->first = self->used = 0;
  self->weight = 0.0;
  return ESK_OK;
}

/* ---- hearing ---- */

typedef struct
{
  EskAdaptive               *self;
  const EskSpectra          *spectra;
  const EskCpuAdaptiveLoops *loops;
  size_t                     first_bin;
  /* Columns: those of the spectra from `skip` on go to the slots from `slot` on. */
  size_t                     skip, slot;
  /* Matrices. */
  double                     keep, weight;
  double                    *panels;         /* of each worker panels_size */
  size_t                     panels_size;
} Hearing;

static void
keep_columns (void    *data,
              size_t   bin,
              unsigned worker)
{
  const Hearing *hearing = data;
  const EskSpectra *spectra = hearing->spectra;
  EskAdaptive *self = hearing->self;
  const size_t floats = 2 * self->stride;

  for (size_t s = hearing->skip, slot = hearing->slot; s < spectra->snapshots; s++)
    {
      memcpy (self->ring + (bin * self->plan.columns + slot) * floats,
              spectra->values + ((hearing->first_bin + bin) * spectra->snapshots + s) * floats,
              floats * sizeof (float));
      slot = slot + 1 < self->plan.columns ? slot + 1 : 0;
    }
}

/* Elements as rows: columns of a snapshot each. */
static void
pack_elements (const EskSpectra *spectra,
               size_t            bin,
               size_t            snapshot,
               size_t            n,
               double           *panels)
{
  const size_t n_panels = esk_adaptive_panels (spectra->elements), panel_size = ESK_ADAPTIVE_RUN * ESK_ADAPTIVE_COLUMN;

  for (size_t s = 0; s < n; s++)
    for (size_t part = 0; part < 2; part++)
      {
        const float *values = spectra->values
                              + ((bin * spectra->snapshots + snapshot + s) * 2 + part) * spectra->stride;

        /* The stride is a multiple of a panel's rows, and what fills it up is 0. */
        for (size_t panel = 0; panel < n_panels; panel++)
          for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
            panels[panel * panel_size + s * ESK_ADAPTIVE_COLUMN + part * ESK_ADAPTIVE_ROWS + row]
              = (double) values[panel * ESK_ADAPTIVE_ROWS + row];
      }
}

static void
keep_matrix (void    *data,
             size_t   bin,
             unsigned worker)
{
  const Hearing *hearing = data;
  const EskSpectra *spectra = hearing->spectra;
  EskAdaptive *self = hearing->self;
  double *matrix = self->matrices + bin * self->matrix_size;
  double *panels = hearing->panels + worker * hearing->panels_size;

  if (hearing->keep == 0.0)
    memset (matrix, 0, self->matrix_size * sizeof (double));
  else if (hearing->keep < 1.0)
    for (size_t k = 0; k < self->matrix_size; k++)
      matrix[k] *= hearing->keep;
  for (size_t s = 0; s < spectra->snapshots; s += ESK_ADAPTIVE_RUN)
    {
      const size_t n = spectra->snapshots - s < ESK_ADAPTIVE_RUN ? spectra->snapshots - s : ESK_ADAPTIVE_RUN;

      pack_elements (spectra, hearing->first_bin + bin, s, n, panels);
      esk_adaptive_multiply (hearing->loops, panels, spectra->elements, ESK_ADAPTIVE_RUN * ESK_ADAPTIVE_COLUMN, n,
                             hearing->weight, matrix);
    }
}

static int
add_columns (EskStream *stream,
             Hearing   *hearing)
{
  EskAdaptive *self = hearing->self;
  const size_t snapshots = hearing->spectra->snapshots, columns = self->plan.columns;
  const size_t n = snapshots < columns ? snapshots : columns;
  const size_t kept = self->used < columns - n ? self->used : columns - n;

  hearing->skip = snapshots - n;
  hearing->slot = (self->first + self->used) % columns;
  for (size_t slot = 0; slot < columns; slot++)
    self->slot_weights[slot] *= hearing->keep;
  for (size_t s = 0; s < n; s++)
    self->slot_weights[(hearing->slot + s) % columns] = hearing->weight;
  self->first = (self->first + self->used - kept) % columns;
  self->used = kept + n;
  esk_team_run (stream, self->plan.bins, keep_columns, hearing);

  return ESK_OK;
}

static int
add_to_matrix (EskStream *stream,
               Hearing   *hearing)
{
  EskAdaptive *self = hearing->self;

  hearing->loops = esk_cpu_adaptive_loops (stream);
  hearing->panels_size = esk_adaptive_panels (self->plan.elements) * ESK_ADAPTIVE_RUN * ESK_ADAPTIVE_COLUMN;
  hearing->panels = esk_scratch_get (&stream->panel, hearing->panels_size, esk_team_size (stream) * sizeof (double));
  if (hearing->panels == NULL)
    return ESK_ERROR_MEMORY;
  if (self->weight == 0.0)
    hearing->keep = 0.0;
  self->weight = self->weight * hearing->keep + hearing->weight * (double) hearing->spectra->snapshots;
  esk_team_run (stream, self->plan.bins, keep_matrix, hearing);

  return ESK_OK;
}

int
esk_cpu_adaptive_add (EskStream        *stream,
                      EskAdaptive      *self,
                      const EskSpectra *spectra,
                      size_t            first_bin,
                      double            keep,
                      double            weight)
{
  Hearing hearing = { self, spectra, .first_bin = first_bin, .keep = keep, .weight = weight };

  if (stream == NULL || self == NULL || spectra == NULL || spectra->values == NULL
      || spectra->elements != self->plan.elements || spectra->stride != self->stride || spectra->snapshots < 1
      || self->plan.bins > spectra->bins || first_bin > spectra->bins - self->plan.bins
      || !(keep >= 0.0 && keep <= 1.0) || !(weight > 0.0) || !isfinite (weight))
    return ESK_ERROR_ARGUMENT;

  if (keep == 0.0)
    esk_cpu_adaptive_reset (stream, self);
  return self->plan.columns > 0 ? add_columns (stream, &hearing) : add_to_matrix (stream, &hearing);
}

/* ---- telling ---- */

/* Weights of the columns, oldest first, with the sum 1. */
void
esk_adaptive_column_weights (const EskAdaptive *self,
                             double            *weights)
{
  double sum = 0.0;

  for (size_t s = 0; s < self->used; s++)
    {
      weights[s] = self->slot_weights[(self->first + s) % self->plan.columns];
      sum += weights[s];
    }
  for (size_t s = 0; s < self->used; s++)
    weights[s] /= sum;
}

static void
matrix_of_panels (const EskAdaptive *self,
                  const double      *lower,
                  double            *matrix)
{
  const size_t n = self->plan.elements;

  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column <= row; column++)
      {
        const double *at = lower + esk_adaptive_at (row, column);
        const double re = at[0] / self->weight, im = row == column ? 0.0 : at[ESK_ADAPTIVE_ROWS] / self->weight;

        matrix[2 * (row * n + column)] = matrix[2 * (column * n + row)] = re;
        matrix[2 * (row * n + column) + 1] = im;
        matrix[2 * (column * n + row) + 1] = -im;
      }
}

static void
matrix_of_columns (const EskAdaptive *self,
                   size_t             bin,
                   const double      *weights,
                   double            *matrix)
{
  const size_t n = self->plan.elements;

  memset (matrix, 0, 2 * n * n * sizeof (double));
  for (size_t s = 0; s < self->used; s++)
    {
      const float *re = esk_adaptive_column (self, bin, s), *im = re + self->stride;

      for (size_t row = 0; row < n; row++)
        {
          const double x = weights[s] * (double) re[row], y = weights[s] * (double) im[row];
          double *out = matrix + 2 * row * n;

          for (size_t column = 0; column < n; column++)
            {
              out[2 * column] += x * (double) re[column] + y * (double) im[column];
              out[2 * column + 1] += y * (double) re[column] - x * (double) im[column];
            }
        }
    }
}

int
esk_cpu_adaptive_state (EskStream   *stream,
                        EskAdaptive *self,
                        size_t       bin,
                        float       *columns,
                        double      *weights,
                        double      *matrix,
                        size_t      *used)
{
  const size_t n = self != NULL ? self->plan.elements : 0;
  double *sums;

  if (stream == NULL || self == NULL || bin >= self->plan.bins || (self->used == 0 && self->weight == 0.0)
      || (self->plan.columns == 0 && (columns != NULL || weights != NULL)))
    return ESK_ERROR_ARGUMENT;

  if (used != NULL)
    *used = self->used;
  if (self->plan.columns == 0)
    {
      if (matrix != NULL)
        matrix_of_panels (self, self->matrices + bin * self->matrix_size, matrix);
      return ESK_OK;
    }

  sums = esk_scratch_get (&stream->state, self->plan.columns, sizeof (double));
  if (sums == NULL)
    return ESK_ERROR_MEMORY;
  memset (sums, 0, self->plan.columns * sizeof (double));
  esk_adaptive_column_weights (self, sums);
  if (weights != NULL)
    memcpy (weights, sums, self->plan.columns * sizeof (double));
  if (columns != NULL)
    {
      memset (columns, 0, self->plan.columns * 2 * n * sizeof (float));
      for (size_t s = 0; s < self->used; s++)
        for (size_t part = 0; part < 2; part++)
          memcpy (columns + (s * 2 + part) * n, esk_adaptive_column (self, bin, s) + part * self->stride,
                  n * sizeof (float));
    }
  if (matrix != NULL)
    matrix_of_columns (self, bin, sums, matrix);

  return ESK_OK;
}
