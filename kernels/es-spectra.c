/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-spectra.h"

#include <math.h>

double
esk_dft_scale (size_t       length,
               size_t       window_length,
               const float *window)
{
  double sum = 0.0;

  for (size_t n = 0; n < window_length; n++)
    sum += window != NULL ? (double) window[n] * (double) window[n] : 1.0;

  return sqrt (2.0 / ((double) length * sum));
}

size_t
esk_spectra_bytes (size_t elements,
                   size_t bins,
                   size_t snapshots)
{
  size_t bytes;

  if (elements > SIZE_MAX - 31 || __builtin_mul_overflow (esk_spectra_stride (elements), 2 * sizeof (float), &bytes)
      || __builtin_mul_overflow (bytes, bins, &bytes) || __builtin_mul_overflow (bytes, snapshots, &bytes))
    return 0;

  return bytes;
}

void
esk_beam_delays (const EskBeamPlan *plan,
                 size_t             focus,
                 double            *delays)
{
  const EskFocus *p = &plan->foci[focus];
  const double range = sqrt (p->x * p->x + p->y * p->y + p->z * p->z);

  for (size_t k = 0; k < plan->elements; k++)
    {
      const double x = plan->positions[3 * k], y = plan->positions[3 * k + 1], z = plan->positions[3 * k + 2];
      const double along = p->x * x + p->y * y + p->z * z;
      double difference = along;

      if (p->near)
        {
          const double dx = p->x - x, dy = p->y - y, dz = p->z - z;
          const double both = range + sqrt (dx * dx + dy * dy + dz * dz);

          difference = both > 0.0 ? (2.0 * along - (x * x + y * y + z * z)) / both : 0.0;
        }
      delays[k] = difference / plan->sound_speed;
    }
}
