/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where an iteration stands, as a piece of a checkpoint: its rows, and what every step so far has moved them. */

#include "es-ica-private.h"

#include <string.h>

static void
put_number (GByteArray *to, guint64 number)
{
  g_byte_array_append (to, (const guint8 *) &number, sizeof number);
}

GByteArray *
es_ica_rotation_save (EsIcaRotation *self, guint row)
{
  GByteArray *to = g_byte_array_new ();

  put_number (to, self->m);
  put_number (to, row);
  g_byte_array_append (to, (const guint8 *) self->w, (gsize) self->m * self->m * sizeof (double));
  for (guint k = 0; k < self->m; k++)
    {
      put_number (to, self->converged[k]);
      put_number (to, self->history[k]->len);
      g_byte_array_append (to, (const guint8 *) self->history[k]->data, self->history[k]->len * sizeof (double));
    }
  return to;
}

gboolean
es_ica_rotation_load (EsIcaRotation *self, guint most_steps, guint *row, GBytes *bytes)
{
  EsCheckpointReader from;
  guint64 m, at, converged, steps;

  from.data = g_bytes_get_data (bytes, &from.left);
  if (!es_checkpoint_take (&from, &m, sizeof m) || m != self->m || !es_checkpoint_take (&from, &at, sizeof at)
      || (at >= m && at != ES_ICA_FINISHED)
      || !es_checkpoint_take (&from, self->w, (gsize) self->m * self->m * sizeof (double)))
    return FALSE;
  for (guint k = 0; k < self->m; k++)
    {
      if (!es_checkpoint_take (&from, &converged, sizeof converged) || converged > 1
          || !es_checkpoint_take (&from, &steps, sizeof steps) || steps > most_steps)
        return FALSE;
      self->converged[k] = (gboolean) converged;
      g_array_set_size (self->history[k], (guint) steps);
      if (!es_checkpoint_take (&from, self->history[k]->data, steps * sizeof (double)))
        return FALSE;
      self->steps[k] = (guint) steps;
    }
  *row = (guint) at;
  return from.left == 0;
}
