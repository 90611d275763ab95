/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab.h"
#include "es-segmented-fit-internal.h"

G_BEGIN_DECLS

/*
 * Which kind of host memory an array should be in: gpu-lab.md, section 14, (4.9) and (4.10), generalised to all kinds
 * of memory that there are. Pure.
 */
typedef struct
{
  guint64 bytes;
  guint   to, from;            /* how often it is copied to the card, and from it */
  guint   touched;             /* how often the processor goes through it in between */
} EsTransferredArray;

/* "149501632:1:0, 200704:1:1:2": bytes, to, from, touched (0 unless told). ES_COMPUTE_ERROR_PARAMETER: a sentence with
 * what was found. Of EsTransferredArray; transfer full. */
GArray     *es_transferred_arrays_parse (const char *text, GError **error);
gboolean    es_transferred_arrays_check (const char *text, GError **error);

/* What a machine was found to do with one kind of memory. */
typedef struct
{
  gboolean       known;
  EsSegmentedFit to, from;     /* bytes a second by bytes */
  gboolean       has_lock;
  EsTwoPieceFit  lock, unlock; /* seconds by bytes: of what is there and is locked for the transfers alone */
  gboolean       has_own;
  EsTwoPieceFit  own;          /* seconds by bytes: allocating, touching and freeing it */
  double         touch;        /* bytes a second that the processor reads of it; 0: not known */
} EsMemoryModel;

/* Of (4.9) or (4.10); NAN: the kind is not known, or something that is asked for is not known of it. without_own:
 * without allocating, touching first and freeing, which all kinds have in the thesis. Below what was measured a copy
 * takes as long as the smallest that was. */
double      es_selection_seconds   (const EsMemoryModel *model, const EsTransferredArray *array, gboolean without_own);
/* The kind that is predicted to be quickest; ESK_N_MEMORIES: none is known. */
EskLabMemory es_selection_choose   (const EsMemoryModel models[ESK_N_MEMORIES], const EsTransferredArray *array,
                                    gboolean without_own);
const char *es_lab_memory_name     (EskLabMemory memory);                 /* untranslated, N_(): also of figures */

G_END_DECLS
