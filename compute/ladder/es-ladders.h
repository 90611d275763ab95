/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Ladders: one hot spot of the program, computed one way after the other, each with one more idea than the way below
 * it. What there is to say of them in words; the work itself is done by modules (kernels/es-ladder.h), and what a climb
 * found is an EsLadderClimb.
 */

/* As the modules number them. */
typedef enum
{
  ES_LADDER_COVARIANCE,
  ES_LADDER_TRANSFORM,
  ES_LADDER_ICA,
  ES_LADDER_NOISE,
  ES_LADDER_FOURIER,
  ES_LADDER_BEAMS,
  ES_LADDER_JACOBI,
  ES_LADDER_AZIMUTH,
  ES_N_LADDERS
} EsLadderKind;

/* Of the work; 0 where a ladder has no such thing. threads: of a processor, at most so many, 0: all; of a card, of a
 * block where a rung leaves it open, 0: what the rung takes. */
typedef struct
{
  guint width, height, bands, rows, elements, angles, ranges, bins, samples, threads;
} EsLadderSize;

/* A size that has a name: that of a published scene or array. */
typedef struct
{
  const char  *id;             /* "d2", "1024" */
  const char  *row;            /* of the published table; nullable */
  EsLadderSize size;
} EsLadderNamedSize;

typedef struct
{
  EsLadderKind kind;
  const char  *id;             /* "covariance": in files, and a folder of stored ladders */
  const char  *operation;      /* "ladder-covariance" */
  const char  *title;          /* N_(), as all that people read */
  const char  *question;
  const char  *how;            /* what is computed, and how it is held against its definition */
  const char  *predict;        /* what a class is asked before it climbs */
  const char  *remark;         /* nullable: what to know when published times stand beside it */
  EsLadderSize cpu, gpu;       /* the sizes by default */
  const char  *row;            /* of the published tables, by default */
  const EsLadderNamedSize *sizes;      /* closed by one without an id */
} EsLadder;

const EsLadder *es_ladder_get           (EsLadderKind kind);
/* NULL: there is none of that id ("covariance"). */
const EsLadder *es_ladder_find          (const char *id);
/* By the operation's id ("ladder-covariance"); NULL: that climbs no ladder. */
const EsLadder *es_ladder_of_operation  (const char *operation);
/* The size of that name; "default": by the kind of the device. FALSE: there is no such name. */
gboolean        es_ladder_get_size      (const EsLadder *self, gboolean is_cpu, const char *name, EsLadderSize *size);
/* The row of published tables that is about that size; NULL: none is. */
const char     *es_ladder_get_row       (const EsLadder *self, const EsLadderSize *size);
/* "614 × 1087 pixels, 224 bands". Transfer full. */
char           *es_ladder_describe_size (const EsLadder *self, const EsLadderSize *size);
gboolean        es_ladder_size_equal    (const EsLadderSize *a, const EsLadderSize *b);

/* What is written of a rung beside its numbers; N_(). */
typedef struct
{
  const char *id;              /* "v4-1" */
  const char *title;           /* "Padded tile, one byte" */
  const char *change;          /* what it changes, and why that should help */
  const char *today;           /* nullable: why a gain of 2013 to 2017 may not hold on today's machines */
} EsRungText;

/* backend: "cpu", "cuda". NULL: nobody has written of it; its id is all there is. */
const EsRungText *es_ladder_get_rung_text (const char *backend, EsLadderKind kind, const char *id);
/* Translated; the id itself where there is no text. Borrowed. */
const char       *es_ladder_get_rung_title (const char *backend, EsLadderKind kind, const char *id);

/* gpu-lab.md, section 11, and those of processors and of cards since. */
typedef struct
{
  const char *id;              /* "S_5", "V" */
  const char *title;           /* N_() */
  const char *sentence;        /* N_() */
} EsStrategy;

guint             es_strategies_get_n (void);
const EsStrategy *es_strategies_get   (guint i);
const EsStrategy *es_strategy_find    (const char *id);              /* nullable */
/* Of "G_3 S_5", also with commas: the words. Transfer full. */
char            **es_strategies_split (const char *text);

G_END_DECLS
