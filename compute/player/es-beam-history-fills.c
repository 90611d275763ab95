/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which rows have come, in their order, for displays that go on where they were; as long as the rows are, not as all
 * that ever came. */

#include "es-beam-history-private.h"

#include <string.h>

/* Entries for each row, and besides, before those that say nothing new are left out. */
#define ENTRIES_PER_ROW 2
#define MORE_ENTRIES 1024

/* Only the last time that each row came, at the end: what anybody has not seen yet is still behind what he has. */
static void
leave_out (EsBeamHistory *self)
{
  const guint n = self->fills->len;
  g_autofree guint8 *seen = g_malloc0 (self->n_rows / 8 + 1);
  guint *rows = (guint *) (gpointer) self->fills->data;
  guint at = n;

  for (guint i = n; i-- > 0;)
    {
      const guint row = rows[i];

      if (seen[row / 8] >> row % 8 & 1)
        continue;
      seen[row / 8] |= (guint8) (1u << row % 8);
      rows[--at] = row;
    }
  memmove (rows, rows + at, (n - at) * sizeof *rows);
  g_array_set_size (self->fills, n - at);
  self->first_fill += at;
}

void
_es_beam_history_note_fill (EsBeamHistory *self, guint row)
{
  if (self->fills->len >= (guint64) ENTRIES_PER_ROW * self->n_rows + MORE_ENTRIES)
    leave_out (self);
  g_array_append_val (self->fills, row);
}

void
_es_beam_history_refill (EsBeamHistory *self, guint row)
{
  if (!es_beam_history_is_current (self, row))
    return;
  _es_beam_history_note_fill (self, row);
  self->is_news = TRUE;
}

guint
es_beam_history_get_n_fills (EsBeamHistory *self)
{
  return self->first_fill + self->fills->len;
}

guint
es_beam_history_get_first_fill (EsBeamHistory *self)
{
  return self->first_fill;
}

guint
es_beam_history_get_fill (EsBeamHistory *self, guint i)
{
  g_return_val_if_fail (i >= self->first_fill && i - self->first_fill < self->fills->len, 0);

  return g_array_index (self->fills, guint, i - self->first_fill);
}
