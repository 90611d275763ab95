/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Processes that vanish, and those that somebody ends. Each tells the next one every second that it is there; who has
 * not heard of the one before for long tells all, and all end the run, for a call of all would wait for ever. Who is
 * cancelled tells all.
 */

#include "es-ranks-private.h"

#include <stdlib.h>

#define LOOK_US (50 * 1000)
#define TELL_US G_USEC_PER_SEC
/* A host that swaps, or a disk that hangs, is silent for a while. */
#define SILENCE_SECONDS 60
/* Who waits in a call finds out by itself; one that computes for longer has nobody who would tell it. */
#define GRACE_US (20 * G_USEC_PER_SEC)

/* Above its lowest byte progress has thousandths, and who is lost a rank. */
enum { WORD_ALIVE = 1, WORD_CANCEL, WORD_PROGRESS, WORD_PAUSE, WORD_CALL_OFF, WORD_LOST };
#define WORD_SHIFT 8
#define WORD_OF(word) ((word) & ((1 << WORD_SHIFT) - 1))
#define PROGRESS_US (250 * 1000)

/* Who speaks for all does so, and ends all; it may be gone, too. */
#define PATIENCE_US (4 * G_USEC_PER_SEC)
#define STEP_US (250 * 1000)
#define LONGEST_PATIENCE_US (15 * G_USEC_PER_SEC)

static GThread *thread;
static int stop;                /* atomic */
static int progress;            /* atomic: thousandths, of this process */
static int *progresses;         /* atomic: of process 0, of all */
static GMutex lock;
static void (*on_cancel) (gpointer data);
static gpointer on_cancel_data;
static void (*on_pause) (gpointer data);
static gpointer on_pause_data;

void
es_ranks_on_cancel (void (*cancel) (gpointer data), gpointer data)
{
  g_mutex_lock (&lock);
  on_cancel = cancel;
  on_cancel_data = data;
  g_mutex_unlock (&lock);
}

void
es_ranks_tell_progress (double fraction)
{
  const int thousandths = CLAMP (fraction, 0, 1) * 1000;

  g_atomic_int_set (&progress, thousandths);
}

gboolean
es_ranks_get_least_progress (double *fraction, guint *rank)
{
  int least;

  if (!es_ranks_are_several () || progresses == NULL)
    return FALSE;
  *rank = 0;
  least = g_atomic_int_get (&progress);
  for (int i = 1; i < es_ranks.place.size; i++)
    if (g_atomic_int_get (&progresses[i]) < least)
      {
        least = g_atomic_int_get (&progresses[i]);
        *rank = i;
      }
  *fraction = least * 1e-3;
  return TRUE;
}

void
es_ranks_cancel (gboolean soon)
{
  if (g_atomic_int_get (&es_ranks.cancelled) == ES_RANKS_GOING)
    es_ranks.cancelled_at = g_get_monotonic_time ();
  g_atomic_int_set (&es_ranks.cancelled, soon ? ES_RANKS_SOON : ES_RANKS_CANCELLED);
  g_atomic_int_set (&es_ranks.ending, TRUE);
}

void
es_ranks_call_off (void)
{
  g_atomic_int_set (&es_ranks.called_off, TRUE);
  g_atomic_int_set (&es_ranks.ending, TRUE);
}

void
es_ranks_on_pause (void (*pause) (gpointer data), gpointer data)
{
  g_mutex_lock (&lock);
  on_pause = pause;
  on_pause_data = data;
  g_mutex_unlock (&lock);
}

void
es_ranks_pause (gboolean soon)
{
  if (g_atomic_int_get (&es_ranks.paused) == ES_RANKS_GOING)
    es_ranks.paused_at = g_get_monotonic_time ();
  g_atomic_int_set (&es_ranks.paused, soon ? ES_RANKS_SOON : ES_RANKS_CANCELLED);
}

gboolean
es_ranks_is_paused (void)
{
  return g_atomic_int_get (&es_ranks.paused) != ES_RANKS_GOING;
}

gboolean
es_ranks_speaks_instead (void)
{
  const int lost = g_atomic_int_get (&es_ranks.lost), rank = es_ranks.place.rank;

  if (lost == 0)
    return FALSE;
  if (rank != (lost == 1 ? 1 : 0))
    g_usleep (MIN (PATIENCE_US + rank * STEP_US, LONGEST_PATIENCE_US));
  return TRUE;
}

/* $ES_RANKS_SILENCE: after how many seconds a process counts as gone; 0: never. */
static gint64
allowed_silence (void)
{
  const char *text = g_getenv ("ES_RANKS_SILENCE");
  guint64 seconds = SILENCE_SECONDS;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, 1000000, &seconds, NULL);
  return seconds * G_USEC_PER_SEC;
}

static void
call (void (*function) (gpointer data), gpointer data)
{
  if (function != NULL)
    function (data);
}

