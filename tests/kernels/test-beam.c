/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's beams against their definition in float64, for arrays with and without symmetry, near and far, with delays
 * of seconds; the same bytes from any number of threads.
 */

#include "test-scene.h"

#include "cpu/beam/es-cpu-beam-private.h"

#include <math.h>
#include <string.h>

/* Sets of inner loops: the fastest there are, those without AVX-512, those for any processor. */
enum { FASTEST, NARROW, PORTABLE, N_LOOPS };
static const char *const loops_names[] = { "fastest", "narrow", "portable" };

static EskStream *
stream_of (gconstpointer loops)
{
  EskStream *stream;

  if (GPOINTER_TO_INT (loops) == NARROW)
    g_setenv ("ES_CPU_AVX512", "0", TRUE);
  stream = test_stream_new (GPOINTER_TO_INT (loops) == PORTABLE);
  g_unsetenv ("ES_CPU_AVX512");

  return stream;
}

/* ---- what is formed ---- */

typedef struct
{
  EskBeamPlan plan;
  double     *positions;
  EskFocus   *foci;
  EskSpectra  spectra;
} Case;

static Case *
case_new (size_t elements,
          size_t foci,
          size_t bins)
{
  Case *self = g_new0 (Case, 1);

  self->positions = g_new0 (double, 3 * elements);
  self->foci = g_new0 (EskFocus, foci);
  self->plan = (EskBeamPlan) { .elements = elements, .positions = self->positions, .n_foci = foci, .foci = self->foci,
                               .sound_speed = 1500.0, .first_frequency = 319.3359375, .bin_spacing = 0.9765625,
                               .bins = bins, .normalisation = 1.0 / (double) (elements * elements),
                               .amplitude = 1.0 / (double) elements };
  return self;
}

