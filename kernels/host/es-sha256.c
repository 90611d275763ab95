/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-sha256.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined (__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#define BLOCK 64

typedef void (*Compress) (uint32_t *state, const unsigned char *data, size_t n_blocks);

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] __attribute__ ((aligned (16))) = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* --- Any processor -------------------------------------------------------------------------------------- */

static inline uint32_t
turn (uint32_t x,
      int      n)
{
  return x >> n | x << (32 - n);
}

static inline uint32_t
read_word (const unsigned char *data)
{
  return (uint32_t) data[0] << 24 | (uint32_t) data[1] << 16 | (uint32_t) data[2] << 8 | data[3];
}

static void
compress_portable (uint32_t            *state,
                   const unsigned char *data,
                   size_t               n_blocks)
{
  for (; n_blocks > 0; n_blocks--, data += BLOCK)
    {
      uint32_t w[16], s[8];

      memcpy (s, state, sizeof s);
#pragma GCC unroll 64
      for (int t = 0; t < 64; t++)
        {
          /* The names a .. h go round instead of the values. */
          uint32_t *a = &s[(64 - t) & 7], *b = &s[(65 - t) & 7], *c = &s[(66 - t) & 7], *d = &s[(67 - t) & 7];
          uint32_t *e = &s[(68 - t) & 7], *f = &s[(69 - t) & 7], *g = &s[(70 - t) & 7], *h = &s[(71 - t) & 7];

          if (t < 16)
            w[t] = read_word (data + 4 * t);
          else
            {
              const uint32_t early = w[(t + 1) & 15], late = w[(t + 14) & 15];

              w[t & 15] += (turn (early, 7) ^ turn (early, 18) ^ early >> 3) + w[(t + 9) & 15]
                           + (turn (late, 17) ^ turn (late, 19) ^ late >> 10);
            }
          const uint32_t first = *h + (turn (*e, 6) ^ turn (*e, 11) ^ turn (*e, 25)) + (*g ^ (*e & (*f ^ *g)))
                                 + constants[t] + w[t & 15];
          *d += first;
          *h = first + (turn (*a, 2) ^ turn (*a, 13) ^ turn (*a, 22)) + ((*a & *b) | (*c & (*a | *b)));
        }
      for (int i = 0; i < 8; i++)
        state[i] += s[i];
    }
}

/* --- x86 with SHA extensions ---------------------------------------------------------------------------- */

#if defined (__x86_64__)

#define WITH_SHA __attribute__ ((target ("sha,sse4.1,ssse3")))

/* Four rounds; the instructions keep a, b, e, f in one register and c, d, g, h in the other. */
WITH_SHA static inline void
four_rounds (__m128i *abef,
             __m128i *cdgh,
             __m128i  words,
             int      t)
{
  const __m128i sum = _mm_add_epi32 (words, _mm_load_si128 ((const __m128i *) (constants + t)));

  *cdgh = _mm_sha256rnds2_epu32 (*cdgh, *abef, sum);
  *abef = _mm_sha256rnds2_epu32 (*abef, *cdgh, _mm_shuffle_epi32 (sum, 0x0e));
}

