/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Samples that one job relaxes while another one takes them. */

#include "device/es-device-internal.h"
#include "job/es-sample-store-internal.h"

#define ROUNDS 1000
#define SAMPLES 64

static int
add_up (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
        gconstpointer data, double *sums)
{
  for (gsize i = 0; i < count; i++)
    sums[0] += samples[i];
  return ESK_OK;
}

typedef struct
{
  EsSampleStore *store;        /* NULL: the end */
  int            turn;         /* atomic; odd: relax it now */
} Race;

static void
await_turn (Race *race, int turn)
{
  /* Mostly without giving the processor away, so that both are there at the same time. */
  for (guint spins = 1; g_atomic_int_get (&race->turn) != turn; spins++)
    if (spins % 4096 == 0)
      g_thread_yield ();
}

static gpointer
relax_again_and_again (gpointer data)
{
  Race *race = data;

  for (int turn = 1;; turn += 2)
    {
      await_turn (race, turn);
      if (race->store == NULL)
        return NULL;
      es_sample_store_relax (race->store);
      g_atomic_int_inc (&race->turn);
    }
}

/* Whoever has taken samples has all of them, for as long as he does not relax them. */
static void
test_relax_and_take (void)
{
  Race race = { 0 };
  guint taken = 0;
  GThread *thread = g_thread_new ("relax", relax_again_and_again, &race);

  for (int i = 0; i < ROUNDS; i++)
    {
      g_autoptr (GError) error = NULL;
      float *samples = g_new (float, SAMPLES);
      double sum = -1;

      for (guint k = 0; k < SAMPLES; k++)
        samples[k] = 1;
      race.store = es_sample_store_new (1, TRUE);
      g_assert_true (es_sample_store_add (race.store, 0, 0, samples, SAMPLES, &error));
      g_assert_no_error (error);
      g_assert_true (es_sample_store_close (race.store, &error));

      g_atomic_int_inc (&race.turn);
      /* Sooner and later than the other thread. */
      for (volatile int wait = i % 150 * 8; wait > 0; wait--)
        ;
      if (es_sample_store_take (race.store))
        {
          /* The other one is done with it as well. */
          await_turn (&race, 2 * i + 2);
          g_assert_cmpuint (es_sample_store_get_count (race.store), ==, SAMPLES);
          g_autoptr (EsSampleLanes) lanes = es_sample_lanes_new (race.store, es_device_get_cpu (), 1, &error);
          g_assert_no_error (error);
          g_assert_true (es_sample_lanes_run (lanes, add_up, NULL, "sums", 1, &sum, NULL, NULL, &error));
          g_assert_cmpfloat (sum, ==, SAMPLES);
          es_sample_store_relax (race.store);
          taken++;
        }
      await_turn (&race, 2 * i + 2);
      g_assert_cmpuint (es_sample_store_get_count (race.store), ==, 0);
      es_sample_store_unref (race.store);
    }
  race.store = NULL;
  g_atomic_int_inc (&race.turn);
  g_thread_join (thread);
  g_test_message ("taken %u times of %u", taken, ROUNDS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sample-store/relax-and-take", test_relax_and_take);
  return g_test_run ();
}
