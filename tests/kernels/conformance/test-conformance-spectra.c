/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms of arrays: every type, layout and byte order against the CPU's. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 3e-6

typedef struct
{
  EskType       type;
  gboolean      interleaved, swapped, mapped, gains, window, broken, offset;
  size_t        elements, spare;       /* channels more than elements */
  size_t        length, window_length, hop, snapshots, first_bin, bins;
  EskDftLibrary library;
} SpectraCase;

static size_t
frames_of (const SpectraCase *c)
{
  return (c->snapshots - 1) * c->hop + c->window_length;
}

static void
store_sample (EskType  type,
              void    *to,
              double   x)
{
  int16_t small = (int16_t) CLAMP (x * 32768.0, -32768.0, 32767.0);
  int32_t whole = (int32_t) CLAMP (x * 2147483648.0, -2147483648.0, 2147483647.0);
  float number = (float) x;

  if (type == ESK_I16)
    memcpy (to, &small, sizeof small);
  else if (type == ESK_I32)
    memcpy (to, &whole, sizeof whole);
  else if (type == ESK_F32)
    memcpy (to, &number, sizeof number);
  else
    memcpy (to, &x, sizeof x);
}

/* Noise, loud enough to clip now and then, or weak beside a constant; in a broken recording some samples are no
 * numbers. */
static guint8 *
make_frames (const SpectraCase *c,
             EskFrames         *frames,
             gsize             *bytes)
{
  size_t channels = c->elements + c->spare, n = frames_of (c) + 3, size = esk_type_size (c->type);
  guint8 *data = g_malloc (channels * n * size);
  guint64 state = c->elements * 77 + c->length + 1;

  *bytes = channels * n * size;
  for (size_t k = 0; k < channels * n; k++)
    {
      double x = c->offset ? 0.5 + 0.4 * random_unit (&state) : 2.1 * random_unit (&state) - 1.05;
      guint8 *to = data + k * size;

      if (c->broken && k % 97 == 5)
        x = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -INFINITY;
      store_sample (c->type, to, x);
      for (size_t b = 0; c->swapped && b < size / 2; b++)
        {
          guint8 byte = to[b];

          to[b] = to[size - 1 - b];
          to[size - 1 - b] = byte;
        }
    }
  *frames = (EskFrames) { data, c->type, c->swapped, n, channels, c->interleaved ? (ptrdiff_t) channels : 1,
                          c->interleaved ? 1 : (ptrdiff_t) n };

  return data;
}

static void
compare_spectra (const SpectraCase *c,
                 const EskSpectra  *spectra,
                 const float       *got,
                 const float       *expected)
{
  double largest = 0.0, worst = 0.0;
  size_t rows = spectra->bins * spectra->snapshots * 2;

  for (size_t r = 0; r < rows; r++)
    for (size_t e = 0; e < spectra->elements; e++)
      largest = fmax (largest, fabs ((double) expected[r * spectra->stride + e]));
  for (size_t r = 0; r < rows; r++)
    for (size_t e = 0; e < spectra->stride; e++)
      {
        double error = fabs ((double) got[r * spectra->stride + e] - (double) expected[r * spectra->stride + e]);

        if (e >= spectra->elements)
          EXPECT (got[r * spectra->stride + e] == 0.0f, "not 0 behind the elements");
        else
          worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
      }
  EXPECT (worst <= TOLERANCE * largest, "wrong by %g of the largest", worst / largest);
  EXPECT (largest > 0.0 || c->broken, "nothing to compare");
  conformance_worst (largest > 0.0 ? worst / largest : 0.0);
}

