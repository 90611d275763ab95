/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Beams of arrays of every kind against the CPU's. */

#include "test-conformance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest power; the promise is 1e-4. */
#define TOLERANCE 2e-5

typedef enum
{
  ARRAY_LINE,                  /* uniform, the reference where DESIGN has it: (n - 1) / 2 */
  ARRAY_OBLIQUE,               /* the same in any direction, elements in any order */
  ARRAY_UNEVEN,                /* on a line, nothing symmetric about it */
  ARRAY_BENT,                  /* a line, one element off it */
  ARRAY_VOLUME,                /* anywhere */
  ARRAY_POINT,                 /* all in one place */
  N_ARRAYS
} Array;

typedef enum { FOCI_FAR, FOCI_NEAR, FOCI_BOTH, FOCI_ANY, FOCI_TWICE } Foci;

typedef struct
{
  Array  array;
  size_t elements;
  double spacing;
  Foci   foci;
  size_t n_foci, bins, snapshots, before;  /* bins of the spectra before the beams' */
  double first, step;                      /* Hz */
  bool   diagonal;
} BeamCase;

static double
signed_unit (guint64 *state)
{
  return 2.0 * random_unit (state) - 1.0;
}

static double *
make_positions (const BeamCase *c,
                double          axis[3])
{
  double *positions = g_new0 (double, 3 * c->elements);
  const double middle = (double) ((c->elements - 1) / 2);
  guint64 state = c->elements * 5 + 1;

  axis[0] = c->array == ARRAY_OBLIQUE ? 0.48 : 1.0;
  axis[1] = c->array == ARRAY_OBLIQUE ? -0.64 : 0.0;
  axis[2] = c->array == ARRAY_OBLIQUE ? 0.6 : 0.0;
  for (size_t k = 0; k < c->elements; k++)
    {
      double along = ((double) k - middle) * c->spacing;

      if (c->array == ARRAY_OBLIQUE)
        along = ((double) ((k * 7919) % c->elements) - middle) * c->spacing;
      if (c->array == ARRAY_UNEVEN)
        along += signed_unit (&state) * c->spacing;
      for (int i = 0; i < 3 && c->array != ARRAY_POINT; i++)
        positions[3 * k + i] = c->array == ARRAY_VOLUME ? signed_unit (&state) * 20.0 * c->spacing : along * axis[i];
    }
  if (c->array == ARRAY_BENT)
    positions[3 * (c->elements / 3) + 2] += 0.01;

  return positions;
}

static EskFocus *
make_foci (const BeamCase *c,
           const double    axis[3])
{
  /* Across the line. */
  const double across[3] = { -axis[1], axis[0], 0.0 };
  const double length = sqrt (across[0] * across[0] + across[1] * across[1]);
  static const double ranges[] = { 50.0, 100.0, 400.0, 3200.0, 7.5 };
  EskFocus *foci = g_new0 (EskFocus, c->n_foci);
  guint64 state = c->n_foci + 3;

  for (size_t f = 0; f < c->n_foci; f++)
    {
      const double angle = (10.0 + (double) ((c->foci == FOCI_TWICE ? f / 2 : f) % 160)) * G_PI / 180.0;
      const bool near = c->foci == FOCI_NEAR || (c->foci == FOCI_BOTH && (f / 160) % 2 == 1);
      double range = near ? ranges[(f / 160) % 5] : 1.0, u[3];

      for (int i = 0; i < 3; i++)
        u[i] = cos (angle) * axis[i] + sin (angle) * across[i] / length;
      foci[f] = (EskFocus) { range * u[0], range * u[1], range * u[2], near };
      if (c->foci == FOCI_ANY)
        {
          double x = signed_unit (&state), y = signed_unit (&state), z = signed_unit (&state);

          range = f % 2 == 0 ? 1.0 / (sqrt (x * x + y * y + z * z) + 1e-9) : 60.0;
          foci[f] = (EskFocus) { range * x, range * y, range * z, f % 2 == 1 };
        }
    }

  return foci;
}

