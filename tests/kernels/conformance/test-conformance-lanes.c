/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A block of samples to beams, by both operations on arrays: when streams take turns, and when memory runs out. */

#include "test-conformance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 40
#define FRAMES 1000
#define FOCI 50
#define BINS 30
#define LANES 2

/* What is prepared once, and each lane's memory. */
typedef struct
{
  EskDft   *dft;
  EskBeams *beams;
  void     *samples[LANES];
  float    *values[LANES], *band[LANES];
} Series;

static void
series_free (Series *series)
{
  const EskHotspots *table = conformance.table;

  table->beam->dft_free (series->dft);
  table->beam->beams_free (series->beams);
  for (guint k = 0; k < LANES; k++)
    {
      table->device->memory_free (conformance.device, series->samples[k]);
      table->device->memory_free (conformance.device, series->values[k]);
      table->device->memory_free (conformance.device, series->band[k]);
    }
}

static int
series_init (Series    *series,
             EskStream *stream)
{
  const EskHotspots *table = conformance.table;
  double positions[3 * ELEMENTS] = { 0.0 };
  EskFocus foci[FOCI];
  EskDftPlan plan = { .length = 1024, .window_length = FRAMES, .snapshots = 1, .first_bin = 40, .bins = BINS,
                      .elements = ELEMENTS };
  EskBeamPlan beam_plan = { ELEMENTS, positions, FOCI, foci, 1500.0, 40.0, 1.0, BINS, 1.0, 1.0, false };
  int code;

  memset (series, 0, sizeof *series);
  for (guint k = 0; k < ELEMENTS; k++)
    positions[3 * k] = 1.5 * ((double) k - 19.0);
  for (guint k = 0; k < FOCI; k++)
    foci[k] = (EskFocus) { 100.0 * cos (0.06 * k), 100.0 * sin (0.06 * k), 0.0, true };
  series->dft = table->beam->dft_new (stream, &plan, &code);
  if (code == ESK_OK)
    series->beams = table->beam->beams_new (stream, &beam_plan, &code);
  for (guint k = 0; k < LANES && code == ESK_OK; k++)
    {
      series->samples[k] = table->device->memory_new (conformance.device, FRAMES * ELEMENTS * sizeof (int16_t));
      series->values[k] = table->device->memory_new (conformance.device, esk_spectra_bytes (ELEMENTS, BINS, 1));
      series->band[k] = table->device->memory_new (conformance.device, FOCI * sizeof (float));
      if (series->samples[k] == NULL || series->values[k] == NULL || series->band[k] == NULL)
        code = ESK_ERROR_MEMORY;
    }

  return code;
}

/* Asks for a block; does not wait. */
static int
series_start (Series        *series,
              EskStream     *stream,
              guint          lane,
              const int16_t *samples,
              float         *band)
{
  const EskHotspots *table = conformance.table;
  EskFrames frames = { series->samples[lane], ESK_I16, false, FRAMES, ELEMENTS, ELEMENTS, 1 };
  EskSpectra spectra = { series->values[lane], ELEMENTS, esk_spectra_stride (ELEMENTS), BINS, 1 };
  int code = table->device->upload (stream, series->samples[lane], samples, FRAMES * ELEMENTS * sizeof (int16_t));

  if (code == ESK_OK)
    code = table->beam->real_dft (stream, series->dft, &frames, &spectra, NULL);
  if (code == ESK_OK)
    code = table->beam->beam_power (stream, series->beams, &spectra, 0, NULL, series->band[lane]);
  if (code == ESK_OK)
    code = table->device->download (stream, band, FOCI * sizeof (float), series->band[lane], FOCI * sizeof (float),
                                    FOCI * sizeof (float), 1);

  return code;
}

static int16_t *
make_block (guint64 seed)
{
  int16_t *samples = g_new (int16_t, FRAMES * ELEMENTS);
  guint64 state = seed + 9;

  for (size_t k = 0; k < FRAMES * ELEMENTS; k++)
    samples[k] = (int16_t) (random_unit (&state) * 60000.0 - 30000.0);

  return samples;
}