static void
case_free (Case *self)
{
  g_free (self->positions);
  g_free (self->foci);
  g_free (self->spectra.values);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

static void
case_line (Case  *self,
           double spacing)
{
  const size_t middle = (self->plan.elements - 1) / 2;

  for (size_t k = 0; k < self->plan.elements; k++)
    self->positions[3 * k] = ((double) k - (double) middle) * spacing;
}

static void
case_scatter (Case  *self,
              double size,
              GRand *random)
{
  for (size_t k = 0; k < 3 * self->plan.elements; k++)
    self->positions[k] = g_rand_double_range (random, -size, size);
}

/* Rows of `angles` foci from `from` degrees in steps: row 0 far, others at a perpendicular distance. */
static void
case_rows (Case  *self,
           size_t angles,
           double from,
           double step)
{
  static const double distances[] = { 0, 50, 100, 200, 400, 800, 1600, 3200 };

  for (size_t f = 0; f < self->plan.n_foci; f++)
    {
      double theta = (from + step * (double) (f % angles)) * G_PI / 180.0, h = distances[f / angles % 8];

      self->foci[f] = h > 0 ? (EskFocus) { h * cos (theta) / sin (theta), h, 0, true }
                            : (EskFocus) { cos (theta), sin (theta), 0, false };
    }
}

static void
case_random_spectra (Case  *self,
                     size_t first_bin,
                     size_t snapshots,
                     GRand *random)
{
  EskSpectra *s = &self->spectra;

  *s = (EskSpectra) { NULL, self->plan.elements, esk_spectra_stride (self->plan.elements),
                      self->plan.bins + first_bin + 2, snapshots };
  s->values = g_malloc0 (esk_spectra_bytes (s->elements, s->bins, s->snapshots));
  for (size_t row = 0; row < s->bins * s->snapshots * 2; row++)
    for (size_t k = 0; k < s->elements; k++)
      s->values[row * s->stride + k] = (float) g_rand_double_range (random, -1, 1);
}

/* ---- the definition ---- */

/* By the distances themselves, in extended precision. */
static double
delay_of (const EskBeamPlan *plan,
          size_t             focus,
          size_t             element)
{
  const EskFocus *p = &plan->foci[focus];
  const double *x = plan->positions + 3 * element;
  long double difference;

  if (p->near)
    difference = sqrtl ((long double) p->x * p->x + (long double) p->y * p->y + (long double) p->z * p->z)
                 - sqrtl (((long double) p->x - x[0]) * ((long double) p->x - x[0])
                          + ((long double) p->y - x[1]) * ((long double) p->y - x[1])
                          + ((long double) p->z - x[2]) * ((long double) p->z - x[2]));
  else
    difference = (long double) p->x * x[0] + (long double) p->y * x[1] + (long double) p->z * x[2];

  return (double) (difference / (long double) plan->sound_speed);
}

static void
phasor_of (const EskBeamPlan *plan,
           size_t             bin,
           double             delay,
           double             phasor[2])
{
  double turns = (plan->first_frequency + (double) bin * plan->bin_spacing) * delay;

  turns -= nearbyint (turns);
  phasor[0] = cos (2.0 * G_PI * turns);
  phasor[1] = -sin (2.0 * G_PI * turns);
}

/* y: as beam_output () orders it, without the amplitude; power: by bin. */
static void
reference (const Case *self,
           size_t      first_bin,
           double     *y,
           double     *power)
{
  const EskBeamPlan *plan = &self->plan;
  const EskSpectra *s = &self->spectra;

  memset (y, 0, plan->n_foci * s->snapshots * plan->bins * 2 * sizeof *y);
  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t k = 0; k < plan->elements; k++)
      {
        double delay = delay_of (plan, f, k);

        for (size_t b = 0; b < plan->bins; b++)
          {
            double w[2];

            phasor_of (plan, b, delay, w);
            for (size_t n = 0; n < s->snapshots; n++)
              {
                const float *re = s->values + ((first_bin + b) * s->snapshots + n) * 2 * s->stride;
                const float *im = re + s->stride;
                double *to = y + ((f * s->snapshots + n) * plan->bins + b) * 2;

                to[0] += (double) re[k] * w[0] - (double) im[k] * w[1];
                to[1] += (double) re[k] * w[1] + (double) im[k] * w[0];
              }
          }
      }
  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t b = 0; b < plan->bins; b++)
      {
        double total = 0.0;

        for (size_t n = 0; n < s->snapshots; n++)
          {
            const float *re = s->values + ((first_bin + b) * s->snapshots + n) * 2 * s->stride, *im = re + s->stride;
            const double *from = y + ((f * s->snapshots + n) * plan->bins + b) * 2;

            total += from[0] * from[0] + from[1] * from[1];
            for (size_t k = 0; plan->remove_diagonal && k < plan->elements; k++)
              total -= (double) re[k] * (double) re[k] + (double) im[k] * (double) im[k];
          }
        power[f * plan->bins + b] = total / (double) s->snapshots * plan->normalisation;
      }
}

/* ---- the check ---- */

