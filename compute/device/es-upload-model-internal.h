/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-upload-choice.h"

G_BEGIN_DECLS

/*
 * How uploads are best done on a machine whose figures are known: gpu-lab.md, sections 12 to 14. Pure; what has to be
 * measured for it, the laboratory knows (compute/lab/es-upload-figures.c).
 */

/* Copies by size: the sizes of a sweep, rising, and the seconds of each. */
#define ES_UPLOAD_MOST_POINTS 96
typedef struct
{
  guint  n;
  double bytes[ES_UPLOAD_MOST_POINTS], seconds[ES_UPLOAD_MOST_POINTS];
} EsUploadCurve;

/* Seconds by bytes: `below` under break_at, start + slope bytes from there on: (4.5), (4.6). */
typedef struct
{
  double below, break_at, start, slope;
} EsUploadCost;

struct _EsUploadFigures
{
  const char   *date;              /* of the profile; interned */
  guint         cores;             /* of the machine: how many threads `all_fill` is of */
  double        latency, rate;     /* a copy from locked memory takes latency + bytes / rate; 0: not known */
  double        one_fill, all_fill;    /* bytes a second that one thread, and all, copy into memory; 0: not known */
  EsUploadCurve locked, pageable;  /* copies to the card; no points: not known */
  gboolean      has_cost;
  EsUploadCost  lock, unlock;      /* page-locking memory, and undoing it */
};

/* Bytes a second that `threads` bring into memory together: f (T) = T f1 / (1 + a (T - 1)), where a is such that all
 * cores bring what they were measured to: threads that are in each other's way (Gunther's law of contention). */
double   es_upload_fill_rate    (const EsUploadFigures *figures, guint threads);
/*
 * The fewest threads that fill memory as quickly as n_cards links empty it (section 12 against section 13), or that
 * reach 97 % of what `most` threads do, where that is less.
 */
guint    es_upload_best_threads (const EsUploadFigures *figures, guint n_cards, guint most);
/*
 * The smallest piece that reaches 97 % of the link's rate. A copy takes L + S / R (section 13: exp (a - b / S) of the
 * top segment is nearly e^a S / (S + b), and b = L R). The latencies of the threads' copies pass at the same time, so
 * that of each L / T counts: S = 0.97 / 0.03 L R / T. In steps of 256 KiB, from 256 KiB to 4 MiB, beyond which a piece
 * has left the processor's caches before it is copied.
 */
gsize    es_upload_best_piece   (const EsUploadFigures *figures, guint threads);
/*
 * TRUE: page-locking the pieces takes longer than what it saves. (4.9): every piece over the link from ordinary memory;
 * (4.10): each of the buffers locked and unlocked once, every piece over the link from there. bytes: of all pieces; 0:
 * nobody knows, and very many.
 */
gboolean es_upload_is_pageable  (const EsUploadFigures *figures, const EsUploadChoice *choice, guint64 bytes);

G_END_DECLS