/* Whoever does not wait for others at the moment stops what it does. FALSE: it is known. */
static gboolean
lose (int rank)
{
  if (!g_atomic_int_compare_and_exchange (&es_ranks.lost, 0, rank + 1))
    return FALSE;
  g_atomic_int_set (&es_ranks.ending, TRUE);
  g_mutex_lock (&lock);
  call (on_cancel, on_cancel_data);
  g_mutex_unlock (&lock);
  return TRUE;
}

static void
take_word (int64_t word)
{
  if (WORD_OF (word) == WORD_LOST)
    {
      lose ((int) (word >> WORD_SHIFT));
      return;
    }
  g_mutex_lock (&lock);
  if (word == WORD_CALL_OFF)
    g_atomic_int_set (&es_ranks.ending, TRUE);
  else if (word == WORD_CANCEL && g_atomic_int_get (&es_ranks.cancelled) == ES_RANKS_GOING)
    {
      es_ranks_cancel (FALSE);
      call (on_cancel, on_cancel_data);
    }
  else if (word == WORD_PAUSE && !es_ranks_is_paused ())
    {
      es_ranks_pause (FALSE);
      call (on_pause, on_pause_data);
    }
  g_mutex_unlock (&lock);
}

static void
tell_all (int64_t word)
{
  for (int i = 0; i < es_ranks.place.size; i++)
    if (i != es_ranks.place.rank)
      es_ranks.engine->tell (i, word);
}

static void
hear_all (gint64 *heard)
{
  const int before = (es_ranks.place.rank + es_ranks.place.size - 1) % es_ranks.place.size;
  int rank;
  int64_t word;

  while (es_ranks.engine->hear (&rank, &word) > 0)
    {
      if (rank == before)
        *heard = g_get_monotonic_time ();
      if (WORD_OF (word) == WORD_PROGRESS)
        {
          if (progresses != NULL)
            g_atomic_int_set (&progresses[rank], (int) (word >> WORD_SHIFT));
        }
      else
        take_word (word);
    }
}

static gpointer
watch (gpointer data)
{
  const gint64 silence = allowed_silence ();
  const int next = (es_ranks.place.rank + 1) % es_ranks.place.size;
  const int before = (es_ranks.place.rank + es_ranks.place.size - 1) % es_ranks.place.size;
  gint64 told = 0, heard = g_get_monotonic_time (), looked = heard;
  gint64 told_progress = 0;
  int last_progress = 0;
  gboolean told_cancel = FALSE, told_pause = FALSE, told_off = FALSE;

  /* What is under way for ever may come to its end after all, in memory that has long been given back: nothing is
   * heard any more once nobody can be reached. */
  while (!g_atomic_int_get (&stop) && !g_atomic_int_get (&es_ranks.broken))
    {
      const gint64 now = g_get_monotonic_time ();

      /* While this one was stopped the others may have spoken to nobody. */
      if (now - looked > TELL_US)
        heard += now - looked;
      looked = now;
      hear_all (&heard);
      if (now - told >= TELL_US)
        {
          es_ranks.engine->tell (next, WORD_ALIVE);
          told = now;
        }
      const int now_at = g_atomic_int_get (&progress);
      if (es_ranks.place.rank > 0 && now_at != last_progress && now - told_progress >= PROGRESS_US)
        {
          es_ranks.engine->tell (0, (int64_t) now_at << WORD_SHIFT | WORD_PROGRESS);
          last_progress = now_at;
          told_progress = now;
        }
      if (!told_cancel && g_atomic_int_get (&es_ranks.cancelled) != ES_RANKS_GOING)
        {
          tell_all (WORD_CANCEL);
          told_cancel = TRUE;
        }
      if (!told_pause && es_ranks_is_paused ())
        {
          tell_all (WORD_PAUSE);
          told_pause = TRUE;
        }
      if (!told_off && g_atomic_int_get (&es_ranks.called_off))
        {
          tell_all (WORD_CALL_OFF);
          told_off = TRUE;
        }
      if (silence > 0 && now - heard > silence && lose (before))
        tell_all ((int64_t) before << WORD_SHIFT | WORD_LOST);
      if (silence > 0 && now - heard > silence + GRACE_US)
        es_ranks.engine->end_all (4);
      g_usleep (LOOK_US);
    }
  return NULL;
}

void
es_ranks_watch_begin (void)
{
  if (es_ranks.place.threads && es_ranks.place.rank == 0)
    progresses = g_new0 (int, es_ranks.place.size);
  if (es_ranks.place.threads)
    thread = g_thread_try_new ("es-ranks", watch, NULL, NULL);
}

void
es_ranks_watch_end (void)
{
  g_atomic_int_set (&stop, 1);
  g_clear_pointer (&thread, g_thread_join);
}
