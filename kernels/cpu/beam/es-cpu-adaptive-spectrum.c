/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Powers and MUSIC of all foci in one bin: the rows below its matrix. */

#include "es-cpu-adaptive-problem-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Looks of one kind that are taken together, and what stands in the rows made of them: one panel, or one more of twins.
 * SIZE_MAX: nobody. */
typedef struct
{
  size_t first, n;
  bool   real, twins;
} LookPanel;

/* The panel that begins with a look; foci of the matrix problem are taken one by one. */
static LookPanel
look_panel (const EskAdaptiveProblem *self,
            size_t                    first)
{
  const EskAdaptive *adaptive = self->run->self;
  const bool gram = self->run->gram;
  LookPanel panel = { .first = first };
  size_t end = gram ? adaptive->n_looks : adaptive->plan.n_foci;

  if (gram && first < adaptive->n_twins)
    {
      end = adaptive->n_twins;
      panel.real = panel.twins = true;
    }
  else if (gram && self->folded)
    panel.real = true;
  panel.n = end - first < ESK_ADAPTIVE_ROWS ? end - first : ESK_ADAPTIVE_ROWS;

  return panel;
}

static size_t
focus_of (const EskAdaptiveProblem *self,
          size_t                    look)
{
  return self->run->gram ? self->run->self->looks[look].focus : look;
}

static void
focus_panel (const EskAdaptiveProblem *self,
             const LookPanel          *panel,
             EskFocusPanel            *foci)
{
  foci->any_near = false;
  for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
    {
      const size_t look = panel->first + (row < panel->n ? row : panel->n - 1);
      const EskFocus *p = &self->run->self->plan.foci[focus_of (self, look)];

      foci->x[row] = p->x;
      foci->y[row] = p->y;
      foci->z[row] = p->z;
      foci->range[row] = sqrt (p->x * p->x + p->y * p->y + p->z * p->z);
      foci->near[row] = p->near ? -1 : 0;
      foci->any_near |= p->near;
    }
}

/* Whose rows they are: n panels of them. */
static size_t
name_rows (const EskAdaptiveProblem *self,
           const LookPanel          *panel,
           size_t                    names[][ESK_ADAPTIVE_ROWS])
{
  for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
    {
      const size_t look = panel->first + row;

      names[0][row] = row < panel->n ? focus_of (self, look) : SIZE_MAX;
      if (panel->twins)
        names[1][row] = row < panel->n ? self->run->self->looks[look].twin : SIZE_MAX;
    }

  return panel->twins ? 2 : 1;
}

/* rows: E; with O they become E + j O, and (twins, nullable) E - j O. */
static void
join_parts (const EskAdaptiveProblem *self,
            double                   *rows,
            double                   *twins)
{
  const double *odd = self->room.odd;

  for (size_t k = 0; k < self->order; k++)
    for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
      {
        const size_t re = k * ESK_ADAPTIVE_COLUMN + row, im = re + ESK_ADAPTIVE_ROWS;
        const double e_re = rows[re], e_im = rows[im];

        rows[re] = e_re - odd[im];
        rows[im] = e_im + odd[re];
        if (twins != NULL)
          {
            twins[re] = e_re + odd[im];
            twins[im] = e_im - odd[re];
          }
      }
}

