/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory read, written and moved by several threads, each its share, which it also touched first. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-hide-private.h"

#include <string.h>

#define POLL_BYTES ((size_t) 2 << 20)
#define WORD 0x5a17c3d2e4b69f81ull

typedef enum { READ, WRITE, MOVE, ELEMENTS, LIBRARY } Kind;

typedef struct
{
  EskLab     *lab;
  Kind        kind;
  bool        past;                    /* the caches */
  bool        touched;
  uint32_t    element;
  unsigned    threads;
  EskLabRange from, to;
  size_t      passes;
  atomic_uint wrong;
} Stream;

/* ---- shares ---- */

static void
get_share (size_t    bytes,
           unsigned  threads,
           unsigned  thread,
           size_t   *begin,
           size_t   *n)
{
  const size_t grains = bytes / ESK_LAB_GRAIN, each = grains / threads, rest = grains % threads;

  *begin = (thread * each + (thread < rest ? thread : rest)) * ESK_LAB_GRAIN;
  *n = (each + (thread < rest)) * ESK_LAB_GRAIN;
}

/* Words that tell where they are. */
static uint64_t
get_word (size_t i)
{
  return WORD * (2 * i + 1);
}

/* Sum of the words i .. i + n - 1, which is that of an arithmetic series. */
static uint64_t
sum_words (size_t i,
           size_t n)
{
  return WORD * ((uint64_t) n * (2 * i + n));
}

static void
touch (void    *data,
       unsigned thread)
{
  Stream *stream = data;

  for (int which = 0; which < 2; which++)
    {
      const EskLabRange *range = which == 0 ? &stream->from : &stream->to;
      size_t begin, n;

      if (range->data == NULL)
        continue;
      get_share (range->bytes, stream->threads, thread, &begin, &n);
      for (size_t done = 0; done < n && esk_lab_poll (stream->lab) == ESK_LAB_OK;)
        {
          const size_t part = n - done < POLL_BYTES ? n - done : POLL_BYTES;
          uint64_t *words = (uint64_t *) ((unsigned char *) range->data + begin + done);

          for (size_t i = 0; i < part / 8; i++)
            words[i] = which == 0 ? get_word ((begin + done) / 8 + i) : 0;
          done += part;
        }
    }
}

/* ---- loops ---- */

static void
do_part (Stream              *stream,
         const unsigned char *from,
         unsigned char       *to,
         size_t               at,
         size_t               bytes,
         size_t               passes)
{
  const EskLabLoops *loops = stream->lab->loops;

  switch (stream->kind)
    {
    case READ:
      if (loops->read (from + at, bytes, passes) != sum_words (at / 8, bytes / 8) * passes)
        atomic_store (&stream->wrong, 1);
      break;
    case WRITE:
      (stream->past ? loops->stream : loops->write) (to + at, bytes, passes, WORD);
      break;
    case MOVE:
      (stream->past ? loops->move_past : loops->move) (to + at, from + at, bytes, passes);
      break;
    case ELEMENTS:
      for (; passes > 0; passes--)
        esk_lab_copy_elements (stream->element, to + at, from + at, bytes);
      break;
    case LIBRARY:
      for (; passes > 0; passes--)
        {
          memcpy (to + at, from + at, bytes);
          ESK_HIDE_MEMORY ();
        }
      break;
    }
}

static void
run_stream (void    *data,
            unsigned thread)
{
  Stream *stream = data;
  const unsigned char *from = stream->from.data;
  unsigned char *to = stream->to.data;
  size_t begin, n;

  get_share (from != NULL ? stream->from.bytes : stream->to.bytes, stream->threads, thread, &begin, &n);
  if (n == 0)
    return;
  /* A small share many times in one call, of a large one parts between which somebody may cancel. */
  if (n <= POLL_BYTES)
    for (size_t done = 0; done < stream->passes && esk_lab_poll (stream->lab) == ESK_LAB_OK;)
      {
        const size_t most = POLL_BYTES / n, passes = stream->passes - done < most ? stream->passes - done : most;

        do_part (stream, from, to, begin, n, passes);
        done += passes;
      }
  else
    for (size_t pass = 0; pass < stream->passes; pass++)
      for (size_t done = 0; done < n && esk_lab_poll (stream->lab) == ESK_LAB_OK;)
        {
          const size_t part = n - done < POLL_BYTES ? n - done : POLL_BYTES;

          do_part (stream, from, to, begin + done, part, 1);
          done += part;
        }
}

/* What was written is what should be there. */
static void
check (void    *data,
       unsigned thread)
{
  Stream *stream = data;
  size_t begin, n;

  if (stream->to.data == NULL)
    return;
  get_share (stream->to.bytes, stream->threads, thread, &begin, &n);
  for (size_t done = 0; done < n && esk_lab_poll (stream->lab) == ESK_LAB_OK;)
    {
      const size_t part = n - done < POLL_BYTES ? n - done : POLL_BYTES, at = begin + done;
      const uint64_t sum = stream->lab->loops->read ((unsigned char *) stream->to.data + at, part, 1);

      if (sum != (stream->kind == WRITE ? WORD * (part / 8) : sum_words (at / 8, part / 8)))
        atomic_store (&stream->wrong, 1);
      done += part;
    }
}

/* ---- probes ---- */