WITH_SHA static void
compress_sha (uint32_t            *state,
              const unsigned char *data,
              size_t               n_blocks)
{
  const __m128i swap = _mm_set_epi64x (0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i first = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) state), 0xb1);            /* c d a b */
  const __m128i second = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) (state + 4)), 0x1b);     /* e f g h */
  __m128i abef = _mm_alignr_epi8 (first, second, 8), cdgh = _mm_blend_epi16 (second, first, 0xf0);

  for (; n_blocks > 0; n_blocks--, data += BLOCK)
    {
      const __m128i abef_before = abef, cdgh_before = cdgh;
      __m128i w[4];

#pragma GCC unroll 16
      for (int q = 0; q < 16; q++)
        {
          if (q < 4)
            w[q] = _mm_shuffle_epi8 (_mm_loadu_si128 ((const __m128i *) (data + 16 * q)), swap);
          else
            {
              __m128i *now = &w[q & 3];
              const __m128i last = w[(q + 3) & 3];

              *now = _mm_sha256msg1_epu32 (*now, w[(q + 1) & 3]);
              *now = _mm_add_epi32 (*now, _mm_alignr_epi8 (last, w[(q + 2) & 3], 4));
              *now = _mm_sha256msg2_epu32 (*now, last);
            }
          four_rounds (&abef, &cdgh, w[q & 3], 4 * q);
        }
      abef = _mm_add_epi32 (abef, abef_before);
      cdgh = _mm_add_epi32 (cdgh, cdgh_before);
    }

  const __m128i feba = _mm_shuffle_epi32 (abef, 0x1b), dchg = _mm_shuffle_epi32 (cdgh, 0xb1);
  _mm_storeu_si128 ((__m128i *) state, _mm_blend_epi16 (feba, dchg, 0xf0));
  _mm_storeu_si128 ((__m128i *) (state + 4), _mm_alignr_epi8 (dchg, feba, 8));
}

static bool
has_sha (void)
{
  unsigned a, b, c, d;

  return __get_cpuid_count (7, 0, &a, &b, &c, &d) && (b & 1u << 29) != 0
         && __get_cpuid (1, &a, &b, &c, &d) && (c & bit_SSE4_1) != 0 && (c & bit_SSSE3) != 0;
}

#endif

static Compress
find_compress (void)
{
  const char *portable = getenv ("ES_CPU_PORTABLE");

  if (portable != NULL && strcmp (portable, "1") == 0)
    return compress_portable;
#if defined (__x86_64__)
  if (has_sha ())
    return compress_sha;
#endif
  return compress_portable;
}

static void
compress (EskSha256           *self,
          const unsigned char *data,
          size_t               n_blocks)
{
  static Compress fastest;
  Compress found = __atomic_load_n (&fastest, __ATOMIC_RELAXED);

  /* Several threads find the same. */
  if (found == NULL)
    {
      found = find_compress ();
      __atomic_store_n (&fastest, found, __ATOMIC_RELAXED);
    }
  found (self->state, data, n_blocks);
}

/* --- In pieces ------------------------------------------------------------------------------------------ */

void
esk_sha256_begin (EskSha256 *self)
{
  /* The same of the square roots of the first eight primes. */
  static const uint32_t initial[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

  memset (self, 0, sizeof *self);
  memcpy (self->state, initial, sizeof initial);
}

void
esk_sha256_add (EskSha256  *self,
                const void *data,
                size_t      bytes)
{
  const unsigned char *from = data;
  size_t used = self->bytes % BLOCK;

  if (bytes == 0)
    return;
  self->bytes += bytes;
  if (used > 0)
    {
      const size_t part = bytes < BLOCK - used ? bytes : BLOCK - used;

      memcpy (self->rest + used, from, part);
      if (used + part < BLOCK)
        return;
      compress (self, self->rest, 1);
      from += part;
      bytes -= part;
    }
  if (bytes >= BLOCK)
    compress (self, from, bytes / BLOCK);
  memcpy (self->rest, from + bytes / BLOCK * BLOCK, bytes % BLOCK);
}

void
esk_sha256_end (EskSha256     *self,
                unsigned char  digest[32])
{
  const uint64_t bits = 8 * self->bytes;
  const size_t used = self->bytes % BLOCK;
  unsigned char end[2 * BLOCK] = { 0 };
  const size_t length = used + 9 <= BLOCK ? BLOCK : 2 * BLOCK;

  memcpy (end, self->rest, used);
  end[used] = 0x80;
  for (int i = 0; i < 8; i++)
    end[length - 1 - i] = (unsigned char) (bits >> 8 * i);
  compress (self, end, length / BLOCK);
  for (int i = 0; i < 32; i++)
    digest[i] = (unsigned char) (self->state[i / 4] >> (24 - 8 * (i % 4)));
}