/* X'a of a panel, from what is packed. */
static void
form_gram_rows (EskAdaptiveProblem  *self,
                const LookPanel     *panel,
                const EskFocusPanel *foci,
                double              *rows)
{
  const EskCpuAdaptiveLoops *loops = self->run->loops;
  const EskAdaptive *adaptive = self->run->self;
  const double *positions = self->folded ? adaptive->half_positions : self->room.positions;
  const double frequency = adaptive->plan.first_frequency + (double) self->bin * adaptive->plan.bin_spacing;
  const size_t rows_size = self->panels * ESK_ADAPTIVE_TILE, packed = self->columns * ESK_ADAPTIVE_COLUMN;

  memset (rows, 0, rows_size * (panel->twins ? 2 : 1) * sizeof (double));
  if (panel->real)
    memset (self->room.odd, 0, rows_size * sizeof (double));
  for (size_t k = 0; k < self->columns; k += ESK_ADAPTIVE_RUN)
    {
      const size_t n = self->columns - k < ESK_ADAPTIVE_RUN ? self->columns - k : ESK_ADAPTIVE_RUN;

      loops->steer (foci, positions + 3 * k, n, adaptive->plan.sound_speed, frequency, self->room.steering);
      for (size_t j = 0; j < self->panels; j++)
        {
          const double *x = self->room.packed + j * packed + k * ESK_ADAPTIVE_COLUMN;
          const double *y = self->folded ? x + self->panels * packed : x;
          const size_t left = self->order - j * ESK_ADAPTIVE_ROWS;
          const size_t columns = left < ESK_ADAPTIVE_ROWS ? left : ESK_ADAPTIVE_ROWS;

          if (panel->real)
            {
              loops->product_real (self->room.steering, x, n, columns, rows + j * ESK_ADAPTIVE_TILE);
              loops->product_real (self->room.steering + ESK_ADAPTIVE_ROWS, y, n, columns,
                                   self->room.odd + j * ESK_ADAPTIVE_TILE);
            }
          else
            loops->product (self->room.steering, x, n, columns, 1.0, rows + j * ESK_ADAPTIVE_TILE);
        }
    }
  if (panel->real)
    join_parts (self, rows, panel->twins ? rows + rows_size : NULL);
}

/* The rows of a panel of looks. */
static void
form_rows (EskAdaptiveProblem *self,
           const LookPanel    *panel,
           double             *rows)
{
  const EskAdaptivePlan *plan = &self->run->self->plan;
  const double frequency = plan->first_frequency + (double) self->bin * plan->bin_spacing;
  EskFocusPanel foci;

  focus_panel (self, panel, &foci);
  if (self->run->gram)
    {
      form_gram_rows (self, panel, &foci, rows);
      return;
    }
  self->run->loops->steer (&foci, self->room.positions, self->order, plan->sound_speed, -frequency, rows);
  memset (rows + self->order * ESK_ADAPTIVE_COLUMN, 0,
          (self->panels * ESK_ADAPTIVE_ROWS - self->order) * ESK_ADAPTIVE_COLUMN * sizeof (double));
}

/* Rows times the first n eigenvectors: products, columns of which belong to vectors. */
static void
project_rows (const EskAdaptiveProblem *self,
              const double             *rows,
              size_t                    n)
{
  memset (self->room.products, 0, esk_adaptive_panels (n) * ESK_ADAPTIVE_TILE * sizeof (double));
  for (size_t k = 0; k < self->order; k += ESK_ADAPTIVE_RUN)
    for (size_t j = 0; j < esk_adaptive_panels (n); j++)
      self->run->loops->product (rows + k * ESK_ADAPTIVE_COLUMN,
                                 self->room.matrix + (j * self->order + k) * ESK_ADAPTIVE_COLUMN,
                                 self->order - k < ESK_ADAPTIVE_RUN ? self->order - k : ESK_ADAPTIVE_RUN,
                                 ESK_ADAPTIVE_ROWS, 1.0, self->room.products + j * ESK_ADAPTIVE_TILE);
}

/* What a panel of rows reads. */
static void
finish_powers (EskAdaptiveProblem *self,
               const size_t        names[ESK_ADAPTIVE_ROWS],
               const double       *quadratic)
{
  const double elements = (double) self->living;
  double *powers = self->run->powers + self->bin * self->run->self->plan.n_foci;

  for (size_t row = 0; row < ESK_ADAPTIVE_ROWS && names[row] != SIZE_MAX; row++)
    if (self->run->gram)
      /* What is left of B is more than rounding leaves. */
      powers[names[row]] = self->delta / fmax (elements - quadratic[row], elements * DBL_EPSILON);
    else
      powers[names[row]] = 1.0 / quadratic[row];
}

