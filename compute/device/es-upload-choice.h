/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-limits.h"

G_BEGIN_DECLS

/*
 * How samples come from a file, or from ordinary memory, to cards: threads read pieces into page-locked memory, of
 * which each has a few, so that it reads the next one while the last is on its way over the link.
 */
typedef struct
{
  guint       threads;         /* that read, for all cards together; at least one a card */
  gsize       piece_bytes;     /* of one piece, about */
  guint       pieces;          /* that a thread has */
  gboolean    pageable;        /* page-locking new pieces would take longer than it saves: they are ordinary memory */
  const char *profile;         /* the date of the kept profile of the card that this follows from; NULL: the defaults */
  const char *warning;         /* a kept profile that could not be read, a sentence; nullable. Both live for ever */
} EsUploadChoice;

/* What suits this machine, and cards such as `device` (nullable: the defaults) and its members. n_cards: 1 or more;
 * bytes: that are to be brought, 0: nobody knows, and many; limits: nullable, of which threads and memory are kept to.
 * The one place of the defaults. */
EsUploadChoice es_upload_choose (EsDevice *device, guint n_cards, guint64 bytes, const EsLimits *limits);

/* What was measured of a card; FALSE: nothing. *warning: as in the choice. Any thread. */
typedef struct _EsUploadFigures EsUploadFigures;
typedef gboolean (*EsUploadLookup) (EsDevice *device, EsUploadFigures *figures, const char **warning);
/* Who knows; for programs, before there are threads (es_kept_profiles_use ()). NULL: nobody. */
void           es_upload_set_lookup (EsUploadLookup lookup);
/* "12 threads, pieces of 1.2 MiB, page-locked (profile of 2026-11-27)", translated. Transfer full. */
char          *es_upload_describe   (const EsUploadChoice *choice);

G_END_DECLS
