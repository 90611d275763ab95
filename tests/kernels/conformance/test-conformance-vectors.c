/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of iterative solvers, and scalars that stay on the card. */

#include "test-conformance.h"

#include "../test-vectors-truth.h"

#include <string.h>

/* By the memory's address. */
static GHashTable *buffers;

static void *
take (gsize       bytes,
      const void *content)
{
  CardBuffer *buffer = g_new (CardBuffer, 1);

  if (!card_new (buffer, bytes, 0))
    g_error ("no memory on the card");
  if (bytes > 0)
    card_put (buffer, content);
  g_hash_table_insert (buffers, buffer->data, buffer);

  return buffer->data;
}

static void
fetch (void *memory,
       void *to,
       gsize bytes)
{
  g_autofree guint8 *all = card_get (g_hash_table_lookup (buffers, memory));

  memcpy (to, all, bytes);
}

static void
drop (void *memory)
{
  CardBuffer *buffer = g_hash_table_lookup (buffers, memory);

  card_free (buffer);
  g_hash_table_remove (buffers, memory);
}

static void
fail (const char *what,
      const char *message)
{
  conformance_fail ("%s: %s", what, message);
}

static void
test_vectors (void)
{
  const gsize sizes[] = { 0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 4099, 16384, 65537, 300001 };
  VectorsPlace place = { conformance.table, conformance.stream, take, fetch, drop, fail };

  if (conformance.table->vectors == NULL)
    {
      g_test_skip ("no vectors of solvers here");
      return;
    }
  buffers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (gsize s = 0; s < G_N_ELEMENTS (sizes) && !(conformance.quick && sizes[s] > 5000); s++)
    {
      conformance_case ("%zu values", sizes[s]);
      vectors_check (&place, ESK_F64, sizes[s], s + 1);
      vectors_check (&place, ESK_F32, sizes[s], s + 2);
    }
  conformance_case ("edges");
  vectors_check_edges (&place);
  conformance_case ("published inner product");
  vectors_check_inner (&place, conformance.quick);
  for (int type = 0; type < 2; type++)
    {
      g_autoptr (GByteArray) one = vectors_bytes (&place, type ? ESK_F64 : ESK_F32, 100003, 9),
                             other = vectors_bytes (&place, type ? ESK_F64 : ESK_F32, 100003, 9);

      conformance_case ("the same once more");
      EXPECT (one->len == other->len && memcmp (one->data, other->data, one->len) == 0, "other bytes");
    }
  g_clear_pointer (&buffers, g_hash_table_unref);
}

void
conformance_add_vectors (void)
{
  conformance_add ("vectors", test_vectors);
}
