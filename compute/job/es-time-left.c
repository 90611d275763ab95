/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-time-left-internal.h"

#include <math.h>

/* Before as many seconds and as much progress any figure would be a guess. */
#define LEAST_SECONDS  1.0
#define LEAST_PROGRESS 0.03
/* How much of the past the rate is of: a share of the time until now, and so many seconds at least. */
#define MEMORY         0.25
#define LEAST_MEMORY   3.0
/* How soon what is said follows a faster rate. */
#define SMOOTHING      2.0
/* Slower by this factor and these seconds, for as many seconds: the work, not the measurement. */
#define SLOWER_FACTOR  1.5
#define SLOWER_SECONDS 3.0
#define SLOWER_FOR     4.0

static double
say (EsTimeLeft *self, double estimate, double now, double passed)
{
  double expected = fmax (self->left - passed, 0);

  if (estimate <= expected)
    {
      self->slower_since = -1;
      return expected + (estimate - expected) * (1 - exp (-passed / SMOOTHING));
    }
  if (!(estimate > SLOWER_FACTOR * self->left + SLOWER_SECONDS))
    {
      self->slower_since = -1;
      /* It lies between the two: neither counted down too fast nor up. */
      return fmin (self->left, estimate);
    }
  if (self->slower_since < 0)
    self->slower_since = now;
  if (now - self->slower_since < SLOWER_FOR)
    return self->left;
  self->slower_since = -1;
  return estimate;
}

double
es_time_left_update (EsTimeLeft *self, double now, double progress)
{
  double passed, forget, estimate;

  /* It begins again: the CPU repeats what a GPU could not finish. */
  if (!self->begun || progress < self->last_progress - 0.01)
    *self = (EsTimeLeft) { .begun = TRUE, .begin = now, .begin_progress = progress, .last = now,
                           .last_progress = progress, .slower_since = -1 };
  passed = fmax (now - self->last, 0);
  forget = exp (-passed / fmax (LEAST_MEMORY, (now - self->begin) * MEMORY));
  self->work = self->work * forget + fmax (progress - self->last_progress, 0);
  self->time = self->time * forget + passed;
  self->last = now;
  self->last_progress = progress;
  if (now - self->begin < LEAST_SECONDS || progress - self->begin_progress < LEAST_PROGRESS)
    return self->known ? self->left : -1;

  if (!(self->work > 1e-12))
    return self->known ? self->left : -1;
  estimate = (1 - progress) * self->time / self->work;
  self->left = self->known ? say (self, estimate, now, passed) : estimate;
  self->known = TRUE;
  return self->left;
}
