/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beamformer.h"

G_BEGIN_DECLS

/*
 * Spectra and fields of the blocks of a recording, by row: levels in 16 bits (es-beam-history-levels.c), fields as they
 * are. They lie in memory as far as a budget goes, then in files without a name (EsStore), and what fits neither is not
 * kept. Counted; any thread.
 */
typedef struct _EsBeamArchive EsBeamArchive;

/* Bytes; file_limit G_MAXUINT64: 8 GiB, and not more than half of what is free there. */
EsBeamArchive *es_beam_archive_new       (const EsBeamSettings *settings, guint64 memory_limit, guint64 file_limit);
EsBeamArchive *es_beam_archive_ref       (EsBeamArchive *self);
void           es_beam_archive_unref     (EsBeamArchive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamArchive, es_beam_archive_unref)

/* Rows that somebody looks at: every stride'th of from .. end - 1, and `focus`. Where all is full and room is made,
 * they go last, and first what is not between them; stride 0: nobody does, but for `focus` (G_MAXUINT: none). */
void           es_beam_archive_set_view  (EsBeamArchive *self, guint from, guint end, guint stride, guint focus);
/* Takes the place of what was kept of that row. makes_room: where all is full, what is farthest from the row goes, of
 * what somebody looks at only for what nobody does. FALSE: not all of it is kept. */
gboolean       es_beam_archive_put       (EsBeamArchive *self, guint64 row, EsBeamBlock *block, gboolean makes_room);
gboolean       es_beam_archive_has       (EsBeamArchive *self, guint64 row, EsBeamKind kind);
/* Levels first .. first + n - 1 of n_angles x n_bins. FALSE: gone. */
gboolean       es_beam_archive_read      (EsBeamArchive *self, guint64 row, EsBeamKind kind, gsize first, gsize n,
                                          guint16 *levels);
/* n_ranges x n_angles. FALSE: gone. */
gboolean       es_beam_archive_read_field (EsBeamArchive *self, guint64 row, EsBeamKind kind, float *field);
/* Bytes in memory and in files; whether something was not kept since there was no room for it. */
void           es_beam_archive_get_use   (EsBeamArchive *self, guint64 *memory, guint64 *file, gboolean *full);
/* Records that are kept. */
guint          es_beam_archive_count     (EsBeamArchive *self);
/* How many records there can be at most. */
guint64        es_beam_archive_get_capacity (EsBeamArchive *self);

G_END_DECLS
