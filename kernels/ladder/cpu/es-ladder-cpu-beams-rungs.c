/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conventional beams, from a cosine and a sine for every product to vectors and threads. */

#include "es-ladder-cpu-beams-private.h"

#include <math.h>
#include <string.h>

#define STEPS LADDER_BEAMS_STEPS

/* lab: beams-first beams-blocked beams-recurrence */
/* exp (-j 2 pi turns). Whole turns change nothing, and without them the number keeps its digits. */
static void
phasor (float  turns,
        float *re,
        float *im)
{
  const float angle = -2.0f * (float) M_PI * (turns - rintf (turns));

  *re = cosf (angle);
  *im = sinf (angle);
}
/* lab end */

/* lab: beams-first */
/* A beam after the other, of it a bin after the other: the sum over the elements as it is written. waves are the
 * wavelengths that a metre is, of each bin. */
int
ladder_beams_first (EskLadder   *ladder,
                    LadderBeams *work)
{
  const EskBeamsWork *of = &work->of;
  const size_t foci = of->ranges * of->angles;

  for (size_t focus = 0; focus < foci; focus++)
    {
      const size_t range = focus / of->angles, angle = focus % of->angles;
      float power = 0.0f;

      for (size_t b = 0; b < of->bins; b++)
        {
          float sum_re = 0.0f, sum_im = 0.0f;

          for (size_t k = 0; k < of->elements; k++)
            {
              const float path = of->paths[(range * of->elements + k) * of->angles + angle];
              const float x_re = of->real[k * of->bins + b], x_im = of->imaginary[k * of->bins + b];
              float re, im;

              phasor (work->waves[b] * path, &re, &im);
              sum_re += x_re * re - x_im * im;
              sum_im += x_re * im + x_im * re;
            }
          power += sum_re * sum_re + sum_im * sum_im;
          ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
        }
      of->powers[focus] = power / (float) (of->elements * of->elements);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (focus + 1) / (double) foci));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: beams-blocked */
/* Bins inside, for they lie one beside the other in memory; the sums of all bins stay in the nearest cache, and a path
 * is read once. */
int
ladder_beams_blocked (EskLadder   *ladder,
                      LadderBeams *work)
{
  const EskBeamsWork *of = &work->of;
  const size_t foci = of->ranges * of->angles;

  for (size_t focus = 0; focus < foci; focus++)
    {
      const size_t range = focus / of->angles, angle = focus % of->angles;
      float *sums_re = work->sums, *sums_im = work->sums + work->stride;
      float power = 0.0f;

      memset (work->sums, 0, 2 * work->stride * sizeof (float));
      for (size_t k = 0; k < of->elements; k++)
        {
          const float path = of->paths[(range * of->elements + k) * of->angles + angle];
          const float *x_re = of->real + k * of->bins, *x_im = of->imaginary + k * of->bins;

          for (size_t b = 0; b < of->bins; b++)
            {
              float re, im;

              phasor (work->waves[b] * path, &re, &im);
              sums_re[b] += x_re[b] * re - x_im[b] * im;
              sums_im[b] += x_re[b] * im + x_im[b] * re;
            }
          ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
        }
      for (size_t b = 0; b < of->bins; b++)
        power += sums_re[b] * sums_re[b] + sums_im[b] * sums_im[b];
      of->powers[focus] = power / (float) (of->elements * of->elements);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (focus + 1) / (double) foci));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: beams-recurrence */
/* From bin to bin a phasor turns by the same angle: a product takes the place of a cosine and a sine. Errors grow with
 * the bins, so that after some of them it is taken anew. */
int
ladder_beams_recurrence (EskLadder   *ladder,
                         LadderBeams *work)
{
  const EskBeamsWork *of = &work->of;
  const size_t foci = of->ranges * of->angles;

  for (size_t focus = 0; focus < foci; focus++)
    {
      const size_t range = focus / of->angles, angle = focus % of->angles;
      float *sums_re = work->sums, *sums_im = work->sums + work->stride;
      float power = 0.0f;

      memset (work->sums, 0, 2 * work->stride * sizeof (float));
      for (size_t k = 0; k < of->elements; k++)
        {
          const float path = of->paths[(range * of->elements + k) * of->angles + angle];
          const float *x_re = of->real + k * of->bins, *x_im = of->imaginary + k * of->bins;
          float re = 0.0f, im = 0.0f, step_re, step_im;

          phasor (work->step * path, &step_re, &step_im);
          for (size_t b = 0; b < of->bins; b++)
            {
              const float before = re;

              if (b % STEPS == 0)
                phasor (work->waves[b] * path, &re, &im);
              else
                {
                  re = before * step_re - im * step_im;
                  im = before * step_im + im * step_re;
                }
              sums_re[b] += x_re[b] * re - x_im[b] * im;
              sums_im[b] += x_re[b] * im + x_im[b] * re;
            }
          ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
        }
      for (size_t b = 0; b < of->bins; b++)
        power += sums_re[b] * sums_re[b] + sums_im[b] * sums_im[b];
      of->powers[focus] = power / (float) (of->elements * of->elements);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (focus + 1) / (double) foci));
    }

  return ESK_LADDER_OK;
}
/* lab end */
