/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz-mutate.h"

#include <string.h>

static const guint64 odd_words[] = {
  0, 1, 2, 3, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 70000, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff,
};

static const char * const odd_texts[] = {
  "-1", "0", "1", "65536", "2147483648", "4294967296", "18446744073709551615", "99999999999999999999", "1e308",
  "1e-320", "-1e999", "nan", "inf", "0x10", "1.5", "{", "}", "[", "]", "{}", "[]", "<", ">", "</", "\"", "\"\"", "'",
  ",", ";", ":", "=", "\n", "\r\n", "\t", " ", "\\", "\\u0000", "\\ud800", "null", "true", "false", "\xff",
  "\xc3", "\xe2\x82\xac", "%", "..", "/", "{\"", "[[[[[[[[",
};

/* 0 .. n - 1; 0 where there is none. */
static gsize
below (GRand *rand, gsize n)
{
  return n > 1 ? (gsize) g_rand_int_range (rand, 0, (gint32) MIN (n, G_MAXINT32)) : 0;
}

static void
insert (GByteArray *bytes, gsize at, const void *what, gsize length)
{
  const guint old = bytes->len;

  g_byte_array_set_size (bytes, (guint) (old + length));
  memmove (bytes->data + at + length, bytes->data + at, old - at);
  memcpy (bytes->data + at, what, length);
}

static void
put_word (GByteArray *bytes, GRand *rand)
{
  const gsize size = (gsize) 1 << below (rand, 4), at = below (rand, bytes->len) & ~(size - 1);
  guint64 word = odd_words[below (rand, G_N_ELEMENTS (odd_words))];

  /* Its low bytes, in either order. */
  word = g_rand_boolean (rand) ? GUINT64_TO_LE (word) : GUINT64_TO_BE (word << (64 - 8 * size));
  if (at + size <= bytes->len)
    memcpy (bytes->data + at, &word, size);
}

static void
change_number (GByteArray *bytes, GRand *rand, const char *text)
{
  gsize at = below (rand, bytes->len), end;

  while (at < bytes->len && !g_ascii_isdigit (bytes->data[at]))
    at++;
  for (end = at; end < bytes->len && (g_ascii_isdigit (bytes->data[end]) || bytes->data[end] == '.'); end++)
    ;
  if (end > at)
    g_byte_array_remove_range (bytes, (guint) at, (guint) (end - at));
  insert (bytes, at, text, strlen (text));
}

/* In JSON: what stands behind a colon, a comma or a bracket becomes another value. */
static void
change_value (GByteArray *bytes, GRand *rand)
{
  static const char * const values[] = {
    "null", "true", "{}", "[]", "\"\"", "\"a\"", "[null]", "[[]]", "[{}]", "{\"a\":[]}", "-1", "0", "1e300",
    "4294967296",
  };
  const char *text = values[below (rand, G_N_ELEMENTS (values))];
  gsize at = below (rand, bytes->len), end;

  while (at < bytes->len && strchr (":,[", bytes->data[at]) == NULL)
    at++;
  if (at++ >= bytes->len)
    return;
  for (end = at; end < bytes->len && strchr (",]}\n", bytes->data[end]) == NULL; end++)
    ;
  if (end > at)
    g_byte_array_remove_range (bytes, (guint) at, (guint) (end - at));
  insert (bytes, at, text, strlen (text));
}

static void
mutate_once (GByteArray *bytes, GBytes *other, GRand *rand)
{
  const char *text = odd_texts[below (rand, G_N_ELEMENTS (odd_texts))];
  const gsize at = below (rand, bytes->len), wanted = 1 + below (rand, 1 + below (rand, 64));
  gsize length = MIN (wanted, bytes->len - at), other_length, from;
  const guint8 *other_bytes = g_bytes_get_data (other, &other_length);

  switch (g_rand_int_range (rand, 0, 10))
    {
    case 0:
      bytes->data[at] = (guint8) g_rand_int (rand);
      break;
    case 1:
      bytes->data[at] ^= (guint8) (1 << below (rand, 8));
      break;
    case 2:
    case 3:
      put_word (bytes, rand);
      break;
    case 4:
      insert (bytes, at, text, strlen (text));
      break;
    case 5:
      change_number (bytes, rand, text);
      break;
    case 6:
      change_value (bytes, rand);
      break;
    case 7:
      if (length < bytes->len)
        g_byte_array_remove_range (bytes, (guint) at, (guint) length);
      break;
    case 8:
      {
        g_autofree guint8 *twice = g_memdup2 (bytes->data + at, length);
        insert (bytes, below (rand, bytes->len), twice, length);
        break;
      }
    default:
      from = below (rand, other_length);
      length = MIN (length, other_length - from);
      if (g_rand_int_range (rand, 0, 4) == 0)
        g_byte_array_set_size (bytes, (guint) (at + 1));
      else if (length > 0)
        insert (bytes, at, other_bytes + from, length);
      break;
    }
}

GByteArray *
es_fuzz_mutate (GBytes *seed, GBytes *other, GRand *rand)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, g_bytes_get_data (seed, NULL), (guint) g_bytes_get_size (seed));
  for (int k = g_rand_int_range (rand, 1, 5); k > 0 && bytes->len > 0; k--)
    mutate_once (bytes, other, rand);
  return bytes;
}
