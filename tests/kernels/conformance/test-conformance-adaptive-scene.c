/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-conformance-adaptive.h"

#include <math.h>
#include <string.h>

static double
signed_unit (guint64 *state)
{
  return 2.0 * random_unit (state) - 1.0;
}

EskAdaptive *
adaptive_new (const EskHotspots  *table,
              EskStream          *stream,
              const AdaptiveCase *c,
              int                *code)
{
  g_autofree double *positions = g_new0 (double, 3 * c->elements);
  g_autofree EskFocus *foci = g_new0 (EskFocus, c->n_foci);
  EskAdaptivePlan plan = { c->elements, positions, c->n_foci, foci, 1500.0, 180.0, 7.0, c->bins, c->columns };
  EskAdaptive *adaptive;
  guint64 state = c->elements + 17;

  for (size_t e = 0; e < c->elements; e++)
    for (int i = 0; i < 3; i++)
      positions[3 * e + i] = c->scattered ? 20.0 * signed_unit (&state)
                                          : i == 0 ? ((double) e - (double) (c->elements / 2)) * 1.5 : 0.0;
  for (size_t f = 0; f < c->n_foci; f++)
    {
      const double angle = G_PI * ((double) f + 0.5) / (double) c->n_foci;
      const gboolean near = c->scattered && f % 3 == 2;
      const double range = near ? 55.0 : 1.0;

      foci[f] = (EskFocus) { range * cos (angle), range * sin (angle), near ? 7.0 : 0.0, near };
    }
  adaptive = table->adaptive->adaptive_new (stream, &plan, code);
  /* They were copied. */
  memset (positions, 0xff, 3 * c->elements * sizeof *positions);
  memset (foci, 0xff, c->n_foci * sizeof *foci);

  return adaptive;
}

float *
make_values (const AdaptiveCase *c,
             guint               part,
             EskSpectra         *spectra)
{
  const size_t stride = esk_spectra_stride (c->elements), snapshots = c->parts[part].snapshots;
  const size_t bins = c->before + c->bins + 1;
  float *values = g_new0 (float, bins * snapshots * 2 * stride);
  guint64 state = c->elements * 131 + part * 1009 + 1;

  for (size_t b = 0; b < bins; b++)
    for (size_t s = 0; s < snapshots; s++)
      {
        double phase[3];

        for (int w = 0; w < 3; w++)
          phase[w] = 6.28 * random_unit (&state);
        for (size_t e = 0; e < c->elements; e++)
          {
            double re = signed_unit (&state), im = signed_unit (&state);

            for (int w = 0; w < 3; w++)
              {
                const double turn = phase[w] + (double) e * (0.4 + 0.8 * w + 0.05 * (double) b);

                re += (1.0 + w) * cos (turn);
                im += (1.0 + w) * sin (turn);
              }
            if ((c->dead && e % 5 == 2) || (c->silent && b == c->before + 1))
              continue;
            values[(b * snapshots + s) * 2 * stride + e] = (float) re;
            values[((b * snapshots + s) * 2 + 1) * stride + e] = (float) im;
          }
      }
  *spectra = (EskSpectra) { values, c->elements, stride, bins, snapshots };

  return values;
}

void
pair_clear (Pair *pair)
{
  conformance.cpu->adaptive->adaptive_free (pair->cpu);
  conformance.table->adaptive->adaptive_free (pair->card);
}

gboolean
pair_hear (const AdaptiveCase *c,
           Pair               *pair,
           guint               part)
{
  const Part *p = &c->parts[part];
  EskSpectra spectra, card;
  g_autofree float *values = make_values (c, part, &spectra);
  CardBuffer buffer;
  gboolean heard;

  if (!card_new (&buffer, spectra.bins * spectra.snapshots * 2 * spectra.stride * sizeof (float), 0))
    return FALSE;
  card_put (&buffer, values);
  card = spectra;
  card.values = (float *) (void *) buffer.data;
  heard = conformance_expect ("the CPU's adaptive_add",
                              conformance.cpu->adaptive->adaptive_add (conformance.cpu_stream, pair->cpu, &spectra,
                                                                       c->before, p->keep, p->weight), ESK_OK)
          && conformance_expect ("adaptive_add",
                                 conformance.table->adaptive->adaptive_add (conformance.stream, pair->card, &card,
                                                                            c->before, p->keep, p->weight), ESK_OK);
  conformance_expect ("wait", conformance.table->device->wait (conformance.stream), ESK_OK);
  card_free (&buffer);

  return heard;
}

gboolean
pair_new (const AdaptiveCase *c,
          Pair               *pair)
{
  gboolean heard = TRUE;
  int code = -77;

  pair->cpu = adaptive_new (conformance.cpu, conformance.cpu_stream, c, &code);
  conformance_expect ("the CPU's adaptive_new", code, ESK_OK);
  code = -77;
  pair->card = adaptive_new (conformance.table, conformance.stream, c, &code);
  conformance_expect ("adaptive_new", code, ESK_OK);
  if (pair->cpu == NULL || pair->card == NULL)
    {
      pair_clear (pair);
      return FALSE;
    }
  for (guint part = 0; part < G_N_ELEMENTS (c->parts) && c->parts[part].snapshots > 0 && heard; part++)
    heard = pair_hear (c, pair, part);
  if (!heard)
    pair_clear (pair);

  return heard;
}
