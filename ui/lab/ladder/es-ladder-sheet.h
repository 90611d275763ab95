/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A ladder as the page shows it: its rungs in the order of climbing, with what was measured of them, and the roofs of
 * the device. Numbers and texts are as others have worked them out; here they are only held. Not changed once shown.
 */

typedef enum { ES_SHEET_STEP, ES_SHEET_PRODUCTION, ES_SHEET_LIBRARY } EsSheetMark;
typedef enum { ES_SHEET_SAME, ES_SHEET_ADDED, ES_SHEET_REMOVED } EsSheetChange;

typedef struct
{
  char *id;                    /* "G_3" */
  char *title, *text;          /* translated; text: what it is, for a tooltip; nullable */
} EsSheetStrategy;

typedef struct
{
  char   *title;
  double  value;               /* NAN: there is none, and text stands alone */
  char   *unit;                /* as es_format_value () knows them; nullable */
  char   *text;                /* instead of the value, or behind it; nullable */
} EsSheetNumber;

typedef struct
{
  EsSheetChange change;
  guint          old, new;     /* numbers of the line in the source of the rung below, and in its own; 0: not in it */
  char          *text;
} EsSheetLine;

typedef struct
{
  char         *id;            /* "v4-1" */
  char         *name;          /* "V4-1": short, beside points */
  char         *title;         /* what it does, in a few words; translated */
  char         *text;          /* what it changes and why, a paragraph; nullable */
  char         *found;         /* what it brought and why, by the numbers; nullable */
  EsSheetMark  mark;
  char        **strategies;    /* ids, NULL-terminated */
  int           below;         /* the rung it changes; -1: none */
  char         *refused;       /* why it was not measured, a sentence; NULL: it was not refused */
  char         *wrong;         /* why its times do not count; NULL: they do */

  double        seconds, low, high;            /* median, and the spread; NAN: not measured */
  double        over_below, over_first;        /* speed-ups; NAN: none */
  double        intensity, rate;               /* operations a byte, operations a second; NAN: it has no point */
  double        published;                     /* seconds; NAN: none */
  char         *hardware, *source_of;          /* of what was published: "Tesla K20c"; where; nullable */
  GArray       *numbers;                       /* EsSheetNumber */
  char         *source;                        /* all of it; NULL: there is none to read */
  GArray       *lines;                         /* EsSheetLine: beside the rung below; empty: as above */
} EsSheetRung;

typedef struct
{
  char    *title;              /* "Memory, 2.1 TB/s" */
  gboolean sloped;             /* bytes a second; else operations a second */
  double   value;
} EsSheetRoof;

typedef struct
{
  gatomicrefcount refs;
  char      *title;
  char      *of;               /* whose times these are: "NVIDIA H100"; nullable */
  char      *size;             /* of the work, "192 × 96 pixels, 224 bands"; nullable */
  char      *published_size;   /* of what the published times are about, where that is another; nullable */
  char      *label;            /* what it is called among others, where that is too long; nullable */
  gboolean   measured;         /* it has times of its own */
  GPtrArray *rungs;            /* EsSheetRung */
  GArray    *strategies;       /* EsSheetStrategy: all that a rung has, in the order of teaching */
  GArray    *roofs;            /* EsSheetRoof */
} EsLadderSheet;

EsLadderSheet    *es_ladder_sheet_new   (const char *title, const char *of);
EsLadderSheet    *es_ladder_sheet_ref   (EsLadderSheet *self);
void              es_ladder_sheet_unref (EsLadderSheet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLadderSheet, es_ladder_sheet_unref)

/* "NVIDIA H100"; "" where nobody knows. Borrowed. */
const char       *es_ladder_sheet_get_label    (EsLadderSheet *self);
/* A rung at the end: nothing is measured of it yet, and all texts but these are NULL. Borrowed. */
EsSheetRung *es_ladder_sheet_add_rung     (EsLadderSheet *self, EsSheetMark mark, const char *id,
                                                const char *name, const char *title);
void              es_ladder_sheet_add_strategy (EsLadderSheet *self, const char *id, const char *title,
                                                const char *text);
void              es_ladder_sheet_add_roof     (EsLadderSheet *self, const char *title, gboolean sloped, double value);
void              es_sheet_rung_add_number    (EsSheetRung *rung, const char *title, double value,
                                                const char *unit, const char *text);
void              es_sheet_rung_add_line      (EsSheetRung *rung, EsSheetChange change, guint old, guint new,
                                                const char *text);

guint             es_ladder_sheet_get_n    (EsLadderSheet *self);
EsSheetRung *es_ladder_sheet_get      (EsLadderSheet *self, guint i);                /* borrowed */
/* -1: it has none of that id. */
int               es_ladder_sheet_find     (EsLadderSheet *self, const char *id);
/* NULL: it has none of that id. Borrowed. */
const EsSheetStrategy *es_ladder_sheet_find_strategy (EsLadderSheet *self, const char *id);
gboolean          es_sheet_rung_has       (const EsSheetRung *rung, const char *strategy);
/* A rung whose strategies are those of another one but for a single one, which it has or lacks instead; -1: none.
 * Steps before what the program and libraries do. */
int               es_ladder_sheet_find_other (EsLadderSheet *self, guint rung, const char *strategy);

G_END_DECLS
