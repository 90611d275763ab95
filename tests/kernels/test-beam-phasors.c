/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Phasors and delays of the CPU's beams against their definition: for delays of seconds, far and near, and steps of
 * frequency of all sizes. */

#include "test-beam-case.h"

#include "cpu/beam/es-cpu-beam-private.h"

#include <math.h>

/* ---- phasors ---- */

/* Each element alone: what comes out is its phasor. */
static void
check_phasors (EskStream *stream,
               Case      *self)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const EskBeamPlan *plan = &self->plan;
  EskSpectra *s = &self->spectra;
  const size_t outputs = plan->n_foci * plan->bins * 2;
  g_autofree float *out = g_new (float, outputs);
  double worst = 0.0;
  int code = 1;
  EskBeams *beams;

  self->plan.amplitude = 1.0;
  beams = cpu->beam->beams_new (stream, plan, &code);
  g_assert_cmpint (code, ==, ESK_OK);
  *s = (EskSpectra) { NULL, plan->elements, esk_spectra_stride (plan->elements), plan->bins, 1 };
  s->values = g_malloc0 (esk_spectra_bytes (s->elements, s->bins, 1));
  for (size_t k = 0; k < plan->elements; k++)
    {
      for (size_t b = 0; b < plan->bins; b++)
        {
          if (k > 0)
            s->values[2 * b * s->stride + k - 1] = 0.0f;
          s->values[2 * b * s->stride + k] = 1.0f;
        }
      g_assert_cmpint (cpu->beam->beam_output (stream, beams, s, 0, out), ==, ESK_OK);
      for (size_t f = 0; f < plan->n_foci; f++)
        {
          double delay = delay_of (plan, f, k);

          for (size_t b = 0; b < plan->bins; b++)
            {
              const float *y = out + (f * plan->bins + b) * 2;
              double w[2];

              phasor_of (plan, b, delay, w);
              worst = fmax (worst, hypot ((double) y[0] - w[0], (double) y[1] - w[1]));
            }
        }
    }
  g_test_message ("phasors are wrong by %.2g at most", worst);
  g_assert_cmpfloat (worst, <, 1e-5);
  cpu->beam->beams_free (beams);
}

static void
test_phasors (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (15);

  for (int kind = 0; kind < 8; kind++)
    {
      g_autoptr (Case) self = case_new (37, 38, kind == 4 ? 2000 : 459);

      self->plan.first_frequency = kind % 2 == 0 ? 33.203125 : 319.3359375;
      case_rows (self, 19, 10.0, 160.0 / 18);
      case_line (self, 1.5);
      if (kind == 1)             /* 16 s: 24 km */
        case_line (self, 24000.0 / 18);
      else if (kind == 2)
        case_scatter (self, 24000.0 / sqrt (3.0), random);
      else if (kind == 3)
        {
          self->plan.bin_spacing = 731.25;     /* many turns from bin to bin */
          case_scatter (self, 100.0, random);
        }
      else if (kind == 5)
        self->plan.bin_spacing = 1e-4;         /* hardly any */
      else if (kind == 6)
        {
          self->plan.bin_spacing = 500.0;      /* whole turns and halves of them */
          for (size_t f = 0; f < 38; f++)
            self->foci[f] = (EskFocus) { f % 2 == 0 ? 1.0 : -1.0, 0, 0, false };
        }
      else if (kind == 7)
        for (size_t f = 0; f < 38; f++)        /* broadside: phases stay where they are */
          self->foci[f].x = 1e-7 * ((double) f - 18.5);
      check_phasors (stream, self);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* A path difference of the near form 3 km away is known to a micrometre, not to the rounding of two square roots. */
static void
test_delays (void)
{
  g_autoptr (Case) self = case_new (64, 16, 1);
  double delays[64];

  case_line (self, 1.5);
  case_rows (self, 2, 35.0, 90.0);
  for (size_t f = 0; f < 16; f++)
    {
      esk_beam_delays (&self->plan, f, delays);
      for (size_t k = 0; k < 64; k++)
        g_assert_cmpfloat_with_epsilon (delays[k], delay_of (&self->plan, f, k), 1e-15);
      g_assert_cmpfloat (delays[31], ==, 0);
    }
  /* Positive where the wave is heard earlier: at the end that looks to the source. */
  esk_beam_delays (&self->plan, 0, delays);
  g_assert_cmpfloat_with_epsilon (delays[63], 32 * 1.5 * cos (35.0 * G_PI / 180) / 1500, 1e-15);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  beam_add_test ("/beam/phasors", test_phasors);
  g_test_add_func ("/beam/delays", test_delays);

  return g_test_run ();
}
