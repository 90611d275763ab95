/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-selection-model-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

#define MOST_ARRAYS 32
#define MOST_BYTES ((guint64) 64 << 30)
#define MOST_TIMES 1000

const char *
es_lab_memory_name (EskLabMemory memory)
{
  static const char *const names[ESK_N_MEMORIES] = {
    N_("Pageable"), N_("Registered"), N_("Page-locked"), N_("Write-combined"), N_("Mapped"), N_("Managed"),
    N_("Large pages"), N_("Managed, prefetched"),
  };

  g_return_val_if_fail (memory < ESK_N_MEMORIES, NULL);
  return names[memory];
}

static gboolean
read_number (const char *text, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

static gboolean
read_array (const char *text, EsTransferredArray *array)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  const guint n = g_strv_length (parts);
  guint64 numbers[5] = { 0 };

  if (n < 3 || n > G_N_ELEMENTS (numbers))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!read_number (g_strstrip (parts[i]), i == 0 ? MOST_BYTES : MOST_TIMES, &numbers[i]))
      return FALSE;
  *array = (EsTransferredArray) { numbers[0], (guint) numbers[1], (guint) numbers[2], (guint) numbers[3],
                                  (guint) numbers[4] };
  return array->bytes > 0 && array->to + array->from > 0;
}

GArray *
es_transferred_arrays_parse (const char *text, GError **error)
{
  g_autoptr (GArray) arrays = g_array_new (FALSE, FALSE, sizeof (EsTransferredArray));
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      EsTransferredArray array;

      if (!read_array (g_strstrip (parts[i]), &array))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("“%s” is no array: expected bytes:to:from, bytes:to:from:touched or "
                         "bytes:to:from:touched:used, such as “200704:1:1”, up to 64 GiB and at least one copy."),
                       parts[i]);
          return NULL;
        }
      g_array_append_val (arrays, array);
    }
  if (arrays->len == 0 || arrays->len > MOST_ARRAYS)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There are %u arrays: expected 1 to %u, separated by commas."), arrays->len, MOST_ARRAYS);
      return NULL;
    }
  return g_steal_pointer (&arrays);
}

gboolean
es_transferred_arrays_check (const char *text, GError **error)
{
  g_autoptr (GArray) arrays = es_transferred_arrays_parse (text, error);

  return arrays != NULL;
}

/* Seconds of one copy. What is smaller than all that was measured takes as long as the smallest of it: bandwidths fall
 * with the size there, times do not. */
static double
copy_seconds (const EsSegmentedFit *fit, double bytes)
{
  const double measured = fmax (bytes, fit->pieces[0].from);

  return measured / es_segmented_fit_value (fit, measured);
}

void
es_selection_moves (const EsMemoryModel *model, const EsTransferredArray *array, guint *to, guint *from)
{
  *to = !model->moves ? array->to : array->to > 0 ? MAX (array->to, array->from) : array->from - 1;
  *from = model->moves && array->to > array->from ? array->to - 1 : array->from;
}

/* How much longer a move takes that is not the first. */
static double
turns_ratio (const EsMemoryModel *model, double bytes)
{
  const double once = copy_seconds (&model->to, bytes) + copy_seconds (&model->from, bytes);
  const double all = 2 * ES_SELECTION_TURNS * copy_seconds (&model->turns, bytes);

  return fmax ((all / once - 1) / (ES_SELECTION_TURNS - 1), 0);
}

/* Of n transfers, each but the first of which takes `ratio` times as long. */
static double
transfers_seconds (const EsSegmentedFit *fit, double bytes, guint n, double ratio)
{
  return n > 0 ? copy_seconds (fit, bytes) * (1 + ratio * (n - 1)) : 0;
}

double
es_selection_seconds (const EsMemoryModel *model, const EsTransferredArray *array, gboolean without_own)
{
  const double bytes = (double) array->bytes;
  const gboolean there = model->moves && array->to == 0;
  double seconds = 0;
  guint to, from;

  /* What is asked for and not known is not free. */
  if (!model->known || (array->touched > 0 && !(model->touch > 0)) || (array->used > 0 && !model->has_use)
      || (!without_own && !(there ? model->has_own_there : model->has_own)))
    return NAN;
  es_selection_moves (model, array, &to, &from);
  if (model->moves && MAX (to, from) > 1 && !model->has_turns)
    return NAN;
  const double ratio = model->moves && MAX (to, from) > 1 ? turns_ratio (model, bytes) : 1;
  seconds += transfers_seconds (&model->to, bytes, to, ratio) + transfers_seconds (&model->from, bytes, from, ratio);
  if (model->has_lock)
    seconds += es_two_piece_value (&model->lock, bytes) + es_two_piece_value (&model->unlock, bytes);
  if (array->touched > 0)
    seconds += array->touched * bytes / model->touch;
  if (array->used > 0)
    seconds += array->used * copy_seconds (&model->use, bytes);
  if (!without_own)
    seconds += es_two_piece_value (there ? &model->own_there : &model->own, bytes);
  return seconds;
}

EskLabMemory
es_selection_choose (const EsMemoryModel models[ESK_N_MEMORIES], const EsTransferredArray *array, gboolean without_own)
{
  EskLabMemory best = ESK_N_MEMORIES;
  double least = INFINITY;

  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const double seconds = es_selection_seconds (&models[m], array, without_own);

      if (seconds < least)
        {
          least = seconds;
          best = (EskLabMemory) m;
        }
    }
  return best;
}
