/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether numbers of channels in a file count from 0, as recordings do, or from 1, as people do. */

#include "es-array-private.h"

typedef struct
{
  guint    low, high;          /* of all rows that tell a channel */
  guint    living_low;
  gboolean living_from_0;      /* a living element in row k hears channel k */
  gboolean living_from_1;      /* ... k + 1 */
} Range;

static Range
range_of (const EsElement *elements, const guint *numbers, guint n)
{
  Range range = { G_MAXUINT, 0, G_MAXUINT, TRUE, TRUE };

  for (guint k = 0; k < n; k++)
    {
      if (numbers[k] == ES_ARRAY_NO_CHANNEL)
        continue;
      range.low = MIN (range.low, numbers[k]);
      range.high = MAX (range.high, numbers[k]);
      if (elements[k].dead)
        continue;
      range.living_low = MIN (range.living_low, numbers[k]);
      range.living_from_0 = range.living_from_0 && numbers[k] == k;
      range.living_from_1 = range.living_from_1 && numbers[k] == k + 1;
    }
  return range;
}

gboolean
es_array_counts_from_one (const EsElement *elements, const guint *numbers, guint n, guint *low, guint *high,
                          gboolean *doubtful, guint *certain)
{
  const Range range = range_of (elements, numbers, n);

  *low = range.low;
  *high = range.high;
  *doubtful = FALSE;
  *certain = 0;
  if (range.living_low == 0 || range.living_low == G_MAXUINT)
    return FALSE;
  if (range.low == 1 && range.high == n)
    {
      /* Unless the recording has a channel more: it may be the one that they count from 0. */
      *doubtful = TRUE;
      *certain = n;
      return TRUE;
    }
  if (range.low == 0)
    {
      /* The 0 of a dead row is a channel among 0 to n - 1, or stands for none beside 1 to n. */
      *doubtful = range.living_from_1 || range.high >= n;
      return range.living_from_1;
    }
  /* What would tell is not there: a dead row without a number, or channels that no row has. */
  *doubtful = TRUE;
  return !range.living_from_0 && (range.low == 1 || range.living_from_1);
}
