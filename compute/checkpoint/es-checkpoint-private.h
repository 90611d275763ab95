/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-checkpoint-internal.h"

G_BEGIN_DECLS

/* The file, es-checkpoint-file.c: a signature; in the order of the machine's bytes a mark that tells that order, and
 * the bytes of the whole; facts and pieces; and SHA-256 of all before it. */

/* pieces: names to GBytes. Transfer full. */
GByteArray   *es_checkpoint_pack      (const GArray *facts, GHashTable *pieces);
/* TRUE: the file is there, and begins as a checkpoint does. *exists: it is there. */
gboolean      es_checkpoint_recognise (GFile *file, gboolean *exists);
/* What is in the file, whole: ES_DATA_ERROR_OPEN, ES_DATA_ERROR_FORMAT, ES_DATA_ERROR_TRUNCATED. */
GBytes       *es_checkpoint_load      (GFile *file, GError **error);
/* FALSE where the facts of a loaded file are not these: ES_DATA_ERROR_UNSUPPORTED. */
gboolean      es_checkpoint_compare   (GFile *file, GBytes *bytes, const GArray *facts, GError **error);
/* FALSE: it is not what it should be, though its checksum is right. */
gboolean      es_checkpoint_unpack    (GBytes *bytes, GHashTable *pieces);

G_END_DECLS