/* A wave from one of the foci and as much noise: powers that matter are large. */
static float *
make_spectra (const BeamCase    *c,
              const EskBeamPlan *plan,
              EskSpectra        *spectra)
{
  g_autofree double *delays = g_new (double, c->elements);
  float *values;
  guint64 state = c->elements + c->bins + 11;

  *spectra = (EskSpectra) { NULL, c->elements, esk_spectra_stride (c->elements), c->before + c->bins + 1,
                            c->snapshots };
  values = g_malloc0 (esk_spectra_bytes (c->elements, spectra->bins, c->snapshots));
  esk_beam_delays (plan, c->n_foci / 3, delays);
  for (size_t b = 0; b < spectra->bins; b++)
    for (size_t s = 0; s < c->snapshots; s++)
      {
        float *re = values + (b * c->snapshots + s) * 2 * spectra->stride, *im = re + spectra->stride;
        double frequency = c->first + ((double) b - (double) c->before) * c->step, start = random_unit (&state);

        for (size_t k = 0; k < c->elements; k++)
          {
            double turns = frequency * delays[k] + start, angle = 2.0 * G_PI * (turns - floor (turns));

            re[k] = (float) (cos (angle) + signed_unit (&state));
            im[k] = (float) (sin (angle) + signed_unit (&state));
          }
      }
  spectra->values = values;

  return values;
}

static void
compare_powers (const char  *what,
                const float *got,
                const float *expected,
                size_t       n)
{
  double largest = 0.0, worst = 0.0;
  size_t where = 0;

  for (size_t k = 0; k < n; k++)
    largest = fmax (largest, fabs ((double) expected[k]));
  for (size_t k = 0; k < n; k++)
    {
      double error = fabs ((double) got[k] - (double) expected[k]);

      if (!(error <= worst))
        {
          worst = isnan (error) ? INFINITY : error;
          where = k;
        }
    }
  EXPECT (worst <= TOLERANCE * largest, "%s: %g instead of %g at %zu, %g of the largest", what, (double) got[where],
          (double) expected[where], where, worst / largest);
  EXPECT (largest > 0.0, "%s: nothing to compare", what);
  conformance_worst (worst / largest);
}

static void
check_case (const BeamCase *c)
{
  static const char *const arrays[] = { "line", "oblique line", "uneven line", "bent line", "volume", "point" };
  static const char *const kinds[] = { "far", "near", "far and near", "any", "far, twice" };
  const EskHotspots *table = conformance.table, *cpu = conformance.cpu;
  double axis[3];
  g_autofree double *positions = make_positions (c, axis);
  g_autofree EskFocus *foci = make_foci (c, axis);
  const double n = (double) c->elements;
  EskBeamPlan plan = { .elements = c->elements, .positions = positions, .n_foci = c->n_foci, .foci = foci,
                       .sound_speed = 1500.0, .first_frequency = c->first, .bin_spacing = c->step, .bins = c->bins,
                       .normalisation = c->diagonal && c->elements > 1 ? 1.0 / (n * n - n) : 1.0 / (n * n),
                       .amplitude = 1.0 / n, .remove_diagonal = c->diagonal };
  EskSpectra spectra, card;
  g_autofree float *values = make_spectra (c, &plan, &spectra);
  g_autofree float *by_bin = g_new (float, c->n_foci * c->bins), *band = g_new (float, c->n_foci);
  gsize bytes = esk_spectra_bytes (c->elements, spectra.bins, c->snapshots);
  CardBuffer card_values, card_by_bin, card_band;
  EskBeams *beams, *cpu_beams;
  int code = -77;

  conformance_case ("%s of %zu, %zu foci %s, %zu bins after %zu from %g by %g Hz, %zu snapshots%s", arrays[c->array],
                    c->elements, c->n_foci, kinds[c->foci], c->bins, c->before, c->first, c->step, c->snapshots,
                    c->diagonal ? ", without the diagonal" : "");
  cpu_beams = cpu->beam->beams_new (conformance.cpu_stream, &plan, &code);
  conformance_expect ("the CPU's beams_new", code, ESK_OK);
  code = -77;
  beams = table->beam->beams_new (conformance.stream, &plan, &code);
  conformance_expect ("beams_new", code, ESK_OK);
  if (beams == NULL || cpu_beams == NULL || !card_new (&card_values, bytes, 0)
      || !card_new (&card_by_bin, c->n_foci * c->bins * sizeof (float), 0)
      || !card_new (&card_band, c->n_foci * sizeof (float), 0))
    {
      conformance_fail ("cannot begin");
      return;
    }
  card_put (&card_values, values);
  card = spectra;
  card.values = (float *) (void *) card_values.data;
  memset (positions, 0xff, 3 * c->elements * sizeof *positions);
  memset (foci, 0xff, c->n_foci * sizeof *foci);

  conformance_expect ("the CPU's beam_power", cpu->beam->beam_power (conformance.cpu_stream, cpu_beams, &spectra,
                                                                     c->before, by_bin, band), ESK_OK);
  if (conformance_expect ("beam_power", table->beam->beam_power (conformance.stream, beams, &card, c->before,
                                                                 (float *) (void *) card_by_bin.data,
                                                                 (float *) (void *) card_band.data), ESK_OK))
    {
      g_autofree float *got = card_get (&card_by_bin), *got_band = card_get (&card_band);
      g_autofree float *again = NULL, *again_band = NULL;

      compare_powers ("by bin", got, by_bin, c->n_foci * c->bins);
      compare_powers ("band", got_band, band, c->n_foci);
      conformance_expect ("beam_power", table->beam->beam_power (conformance.stream, beams, &card, c->before, NULL,
                                                                 (float *) (void *) card_band.data), ESK_OK);
      again_band = card_get (&card_band);
      conformance_expect ("beam_power", table->beam->beam_power (conformance.stream, beams, &card, c->before,
                                                                 (float *) (void *) card_by_bin.data, NULL), ESK_OK);
      again = card_get (&card_by_bin);
      EXPECT (memcmp (again, got, c->n_foci * c->bins * sizeof (float)) == 0, "other bytes by bin the next time");
      EXPECT (memcmp (again_band, got_band, c->n_foci * sizeof (float)) == 0, "other bytes of the band the next time");
    }
  card_free (&card_values);
  card_free (&card_by_bin);
  card_free (&card_band);
  table->beam->beams_free (beams);
  cpu->beam->beams_free (cpu_beams);
}