static void
finish_music (EskAdaptiveProblem *self,
              const size_t        names[ESK_ADAPTIVE_ROWS],
              const double       *inside)
{
  double *music = self->run->music + self->bin * self->run->self->plan.n_foci;

  for (size_t row = 0; row < ESK_ADAPTIVE_ROWS && names[row] != SIZE_MAX; row++)
    music[names[row]] = 1.0 / fmin (fmax (1.0 - inside[row] / (double) self->living, 1e-12), 1.0);
}

/* 1 / d of the loaded matrix; `music`: what the signal's subspace weighs. */
static void
weigh_vectors (const EskAdaptiveProblem *self,
               size_t                    n,
               bool                      music)
{
  for (size_t k = 0; k < n; k++)
    if (!music)
      self->room.weights[k] = 1.0 / (self->room.values[k] + self->delta);
    else
      self->room.weights[k] = self->run->gram ? 1.0 / self->room.values[k] : 1.0;
}

/* Sums over n columns of a panel of rows. */
static void
sum_squares (const EskAdaptiveProblem *self,
             const double             *rows,
             size_t                    n,
             const double             *weights,
             double                    sums[ESK_ADAPTIVE_ROWS])
{
  memset (sums, 0, ESK_ADAPTIVE_ROWS * sizeof (double));
  self->run->loops->squares (rows, n, weights, sums);
}

/* What eigenvectors say of a panel of rows. */
static void
evaluate_vectors (EskAdaptiveProblem *self,
                  const size_t        names[ESK_ADAPTIVE_ROWS],
                  const double       *rows)
{
  const bool powers = self->run->powers != NULL && self->run->by_vectors;
  _Alignas (64) double sums[ESK_ADAPTIVE_ROWS];

  project_rows (self, rows, powers ? self->order : self->sources);
  if (self->run->music != NULL)
    {
      weigh_vectors (self, self->sources, true);
      sum_squares (self, self->room.products, self->sources, self->room.weights, sums);
      finish_music (self, names, sums);
    }
  if (powers)
    {
      weigh_vectors (self, self->order, false);
      sum_squares (self, self->room.products, self->order, self->room.weights, sums);
      finish_powers (self, names, sums);
    }
}

void
esk_adaptive_evaluate_foci (EskAdaptiveProblem *self)
{
  const EskAdaptiveEvaluation *run = self->run;
  const size_t row_size = self->panels * ESK_ADAPTIVE_TILE;
  const size_t n_looks = run->gram ? run->self->n_looks : run->self->plan.n_foci;
  size_t names[ESK_ADAPTIVE_FOCUS_PANELS][ESK_ADAPTIVE_ROWS];
  _Alignas (64) double sums[ESK_ADAPTIVE_ROWS];

  for (size_t look = 0; look < n_looks;)
    {
      size_t n = 0;

      while (look < n_looks && n + 2 <= ESK_ADAPTIVE_FOCUS_PANELS)
        {
          const LookPanel panel = look_panel (self, look);

          form_rows (self, &panel, self->room.rows + n * row_size);
          n += name_rows (self, &panel, names + n);
          look += panel.n;
        }
      for (size_t p = 0; p < n && run->vectors; p++)
        evaluate_vectors (self, names[p], self->room.rows + p * row_size);
      if (run->by_vectors || run->powers == NULL)
        continue;
      esk_adaptive_solve (run->loops, self->room.lower, self->panels, self->room.rows, n, row_size);
      for (size_t p = 0; p < n; p++)
        {
          sum_squares (self, self->room.rows + p * row_size, self->order, NULL, sums);
          finish_powers (self, names[p], sums);
        }
    }
}