static int
measure_with (EskLab         *lab,
              const EskProbe *probe,
              Stream         *stream,
              double          amount,
              EskProbeResult *result)
{
  EskLabTeam *team;
  int code = esk_lab_team_new (lab, stream->threads, &team);

  if (code != ESK_LAB_OK)
    return code;
  if (!stream->touched)
    esk_lab_team_run (team, touch, stream);
  stream->touched = true;
  if ((code = esk_lab_poll (lab)) == ESK_LAB_OK)
    code = esk_lab_team_rate (lab, team, probe, run_stream, stream, &stream->passes, amount, result);
  if (code == ESK_LAB_OK)
    {
      esk_lab_team_run (team, check, stream);
      code = esk_lab_poll (lab);
    }
  if (code == ESK_LAB_OK && atomic_load (&stream->wrong))
    code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "What was read from memory is not what was written there");
  esk_lab_team_free (team);
  return code;
}

typedef struct
{
  unsigned threads;
  bool     past;
} Way;

/* The ways to do the same that are worth trying; the first is the one of which nobody asks another. */
static size_t
list_ways (const EskLab   *lab,
           const EskProbe *probe,
           const Stream   *stream,
           uint64_t        bytes,
           Way             ways[3])
{
  size_t n = 0;

  ways[n++] = (Way) { stream->threads, false };
  /* Past the caches is faster where they are too small. */
  if (bytes >= 256 << 10 && ((stream->kind == WRITE && lab->loops->stream != NULL)
                             || (stream->kind == MOVE && lab->loops->move_past != NULL)))
    ways[n++] = (Way) { stream->threads, true };
  /* Several threads are not always faster than one, nor all of them faster than one a core. */
  if (stream->kind == ELEMENTS && probe->threads == 0 && lab->cores < lab->threads)
    ways[n++] = (Way) { lab->cores, false };
  if (stream->kind == ELEMENTS && probe->threads == 0 && lab->cores > 1)
    ways[n++] = (Way) { 1, false };
  return n;
}

/* Each once, and then the best of them as often as was asked for. */
static int
measure_best (EskLab         *lab,
              const EskProbe *probe,
              Stream         *stream,
              uint64_t        bytes,
              double          amount,
              EskProbeResult *result)
{
  Way ways[3], best;
  const size_t n = list_ways (lab, probe, stream, bytes, ways);
  EskProbe trial = *probe;
  double highest = 0.0;
  int code = ESK_LAB_OK;

  best = ways[0];
  trial.repeats = 1;
  for (size_t i = 0; i < n && n > 1 && code == ESK_LAB_OK; i++)
    {
      stream->threads = ways[i].threads;
      stream->past = ways[i].past;
      code = measure_with (lab, &trial, stream, amount, result);
      if (code == ESK_LAB_OK && result->samples[0] > highest)
        {
          highest = result->samples[0];
          best = ways[i];
        }
    }
  if (code != ESK_LAB_OK)
    return code;
  stream->threads = best.threads;
  stream->past = best.past;
  return measure_with (lab, probe, stream, amount, result);
}

static Kind
get_kind (const EskProbe *probe)
{
  switch (probe->kind)
    {
    case ESK_PROBE_READ:
      return READ;
    case ESK_PROBE_WRITE:
      return WRITE;
    case ESK_PROBE_MOVE:
      return MOVE;
    case ESK_PROBE_COPY:
      return ELEMENTS;
    case ESK_PROBE_LIBRARY_COPY:
      return LIBRARY;
    default:
      return probe->variant == 0 ? WRITE : probe->variant == 1 ? READ : MOVE;
    }
}

int
esk_lab_measure_bandwidth (EskLab         *lab,
                           const EskProbe *probe,
                           EskProbeResult *result)
{
  const Kind kind = get_kind (probe);
  /* The library's copy is one thread's, unless several are asked for; what is moved has its footprint in two halves. */
  Stream stream = { .lab = lab, .kind = kind, .element = probe->ways,
                    .threads = kind == LIBRARY && probe->threads == 0 ? 1 : esk_lab_threads_of (lab, probe) };
  const uint64_t whole = probe->kind == ESK_PROBE_MOVE ? probe->bytes / 2 : probe->bytes;
  const uint64_t bytes = whole - whole % ESK_LAB_GRAIN;
  const bool copied = kind != READ && kind != WRITE;
  const double amount = (double) bytes * (copied ? 2.0 : 1.0);
  const EskLabMemory other = probe->kind == ESK_PROBE_HOST_ACCESS && probe->variant == 2 ? ESK_MEMORY_PAGEABLE
                             : probe->memory;
  int code = esk_lab_room (lab, copied ? 2 * bytes : bytes);

  if (code == ESK_LAB_OK && kind != WRITE)
    code = esk_lab_range_new (lab, probe->memory, bytes, &stream.from);
  if (code == ESK_LAB_OK && kind != READ)
    code = esk_lab_range_new (lab, other, bytes, &stream.to);

  if (code == ESK_LAB_OK)
    code = measure_best (lab, probe, &stream, bytes, amount, result);
  if (code == ESK_LAB_OK)
    esk_lab_clock_note (lab, result);
  esk_lab_range_free (&stream.from);
  esk_lab_range_free (&stream.to);
  return code;
}
