/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * How fast a process is: a little of the work that its analysis is for the most part, on samples that are made up. The
 * mean over a time, and not the best: a processor that something else works on as well is slower all along.
 */

#include "es-shares-private.h"

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-covariance.h"

#define MEASURE_US 50000
/* Before it, while memory is taken and clocks rise. */
#define WARM_UP_US 10000

/* A cube's: covariance sums of a tile. */
enum { BANDS = 96, PIXELS = 2048 };
/* A recording's: powers of beams. */
enum { ELEMENTS = 32, BINS = 24, SNAPSHOTS = 8, FOCI = 91 };
#define SOUND_SPEED 1500.0
#define SPACING 1.5
#define FIRST_FREQUENCY 200.0
#define BIN_SPACING 4.0

/* Of a card, what a sample of 16 bits costs: its way there, and its part of the sums. */
#define SAMPLE_BYTES 2.0

typedef struct
{
  const EskHotspots *hotspots;
  EsDatasetKind      takes;
  gint64             begin, end;         /* what is done between the two counts */
  double             done;               /* pieces */
} Worker;

/* ---- pieces of work; FALSE: it cannot be done here ---- */

typedef struct
{
  EskStream    *stream;
  float        *samples;
  EskCovariance sums;
  guint32       bands[BANDS];
  EskBeams     *beams;
  float         powers[FOCI];
} Bench;

static gboolean
open_covariance (Bench *bench)
{
  const double shift[BANDS] = { 0 };

  bench->samples = g_try_new (float, PIXELS * BANDS);
  for (guint i = 0; bench->samples != NULL && i < PIXELS * BANDS; i++)
    bench->samples[i] = (float) (i * 2654435761u % 4093);
  for (guint i = 0; i < BANDS; i++)
    bench->bands[i] = i;
  return bench->samples != NULL && esk_covariance_init (&bench->sums, BANDS, false, shift) == ESK_OK;
}

static gboolean
open_beams (Bench *bench, const EskHotspots *hotspots)
{
  const gsize bytes = esk_spectra_bytes (ELEMENTS, BINS, SNAPSHOTS);
  double positions[ELEMENTS * 3] = { 0 };
  EskFocus foci[FOCI];
  EskBeamPlan plan = { .elements = ELEMENTS, .positions = positions, .n_foci = FOCI, .foci = foci,
                       .sound_speed = SOUND_SPEED, .first_frequency = FIRST_FREQUENCY, .bin_spacing = BIN_SPACING,
                       .bins = BINS, .normalisation = 1.0 / (ELEMENTS * ELEMENTS), .amplitude = 1.0 / ELEMENTS };
  int code;

  for (guint k = 0; k < ELEMENTS; k++)
    positions[3 * k] = k * SPACING;
  for (guint f = 0; f < FOCI; f++)
    foci[f] = (EskFocus) { cos (f * G_PI / (FOCI - 1)), sin (f * G_PI / (FOCI - 1)), 0, false };
  bench->samples = g_try_malloc (bytes);
  for (gsize i = 0; bench->samples != NULL && i < bytes / sizeof (float); i++)
    bench->samples[i] = (float) (i * 2654435761u % 4093) / 4093;
  bench->beams = bench->samples != NULL ? hotspots->beam->beams_new (bench->stream, &plan, &code) : NULL;
  return bench->beams != NULL;
}

static gboolean
do_piece (Bench *bench, const EskHotspots *hotspots)
{
  const EskTile tile = { bench->samples, ESK_F32, false, PIXELS, 1, BANDS, 1, PIXELS, PIXELS };
  const EskSelection selection = { bench->bands, BANDS, NULL, NULL, NULL };
  const EskSpectra spectra = { bench->samples, ELEMENTS, esk_spectra_stride (ELEMENTS), BINS, SNAPSHOTS };

  if (bench->beams != NULL)
    return hotspots->beam->beam_power (bench->stream, bench->beams, &spectra, 0, NULL, bench->powers) == ESK_OK;
  return hotspots->cube->covariance_sums (bench->stream, &tile, &selection, NULL, &bench->sums) == ESK_OK;
}

/* ---- the processor: all its threads at once ---- */

/* A piece that is under way at the end counts by as much of it as is before. */
static void
count (Worker *self, Bench *bench)
{
  for (gint64 from = g_get_monotonic_time (), to; from < self->end; from = to)
    {
      if (!do_piece (bench, self->hotspots))
        return;
      to = g_get_monotonic_time ();

      const gint64 inside = MIN (to, self->end) - MAX (from, self->begin);
      if (inside > 0)
        self->done += (double) inside / MAX (to - from, 1);
    }
}

static gpointer
worker_main (gpointer data)
{
  Worker *self = data;
  Bench bench = { .stream = self->hotspots->stream->stream_new (0) };

  if (bench.stream != NULL
      && (self->takes == ES_DATASET_RECORDING ? open_beams (&bench, self->hotspots) : open_covariance (&bench)))
    count (self, &bench);
  if (bench.beams != NULL)
    self->hotspots->beam->beams_free (bench.beams);
  esk_covariance_clear (&bench.sums);
  g_free (bench.samples);
  if (bench.stream != NULL)
    self->hotspots->stream->stream_free (bench.stream);
  return NULL;
}

static double
measure_processor (const EsLimits *limits, EsDatasetKind takes)
{
  const guint n = es_shares_threads (limits);
  const gint64 begin = g_get_monotonic_time () + WARM_UP_US;
  g_autofree Worker *workers = g_new0 (Worker, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);
  double done = 0;

  for (guint i = 0; i < n; i++)
    workers[i] = (Worker) { es_device_get_hotspots (es_device_get_cpu ()), takes, begin, begin + MEASURE_US, 0 };
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("es-shares", worker_main, &workers[i], NULL);
  worker_main (&workers[0]);
  for (guint i = 0; i < n; i++)
    {
      if (threads[i] != NULL)
        g_thread_join (threads[i]);
      done += workers[i].done;
    }
  return done / MEASURE_US;
}

/* ---- cards ---- */

/* They have been measured for plans, or are now. Samples of cubes go over the link once a pass, and of recordings so
 * much is computed of each that it does not count. */
static double
measure_cards (EsDevice *device, EsDatasetKind takes)
{
  const double flops = es_device_get_flops (device), link = es_device_get_bandwidth (device);

  if (!(flops > 0) || !(link > 0))
    return 0;
  return takes == ES_DATASET_RECORDING ? flops : 1 / MAX (SAMPLE_BYTES / link, (BANDS + 1) / flops);
}

double
es_shares_measure (EsDevice *device, const EsLimits *limits, EsDatasetKind takes)
{
  return es_device_is_cpu (device) ? measure_processor (limits, takes) : measure_cards (device, takes);
}