/* Two streams use the same plans, a block each, without waiting for one another. */
static void
test_lanes (void)
{
  const EskHotspots *table = conformance.table;
  EskStream *streams[LANES];
  int16_t *blocks[LANES];
  float expected[LANES][FOCI], got[LANES][FOCI];
  Series series;

  conformance_case ("%d lanes", LANES);
  conformance_expect ("beginning", series_init (&series, conformance.stream), ESK_OK);
  for (guint k = 0; k < LANES; k++)
    {
      streams[k] = table->stream->stream_new (conformance.device);
      blocks[k] = make_block (k);
      memset (expected[k], 0, sizeof expected[k]);
      conformance_expect ("alone", series_start (&series, conformance.stream, k, blocks[k], expected[k]), ESK_OK);
      conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
      EXPECT (expected[k][3] > 0.0f, "nothing comes out");
    }
  for (guint turn = 0; turn < 20; turn++)
    {
      for (guint k = 0; k < LANES; k++)
        {
          memset (got[k], 0, sizeof got[k]);
          conformance_expect ("in turns", series_start (&series, streams[k], k, blocks[k], got[k]), ESK_OK);
        }
      for (guint k = 0; k < LANES; k++)
        {
          conformance_expect ("wait", table->device->wait (streams[k]), ESK_OK);
          EXPECT (memcmp (got[k], expected[k], sizeof got[k]) == 0, "other bytes than alone in lane %u, turn %u", k,
                  turn);
        }
    }
  for (guint k = 0; k < LANES; k++)
    {
      table->stream->stream_free (streams[k]);
      g_free (blocks[k]);
    }
  series_free (&series);
}

/* Each allocation made to fail, once and for good. */
static void
test_memory (void)
{
  const EskHotspots *table = conformance.table;
  const guint most = 60;
  g_autoptr (GPtrArray) streams = g_ptr_array_new ();
  g_autofree int16_t *block = make_block (1);
  float expected[FOCI];
  Series series;

  conformance_case ("with memory");
  conformance_expect ("beginning", series_init (&series, conformance.stream), ESK_OK);
  conformance_expect ("a block", series_start (&series, conformance.stream, 0, block, expected), ESK_OK);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  series_free (&series);
  for (guint only = 0; only < 2; only++)
    for (guint n = 1; n <= most; n++)
      {
        g_autofree char *number = g_strdup_printf ("%u%s", n, only ? "!" : "");
        g_autofree char *fake = g_strdup_printf ("%u%s", n, only ? "" : "+");
        float got[FOCI] = { 0.0f };
        EskStream *stream;
        int code;

        conformance_case ("allocation %s fails", number);
        setenv ("ES_CUDA_FAIL_ALLOCATION", number, 1);
        setenv ("ES_FAKE_FAIL_ALLOCATION", fake, 1);
        /* Streams that are given back keep their memory: these are not. */
        stream = table->stream->stream_new (conformance.device);
        if (stream != NULL)
          {
            g_ptr_array_add (streams, stream);
            code = series_init (&series, stream);
            if (code == ESK_OK)
              code = series_start (&series, stream, 0, block, got);
          }
        unsetenv ("ES_CUDA_FAIL_ALLOCATION");
        unsetenv ("ES_FAKE_FAIL_ALLOCATION");
        if (stream == NULL)
          continue;
        conformance_expect ("wait", table->device->wait (stream), ESK_OK);
        series_free (&series);
        EXPECT (code == ESK_OK || code == ESK_ERROR_MEMORY, "answers %d (%s)", code,
                table->stream->last_error (stream));
        /* The phases are kept, or made for every block: the same but for rounding. */
        for (guint f = 0; f < FOCI && code == ESK_OK; f++)
          EXPECT (fabsf (got[f] - expected[f]) <= 1e-5f * expected[f], "wrong, and does not say so: %g, not %g",
                  (double) got[f], (double) expected[f]);
        EXPECT (n > 1 || code == ESK_ERROR_MEMORY, "does without any memory");
        EXPECT (n < most, "more allocations than are tried");
        if (code == ESK_OK && n > 8)
          break;
      }
  for (guint k = 0; k < streams->len; k++)
    table->stream->stream_free (streams->pdata[k]);
}

void
conformance_add_lanes (void)
{
  conformance_add ("beams/lanes", test_lanes);
  conformance_add ("beams/memory", test_memory);
}
