/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Waiting for what the others tell, and giving up. */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/es-error.h"

/* Nobody waits for the others for longer once this process is to end. */
#define PATIENCE_US (10 * G_USEC_PER_SEC)
#define PATIENCE_SOON_US (300 * 1000)
/* The same where a checkpoint is to be left: of queues, which end what they have told to end after half a minute, and
 * where nobody said how long there is. What is still to be done then takes a little. */
#define PATIENCE_QUEUE_US (20 * G_USEC_PER_SEC)
#define PATIENCE_PAUSED_US (60 * G_USEC_PER_SEC)
#define AFTERWARDS_US (400 * 1000)
/* Waiting takes no processor from those who still compute, and little time from those who are done at once: whoever has
 * a processor of his own looks again and again for as long as a message takes that all are there for. */
#define SPIN_US 100
#define OWN_SPIN_US 500
#define SHORTEST_SLEEP_US 20
#define LONGEST_SLEEP_US 500
/* What the system may add to a sleep: its 50 us are more than the sleep is. */
#define TIMER_SLACK_NS 1000

/* From here on nobody can be reached: what was under way is under way for ever. */
static gboolean
give_up (GError **error, const char *reason)
{
  const int lost = g_atomic_int_get (&es_ranks.lost);

  g_atomic_int_set (&es_ranks.broken, TRUE);
  if (lost > 0)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                 _("Process %d on “%s” has not been heard of any more: the run was ended."), lost - 1,
                 es_ranks_get_host (lost - 1));
  else if (reason != NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                 _("The %d processes of the run have lost each other: %s."), es_ranks.place.size, reason);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                 _("The run was ended: one of its %d processes is gone, or somebody ended it."), es_ranks.place.size);
  return FALSE;
}

/* mpirun waits for a second, or as it was told. */
static gint64
patience_of_launcher (void)
{
  const char *text = g_getenv ("OMPI_MCA_odls_base_sigkill_timeout");
  guint64 seconds = 1;

  if (g_getenv ("OMPI_MCA_orte_hnp_uri") == NULL)
    return PATIENCE_QUEUE_US;
  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, 3600, &seconds, NULL);
  return MAX ((gint64) seconds * G_USEC_PER_SEC - AFTERWARDS_US, PATIENCE_SOON_US);
}

static gboolean
is_pause_over (void)
{
  const int paused = g_atomic_int_get (&es_ranks.paused);

  return paused != ES_RANKS_GOING
         && g_get_monotonic_time () - es_ranks.paused_at
            > (paused == ES_RANKS_SOON ? patience_of_launcher () : PATIENCE_PAUSED_US);
}

static gboolean
is_over (void)
{
  const int cancelled = g_atomic_int_get (&es_ranks.cancelled);

  return g_atomic_int_get (&es_ranks.lost) > 0 || is_pause_over ()
         || (cancelled != ES_RANKS_GOING
             && g_get_monotonic_time () - es_ranks.cancelled_at
                > (cancelled == ES_RANKS_SOON ? PATIENCE_SOON_US : PATIENCE_US));
}

/* As long as this process has a processor of its own, be it that the launcher has bound it to some. */
static gint64
spin_us (void)
{
  static int is_own = -1;                /* -1: nobody has looked; whoever looks finds the same */
  int own = g_atomic_int_get (&is_own);

  if (own < 0)
    {
      const long online = sysconf (_SC_NPROCESSORS_ONLN);

      own = es_ranks.place.host_size <= online || (long) g_get_num_processors () < online;
      g_atomic_int_set (&is_own, own);
    }
  return own ? OWN_SPIN_US : SPIN_US;
}

static void
sleep_us (gint64 us)
{
  static __thread gboolean is_exact;

  if (!is_exact)
    prctl (PR_SET_TIMERSLACK, (unsigned long) TIMER_SLACK_NS, 0, 0, 0);
  is_exact = TRUE;
  g_usleep ((gulong) us);
}

/* The launcher ends all as soon as one has ended badly: process 0, which writes, is to be the first. */
void
es_ranks_wait_for_checkpoint (void)
{
  if (es_ranks.place.rank > 0)
    g_usleep (AFTERWARDS_US);
}

gboolean
es_ranks_finish (int code, void **request, GError **error)
{
  const gint64 start = g_get_monotonic_time (), spin = spin_us ();

  while (code == 0)
    {
      code = es_ranks.engine->test (request);
      if (code == 1)
        {
          es_ranks.waited_us += g_get_monotonic_time () - start;
          return TRUE;
        }
      if (code == 0 && is_over ())
        return give_up (error, NULL);

      const gint64 waited = g_get_monotonic_time () - start;
      if (waited < spin)
        g_thread_yield ();
      else
        sleep_us (CLAMP (waited / 50, SHORTEST_SLEEP_US, LONGEST_SLEEP_US));
    }
  return give_up (error, es_ranks.engine->explain ());
}

gboolean
es_ranks_call (EsRanksCall call, gpointer values, gsize n, GError **error)
{
  void *request;

  if (g_atomic_int_get (&es_ranks.broken))
    return give_up (error, NULL);
  const int code = es_ranks.engine->begin (call, values, n, &request);
  return es_ranks_finish (code, &request, error);
}
