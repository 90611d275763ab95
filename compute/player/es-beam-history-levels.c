/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Levels in 16 bits: hundredths of a decibel from -400 dB on; 0: no power; NO_LEVEL: NAN. */

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

#define LEVEL_ORIGIN 40000
#define HIGHEST_LEVEL 65534
#define NO_LEVEL 65535
#define MANTISSA_BITS 12

static float exponent_levels[256], mantissa_levels[1 << MANTISSA_BITS];
static double coarse_powers[256], fine_powers[256];

static void
fill_tables (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;
  for (int e = 0; e < 256; e++)
    exponent_levels[e] = (float) ((e - 127) * 1000 * log10 (2.0));
  for (int m = 0; m < 1 << MANTISSA_BITS; m++)
    mantissa_levels[m] = (float) (1000 * log10 (1 + (m + 0.5) / (1 << MANTISSA_BITS)));
  for (int i = 0; i < 256; i++)
    {
      coarse_powers[i] = pow (10, (i * 256.0 - LEVEL_ORIGIN) / 1000);
      fine_powers[i] = pow (10, i / 1000.0);
    }
  g_once_init_leave (&once, 1);
}

/* Hundreds of thousands of them for every block: no logarithm. Right to 0.006 dB. */
static inline guint16
encode (float power)
{
  guint32 bits;

  memcpy (&bits, &power, sizeof bits);
  if (!(power > 0))
    return power <= 0 ? 0 : NO_LEVEL;
  const float level = exponent_levels[bits >> 23] + mantissa_levels[bits >> (23 - MANTISSA_BITS)
                                                                    & ((1 << MANTISSA_BITS) - 1)];
  return (guint16) CLAMP ((int) (level + LEVEL_ORIGIN + 0.5f), 1, HIGHEST_LEVEL);
}

static inline float
decode (guint16 level)
{
  if (level == 0)
    return 0;
  return level == NO_LEVEL ? NAN : (float) (coarse_powers[level >> 8] * fine_powers[level & 255]);
}

void
_es_beam_levels_encode (const float *powers, guint16 *levels, gsize n)
{
  fill_tables ();
  for (gsize i = 0; i < n; i++)
    levels[i] = encode (powers[i]);
}

void
_es_beam_levels_decode (const guint16 *levels, gsize step, float *powers, gsize n)
{
  fill_tables ();
  for (gsize i = 0; i < n; i++)
    powers[i] = decode (levels[i * step]);
}
