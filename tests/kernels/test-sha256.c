/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SHA-256 against GLib's, of every length round the size of its blocks, in pieces of every kind; and the loops for any
 * processor against those that this one runs. */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "es-sha256.h"

static char *
sum_in_pieces (const guint8 *data, gsize bytes, gsize piece)
{
  EskSha256 sum;
  guint8 digest[32];
  char *text = g_malloc0 (65);

  esk_sha256_begin (&sum);
  for (gsize done = 0; done < bytes; done += MIN (piece, bytes - done))
    esk_sha256_add (&sum, data + done, MIN (piece, bytes - done));
  esk_sha256_add (&sum, data, 0);
  esk_sha256_end (&sum, digest);
  for (guint i = 0; i < 32; i++)
    g_snprintf (text + 2 * i, 3, "%02x", digest[i]);
  return text;
}

static void
test_published (void)
{
  /* FIPS 180-4's examples. */
  static const struct { const char *text, *sum; } cases[] = {
    { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = sum_in_pieces ((const guint8 *) cases[i].text, strlen (cases[i].text), 1000);
      g_assert_cmpstr (found, ==, cases[i].sum);
    }
}

static void
test_lengths (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree guint8 *data = g_malloc (300001);

  for (guint i = 0; i < 300001; i++)
    data[i] = (guint8) g_rand_int (random);
  for (gsize bytes = 0; bytes < 300; bytes++)
    for (gsize piece = 1; piece < 140; piece += 23)
      {
        g_autofree char *wanted = g_compute_checksum_for_data (G_CHECKSUM_SHA256, data + 1, bytes);
        g_autofree char *found = sum_in_pieces (data + 1, bytes, piece);
        g_assert_cmpstr (found, ==, wanted);
      }
  for (gsize piece = 4096; piece < 300000; piece = 3 * piece + 7)
    {
      g_autofree char *wanted = g_compute_checksum_for_data (G_CHECKSUM_SHA256, data + 1, 300000);
      g_autofree char *found = sum_in_pieces (data + 1, 300000, piece);
      g_assert_cmpstr (found, ==, wanted);
    }
}

/* What is chosen is chosen once a process. */
static void
test_portable (void)
{
  if (!g_test_subprocess ())
    {
      g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
      g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, 0);
      g_unsetenv ("ES_CPU_PORTABLE");
      g_test_trap_assert_passed ();
      return;
    }
  test_published ();
  test_lengths ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sha256/published", test_published);
  g_test_add_func ("/sha256/lengths", test_lengths);
  g_test_add_func ("/sha256/portable", test_portable);
  return g_test_run ();
}
