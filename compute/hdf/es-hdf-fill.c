/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The library leaves as it was what nobody has written and nobody has said a value for: with that it would be whatever
 * else was in memory. */

#include "es-hdf-fill-private.h"

#include <string.h>

void
es_hdf_fill_init (EsHdfFill *self, hid_t plist, hid_t memory_type)
{
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;

  memset (self, 0, sizeof *self);
  self->size = H5Tget_size (memory_type);
  self->is_zero = TRUE;
  if (self->size > ES_HDF_LARGEST_SAMPLE || H5Pfill_value_defined (plist, &defined) < 0
      || defined == H5D_FILL_VALUE_UNDEFINED || H5Pget_fill_value (plist, memory_type, self->value) < 0)
    {
      memset (self->value, 0, sizeof self->value);
      return;
    }
  for (gsize i = 0; i < self->size; i++)
    self->is_zero = self->is_zero && self->value[i] == 0;
}

void
es_hdf_fill (const EsHdfFill *self, void *buffer, gsize n)
{
  guint8 *bytes = buffer;

  if (self->is_zero)
    memset (bytes, 0, n * self->size);
  else
    for (gsize i = 0; i < n; i++)
      memcpy (bytes + i * self->size, self->value, self->size);
}
