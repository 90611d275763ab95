/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Defaults, measured on 16 cores of a Xeon with an H100 (link: 55 GB/s): a core reads the system's cache at 7 GB/s, and
 * 12 of them at 70 into pieces of 1 to 2 MB, which are still in caches when they are copied; into pieces of 16 MB,
 * which are not, at 38. Over the link a copy costs 4 us beside its bytes: pieces of 0.5 MB arrive at 40 GB/s, of 2 MB
 * at 49.
 */

#include "es-upload-choice.h"

/* Of the cores, so that those remain that launch, and the rest of the program. */
#define READERS_SHARE 0.75
/* What one card takes in. */
#define MOST_READERS 12
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

EsUploadChoice
es_upload_choose (guint n_cards, const EsLimits *limits)
{
  const guint cores = MAX (g_get_num_processors (), 1);
  const guint readers = MAX ((guint) (cores * READERS_SHARE), MIN (cores, FEW_CORES)) / MAX (n_cards, 1);
  const guint64 memory = es_limits_get_host_memory (limits, PIECES_SHARE);
  EsUploadChoice choice = { .piece_bytes = PIECE_BYTES, .pieces = PIECES };

  choice.threads = CLAMP (readers, n_cards > 1 ? FEWEST_READERS_A_CARD : FEWEST_READERS, MOST_READERS)
                   * MAX (n_cards, 1);
  if (limits != NULL && limits->threads > 0)
    choice.threads = MIN (choice.threads, limits->threads);
  while (choice.piece_bytes > SMALLEST_PIECE_BYTES && choice.threads * choice.pieces * choice.piece_bytes > memory)
    choice.piece_bytes /= 2;
  while (choice.threads > 1 && choice.threads * choice.pieces * choice.piece_bytes > memory)
    choice.threads--;
  choice.threads = MAX (choice.threads, MAX (n_cards, 1));
  return choice;
}
