/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "libraries/es-address-file-internal.h"

G_BEGIN_DECLS

/*
 * A file whose headers are walked through: small reads, served from blocks, so that a chain of a million entries costs
 * no call each. Every read asks whether the walk was cancelled; a loop that reads ends therefore.
 */
typedef struct
{
  int           fd;
  EsAddressFile *address;      /* read instead; nullable */
  guint64       size;          /* bytes */
  char         *name;          /* as messages call it */
  GCancellable *cancellable;   /* borrowed; nullable */
  guint8       *block;
  guint64       block_at, block_length;
} EsClaimFile;

/* path: also a guarded address. ES_DATA_ERROR_OPEN. */
gboolean es_claim_file_open  (EsClaimFile *self, const char *path, const char *name, GCancellable *cancellable,
                              GError **error);
void     es_claim_file_close (EsClaimFile *self);
/* All of them, or FALSE: the file ends before, cannot be read, or the walk was cancelled. */
gboolean es_claim_file_read  (EsClaimFile *self, guint64 offset, void *bytes, gsize n);
/* An unsigned number of 1 to 8 bytes. */
gboolean es_claim_file_number (EsClaimFile *self, guint64 offset, guint bytes, gboolean big_endian, guint64 *number);
/* ES_DATA_ERROR_TRUNCATED: how many bytes there are, and how many were promised. Returns FALSE. */
gboolean es_claim_file_refuse (EsClaimFile *self, guint64 promised, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsClaimFile, es_claim_file_close)

G_END_DECLS
