/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's beams against their definition in float64, for arrays with and without symmetry, near and far, with delays
 * of seconds; the same bytes from any number of threads.
 */

#include "test-beam-case.h"
#include "test-scene.h"

#include "cpu/beam/es-cpu-beam-private.h"

#include <math.h>
#include <string.h>

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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  beam_add_test ("/beam/lines", test_lines);
  beam_add_test ("/beam/shapes", test_shapes);
  beam_add_test ("/beam/degenerate", test_degenerate);
  g_test_add_func ("/beam/pairs", test_pairs);
  beam_add_test ("/beam/wave", test_wave);
  beam_add_test ("/beam/threads", test_threads);
  g_test_add_func ("/beam/bad", test_bad);

  return g_test_run ();
}
