/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of iterative solvers on the CPU. */

#include "test-vectors-truth.h"

#include <stdlib.h>
#include <string.h>

static void *
take (gsize       bytes,
      const void *content)
{
  void *memory = aligned_alloc (64, (bytes + 127) / 64 * 64);

  memcpy (memory, content, bytes);
  return memory;
}

static void
fetch (void *memory,
       void *to,
       gsize bytes)
{
  memcpy (to, memory, bytes);
}

static void
fail (const char *what,
      const char *message)
{
  g_test_message ("%s: %s", what, message);
  g_test_fail ();
}

static const gsize sizes[] = { 0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 65, 100, 1023, 1024, 1025, 4097, 8191, 8192,
                               8193, 40000, 70001 };

static void
test_all (gconstpointer data)
{
  const gboolean portable = GPOINTER_TO_INT (data) == 1;
  VectorsPlace place = { esk_cpu_hotspots (), NULL, take, fetch, free, fail };

  if (portable)
    g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
  place.stream = place.table->stream->stream_new (0);
  g_unsetenv ("ES_CPU_PORTABLE");
  place.table->stream->set_threads (place.stream, portable ? 1 : 3);
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      vectors_check (&place, ESK_F64, sizes[s], s + 1);
      vectors_check (&place, ESK_F32, sizes[s], s + 2);
    }
  vectors_check_edges (&place);
  vectors_check_inner (&place, FALSE);
  place.table->stream->stream_free (place.stream);
}

static void
test_threads (void)
{
  VectorsPlace place = { esk_cpu_hotspots (), NULL, take, fetch, free, fail };

  for (int type = 0; type < 2; type++)
    {
      g_autoptr (GByteArray) one = NULL;

      for (int threads = 1; threads <= 5; threads++)
        {
          g_autoptr (GByteArray) bytes = NULL;

          place.stream = place.table->stream->stream_new (0);
          place.table->stream->set_threads (place.stream, threads);
          bytes = vectors_bytes (&place, type ? ESK_F64 : ESK_F32, 100003, 9);
          place.table->stream->stream_free (place.stream);
          if (one == NULL)
            one = g_steal_pointer (&bytes);
          else
            g_assert_cmpmem (one->data, one->len, bytes->data, bytes->len);
        }
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/vectors/fast", GINT_TO_POINTER (0), test_all);
  g_test_add_data_func ("/vectors/portable", GINT_TO_POINTER (1), test_all);
  g_test_add_func ("/vectors/threads", test_threads);

  return g_test_run ();
}