static void
test_arrays (void)
{
  for (Array array = 0; array < N_ARRAYS; array++)
    for (Foci kind = FOCI_FAR; kind <= FOCI_TWICE; kind++)
      {
        BeamCase c = { array, conformance.quick ? 13 : 64 + kind, 1.5, kind, conformance.quick ? 70 : 330,
                       conformance.quick ? 9 : 41, 1 + kind % 3, kind, 319.3359375, 0.9765625, kind % 2 == 1 };

        check_case (&c);
      }
}

static void
test_shapes (void)
{
  static const BeamCase cases[] = {
    { ARRAY_LINE, 1, 1.5, FOCI_FAR, 1, 1, 1, 0, 400.0, 1.0, false },
    { ARRAY_LINE, 2, 1.5, FOCI_NEAR, 3, 5, 1, 2, 400.0, 1.0, true },
    { ARRAY_LINE, 3, 1.5, FOCI_NEAR, 160, 8, 2, 0, 400.0, 1.0, false },
    { ARRAY_LINE, 33, 1.5, FOCI_FAR, 159, 9, 4, 0, 0.0, 1.0, false },
    { ARRAY_LINE, 127, 1.5, FOCI_FAR, 160, 33, 1, 1, 33.0, 0.9765625, false },
    { ARRAY_LINE, 128, 1.5, FOCI_NEAR, 160, 25, 1, 1, 33.0, 0.9765625, false },
    { ARRAY_UNEVEN, 65, 1.5, FOCI_NEAR, 161, 24, 1, 1, 33.0, 0.9765625, false },
    /* Frequencies that fall, far below and above what the array is for. */
    { ARRAY_LINE, 70, 1.5, FOCI_BOTH, 320, 30, 1, 1, 500.0, -3.0, false },
    { ARRAY_VOLUME, 6, 0.5, FOCI_ANY, 2000, 100, 1, 1, 10000.0, 23.4375, false },
  };
  /* A line of 24 km: delays of 8 s, thousands of turns, and others between two bins; and long bands. */
  static const BeamCase large[] = {
    { ARRAY_LINE, 4001, 6.0, FOCI_FAR, 40, 166, 1, 0, 319.3359375, 0.9765625, false },
    { ARRAY_LINE, 4000, 6.0, FOCI_NEAR, 40, 50, 1, 0, 319.3359375, 0.9765625, false },
    { ARRAY_VOLUME, 3000, 30.0, FOCI_ANY, 40, 50, 1, 0, 1000.0, 7.8125, false },
    { ARRAY_LINE, 8, 1.5, FOCI_FAR, 9, 9000, 1, 0, 0.0, 0.9765625, false },
    { ARRAY_VOLUME, 8, 1.5, FOCI_ANY, 9, 9000, 1, 0, 0.0, 0.9765625, false },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    check_case (&cases[k]);
  for (guint k = 0; k < G_N_ELEMENTS (large) && !conformance.quick; k++)
    check_case (&large[k]);
}

/* Where neither phases nor sums fit in memory at once. */
static void
test_slices (void)
{
  static const BeamCase cases[] = {
    { ARRAY_LINE, 200, 1.5, FOCI_FAR, 700, 100, 1, 1, 33.0, 0.9765625, true },
    { ARRAY_LINE, 200, 1.5, FOCI_NEAR, 700, 60, 2, 1, 33.0, 0.9765625, false },
    { ARRAY_VOLUME, 61, 1.5, FOCI_ANY, 700, 80, 1, 1, 33.0, 0.9765625, false },
  };

  g_setenv ("ES_CUDA_ARRAYS", "slices", TRUE);
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    check_case (&cases[k]);
  g_unsetenv ("ES_CUDA_ARRAYS");
}

static void
test_arguments (void)
{
  const EskHotspots *table = conformance.table;
  const double positions[12] = { 0.0, 0.0, 0.0, 1.5 };
  const double broken[12] = { 0.0, NAN };
  const EskFocus foci[2] = { { 1.0, 0.0, 0.0, false }, { 0.0, 50.0, 0.0, true } };
  const EskFocus nowhere[2] = { { 1.0, 0.0, 0.0, false }, { 0.0, INFINITY, 0.0, true } };
  const EskBeamPlan good = { 4, positions, 2, foci, 1500.0, 300.0, 1.0, 5, 0.0625, 0.25, false };
  EskBeamPlan wrong[9];
  float out[10];
  EskSpectra spectra = { out, 4, 32, 6, 1 }, other;
  EskBeams *beams;
  int code;

  for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
    wrong[k] = good;
  wrong[0].elements = 0;
  wrong[1].n_foci = 0;
  wrong[2].bins = 0;
  wrong[3].sound_speed = 0.0;
  wrong[4].first_frequency = NAN;
  wrong[5].positions = broken;
  wrong[6].foci = nowhere;
  wrong[7].bins = SIZE_MAX / 4;
  wrong[8].normalisation = INFINITY;
  for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
    {
      conformance_case ("wrong plan %u", k);
      code = ESK_OK;
      beams = table->beam->beams_new (conformance.stream, &wrong[k], &code);
      conformance_expect ("beams_new", code, ESK_ERROR_ARGUMENT);
      EXPECT (beams == NULL, "something is made");
      if (beams != NULL)
        table->beam->beams_free (beams);
    }

  conformance_case ("other spectra than asked for");
  beams = table->beam->beams_new (conformance.stream, &good, &code);
  if (!conformance_expect ("beams_new", code, ESK_OK))
    return;
  conformance_expect ("no output", table->beam->beam_power (conformance.stream, beams, &spectra, 0, NULL, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("too few bins", table->beam->beam_power (conformance.stream, beams, &spectra, 2, out, NULL),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("bins far away", table->beam->beam_power (conformance.stream, beams, &spectra, SIZE_MAX, out,
                                                                NULL),
                      ESK_ERROR_ARGUMENT);
  other = spectra;
  other.elements = 5;
  conformance_expect ("other elements", table->beam->beam_power (conformance.stream, beams, &other, 0, out, NULL),
                      ESK_ERROR_ARGUMENT);
  other = spectra;
  other.snapshots = 0;
  conformance_expect ("no snapshots", table->beam->beam_power (conformance.stream, beams, &other, 0, out, NULL),
                      ESK_ERROR_ARGUMENT);
  table->beam->beams_free (beams);
  table->beam->beams_free (NULL);
}

void
conformance_add_beams (void)
{
  conformance_add ("beams/arrays", test_arrays);
  conformance_add ("beams/shapes", test_shapes);
  conformance_add ("beams/slices", test_slices);
  conformance_add ("beams/arguments", test_arguments);
}
