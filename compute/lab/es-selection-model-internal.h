/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab.h"
#include "es-segmented-fit-internal.h"

G_BEGIN_DECLS

/*
 * Which kind of host memory an array should be in: gpu-lab.md, section 14, (4.9) and (4.10), generalised to all kinds
 * of memory that there are. Pure.
 *
 * Managed memory is no copy but one array, which is where it was needed last: before the processor writes it anew it
 * comes back, and before the card has something new to bring it goes there. Of t times to the card and f times from it,
 * in turns while there are some of both, it moves there max (t, f) times and back f times, or t - 1 where t > f. What
 * only comes from the card is touched there first, and moves there once less. What goes to and fro is slower than what
 * moves once, as drivers hold up pages that do: all moves but the first of each way take as much longer as they did in
 * ES_SELECTION_TURNS turns.
 */
#define ES_SELECTION_TURNS 8

typedef struct
{
  guint64 bytes;
  guint   to, from;            /* how often it is copied to the card, and from it */
  guint   touched;             /* how often the processor goes through it in between */
  guint   used;                /* how often the card goes through it where it lies there */
} EsTransferredArray;

/* "149501632:1:0, 200704:1:1:2": bytes, to, from, touched, used (0 unless told). ES_COMPUTE_ERROR_PARAMETER: a sentence
 * with what was found. Of EsTransferredArray; transfer full. */
GArray     *es_transferred_arrays_parse (const char *text, GError **error);
gboolean    es_transferred_arrays_check (const char *text, GError **error);

/* What a machine was found to do with one kind of memory. */
typedef struct
{
  gboolean       known;
  gboolean       moves;        /* it is managed: not copied, but moved to and fro */
  EsSegmentedFit to, from;     /* bytes a second by bytes */
  gboolean       has_turns;
  EsSegmentedFit turns;        /* bytes a second by bytes, each way counted, of ES_SELECTION_TURNS there and back */
  gboolean       has_lock;
  EsTwoPieceFit  lock, unlock; /* seconds by bytes: of what is there and is locked for the transfers alone */
  gboolean       has_own;
  EsTwoPieceFit  own;          /* seconds by bytes: allocating, touching and freeing it */
  gboolean       has_own_there;
  EsTwoPieceFit  own_there;    /* the same where the card touches it first: of what moves alone */
  double         touch;        /* bytes a second that the processor reads of it; 0: not known */
  gboolean       has_use;
  EsSegmentedFit use;          /* bytes a second by bytes that the card reads of it once it is there */
} EsMemoryModel;

/* How often an array goes to the card and comes back. */
void        es_selection_moves     (const EsMemoryModel *model, const EsTransferredArray *array, guint *to,
                                    guint *from);

/* Of (4.9) or (4.10); NAN: the kind is not known, or something that is asked for is not known of it. without_own:
 * without allocating, touching first and freeing, which all kinds have in the thesis. Below what was measured a copy
 * takes as long as the smallest that was. */
double      es_selection_seconds   (const EsMemoryModel *model, const EsTransferredArray *array, gboolean without_own);
/* The kind that is predicted to be quickest; ESK_N_MEMORIES: none is known. */
EskLabMemory es_selection_choose   (const EsMemoryModel models[ESK_N_MEMORIES], const EsTransferredArray *array,
                                    gboolean without_own);
const char *es_lab_memory_name     (EskLabMemory memory);                 /* untranslated, N_(): also of figures */

G_END_DECLS
