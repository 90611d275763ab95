/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms by FFTW: any length, one element after the other or several at a time. */

#include "es-cpu-dft-private.h"

#include <math.h>
#include <string.h>

int
esk_dft_fftw_init (EskDft *dft)
{
  const EskDftPlan *plan = &dft->plan;

  /* Rows are not a power of two apart, which would put all of them into the same places of the caches. */
  dft->distance = esk_round_up (plan->length + 2, 16) + 16;
  if (plan->library == ESK_DFT_SINGLE)
    dft->single = esk_fft_plan_forward (plan->length, 1, dft->distance);
  else
    {
      const size_t rest = plan->elements % ESK_DFT_MANY_ELEMENTS;

      dft->many = esk_fft_plan_forward (plan->length, ESK_DFT_MANY_ELEMENTS, dft->distance);
      if (rest > 0)
        dft->tail = esk_fft_plan_forward (plan->length, rest, dft->distance);
      if (rest > 0 && dft->tail == NULL)
        return ESK_ERROR_MEMORY;
    }

  return dft->single != NULL || dft->many != NULL ? ESK_OK : ESK_ERROR_MEMORY;
}

void
esk_dft_fftw_clear (EskDft *dft)
{
  esk_fft_plan_free (dft->single);
  esk_fft_plan_free (dft->many);
  esk_fft_plan_free (dft->tail);
}

/* A batch of rows, and one of results. */
size_t
esk_dft_fftw_floats (const EskDft *dft)
{
  return 2 * ESK_DFT_MANY_ELEMENTS * dft->distance;
}

/* Frames that are read of one element before the next. */
#define FRAMES 64

/* ---- reading samples ---- */

/* One element's samples of one snapshot. */
typedef struct
{
  const EskFrames *frames;
  size_t           channel, first, n;
  const float     *window;     /* NULL: ones */
  float            gain;
  float           *out;
} Column;

#define READ_INTEGER(name, type, bits, swap, full, last)                                                  \
  static void                                                                                             \
  name (const Column *c, EskChannelHealth *health)                                                        \
  {                                                                                                       \
    const ptrdiff_t step = c->frames->frame_stride;                                                       \
    const type *from = (const type *) c->frames->data + (ptrdiff_t) c->channel * c->frames->channel_stride \
                       + (ptrdiff_t) c->first * step;                                                     \
    type lowest = 0, highest = 0;                                                                         \
    uint32_t clipped = 0;                                                                                 \
    float peak;                                                                                           \
                                                                                                          \
    for (size_t n = 0; n < c->n; n++)                                                                     \
      {                                                                                                   \
        bits raw;                                                                                         \
        type x;                                                                                           \
                                                                                                          \
        memcpy (&raw, from + (ptrdiff_t) n * step, sizeof raw);                                           \
        x = (type) (c->frames->byte_swapped ? swap (raw) : raw);                                          \
        lowest = x < lowest ? x : lowest;                                                                 \
        highest = x > highest ? x : highest;                                                              \
        clipped += x == (type) -(full) || x >= (type) (last);                                             \
        c->out[n] = (float) x * (c->window != NULL ? c->window[n] * c->gain : c->gain);                   \
      }                                                                                                   \
    peak = (float) (fmax (-(double) lowest, (double) highest) / (full));                                  \
    health->samples += (uint32_t) c->n;                                                                   \
    health->clipped += clipped;                                                                           \
    health->peak = peak > health->peak ? peak : health->peak;                                             \
  }

#define READ_FLOAT(name, type, bits, swap)                                                                \
  static void                                                                                             \
  name (const Column *c, EskChannelHealth *health)                                                        \
  {                                                                                                       \
    const ptrdiff_t step = c->frames->frame_stride;                                                       \
    const type *from = (const type *) c->frames->data + (ptrdiff_t) c->channel * c->frames->channel_stride \
                       + (ptrdiff_t) c->first * step;                                                     \
    uint32_t clipped = 0, not_finite = 0;                                                                 \
    float peak = 0.0f;                                                                                    \
                                                                                                          \
    for (size_t n = 0; n < c->n; n++)                                                                     \
      {                                                                                                   \
        bits raw;                                                                                         \
        type wide;                                                                                        \
        float x, magnitude;                                                                               \
                                                                                                          \
        memcpy (&raw, from + (ptrdiff_t) n * step, sizeof raw);                                           \
        raw = c->frames->byte_swapped ? swap (raw) : raw;                                                 \
        memcpy (&wide, &raw, sizeof wide);                                                                \
        x = (float) wide;                                                                                 \
        magnitude = fabsf (x);                                                                            \
        if (!(magnitude < INFINITY))                                                                      \
          {                                                                                               \
            not_finite++;                                                                                 \
            x = magnitude = 0.0f;                                                                         \
          }                                                                                               \
        peak = magnitude > peak ? magnitude : peak;                                                       \
        clipped += magnitude >= 1.0f;                                                                     \
        c->out[n] = x * (c->window != NULL ? c->window[n] * c->gain : c->gain);                           \
      }                                                                                                   \
    health->samples += (uint32_t) c->n;                                                                   \
    health->clipped += clipped;                                                                           \
    health->not_finite += not_finite;                                                                     \
    health->peak = peak > health->peak ? peak : health->peak;                                             \
  }

