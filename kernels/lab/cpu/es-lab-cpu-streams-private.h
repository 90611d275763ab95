/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Memory read, written and moved by whole vectors, over and over. */

#include "es-lab-cpu-hide-private.h"

#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: streams */
typedef uint64_t Words __attribute__ ((vector_size (ESK_WIDTH)));

static uint64_t
read_all (const void *from,
          size_t      bytes,
          size_t      passes)
{
  Words s[8] = { 0 }, all;
  uint64_t sum = 0;

  for (; passes > 0; passes--)
    {
      const Words *p = from, *end = p + bytes / sizeof *p;

      for (; p < end; p += 8)
        {
          s[0] += p[0];
          s[1] += p[1];
          s[2] += p[2];
          s[3] += p[3];
          s[4] += p[4];
          s[5] += p[5];
          s[6] += p[6];
          s[7] += p[7];
        }
      ESK_HIDE_MEMORY ();
    }

  all = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  for (size_t i = 0; i < ESK_WIDTH / 8; i++)
    sum += all[i];
  return sum;
}

static void
write_all (void    *to,
           size_t   bytes,
           size_t   passes,
           uint64_t word)
{
  const Words value = (Words) { 0 } + word;

  for (; passes > 0; passes--)
    {
      Words *p = to, *end = p + bytes / sizeof *p;

      for (; p < end; p += 4)
        {
          p[0] = value;
          p[1] = value;
          p[2] = value;
          p[3] = value;
        }
      ESK_HIDE_MEMORY ();
    }
}

static void
move_all (void       *to,
          const void *from,
          size_t      bytes,
          size_t      passes)
{
  for (; passes > 0; passes--)
    {
      const Words *p = from, *end = p + bytes / sizeof *p;
      Words *q = to;

      for (; p < end; p += 4, q += 4)
        {
          Words w0 = p[0], w1 = p[1], w2 = p[2], w3 = p[3];

          q[0] = w0;
          q[1] = w1;
          q[2] = w2;
          q[3] = w3;
        }
      ESK_HIDE_MEMORY ();
    }
}

#if defined (__x86_64__)
/* A line that is not read before it is written, as it need not be: it goes past the caches. */
#if ESK_WIDTH == 64
#define PAST(p, v) _mm512_stream_si512 ((__m512i *) (p), (__m512i) (v))
#elif ESK_WIDTH == 32
#define PAST(p, v) _mm256_stream_si256 ((__m256i *) (p), (__m256i) (v))
#else
#define PAST(p, v) _mm_stream_si128 ((__m128i *) (p), (__m128i) (v))
#endif

static void
write_past (void    *to,
            size_t   bytes,
            size_t   passes,
            uint64_t word)
{
  const Words value = (Words) { 0 } + word;

  for (; passes > 0; passes--)
    for (Words *p = to, *end = p + bytes / sizeof *p; p < end; p += 4)
      {
        PAST (p, value);
        PAST (p + 1, value);
        PAST (p + 2, value);
        PAST (p + 3, value);
      }
  _mm_sfence ();
}

static void
move_past (void       *to,
           const void *from,
           size_t      bytes,
           size_t      passes)
{
  for (; passes > 0; passes--)
    {
      const Words *p = from, *end = p + bytes / sizeof *p;
      Words *q = to;

      for (; p < end; p += 4, q += 4)
        {
          Words w0 = p[0], w1 = p[1], w2 = p[2], w3 = p[3];

          PAST (q, w0);
          PAST (q + 1, w1);
          PAST (q + 2, w2);
          PAST (q + 3, w3);
        }
      ESK_HIDE_MEMORY ();
    }
  _mm_sfence ();
}
#endif
/* lab end */
