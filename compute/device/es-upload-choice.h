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
  guint  threads;              /* that read, for all cards together; at least one a card */
  gsize  piece_bytes;          /* of one piece, about */
  guint  pieces;               /* that a thread has */
} EsUploadChoice;

/* What suits this machine. n_cards: 1 or more; limits: nullable, of which threads and memory are kept to. */
EsUploadChoice es_upload_choose (guint n_cards, const EsLimits *limits);

G_END_DECLS
