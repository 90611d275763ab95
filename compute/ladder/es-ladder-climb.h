/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ladders.h"
#include "layer/es-verdict.h"
#include "published/es-published.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What a climb found: every rung of a ladder on one device with its numbers. It is kept among the values of a result
 * ("ladder"), and read from there by whoever shows it: pages, tables, files say the same.
 */

typedef enum { ES_RUNG_STEP, ES_RUNG_PRODUCTION, ES_RUNG_LIBRARY } EsRungKind;

typedef enum
{
  ES_RUNG_MEASURED,
  ES_RUNG_REFUSED,             /* it cannot do that here: es_ladder_rung_tell_why () */
  ES_RUNG_WRONG,               /* its result is beyond the tolerance: its times count for nothing */
  ES_RUNG_LEFT_OUT             /* nobody asked for it, or one of its strategies was switched off */
} EsRungState;

/* Seconds, bytes and operations; NAN: not known, or of no meaning. */
typedef struct
{
  char        *id;
  EsRungKind   kind;
  char        *strategies;     /* "G_3 S_5"; "" */
  char        *below;          /* nullable */
  char        *source;         /* nullable */
  guint        definition;     /* rungs of one number compute the same; of noise 0 is the mean, 1 the median */
  EsRungState  state;
  guint        why;            /* of a refused one, as modules number it; 0: the device failed, `needs` says how */
  double       amount, limit;
  char        *needs;

  double      *samples;        /* in the order in which they were measured */
  guint        repeats;
  double       median, least, most;
  double       spread;         /* share: half of what lies between the 10th and the 90th per cent, of the median */
  double       preparation, setup;             /* seconds, once for the data; once for a size */
  double       more_memory;
  double       bytes, operations;
  char        *type;           /* "float32"; "" */
  gboolean     matrix;         /* by tensor cores or dot products */
  guint        launches, registers, shared, local, threads, blocks;
  double       occupancy;      /* share; NAN: unknown */
  double       error, tolerance;

  /* Worked out of those. */
  int          below_index;    /* the nearest rung below that counts; -1: none */
  double       whole;          /* seconds, of the median and its preparation: what rungs are compared by */
  double       over_below, over_first;         /* times as fast, preparation apart */
  double       intensity;      /* operations a byte */
  double       rate;           /* operations a second */
  double       bandwidth;      /* bytes a second that it asks for */
  double       roof;           /* operations a second that its kind of arithmetic reaches here */
  double       published;      /* seconds, of that row */
  double       published_gain; /* over what was published of the rung below */
  const char  *gain_row;       /* whose gain that is: of another row where `row` has none (static); nullable */
  const EsPublished *table;    /* where that is from; nullable */
} EsLadderRung;

typedef struct
{
  char    *type;               /* "float32" */
  gboolean matrix;
  double   rate;               /* operations a second, a multiply-add is two */
} EsLadderRoof;

/* One rung with other numbers of threads a block (of a processor: in all). */
typedef struct
{
  guint  threads;
  double median, least, most;  /* seconds; NAN: refused */
  double published;            /* seconds; NAN */
} EsLadderSweep;

typedef struct
{
  const EsLadder *ladder;
  char         *backend;       /* "cpu", "cuda" */
  char         *machine;       /* "NVIDIA H100 80GB HBM3" */
  char         *date;          /* "2026-11-27"; "" */
  EsLadderSize  size;
  const char   *row;           /* of the published tables (static); nullable */
  gboolean      same_size;     /* that row is about this very size: times compare, not gains alone */
  double        least_bytes, least_operations; /* what nobody can do without */
  double        memory;        /* bytes a second that reading memory reaches; NAN */
  double        cache, cache_bytes;            /* the same of the nearest large cache, and its size */
  EsLadderRoof *roofs;
  guint         n_roofs;
  EsLadderRung *rungs;         /* in the order of climbing, all that the module has */
  guint         n;
  int           first;         /* the first step that counts: what the others are told by; -1 */
  char         *swept;         /* nullable: the id of the rung of what follows */
  EsLadderSweep *sweep;
  guint         n_sweep;
} EsLadderClimb;

/* Of a result's values; NULL: it climbed no ladder, or something is wrong with what was saved (ES_DATA_ERROR_FORMAT).
 * Transfer full. */
EsLadderClimb *es_ladder_climb_new_from (EsResult *result, GError **error);
void           es_ladder_climb_free     (EsLadderClimb *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLadderClimb, es_ladder_climb_free)

/* The rungs that a machine ("cuda:0", and its name) could climb, none of them measured. Loads the module of its back
 * end, which may take a second: not in the main context. ES_COMPUTE_ERROR_DEVICE: there is none. Transfer full. */
EsLadderClimb *es_ladder_climb_new_unmeasured (const EsLadder *ladder, const char *id, const char *machine,
                                               GError **error);

/* -1: there is none. */
int            es_ladder_climb_find     (const EsLadderClimb *self, const char *id);
/* The one of its kind that counts, of several the one that takes least with its preparation; -1: none does. */
int            es_ladder_climb_find_kind (const EsLadderClimb *self, EsRungKind kind);
/* The fastest of all that count; -1. */
int            es_ladder_climb_find_fastest (const EsLadderClimb *self);
/* The fastest of those that compute the same as a rung that counts: itself, where none is faster. */
guint          es_ladder_climb_find_rival (const EsLadderClimb *self, guint rung);
/* The step that brought most over what is below it; -1: none brought anything. */
int            es_ladder_climb_find_best_step (const EsLadderClimb *self);
/* Seconds that nobody can do it in: what has to be moved by the memory's bandwidth, or has to be computed by the
 * fastest arithmetic of that kind, whichever is more. rung: whose arithmetic; NAN: not known. */
double         es_ladder_climb_get_bound (const EsLadderClimb *self, guint rung, gboolean *by_memory);

/* A sentence why a rung has no times; NULL: it has. Translated. Transfer full. */
char          *es_ladder_rung_tell_why  (const EsLadderRung *self);
/* Whether what was published of a step holds here: YES: it does, or more; NO: it does not; UNSURE: less of it; TELLS:
 * nothing was published, or nothing was measured. */
EsVerdictState es_ladder_judge          (const EsLadderClimb *self, guint rung);
/* What it brought and why, by the numbers: some sentences, translated; NULL: there is nothing to say. Transfer full. */
char          *es_ladder_explain        (const EsLadderClimb *self, guint rung);

G_END_DECLS
