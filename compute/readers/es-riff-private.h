/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the chunks of a WAV or RF64 file promise, whether it is there or not. */
typedef struct
{
  gboolean has_format, has_data;
  guint    channels, rate, block, bits;
  guint64  data_offset, data_bytes;        /* 0 or G_MAXUINT64 bytes: left open by a recorder that never closed it */
} EsRiff;

/* FALSE where the file does not begin like one. Reads headers of chunks only. */
gboolean es_riff_read (int fd, guint64 size, EsRiff *riff);

G_END_DECLS
