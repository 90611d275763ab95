/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Defaults, measured on 16 cores of a Xeon with an H100 (link: 55 GB/s): a core reads the system's cache at 7 GB/s, and
 * 12 of them at 70 into pieces of 1 to 2 MB, which are still in caches when they are copied; into pieces of 16 MB,
 * which are not, at 38. Over the link a copy costs 4 us beside its bytes: pieces of 0.5 MB arrive at 40 GB/s, of 2 MB
 * at 49.
 */

#include "es-upload-model-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of the cores, so that those remain that launch, and the rest of the program. */
#define READERS_SHARE 0.75
/* What one card takes in; and what it may, where it was measured. */
#define MOST_READERS 12
#define MOST_MEASURED_READERS 32
/* So many there are even where that is more than the share; of several cards, for each. */
#define FEW_CORES 8
#define FEWEST_READERS 4
#define FEWEST_READERS_A_CARD 2
#define PIECE_BYTES ((gsize) 2 << 20)
#define SMALLEST_PIECE_BYTES ((gsize) 256 << 10)
/* One is read, one copied, one waits for its turn on the link. */
#define PIECES 3
/* Of the host's memory, for all pieces. */
#define PIECES_SHARE ((EsMemoryShare) { .of_limit = 4, .of_machine = 16 })

static EsUploadLookup lookup;

void
es_upload_set_lookup (EsUploadLookup function)
{
  lookup = function;
}

/* Several cards have one profile where they are all alike. */
static gboolean
find_figures (EsDevice *device, EsUploadFigures *figures, const char **warning)
{
  const EsUploadLookup here = lookup;
  EsDevice *first;

  if (here == NULL || device == NULL || es_device_is_cpu (device))
    return FALSE;
  first = es_device_get_member (device, 0);
  for (guint i = 1; i < es_device_get_n_members (device); i++)
    if (strcmp (es_device_get_name (es_device_get_member (device, i)), es_device_get_name (first)) != 0)
      return FALSE;
  return here (first, figures, warning);
}

/* As many as there may be for all cards, in proportion to the cores that there are. */
static guint
most_readers (guint cores)
{
  return MAX ((guint) (cores * READERS_SHARE), MIN (cores, FEW_CORES));
}

static void
choose_as_usual (guint n_cards, EsUploadChoice *choice)
{
  const guint readers = most_readers (MAX (g_get_num_processors (), 1)) / n_cards;

  choice->piece_bytes = PIECE_BYTES;
  choice->threads = CLAMP (readers, n_cards > 1 ? FEWEST_READERS_A_CARD : FEWEST_READERS, MOST_READERS) * n_cards;
}

/* What is not known of it is as usual. */
static void
choose_as_measured (const EsUploadFigures *figures, guint n_cards, EsUploadChoice *choice)
{
  const guint most = CLAMP (most_readers (figures->cores), n_cards, MOST_MEASURED_READERS * n_cards);

  choice->profile = figures->date;
  if (figures->rate > 0 && figures->one_fill > 0 && figures->all_fill > 0)
    choice->threads = MAX (es_upload_best_threads (figures, n_cards, most) / n_cards, FEWEST_READERS_A_CARD) * n_cards;
  if (figures->rate > 0 && figures->latency > 0)
    choice->piece_bytes = es_upload_best_piece (figures, choice->threads / n_cards);
}

EsUploadChoice
es_upload_choose (EsDevice *device, guint n_cards, guint64 bytes, const EsLimits *limits)
{
  const guint64 memory = es_limits_get_host_memory (limits, PIECES_SHARE);
  EsUploadChoice choice = { .pieces = PIECES };
  EsUploadFigures figures;
  gboolean measured;

  n_cards = MAX (n_cards, 1);
  measured = find_figures (device, &figures, &choice.warning);
  choose_as_usual (n_cards, &choice);
  if (measured)
    choose_as_measured (&figures, n_cards, &choice);
  if (limits != NULL && limits->threads > 0)
    choice.threads = MIN (choice.threads, limits->threads);
  while (choice.piece_bytes > SMALLEST_PIECE_BYTES && choice.threads * choice.pieces * choice.piece_bytes > memory)
    choice.piece_bytes = MAX (choice.piece_bytes / 2, SMALLEST_PIECE_BYTES);
  while (choice.threads > 1 && choice.threads * choice.pieces * choice.piece_bytes > memory)
    choice.threads--;
  choice.threads = MAX (choice.threads, n_cards);
  if (measured)
    choice.pageable = es_upload_is_pageable (&figures, &choice, bytes);
  return choice;
}

char *
es_upload_describe (const EsUploadChoice *choice)
{
  g_autofree char *size = g_format_size_full (choice->piece_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *how = g_strdup_printf (choice->pageable
                                          ? g_dngettext (GETTEXT_PACKAGE, "%u thread, pieces of %s, pageable",
                                                         "%u threads, pieces of %s, pageable", choice->threads)
                                          : g_dngettext (GETTEXT_PACKAGE, "%u thread, pieces of %s, page-locked",
                                                         "%u threads, pieces of %s, page-locked", choice->threads),
                                          choice->threads, size);

  return choice->profile != NULL ? g_strdup_printf (_("%s; from the profile of %s"), how, choice->profile)
         : g_strdup_printf (_("%s; defaults"), how);
}
