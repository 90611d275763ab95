/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-diff.h"

#include <string.h>

/* Of the table of lengths: 8 MB, and a moment. */
#define MOST_CELLS (4u << 20)

/* What follows the last line end is no line where it is empty. */
static char **
split (const char *text, guint *n)
{
  GPtrArray *lines = g_ptr_array_new ();
  const char *at = text != NULL ? text : "", *end = at + strlen (at);

  while (at < end)
    {
      const char *line_end = memchr (at, '\n', (gsize) (end - at));

      if (line_end == NULL)
        line_end = end;
      g_ptr_array_add (lines, g_strndup (at, (gsize) (line_end - at)));
      at = line_end + 1;
    }
  *n = lines->len;
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

static gsize
length_without_end (const char *line)
{
  gsize n = strlen (line);

  while (n > 0 && strchr (" \t\r", line[n - 1]) != NULL)
    n--;
  return n;
}

static gboolean
same (const char *a, const char *b)
{
  const gsize n = length_without_end (a);

  return n == length_without_end (b) && memcmp (a, b, n) == 0;
}

static void
add (GArray *runs, EsDiffKind kind, guint before, guint after, guint n)
{
  EsDiffRun *last = runs->len > 0 ? &g_array_index (runs, EsDiffRun, runs->len - 1) : NULL;

  if (n == 0)
    return;
  if (last != NULL && last->kind == kind)
    last->n += n;
  else
    g_array_append_val (runs, ((EsDiffRun) { kind, before, after, n }));
}

/* length[i][j]: of the longest common subsequence of the lines from `from + i` and `from + j` on. Of two ways that are
 * as short, what is removed comes first. */
static void
add_middle (EsLadderDiff *self, GArray *runs, guint from, guint rows, guint columns)
{
  const gsize stride = (gsize) columns + 1;
  g_autofree guint16 *length = NULL;
  guint i = 0, j = 0;

  if ((guint64) (rows + 1) * stride > MOST_CELLS)
    {
      add (runs, ES_DIFF_REMOVED, from, from, rows);
      add (runs, ES_DIFF_ADDED, from + rows, from, columns);
      return;
    }
  length = g_new0 (guint16, (rows + 1) * stride);
  for (guint a = rows; a-- > 0;)
    for (guint b = columns; b-- > 0;)
      length[a * stride + b] = same (self->before[from + a], self->after[from + b])
                               ? (guint16) (1 + length[(a + 1) * stride + b + 1])
                               : MAX (length[(a + 1) * stride + b], length[a * stride + b + 1]);
  while (i < rows || j < columns)
    if (i < rows && j < columns && same (self->before[from + i], self->after[from + j]))
      {
        add (runs, ES_DIFF_SAME, from + i, from + j, 1);
        i++;
        j++;
      }
    else if (i < rows && (j == columns || length[(i + 1) * stride + j] >= length[i * stride + j + 1]))
      {
        add (runs, ES_DIFF_REMOVED, from + i, from + j, 1);
        i++;
      }
    else
      {
        add (runs, ES_DIFF_ADDED, from + i, from + j, 1);
        j++;
      }
}

EsLadderDiff *
es_ladder_diff_new (const char *before, const char *after)
{
  EsLadderDiff *self = g_new0 (EsLadderDiff, 1);
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (EsDiffRun));
  guint head = 0, tail = 0, least;

  self->before = split (before, &self->n_before);
  self->after = split (after, &self->n_after);
  least = MIN (self->n_before, self->n_after);
  while (head < least && same (self->before[head], self->after[head]))
    head++;
  while (tail < least - head && same (self->before[self->n_before - 1 - tail], self->after[self->n_after - 1 - tail]))
    tail++;
  add (runs, ES_DIFF_SAME, 0, 0, head);
  add_middle (self, runs, head, self->n_before - head - tail, self->n_after - head - tail);
  add (runs, ES_DIFF_SAME, self->n_before - tail, self->n_after - tail, tail);
  self->n = runs->len;
  self->runs = (EsDiffRun *) g_array_free (runs, FALSE);
  return self;
}

void
es_ladder_diff_free (EsLadderDiff *self)
{
  g_strfreev (self->before);
  g_strfreev (self->after);
  g_free (self->runs);
  g_free (self);
}

guint
es_ladder_diff_count (const EsLadderDiff *self, EsDiffKind kind)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->runs[i].kind == kind)
      n += self->runs[i].n;
  return n;
}

const char *
es_ladder_diff_get_line (const EsLadderDiff *self, guint run, guint line)
{
  const EsDiffRun *at = &self->runs[run];

  g_return_val_if_fail (run < self->n && line < at->n, NULL);
  return at->kind == ES_DIFF_REMOVED ? self->before[at->before + line] : self->after[at->after + line];
}
