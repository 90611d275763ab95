/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-number-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What 64 bits hold of any digits, and exponents that nobody writes in earnest. */
#define MOST_DIGITS 19
#define MOST_EXPONENT 100000

/* A number as it is written: digits x 10^exponent. */
typedef struct
{
  guint64  digits;             /* the first 19 of them, without zeros in front */
  int      exponent;
  gboolean negative, is_whole;
  gboolean cut;                /* there were more, which count */
} Decimal;

gboolean
_es_matrix_parse_count (const char **at, guint64 *value)
{
  const char *p = *at + (**at == '+');

  if (!g_ascii_isdigit (*p))
    return FALSE;
  *value = 0;
  for (; g_ascii_isdigit (*p); p++)
    {
      const guint64 digit = (guint64) (*p - '0');

      *value = *value > (G_MAXUINT64 - digit) / 10 ? G_MAXUINT64 : *value * 10 + digit;
    }
  *at = p;
  return TRUE;
}

static void
take_digit (Decimal *self, guint *n, char digit, gboolean fraction)
{
  if (*n < MOST_DIGITS)
    {
      self->digits = self->digits * 10 + (guint64) (digit - '0');
      *n += self->digits != 0;
      self->exponent -= fraction;
    }
  else
    {
      self->cut = self->cut || digit != '0';
      self->exponent += !fraction;
    }
}

/* A place behind the exponent, or p where there is none. */
static const char *
scan_exponent (Decimal *self, const char *p)
{
  const char *q = p;
  int exponent = 0;
  gboolean negative;

  if (*q != 'e' && *q != 'E' && *q != 'd' && *q != 'D')
    return p;
  q++;
  negative = *q == '-';
  q += *q == '-' || *q == '+';
  if (!g_ascii_isdigit (*q))
    return p;
  for (; g_ascii_isdigit (*q); q++)
    exponent = MIN (exponent * 10 + (*q - '0'), MOST_EXPONENT);
  self->exponent += negative ? -exponent : exponent;
  self->is_whole = FALSE;
  return q;
}

/* NULL: it is no number. */
static const char *
scan (Decimal *self, const char *p)
{
  guint n = 0;
  gboolean any = FALSE;

  *self = (Decimal) { .negative = *p == '-', .is_whole = TRUE };
  p += *p == '-' || *p == '+';
  for (; g_ascii_isdigit (*p); p++, any = TRUE)
    take_digit (self, &n, *p, FALSE);
  if (*p == '.')
    {
      self->is_whole = FALSE;
      for (p++; g_ascii_isdigit (*p); p++, any = TRUE)
        take_digit (self, &n, *p, TRUE);
    }
  return any ? scan_exponent (self, p) : NULL;
}

/* As strtod () does: by strtod (). */
static double
round_slowly (const char *from, const char *end)
{
  char text[128];
  const gsize length = (gsize) (end - from);
  char *copy = length < sizeof text ? text : g_malloc (length + 1);
  double value;

  memcpy (copy, from, length);
  copy[length] = '\0';
  for (char *p = copy; *p != '\0'; p++)
    if (*p == 'd' || *p == 'D')
      *p = 'e';
  value = g_ascii_strtod (copy, NULL);
  if (copy != text)
    g_free (copy);
  return value;
}

#if LDBL_MANT_DIG == 64
/*
 * In numbers of 64 bits: the digits and 10^27 are exact there, so that one division or multiplication is rounded once;
 * rounding its result to 53 bits is right unless it lies in the middle between two of them, where the first rounding
 * may have moved it. (Clinger, How to read floating point numbers accurately, 1990, with a wider type.)
 */
#define MOST_POWER 27

static gboolean
round_quickly (const Decimal *self, double *value)
{
  static const long double powers[MOST_POWER + 1] = {
    1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L,
    1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L,
  };
  const long double digits = self->digits;
  long double wide;
  guint64 bits;

  if (ABS (self->exponent) > MOST_POWER)
    return FALSE;
  wide = self->exponent < 0 ? digits / powers[-self->exponent] : digits * powers[self->exponent];
  memcpy (&bits, &wide, sizeof bits);
  if ((bits & 0x7ff) == 0x400)
    return FALSE;
  *value = (double) wide;
  return TRUE;
}
#else
#define MOST_POWER 22

/* The same where both are exact in 53 bits. */
static gboolean
round_quickly (const Decimal *self, double *value)
{
  static const double powers[MOST_POWER + 1] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  };

  if (ABS (self->exponent) > MOST_POWER || self->digits > G_GUINT64_CONSTANT (1) << 53)
    return FALSE;
  *value = self->exponent < 0 ? (double) self->digits / powers[-self->exponent]
                              : (double) self->digits * powers[self->exponent];
  return TRUE;
}
#endif

gboolean
_es_matrix_parse_number (const char **at, double *value, gboolean *is_whole)
{
  Decimal decimal;
  const char *end = scan (&decimal, *at);

  if (end == NULL)
    return FALSE;
  if (decimal.digits == 0)
    *value = decimal.negative ? -0.0 : 0.0;
  else if (decimal.cut || !round_quickly (&decimal, value))
    *value = round_slowly (*at, end);
  else if (decimal.negative)
    *value = -*value;
  *is_whole = decimal.is_whole;
  *at = end;
  return TRUE;
}
