/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whole works, as cards do them in several ways: a product of two vectors, a picture of the Mandelbrot set. */

#include "es-lab-cpu-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one sample; of long works one run is enough. */
#define RUNS 3
#define SAMPLE_SECONDS 0.02

static int
measure_seconds (EskLab         *lab,
                 EskLabTeam     *team,
                 const EskProbe *probe,
                 EskLabWork      work,
                 void           *data,
                 atomic_size_t  *next,
                 EskProbeResult *result)
{
  for (uint32_t i = 0; i <= probe->repeats; i++)
    {
      double least = INFINITY, spent = 0.0;

      for (int run = 0; run < RUNS && (run == 0 || spent < SAMPLE_SECONDS); run++)
        {
          double seconds;

          atomic_store (next, 0);
          seconds = esk_lab_team_run (team, work, data);
          if (esk_lab_poll (lab) != ESK_LAB_OK)
            return ESK_LAB_ERROR_CANCELLED;
          least = seconds < least ? seconds : least;
          spent += seconds;
        }
      if (i > 0)
        result->samples[i - 1] = least;
    }
  result->n = probe->repeats;
  return ESK_LAB_OK;
}

/* ---- dot ---- */

/* A part that somebody takes at a time. */
#define PART ((size_t) 65536)

typedef struct
{
  EskLab       *lab;
  float        *x, *y;
  size_t        n;
  double       *sums;                  /* of each part */
  double       *expected, *weights;    /* the same, in float64 one by one, and of magnitudes */
  atomic_size_t next;
} Dot;

static size_t
take_part (Dot    *dot,
           size_t *n)
{
  const size_t begin = atomic_fetch_add_explicit (&dot->next, 1, memory_order_relaxed) * PART;

  if (begin >= dot->n || esk_lab_poll (dot->lab) != ESK_LAB_OK)
    return SIZE_MAX;
  *n = dot->n - begin < PART ? dot->n - begin : PART;
  return begin;
}

static void
fill_dot (void    *data,
          unsigned thread)
{
  Dot *dot = data;
  size_t begin, n;

  (void) thread;
  while ((begin = take_part (dot, &n)) != SIZE_MAX)
    {
      uint64_t random = (begin + 1) * 0x9e3779b97f4a7c15ull;
      double sum = 0.0, weight = 0.0;

      for (size_t i = begin; i < begin + n; i++)
        {
          dot->x[i] = (float) ((double) (esk_lab_random (&random) >> 40) * 0x1p-24 - 0.25);
          dot->y[i] = (float) ((double) (esk_lab_random (&random) >> 40) * 0x1p-24 - 0.25);
          sum += (double) dot->x[i] * dot->y[i];
          weight += fabs ((double) dot->x[i] * dot->y[i]);
        }
      dot->expected[begin / PART] = sum;
      dot->weights[begin / PART] = weight;
    }
}

static void
run_dot (void    *data,
         unsigned thread)
{
  Dot *dot = data;
  size_t begin, n;

  (void) thread;
  while ((begin = take_part (dot, &n)) != SIZE_MAX)
    dot->sums[begin / PART] = dot->lab->loops->dot (dot->x + begin, dot->y + begin, n);
}

static int
measure_dot (EskLab         *lab,
             EskLabTeam     *team,
             const EskProbe *probe,
             EskProbeResult *result)
{
  const size_t n = (size_t) (probe->bytes / (2 * sizeof (float))), parts = n / PART + (n % PART > 0);
  Dot dot = { .lab = lab, .n = n };
  EskLabRange x, y = { 0 };
  int code = esk_lab_room (lab, probe->bytes);

  if (code != ESK_LAB_OK || (code = esk_lab_range_new (lab, probe->memory, n * sizeof (float), &x)) != ESK_LAB_OK)
    return code;
  code = esk_lab_range_new (lab, probe->memory, n * sizeof (float), &y);
  dot.x = x.data;
  dot.y = y.data;
  dot.sums = calloc (3 * parts, sizeof *dot.sums);
  if (code == ESK_LAB_OK && dot.sums == NULL)
    code = ESK_LAB_ERROR_MEMORY;
  if (code == ESK_LAB_OK)
    {
      dot.expected = dot.sums + parts;
      dot.weights = dot.expected + parts;
      atomic_store (&dot.next, 0);
      esk_lab_team_run (team, fill_dot, &dot);
      code = measure_seconds (lab, team, probe, run_dot, &dot, &dot.next, result);
    }
  for (size_t part = 0; part < parts && code == ESK_LAB_OK; part++)
    if (!(fabs (dot.sums[part] - dot.expected[part]) <= 1e-5 * dot.weights[part]))
      code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "A product of vectors is %.9g, not %.9g", dot.sums[part],
                           dot.expected[part]);
  free (dot.sums);
  esk_lab_range_free (&x);
  esk_lab_range_free (&y);
  return code;
}