static void
check_case (EskStream *stream,
            const Case *self,
            size_t      first_bin)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const EskBeamPlan *plan = &self->plan;
  const size_t powers = plan->n_foci * plan->bins, outputs = powers * self->spectra.snapshots * 2;
  g_autofree double *y = g_new (double, outputs), *power = g_new (double, powers);
  float *by_bin = test_guarded_new (powers * sizeof (float)), *band = test_guarded_new (plan->n_foci * sizeof (float));
  float *only_band = test_guarded_new (plan->n_foci * sizeof (float));
  float *out = test_guarded_new (outputs * sizeof (float));
  double largest = 0.0, largest_band = 0.0, largest_y = 0.0;
  int code = 1;
  EskBeams *beams = cpu->beam->beams_new (stream, plan, &code);

  g_assert_cmpint (code, ==, ESK_OK);
  reference (self, first_bin, y, power);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, first_bin, by_bin, band), ==, ESK_OK);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, first_bin, NULL, only_band), ==, ESK_OK);
  g_assert_cmpmem (band, plan->n_foci * sizeof (float), only_band, plan->n_foci * sizeof (float));
  g_assert_cmpint (cpu->beam->beam_output (stream, beams, &self->spectra, first_bin, out), ==, ESK_OK);

  /* Without the diagonal, one element has no power at all. */
  for (size_t k = 0; k < outputs; k += 2)
    largest = fmax (largest, (y[k] * y[k] + y[k + 1] * y[k + 1]) * plan->normalisation);
  for (size_t k = 0; k < outputs; k++)
    largest_y = fmax (largest_y, fabs (y[k]) * plan->amplitude);
  for (size_t k = 0; k < powers; k++)
    g_assert_cmpfloat_with_epsilon ((double) by_bin[k], power[k], 2e-5 * largest);
  for (size_t k = 0; k < outputs; k++)
    g_assert_cmpfloat_with_epsilon ((double) out[k], y[k] * plan->amplitude, 1e-5 * largest_y);
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      double total = 0.0;

      for (size_t b = 0; b < plan->bins; b++)
        total += power[f * plan->bins + b];
      y[f] = total;
      largest_band = fmax (largest_band, fabs (total));
    }
  for (size_t f = 0; f < plan->n_foci; f++)
    g_assert_cmpfloat_with_epsilon ((double) band[f], y[f], 2e-5 * fmax (largest_band, largest));

  cpu->beam->beams_free (beams);
  test_guarded_free (by_bin);
  test_guarded_free (band);
  test_guarded_free (only_band);
  test_guarded_free (out);
}

/* ---- cases ---- */

