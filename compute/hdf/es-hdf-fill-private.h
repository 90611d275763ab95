/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "libraries/es-hdf5-library-internal.h"

G_BEGIN_DECLS

#define ES_HDF_LARGEST_SAMPLE 16

/* What samples are that nobody has written. */
typedef struct
{
  guint8   value[ES_HDF_LARGEST_SAMPLE];
  gsize    size;
  gboolean is_zero;
} EsHdfFill;

/* With es_hdf_lock () held. The fill value as memory_type, or zeros where the file has none. */
void es_hdf_fill_init (EsHdfFill *self, hid_t plist, hid_t memory_type);
/* n samples. Any thread. */
void es_hdf_fill      (const EsHdfFill *self, void *buffer, gsize n);

G_END_DECLS