/* ---- mandelbrot ---- */

#define CHECKED_PIXELS 500

typedef struct
{
  EskLab       *lab;
  size_t        n;
  double        left, top, step;       /* of the first pixel */
  uint8_t      *picture;
  atomic_size_t next;
} Mandelbrot;

static void
run_mandelbrot (void    *data,
                unsigned thread)
{
  Mandelbrot *self = data;
  uint8_t counts[ESK_LAB_MOST_PIXELS];
  size_t row;

  (void) thread;
  while ((row = atomic_fetch_add_explicit (&self->next, 1, memory_order_relaxed)) < self->n
         && esk_lab_poll (self->lab) == ESK_LAB_OK)
    {
      uint8_t *pixels = self->picture + row * self->n * 3;

      self->lab->loops->mandelbrot (self->left, self->step, self->top + self->step * (double) row, self->n, counts);
      for (size_t x = 0; x < self->n; x++)
        pixels[3 * x] = pixels[3 * x + 1] = pixels[3 * x + 2] = counts[x];
    }
}

static uint8_t
count_iterations (double c_re,
                  double c_im)
{
  double re = 0.0, im = 0.0;
  int n = 0;

  while (n < 255 && re * re + im * im <= 4.0)
    {
      const double next = re * re - im * im + c_re;

      im = (re + re) * im + c_im;
      re = next;
      n++;
    }
  return (uint8_t) n;
}

static bool
is_right (const Mandelbrot *self)
{
  uint64_t random = 0x9e3779b97f4a7c15ull;

  for (int i = 0; i < CHECKED_PIXELS; i++)
    {
      const size_t at = (size_t) (esk_lab_random (&random) % (self->n * self->n)), x = at % self->n, y = at / self->n;
      const uint8_t count = count_iterations (self->left + self->step * (double) x,
                                              self->top + self->step * (double) y);

      if (self->picture[3 * at] != count || self->picture[3 * at + 1] != count || self->picture[3 * at + 2] != count)
        return false;
    }
  return true;
}

static int
measure_mandelbrot (EskLab         *lab,
                    EskLabTeam     *team,
                    const EskProbe *probe,
                    EskProbeResult *result)
{
  const size_t n = probe->stride;
  /* The whole set where no view is given. */
  const bool whole = !(probe->view[2] > 0.0);
  const double width = whole ? 3.0 : probe->view[2];
  Mandelbrot self = { .lab = lab, .n = n, .step = width / (double) n,
                      .left = (whole ? -0.75 : probe->view[0]) - width / 2.0,
                      .top = (whole ? 0.0 : probe->view[1]) - width / 2.0 };
  EskLabRange range;
  int code = esk_lab_range_new (lab, ESK_MEMORY_PAGEABLE, (uint64_t) n * n * 3, &range);

  if (code != ESK_LAB_OK)
    return code;
  self.picture = range.data;
  code = measure_seconds (lab, team, probe, run_mandelbrot, &self, &self.next, result);
  if (code == ESK_LAB_OK && !is_right (&self))
    code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "A pixel has another number of iterations than its point");
  if (code == ESK_LAB_OK && result->picture != NULL)
    memcpy (result->picture, self.picture, n * n * 3);
  esk_lab_range_free (&range);
  return code;
}

int
esk_lab_measure_works (EskLab         *lab,
                       const EskProbe *probe,
                       EskProbeResult *result)
{
  EskLabTeam *team;
  int code = esk_lab_team_new (lab, probe->threads, &team);

  if (code != ESK_LAB_OK)
    return code;
  code = probe->kind == ESK_PROBE_DOT ? measure_dot (lab, team, probe, result)
         : measure_mandelbrot (lab, team, probe, result);
  if (code == ESK_LAB_OK)
    esk_lab_clock_note (lab, result);
  esk_lab_team_free (team);
  return code;
}