static void
test_lines (gconstpointer data)
{
  static const struct { size_t elements, angles, rows, bins, snapshots; } sizes[] = {
    { 1, 1, 1, 1, 1 }, { 1, 3, 2, 5, 2 }, { 2, 4, 2, 1, 1 }, { 3, 5, 2, 3, 3 }, { 5, 7, 1, 17, 1 },
    { 16, 19, 2, 16, 1 }, { 17, 19, 8, 33, 2 }, { 31, 18, 2, 15, 1 }, { 32, 19, 2, 31, 1 }, { 33, 19, 3, 32, 4 },
    { 64, 37, 8, 166, 1 }, { 65, 10, 2, 130, 2 }, { 96, 9, 2, 257, 5 }, { 127, 8, 2, 64, 1 }, { 130, 11, 2, 40, 3 },
    { 512, 16, 2, 49, 1 }, { 513, 5, 2, 20, 2 }, { 1100, 6, 2, 24, 1 }, { 2100, 4, 2, 18, 1 },
  };
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (size_t k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      g_autoptr (Case) self = case_new (sizes[k].elements, sizes[k].angles * sizes[k].rows, sizes[k].bins);

      case_line (self, 1.5);
      /* 10, 20 ... 170 and others that have no mirror image in the list. */
      case_rows (self, sizes[k].angles, k % 3 == 2 ? 7.3 : 10.0, 160.0 / (double) MAX (sizes[k].angles - 1, 1));
      case_random_spectra (self, k % 4, sizes[k].snapshots, random);
      self->plan.remove_diagonal = k % 2 == 1;
      check_case (stream, self, k % 4);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Scattered elements, a line without one of its elements, a plane, a line out of its axis and of uneven spacing. */
static void
test_shapes (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (4);

  for (size_t shape = 0; shape < 8; shape++)
    for (size_t snapshots = 1; snapshots <= 2; snapshots++)
      {
        const size_t elements = 71 + 5 * shape;
        g_autoptr (Case) self = case_new (elements, 50, 37);

        case_rows (self, 25, 18.0, 6.0);
        case_line (self, 0.9);
        if (shape == 0)
          case_scatter (self, 20.0, random);
        else if (shape == 1)
          for (size_t k = 30; k < elements; k++)
            self->positions[3 * k] += 0.9;
        else if (shape == 2)
          for (size_t k = 0; k < elements; k++)
            {
              self->positions[3 * k] = ((double) (k % 9) - 4) * 0.7;
              self->positions[3 * k + 1] = ((double) (k / 9) - 4) * 0.8;
            }
        else if (shape == 3)
          for (size_t k = 0; k < elements; k++)
            {
              self->positions[3 * k + 2] = self->positions[3 * k] * 0.3;
              self->positions[3 * k + 1] = self->positions[3 * k] * 0.1;
            }
        else if (shape == 4)
          for (size_t k = 0; k < elements; k++)
            self->positions[3 * k] += 0.2 * sin ((double) k);
        else if (shape == 5)       /* mirrored but in no order, with pairs at the same place */
          for (size_t k = 0; k < elements; k++)
            {
              self->positions[3 * k] = (k % 2 == 0 ? 1.0 : -1.0) * 0.5 * (double) (k / 2 * 17 % 41);
              self->positions[3 * k + 1] = (double) (k / 2 % 3);
            }
        else if (shape == 6)       /* nearly mirrored: the difference matters */
          for (size_t k = 0; k < elements / 2; k++)
            self->positions[3 * k] += 1e-3;
        else                       /* up and down */
          for (size_t k = 0; k < elements; k++)
            {
              self->positions[3 * k + 2] = self->positions[3 * k];
              self->positions[3 * k] = 0;
            }
        for (size_t f = 25; shape == 2 && f < 50; f++)
          self->foci[f] = (EskFocus) { (double) (f % 5) - 2, (double) (f / 5) - 7, 3.0, true };
        for (size_t f = 0; shape == 7 && f < 50; f++)
          {
            self->foci[f].z = (double) f - 24.5;
            self->foci[f].near = true;
          }
        case_random_spectra (self, 0, snapshots, random);
        check_case (stream, self, 0);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* A focus in the reference, in an element, and the same focus twice. */
static void
test_degenerate (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (14);
  g_autoptr (Case) self = case_new (9, 6, 12);

  case_line (self, 2.0);
  self->foci[0] = self->foci[5] = (EskFocus) { 0, 0, 0, true };
  self->foci[1] = (EskFocus) { 4, 0, 0, true };
  self->foci[2] = (EskFocus) { -4, 0, 0, true };
  self->foci[3] = (EskFocus) { 1, 0, 0, false };
  self->foci[4] = (EskFocus) { 1, 0, 0, false };
  case_random_spectra (self, 1, 1, random);
  check_case (stream, self, 1);
  self->plan.bin_spacing = 0.0;
  check_case (stream, self, 1);
  self->plan.first_frequency = 0.0;
  check_case (stream, self, 1);
  self->plan.bin_spacing = -3.0;
  check_case (stream, self, 1);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Which elements and foci are taken together: what makes lines fast, and must not be seen anywhere else. */
static void
test_pairs (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (19);

  for (int kind = 0; kind < 5; kind++)
    {
      /* 10 to 170 degrees, far and at 50 m. */
      g_autoptr (Case) self = case_new (kind == 4 ? 65 : 64, 161 * 2, 10);
      size_t twins = 0, conjugates = 0;
      g_autofree guint *seen = g_new0 (guint, 161 * 2);
      EskBeams *beams;
      int code;

      case_rows (self, 161, 10.0, 1.0);
      case_line (self, 1.5);
      if (kind == 1)
        self->positions[3 * 40] += 0.01;
      else if (kind == 2)
        case_scatter (self, 20.0, random);
      else if (kind == 3)        /* a mirrored plane has no conjugates */
        for (size_t k = 0; k < 64; k++)
          {
            self->positions[3 * k] = (k % 2 == 0 ? 1.0 : -1.0) * (double) (1 + k / 2);
            self->positions[3 * k + 1] = (double) (k / 2 % 5);
          }
      beams = cpu->beam->beams_new (stream, &self->plan, &code);
      g_assert_cmpint (code, ==, ESK_OK);
      for (size_t i = 0; i < beams->n_items; i++)
        {
          const EskBeamItem *item = &beams->items[i];

          seen[item->focus]++;
          if (item->twin != SIZE_MAX)
            {
              seen[item->twin]++;
              twins++;
            }
          conjugates += item->conjugate;
        }
      for (size_t f = 0; f < 161 * 2; f++)
        g_assert_cmpuint (seen[f], ==, 1);
      /* The reference of 64 is element 31: element 63 has no partner, and 31 is its own. */
      g_assert_cmpuint (beams->n_pairs, ==, kind == 0 ? 31 : kind == 1 ? 30 : kind == 2 ? 0 : 32);
      g_assert_cmpuint (2 * beams->n_pairs + beams->n_singles, ==, self->plan.elements);
      g_assert_cmpuint (twins, ==, kind == 2 ? 0 : 160);
      g_assert_cmpuint (conjugates, ==, kind == 2 || kind == 3 ? 0 : 81);
      cpu->beam->beams_free (beams);
    }
  cpu->stream->stream_free (stream);
}

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

/* ---- sound ---- */

/* A plane wave of power 1 from 123 degrees reads 1 there and is the largest there, not at 57. */
static void
test_wave (gconstpointer data)
{
  EskStream *stream = stream_of (data);
  const EskHotspots *cpu = esk_cpu_hotspots ();
  g_autoptr (Case) self = case_new (64, 160, 166);
  g_autoptr (GRand) random = g_rand_new_with_seed (16);
  float band[160];
  size_t best = 0;
  EskBeams *beams;
  int code;

  case_line (self, 1.5);
  case_rows (self, 160, 10.0, 1.0);
  case_random_spectra (self, 0, 1, random);
  for (size_t b = 0; b < 166; b++)
    for (size_t k = 0; k < 64; k++)
      {
        double delay = ((double) k - 31) * 1.5 * cos (123 * G_PI / 180) / 1500;
        double phase = 2 * G_PI * (319.3359375 + 0.9765625 * (double) b) * delay + 0.3 * (double) (b * b);

        self->spectra.values[2 * b * 64 + k] = (float) (cos (phase) / sqrt (166.0));
        self->spectra.values[(2 * b + 1) * 64 + k] = (float) (sin (phase) / sqrt (166.0));
      }
  beams = cpu->beam->beams_new (stream, &self->plan, &code);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, 0, NULL, band), ==, ESK_OK);
  for (size_t f = 0; f < 160; f++)
    best = band[f] > band[best] ? f : best;
  g_assert_cmpuint (best, ==, 113);
  g_assert_cmpfloat_with_epsilon ((double) band[best], 1.0, 1e-5);
  g_assert_cmpfloat (band[47], <, 0.01);
  cpu->beam->beams_free (beams);
  cpu->stream->stream_free (stream);
}

/* ---- threads ---- */

static void
test_threads (gconstpointer data)
{
  static const int threads[] = { 1, 2, 7, 1, 3 };
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = stream_of (data);
  g_autoptr (GRand) random = g_rand_new_with_seed (17);

  for (size_t shape = 0; shape < 2; shape++)
    {
      g_autoptr (Case) self = case_new (150, 61 * 2, 50);
      const size_t powers = 61 * 2 * 50;
      g_autofree float *first = NULL;
      EskBeams *beams;
      int code;

      case_line (self, 1.5);
      if (shape == 1)
        case_scatter (self, 30.0, random);
      case_rows (self, 61, 10.0, 160.0 / 60);
      case_random_spectra (self, 0, 2, random);
      beams = cpu->beam->beams_new (stream, &self->plan, &code);
      for (size_t k = 0; k < G_N_ELEMENTS (threads); k++)
        {
          float *by_bin = test_guarded_new (powers * sizeof (float));

          g_assert_cmpint (cpu->stream->set_threads (stream, threads[k]), ==, ESK_OK);
          g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, 0, by_bin, NULL), ==, ESK_OK);
          if (first == NULL)
            first = g_memdup2 (by_bin, powers * sizeof (float));
          g_assert_cmpmem (by_bin, powers * sizeof (float), first, powers * sizeof (float));
          test_guarded_free (by_bin);
        }
      cpu->beam->beams_free (beams);
    }
  cpu->stream->stream_free (stream);
}

/* ---- what cannot be right ---- */

static void
refuse (EskStream         *stream,
        const EskBeamPlan *plan)
{
  int code = 1;

  g_assert_null (esk_cpu_hotspots ()->beam->beams_new (stream, plan, &code));
  g_assert_cmpint (code, ==, ESK_ERROR_ARGUMENT);
}

static void
test_bad (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (18);
  g_autoptr (Case) self = case_new (8, 4, 6);
  float power[24];
  EskSpectra other;
  EskBeamPlan plan;
  EskBeams *beams;
  int code;

  case_line (self, 1.0);
  case_rows (self, 4, 10, 40);
  case_random_spectra (self, 2, 1, random);
#define REFUSE(change) (plan = self->plan, (change), refuse (stream, &plan))
  REFUSE (plan.elements = 0);
  REFUSE (plan.elements = SIZE_MAX);
  REFUSE (plan.positions = NULL);
  REFUSE (plan.n_foci = 0);
  REFUSE (plan.n_foci = SIZE_MAX / 3);
  REFUSE (plan.foci = NULL);
  REFUSE (plan.bins = 0);
  REFUSE (plan.bins = SIZE_MAX);
  REFUSE (plan.sound_speed = 0.0);
  REFUSE (plan.sound_speed = -1500.0);
  REFUSE (plan.sound_speed = NAN);
  REFUSE (plan.first_frequency = (double) INFINITY);
  REFUSE (plan.bin_spacing = NAN);
  REFUSE (plan.normalisation = NAN);
  refuse (NULL, &self->plan);
  refuse (stream, NULL);
  self->positions[4] = NAN;
  refuse (stream, &self->plan);
  self->positions[4] = 0.0;
  self->foci[3].y = (double) INFINITY;
  refuse (stream, &self->plan);
  self->foci[3].y = 1.0;
  cpu->beam->beams_free (NULL);

  beams = cpu->beam->beams_new (stream, &self->plan, &code);
  g_assert_cmpint (code, ==, ESK_OK);
#define REFUSE_SPECTRA(first, change)                                                                    \
  do                                                                                                     \
    {                                                                                                    \
      other = self->spectra;                                                                             \
      change;                                                                                            \
      g_assert_cmpint (cpu->beam->beam_power (stream, beams, &other, first, power, NULL), ==, ESK_ERROR_ARGUMENT); \
    }                                                                                                    \
  while (0)
  REFUSE_SPECTRA (0, other.values = NULL);
  REFUSE_SPECTRA (0, other.elements = 7);
  REFUSE_SPECTRA (0, other.stride = 8);
  REFUSE_SPECTRA (0, other.bins = 5);
  REFUSE_SPECTRA (0, other.snapshots = 0);
  REFUSE_SPECTRA (5, other.bins = 10);
  REFUSE_SPECTRA (SIZE_MAX, other.bins = 10);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, 0, NULL, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->beam_power (stream, NULL, &self->spectra, 0, power, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, NULL, 0, power, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->beam_power (NULL, beams, &self->spectra, 0, power, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->beam_output (stream, beams, &self->spectra, 0, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->beam->beam_power (stream, beams, &self->spectra, 4, power, NULL), ==, ESK_OK);
  cpu->beam->beams_free (beams);
  cpu->stream->stream_free (stream);
}

static void
add (const char   *path,
     GTestDataFunc function)
{
  for (int loops = 0; loops < N_LOOPS; loops++)
    {
      g_autofree char *name = g_strconcat (path, "/", loops_names[loops], NULL);

      g_test_add_data_func (name, GINT_TO_POINTER (loops), function);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/beam/lines", test_lines);
  add ("/beam/shapes", test_shapes);
  add ("/beam/degenerate", test_degenerate);
  add ("/beam/phasors", test_phasors);
  g_test_add_func ("/beam/pairs", test_pairs);
  g_test_add_func ("/beam/delays", test_delays);
  add ("/beam/wave", test_wave);
  add ("/beam/threads", test_threads);
  g_test_add_func ("/beam/bad", test_bad);

  return g_test_run ();
}
