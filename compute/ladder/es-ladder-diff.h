/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * What has to be taken out of one text and put into it to make it another, by lines: as few as possible (the longest
 * common subsequence). Spaces, tabulators and carriage returns at the ends of lines are no difference. Of texts that
 * differ in more than some thousand lines of each, what lies between the common beginning and end counts as changed
 * as a whole.
 */
typedef enum { ES_DIFF_SAME, ES_DIFF_REMOVED, ES_DIFF_ADDED } EsDiffKind;

/* Neighbouring lines of one kind. In a change what is removed comes first. */
typedef struct
{
  EsDiffKind kind;
  guint      before, after;    /* the first line's number in each text, from 0; of the next line where it has none */
  guint      n;                /* lines */
} EsDiffRun;

typedef struct
{
  char     **before, **after;  /* the lines, without line ends */
  guint      n_before, n_after;
  EsDiffRun *runs;
  guint      n;
} EsLadderDiff;

/* Either may be NULL: no text. Transfer full. */
EsLadderDiff *es_ladder_diff_new  (const char *before, const char *after);
void          es_ladder_diff_free (EsLadderDiff *self);
/* How many lines are of that kind. */
guint         es_ladder_diff_count (const EsLadderDiff *self, EsDiffKind kind);
/* Line `line` of run `run`, from 0. Borrowed. */
const char   *es_ladder_diff_get_line (const EsLadderDiff *self, guint run, guint line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLadderDiff, es_ladder_diff_free)

G_END_DECLS