static void
check_case (const SpectraCase *c)
{
  const EskHotspots *table = conformance.table, *cpu = conformance.cpu;
  g_autofree uint32_t *channels = g_new (uint32_t, c->elements);
  g_autofree float *gains = g_new (float, c->elements), *window = g_new (float, c->window_length);
  EskDftPlan plan = { .length = c->length, .window_length = c->window_length, .hop = c->hop,
                      .snapshots = c->snapshots, .window = c->window ? window : NULL, .first_bin = c->first_bin,
                      .bins = c->bins, .elements = c->elements, .channels = c->mapped ? channels : NULL,
                      .gains = c->gains ? gains : NULL, .library = c->library };
  EskSpectra spectra = { NULL, c->elements, esk_spectra_stride (c->elements), c->bins, c->snapshots }, card;
  EskFrames frames, card_frames;
  gsize bytes, n_bytes = esk_spectra_bytes (c->elements, c->bins, c->snapshots);
  g_autofree guint8 *data = make_frames (c, &frames, &bytes);
  g_autofree float *expected = g_malloc (n_bytes);
  g_autofree EskChannelHealth *health = g_new0 (EskChannelHealth, c->elements);
  CardBuffer samples, values, healths;
  EskDft *dft, *cpu_dft;
  int code = -77;

  conformance_case ("%s%s %s, %zu elements%s%s%s%s, %zu of %zu, %zu x %zu, bins %zu + %zu%s",
                    c->swapped ? "swapped " : "", esk_type_name (c->type), c->interleaved ? "by frame" : "by channel",
                    c->elements, c->mapped ? " mapped" : "", c->gains ? " gains" : "", c->window ? " window" : "",
                    c->broken ? " broken" : c->offset ? " offset" : "", c->window_length, c->length, c->snapshots,
                    c->hop, c->first_bin, c->bins, c->library == ESK_DFT_SINGLE ? " single" : "");
  for (size_t k = 0; k < c->elements; k++)
    {
      channels[k] = (uint32_t) ((k * 7 + 3) % (c->elements + c->spare));
      gains[k] = 0.5f + (float) (k % 11) * 0.25f;
      health[k] = (EskChannelHealth) { 3, 5, 7, k % 2 == 0 ? 0.25f : 100.0f };
    }
  for (size_t k = 0; k < c->window_length; k++)
    window[k] = (float) (0.54 - 0.46 * cos (2.0 * G_PI * (double) k / (double) c->window_length));

  cpu_dft = cpu->beam->dft_new (conformance.cpu_stream, &plan, &code);
  conformance_expect ("the CPU's dft_new", code, ESK_OK);
  code = -77;
  dft = table->beam->dft_new (conformance.stream, &plan, &code);
  conformance_expect ("dft_new", code, ESK_OK);
  if (dft == NULL || cpu_dft == NULL || !card_new (&samples, bytes, 0) || !card_new (&values, n_bytes, 0)
      || !card_new (&healths, c->elements * sizeof *health, 0))
    {
      conformance_fail ("cannot begin");
      return;
    }
  card_put (&samples, data);
  card_put (&healths, health);
  card_frames = frames;
  card_frames.data = samples.data;
  card = spectra;
  card.values = (float *) (void *) values.data;
  spectra.values = expected;
  /* Everything was copied. */
  memset (window, 0xff, c->window_length * sizeof *window);
  memset (gains, 0xff, c->elements * sizeof *gains);
  memset (channels, 0xff, c->elements * sizeof *channels);

  conformance_expect ("the CPU's real_dft", cpu->beam->real_dft (conformance.cpu_stream, cpu_dft, &frames, &spectra,
                                                                 health),
                      ESK_OK);
  if (conformance_expect ("real_dft", table->beam->real_dft (conformance.stream, dft, &card_frames, &card,
                                                             (EskChannelHealth *) (void *) healths.data), ESK_OK))
    {
      g_autofree float *got = card_get (&values), *again = NULL;
      g_autofree EskChannelHealth *found = card_get (&healths);

      compare_spectra (c, &spectra, got, expected);
      for (size_t k = 0; k < c->elements; k++)
        EXPECT (memcmp (&found[k], &health[k], sizeof *health) == 0,
                "element %zu: %u not finite, %u clipped of %u, peak %g; not %u, %u of %u, %g", k, found[k].not_finite,
                found[k].clipped, found[k].samples, (double) found[k].peak, health[k].not_finite, health[k].clipped,
                health[k].samples, (double) health[k].peak);
      conformance_expect ("real_dft", table->beam->real_dft (conformance.stream, dft, &card_frames, &card, NULL),
                          ESK_OK);
      again = card_get (&values);
      EXPECT (memcmp (got, again, n_bytes) == 0, "other bytes the next time");
    }
  card_free (&samples);
  card_free (&values);
  card_free (&healths);
  table->beam->dft_free (dft);
  cpu->beam->dft_free (cpu_dft);
}

