/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many threads read for cards, and into how much memory. */

#include "device/es-upload-choice.h"

static void
test_limits (void)
{
  const guint cores = g_get_num_processors ();

  for (guint n_cards = 1; n_cards <= 8; n_cards++)
    {
      const EsUploadChoice free = es_upload_choose (NULL, n_cards, 0, NULL);

      g_assert_cmpuint (free.threads, >=, n_cards);
      g_assert_cmpuint (free.threads, <=, MAX (n_cards * 12, cores));
      /* Every card has as many. */
      g_assert_cmpuint (free.threads % n_cards, ==, 0);
      g_assert_cmpuint (free.piece_bytes, ==, 2 << 20);
      g_assert_cmpuint (free.pieces, >=, 2);
      g_assert_false (free.pageable);
      g_assert_null (free.profile);
      for (guint threads = 1; threads <= 20; threads++)
        {
          const EsLimits limits = { .threads = threads };
          const EsUploadChoice choice = es_upload_choose (NULL, n_cards, 0, &limits);

          g_assert_cmpuint (choice.threads, ==, MAX (MIN (threads, free.threads), n_cards));
        }
      for (guint64 memory = (guint64) 1 << 14; memory < (guint64) 1 << 30; memory *= 2)
        {
          const EsLimits limits = { .memory = memory };
          const EsUploadChoice choice = es_upload_choose (NULL, n_cards, 0, &limits);

          g_assert_cmpuint (choice.threads, >=, n_cards);
          g_assert_cmpuint (choice.threads, <=, free.threads);
          g_assert_cmpuint (choice.piece_bytes, >=, 256 << 10);
          /* A quarter of it, unless that is too little for one thread a card. */
          if (choice.threads > n_cards)
            g_assert_cmpuint (choice.threads * choice.pieces * choice.piece_bytes, <=, memory / 4);
          /* Less memory means smaller pieces before it means fewer threads. */
          if (choice.piece_bytes > 256 << 10)
            g_assert_cmpuint (choice.threads, ==, free.threads);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/upload-choice/limits", test_limits);
  return g_test_run ();
}
