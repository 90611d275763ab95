/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bytes of all processes for all, and of each for each. */

#include "es-ranks-private.h"

#include <string.h>

/* Beside those of the engine and of es-ranks-calls.c, for es_ranks_meet (). */
enum { PIECES = 96, EXCHANGE };

gboolean
es_ranks_gather_bytes (gconstpointer piece, gpointer all, const int *lengths, GError **error)
{
  const guint rank = es_ranks_get_rank (), size = es_ranks_get_size ();
  gsize total = 0;
  void *request;

  if (!es_ranks_are_several ())
    {
      if (lengths[0] > 0)
        memcpy (all, piece, lengths[0]);
      return TRUE;
    }
  for (guint i = 0; i < size; i++)
    total += lengths[i];
  if (!es_ranks_meet (PIECES, total, error))
    return FALSE;
  const int code = es_ranks.engine->gather (piece, lengths[rank], all, lengths, &request);
  return es_ranks_finish (code, &request, error);
}

gboolean
es_ranks_exchange (gconstpointer out, const int *out_lengths, gpointer in, const int *in_lengths, GError **error)
{
  void *request;

  if (!es_ranks_are_several ())
    {
      if (in_lengths[0] > 0)
        memcpy (in, out, in_lengths[0]);
      return TRUE;
    }
  if (!es_ranks_meet (EXCHANGE, 0, error))
    return FALSE;
  const int code = es_ranks.engine->exchange (out, out_lengths, in, in_lengths, &request);
  return es_ranks_finish (code, &request, error);
}