#define BY_FRAME TRUE
#define BY_CHANNEL FALSE

static void
test_types (void)
{
  const EskType types[] = { ESK_I16, ESK_I32, ESK_F32, ESK_F64 };

  for (guint k = 0; k < 2 * 2 * G_N_ELEMENTS (types); k++)
    {
      SpectraCase c = { .type = types[k / 4], .interleaved = k % 2 == 0, .swapped = k % 4 >= 2, .elements = 67,
                        .spare = 5, .mapped = TRUE, .gains = TRUE, .window = TRUE, .length = 512,
                        .window_length = 391, .hop = 200, .snapshots = 3, .first_bin = 17, .bins = 101 };

      check_case (&c);
      /* Every element is its channel, and two lie side by side. */
      c.mapped = FALSE;
      c.elements = 130;
      c.spare = 4;
      check_case (&c);
      if (k / 4 >= 2)
        {
          c.broken = TRUE;
          check_case (&c);
          c.mapped = TRUE;
          check_case (&c);
        }
    }
}

static void
test_shapes (void)
{
  static const SpectraCase cases[] = {
    { ESK_I16, BY_FRAME, .elements = 1, .length = 2, .window_length = 1, .snapshots = 1, .bins = 2 },
    { ESK_F32, BY_CHANNEL, .elements = 1, .length = 64, .window_length = 64, .snapshots = 1, .bins = 33 },
    { ESK_F32, BY_FRAME, .elements = 33, .length = 64, .window_length = 64, .snapshots = 1, .first_bin = 32,
      .bins = 1 },
    { ESK_I16, BY_FRAME, .elements = 64, .length = 128, .window_length = 100, .hop = 1, .snapshots = 40, .bins = 65 },
    { ESK_I16, BY_FRAME, .elements = 129, .spare = 1, .length = 1000, .window_length = 1000, .hop = 2500,
      .snapshots = 2, .first_bin = 1, .bins = 499 },
    { ESK_F32, BY_CHANNEL, .elements = 7, .length = 1234, .window_length = 1111, .hop = 500, .snapshots = 5,
      .first_bin = 100, .bins = 64 },
    { ESK_I16, BY_FRAME, .elements = 40, .length = 2048, .window_length = 2000, .hop = 2000, .snapshots = 2,
      .bins = 1025, .library = ESK_DFT_SINGLE },
    { ESK_I16, BY_CHANNEL, .elements = 9, .length = 2048, .window_length = 2000, .hop = 2000, .snapshots = 2,
      .bins = 1025, .library = ESK_DFT_MANY },
    /* Lengths that a device may have transforms of its own for: ends of the bins and of the window, few elements. */
    { ESK_I16, BY_FRAME, .window = TRUE, .gains = TRUE, .elements = 6, .length = 2048, .window_length = 2048,
      .hop = 1024, .snapshots = 3, .bins = 1025 },
    { ESK_I16, BY_FRAME, .swapped = TRUE, .window = TRUE, .elements = 66, .length = 4096, .window_length = 1999,
      .hop = 999, .snapshots = 2, .first_bin = 5, .bins = 700 },
    { ESK_I16, BY_FRAME, .elements = 70, .length = 8192, .window_length = 8191, .snapshots = 1, .first_bin = 3000,
      .bins = 1097 },
    { ESK_I16, BY_CHANNEL, .window = TRUE, .elements = 5, .length = 4096, .window_length = 3000, .hop = 7,
      .snapshots = 2, .first_bin = 1, .bins = 3 },
    { ESK_F32, BY_FRAME, .gains = TRUE, .elements = 131, .spare = 2, .length = 2048, .window_length = 2000, .hop = 2000,
      .snapshots = 2, .first_bin = 20, .bins = 64 },
    { ESK_I32, BY_FRAME, .elements = 3, .length = 8192, .window_length = 5, .snapshots = 1, .first_bin = 4096,
      .bins = 1 },
    { ESK_F64, BY_FRAME, .elements = 2, .length = 2048, .window_length = 1, .hop = 1, .snapshots = 2, .bins = 1025 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    check_case (&cases[k]);
  if (!conformance.quick)
    {
      const SpectraCase large = { ESK_I16, BY_FRAME, .elements = 600, .length = 8192, .window_length = 8000,
                                  .snapshots = 1, .first_bin = 34, .bins = 459 };
      const SpectraCase batches = { ESK_F32, BY_FRAME, .elements = 1100, .length = 65536, .window_length = 60,
                                    .snapshots = 1, .first_bin = 5, .bins = 70 };
      /* Many elements of 16 bits and few bins, which a device may transform without rows: the first bin, the last,
       * windows, samples that clip, elements that fill no block. */
      static const SpectraCase many[] = {
        { ESK_I16, BY_FRAME, .window = TRUE, .gains = TRUE, .elements = 1058, .length = 2048, .window_length = 2048,
          .hop = 500, .snapshots = 5, .bins = 512 },
        { ESK_I16, BY_FRAME, .gains = TRUE, .elements = 722, .spare = 2, .length = 2048, .window_length = 1500,
          .hop = 1, .snapshots = 6, .first_bin = 900, .bins = 125 },
        { ESK_I16, BY_FRAME, .swapped = TRUE, .window = TRUE, .elements = 4100, .length = 4096,
          .window_length = 1999, .snapshots = 1, .first_bin = 37, .bins = 70 },
        { ESK_I16, BY_FRAME, .offset = TRUE, .elements = 4096, .spare = 64, .length = 8192, .window_length = 8000,
          .snapshots = 1, .first_bin = 34, .bins = 459 },
        { ESK_I16, BY_FRAME, .offset = TRUE, .window = TRUE, .elements = 2112, .length = 4096, .window_length = 4000,
          .snapshots = 1, .bins = 10 },
        { ESK_I16, BY_FRAME, .window = TRUE, .elements = 4096, .length = 8192, .window_length = 8192, .snapshots = 1,
          .first_bin = 327, .bins = 166 },
        { ESK_I16, BY_FRAME, .window = TRUE, .elements = 4096, .length = 8192, .window_length = 5, .snapshots = 1,
          .first_bin = 64, .bins = 1 },
      };

      check_case (&large);
      check_case (&batches);
      for (guint k = 0; k < G_N_ELEMENTS (many); k++)
        check_case (&many[k]);
    }
}

/* In batches of a few elements, and of a few snapshots. */
static void
test_batches (void)
{
  const SpectraCase many = { ESK_I16, BY_FRAME, .elements = 300, .gains = TRUE, .length = 512, .window_length = 400,
                             .hop = 100, .snapshots = 2, .first_bin = 3, .bins = 40 };
  const SpectraCase few = { ESK_I16, BY_FRAME, .elements = 10, .length = 512, .window_length = 400, .hop = 100,
                            .snapshots = 31, .first_bin = 3, .bins = 40 };
  const SpectraCase rows = { ESK_F32, BY_CHANNEL, .elements = 5, .length = 65536, .window_length = 300, .hop = 100,
                             .snapshots = 3, .first_bin = 3, .bins = 40 };
  const SpectraCase own = { ESK_I16, BY_FRAME, .elements = 98, .gains = TRUE, .length = 2048, .window_length = 400,
                            .hop = 100, .snapshots = 2, .first_bin = 3, .bins = 40 };

  g_setenv ("ES_CUDA_ARRAYS", "slices", TRUE);
  check_case (&many);
  check_case (&few);
  check_case (&rows);
  check_case (&own);
  g_unsetenv ("ES_CUDA_ARRAYS");
}

static void
test_arguments (void)
{
  const EskHotspots *table = conformance.table;
  const EskDftPlan good = { .length = 64, .window_length = 60, .hop = 60, .snapshots = 2, .bins = 33, .elements = 4 };
  const struct { const char *what; EskDftPlan plan; } wrong[] = {
    { "an odd length", { .length = 63, .window_length = 60, .snapshots = 1, .bins = 3, .elements = 4 } },
    { "no length", { .window_length = 60, .snapshots = 1, .bins = 3, .elements = 4 } },
    { "too long a window", { .length = 64, .window_length = 65, .snapshots = 1, .bins = 3, .elements = 4 } },
    { "no window", { .length = 64, .snapshots = 1, .bins = 3, .elements = 4 } },
    { "no snapshot", { .length = 64, .window_length = 60, .bins = 3, .elements = 4 } },
    { "no hop", { .length = 64, .window_length = 60, .snapshots = 2, .bins = 3, .elements = 4 } },
    { "no bins", { .length = 64, .window_length = 60, .snapshots = 1, .elements = 4 } },
    { "too many bins", { .length = 64, .window_length = 60, .snapshots = 1, .first_bin = 1, .bins = 33,
                         .elements = 4 } },
    { "bins far away", { .length = 64, .window_length = 60, .snapshots = 1, .first_bin = SIZE_MAX, .bins = 3,
                         .elements = 4 } },
    { "no elements", { .length = 64, .window_length = 60, .snapshots = 1, .bins = 3 } },
    { "elements without end", { .length = 64, .window_length = 60, .snapshots = 1, .bins = 3,
                                .elements = SIZE_MAX / 8 } },
  };
  float samples[1024] = { 0.0f };
  EskFrames frames = { samples, ESK_F32, false, 120, 4, 4, 1 }, bad;
  EskSpectra spectra = { samples, 4, 32, 33, 2 }, other;
  EskDft *dft;
  int code;

  for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
    {
      conformance_case ("%s", wrong[k].what);
      code = ESK_OK;
      dft = table->beam->dft_new (conformance.stream, &wrong[k].plan, &code);
      conformance_expect ("dft_new", code, ESK_ERROR_ARGUMENT);
      EXPECT (dft == NULL, "something is made");
      if (dft != NULL)
        table->beam->dft_free (dft);
    }

  conformance_case ("other frames than asked for");
  dft = table->beam->dft_new (conformance.stream, &good, &code);
  if (!conformance_expect ("dft_new", code, ESK_OK))
    return;
  bad = frames;
  bad.frames = 119;
  conformance_expect ("too few frames", table->beam->real_dft (conformance.stream, dft, &bad, &spectra, NULL),
                      ESK_ERROR_ARGUMENT);
  bad = frames;
  bad.channels = 3;
  conformance_expect ("too few channels", table->beam->real_dft (conformance.stream, dft, &bad, &spectra, NULL),
                      ESK_ERROR_ARGUMENT);
  bad = frames;
  bad.type = ESK_U8;
  conformance_expect ("bytes", table->beam->real_dft (conformance.stream, dft, &bad, &spectra, NULL),
                      ESK_ERROR_ARGUMENT);
  other = spectra;
  other.stride = 4;
  conformance_expect ("another stride", table->beam->real_dft (conformance.stream, dft, &frames, &other, NULL),
                      ESK_ERROR_ARGUMENT);
  other = spectra;
  other.bins = 32;
  conformance_expect ("other bins", table->beam->real_dft (conformance.stream, dft, &frames, &other, NULL),
                      ESK_ERROR_ARGUMENT);
  table->beam->dft_free (dft);
  table->beam->dft_free (NULL);
}

void
conformance_add_spectra (void)
{
  conformance_add ("spectra/types", test_types);
  conformance_add ("spectra/shapes", test_shapes);
  conformance_add ("spectra/batches", test_batches);
  conformance_add ("spectra/arguments", test_arguments);
}
