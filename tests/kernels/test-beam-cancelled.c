/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms and beams of the CPU that nobody wants any more: left soon, said so, and done in full the next time. */

#include "test-scene.h"

#include <math.h>
#include <string.h>

#define LENGTH 4096
#define ELEMENTS 96
#define FOCI 5760
#define BINS 1000

typedef struct
{
  EskStream  *stream;
  EskDft     *dft;
  EskBeams   *beams;
  float      *samples, *by_bin;
  EskFrames   frames;
  EskSpectra  spectra;
} Fixture;

static void
set_up (Fixture      *self,
        gconstpointer threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const EskDftPlan plan = { .length = LENGTH, .window_length = LENGTH, .hop = LENGTH, .snapshots = 1, .first_bin = 8,
                            .bins = BINS, .elements = ELEMENTS };
  g_autofree double *positions = g_new0 (double, 3 * ELEMENTS);
  g_autofree EskFocus *foci = g_new0 (EskFocus, FOCI);
  EskBeamPlan beams = { .elements = ELEMENTS, .positions = positions, .n_foci = FOCI, .foci = foci,
                        .sound_speed = 1500.0, .first_frequency = 8.0, .bin_spacing = 1.0, .bins = BINS,
                        .normalisation = 1.0 / (ELEMENTS * ELEMENTS), .amplitude = 1.0 / ELEMENTS };
  int code;

  for (size_t k = 0; k < ELEMENTS; k++)
    {
      positions[3 * k] = 0.3 * (double) (k * k % 97);
      positions[3 * k + 1] = 0.2 * (double) (k * 31 % 89);
    }
  for (size_t i = 0; i < FOCI; i++)
    foci[i] = (EskFocus) { .x = 1000.0 * cos (i * G_PI / (FOCI / 2)), .y = 1000.0 * sin (i * G_PI / (FOCI / 2)) };
  self->stream = test_stream_new (FALSE);
  g_assert_cmpint (cpu->stream->set_threads (self->stream, GPOINTER_TO_INT (threads)), ==, ESK_OK);
  self->dft = cpu->beam->dft_new (self->stream, &plan, &code);
  g_assert_cmpint (code, ==, ESK_OK);
  self->beams = cpu->beam->beams_new (self->stream, &beams, &code);
  g_assert_cmpint (code, ==, ESK_OK);
  self->samples = g_new (float, (gsize) LENGTH * ELEMENTS);
  for (size_t i = 0; i < (size_t) LENGTH * ELEMENTS; i++)
    self->samples[i] = (float) (i * 2654435761u % 1000) / 1000 - 0.5f;
  self->frames = (EskFrames) { .data = self->samples, .type = ESK_F32, .frames = LENGTH, .channels = ELEMENTS,
                               .frame_stride = ELEMENTS, .channel_stride = 1 };
  self->spectra = (EskSpectra) { .elements = ELEMENTS, .bins = BINS, .snapshots = 1,
                                 .stride = esk_spectra_stride (ELEMENTS) };
  self->spectra.values = g_new0 (float, (gsize) BINS * 2 * self->spectra.stride);
  self->by_bin = g_new0 (float, (gsize) FOCI * BINS);
}

static void
tear_down (Fixture      *self,
           gconstpointer threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();

  cpu->beam->beams_free (self->beams);
  cpu->beam->dft_free (self->dft);
  cpu->stream->stream_free (self->stream);
  g_free (self->samples);
  g_free (self->spectra.values);
  g_free (self->by_bin);
}

static int
transform (Fixture *self)
{
  return esk_cpu_hotspots ()->beam->real_dft (self->stream, self->dft, &self->frames, &self->spectra, NULL);
}

static int
form (Fixture *self)
{
  return esk_cpu_hotspots ()->beam->beam_power (self->stream, self->beams, &self->spectra, 0, self->by_bin, NULL);
}

static void
test_before (Fixture      *self,
             gconstpointer threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const gsize bytes = (gsize) FOCI * BINS * sizeof (float);
  g_autofree float *first = NULL;
  int cancelled = 1;

  g_assert_cmpint (transform (self), ==, ESK_OK);
  g_assert_cmpint (form (self), ==, ESK_OK);
  first = g_memdup2 (self->by_bin, bytes);
  cpu->stream->set_cancelled (self->stream, &cancelled);
  g_assert_cmpint (transform (self), ==, ESK_ERROR_CANCELLED);
  g_assert_cmpint (form (self), ==, ESK_ERROR_CANCELLED);
  cancelled = 0;
  memset (self->by_bin, 0xff, bytes);
  g_assert_cmpint (transform (self), ==, ESK_OK);
  g_assert_cmpint (form (self), ==, ESK_OK);
  g_assert_cmpmem (self->by_bin, bytes, first, bytes);
}

typedef struct
{
  int    begun, cancelled;     /* atomic */
  double after;                /* seconds */
  gint64 asked;
} Cancelling;

static gpointer
cancel_soon (gpointer data)
{
  Cancelling *self = data;

  while (!g_atomic_int_get (&self->begun))
    g_thread_yield ();
  g_usleep ((gulong) (1e6 * self->after));
  self->asked = g_get_monotonic_time ();
  g_atomic_int_set (&self->cancelled, 1);
  return NULL;
}

/* Beams that take long are left long before they are through. */
static void
test_amid (Fixture      *self,
           gconstpointer threads)
{
  int code = ESK_OK;
  gint64 start;
  double whole, left = 0;
  guint missing = 0;

  g_assert_cmpint (transform (self), ==, ESK_OK);
  start = g_get_monotonic_time ();
  g_assert_cmpint (form (self), ==, ESK_OK);
  whole = 1e-6 * (double) (g_get_monotonic_time () - start);
  /* On a busy machine whoever cancels may come when nearly all is done. */
  for (guint attempt = 0; attempt < 5 && missing <= FOCI / 16; attempt++)
    {
      Cancelling run = { .after = whole / 16 };
      GThread *thread = g_thread_new ("cancels", cancel_soon, &run);

      memset (self->by_bin, 0, (gsize) FOCI * BINS * sizeof (float));
      esk_cpu_hotspots ()->stream->set_cancelled (self->stream, &run.cancelled);
      g_atomic_int_set (&run.begun, 1);
      code = form (self);
      left = 1e-6 * (double) (g_get_monotonic_time () - run.asked);
      g_thread_join (thread);
      esk_cpu_hotspots ()->stream->set_cancelled (self->stream, NULL);
      missing = 0;
      for (size_t i = 0; i < FOCI; i++)
        missing += self->by_bin[i * BINS] == 0;
    }
  g_assert_cmpint (code, ==, ESK_ERROR_CANCELLED);
  g_test_message ("%.1f of %.0f ms", 1e3 * left, 1e3 * whole);
  /* Many directions have not been begun. */
  g_assert_cmpuint (missing, >, FOCI / 16);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/beam-cancelled/before", Fixture, GINT_TO_POINTER (1), set_up, test_before, tear_down);
  g_test_add ("/beam-cancelled/before/threads", Fixture, GINT_TO_POINTER (3), set_up, test_before, tear_down);
  g_test_add ("/beam-cancelled/amid", Fixture, GINT_TO_POINTER (1), set_up, test_amid, tear_down);
  g_test_add ("/beam-cancelled/amid/threads", Fixture, GINT_TO_POINTER (3), set_up, test_amid, tear_down);
  return g_test_run ();
}