READ_INTEGER (read_i16, int16_t, uint16_t, __builtin_bswap16, 32768, 32767)
READ_INTEGER (read_i32, int32_t, uint32_t, __builtin_bswap32, 2147483648LL, 0x7fffff00)
READ_FLOAT (read_f32, float, uint32_t, __builtin_bswap32)
READ_FLOAT (read_f64, double, uint64_t, __builtin_bswap64)

static void
read_column (const Column     *column,
             EskChannelHealth *health)
{
  switch (column->frames->type)
    {
    case ESK_I16:
      read_i16 (column, health);
      break;
    case ESK_I32:
      read_i32 (column, health);
      break;
    case ESK_F32:
      read_f32 (column, health);
      break;
    default:
      read_f64 (column, health);
      break;
    }
}

/* ---- transforming ---- */

static void
transform (const EskDftRun *run,
           size_t           first,
           unsigned         worker)
{
  const EskDft *dft = run->dft;
  const EskDftPlan *plan = &dft->plan;
  const EskSpectra *spectra = run->spectra;
  const size_t rest = plan->elements - first, n = rest < ESK_DFT_MANY_ELEMENTS ? rest : ESK_DFT_MANY_ELEMENTS;
  const size_t room = ESK_DFT_MANY_ELEMENTS * dft->distance;
  /* What lies between the elements and the stride belongs to the last group. */
  const size_t end = first + n == plan->elements ? spectra->stride : first + n;
  float *rows = run->scratch + worker * run->scratch_floats;
  fftwf_complex *results = (fftwf_complex *) (rows + room);

  for (size_t snapshot = 0; snapshot < plan->snapshots; snapshot++)
    {
      /* A few frames at a time: neighbouring elements share cache lines. */
      for (size_t start = 0; start < plan->window_length; start += FRAMES)
        for (size_t e = 0; e < n; e++)
          {
            const size_t left = plan->window_length - start;
            Column column = { run->frames, plan->channels[first + e], snapshot * plan->hop + start,
                              left < FRAMES ? left : FRAMES, plan->window != NULL ? plan->window + start : NULL,
                              plan->gains[first + e], rows + e * dft->distance + start };
            EskChannelHealth ignored = { 0 };

            read_column (&column, run->health != NULL ? &run->health[first + e] : &ignored);
          }
      for (size_t e = 0; e < n; e++)
        memset (rows + e * dft->distance + plan->window_length, 0,
                (plan->length - plan->window_length) * sizeof (float));
      if (dft->many != NULL)
        fftwf_execute_dft_r2c (n == ESK_DFT_MANY_ELEMENTS ? dft->many : dft->tail, rows, results);
      else
        for (size_t e = 0; e < n; e++)
          fftwf_execute_dft_r2c (dft->single, rows + e * dft->distance, results + e * (dft->distance / 2));

      for (size_t b = 0; b < plan->bins; b++)
        {
          const size_t bin = plan->first_bin + b;
          const float factor = bin == 0 || bin == plan->length / 2 ? (float) M_SQRT1_2 : 1.0f;
          float *re = spectra->values + (b * plan->snapshots + snapshot) * 2 * spectra->stride;
          float *im = re + spectra->stride;

          for (size_t e = 0; e < n; e++)
            {
              const float *z = results[e * (dft->distance / 2) + bin];

              re[first + e] = z[0] * factor;
              im[first + e] = z[1] * factor;
            }
          for (size_t e = first + n; e < end; e++)
            re[e] = im[e] = 0.0f;
        }
    }
}

void
esk_dft_fftw_group (void    *data,
                    size_t   group,
                    unsigned worker)
{
  const EskDftRun *run = data;
  const size_t first = group * run->group, rest = run->dft->plan.elements - first;

  for (size_t k = 0; k < run->group && k < rest; k += ESK_DFT_MANY_ELEMENTS)
    transform (run, first + k, worker);
}
