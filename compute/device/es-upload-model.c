/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-upload-model-internal.h"

#include <math.h>

/* As near to what could be reached. */
#define NEARLY 0.97
#define PIECE_STEP ((gsize) 256 << 10)
#define LARGEST_PIECE ((gsize) 4 << 20)

double
es_upload_fill_rate (const EsUploadFigures *figures, guint threads)
{
  const double cores = MAX (figures->cores, 1);
  /* One that is slower than its share of all: the first of several runs was. */
  const double one = fmax (figures->one_fill, figures->all_fill / cores);
  const double contention = cores > 1 ? (cores * one / figures->all_fill - 1) / (cores - 1) : 0;

  return threads * one / (1 + contention * (threads - 1));
}

guint
es_upload_best_threads (const EsUploadFigures *figures, guint n_cards, guint most)
{
  const double wanted = fmin (n_cards * figures->rate, NEARLY * es_upload_fill_rate (figures, most));
  guint threads = 1;

  while (threads < most && es_upload_fill_rate (figures, threads) < wanted)
    threads++;
  return threads;
}

gsize
es_upload_best_piece (const EsUploadFigures *figures, guint threads)
{
  const double bytes = NEARLY / (1 - NEARLY) * figures->latency * figures->rate / MAX (threads, 1);
  const double steps = ceil (fmin (bytes, LARGEST_PIECE) / PIECE_STEP);

  return (gsize) fmax (steps, 1) * PIECE_STEP;
}

/* By the line through its neighbours, in logarithms; beyond its ends at the rate of those. */
static double
seconds_of (const EsUploadCurve *curve, double bytes)
{
  guint i = 0;

  if (bytes <= curve->bytes[0])
    return curve->seconds[0];
  while (i + 2 < curve->n && bytes > curve->bytes[i + 1])
    i++;
  if (curve->n < 2 || bytes >= curve->bytes[curve->n - 1])
    return curve->seconds[curve->n - 1] * bytes / curve->bytes[curve->n - 1];
  const double share = log (bytes / curve->bytes[i]) / log (curve->bytes[i + 1] / curve->bytes[i]);
  return curve->seconds[i] * pow (curve->seconds[i + 1] / curve->seconds[i], share);
}

static double
cost_of (const EsUploadCost *cost, double bytes)
{
  return bytes < cost->break_at && cost->below > 0 ? cost->below : fmax (cost->start + cost->slope * bytes, 0);
}

gboolean
es_upload_is_pageable (const EsUploadFigures *figures, const EsUploadChoice *choice, guint64 bytes)
{
  const double piece = (double) MIN ((guint64) choice->piece_bytes, bytes), copies = bytes > 0 ? bytes / piece : 0;
  const double buffers = fmin (ceil (copies), (double) choice->threads * choice->pieces);

  if (bytes == 0 || !figures->has_cost || figures->pageable.n == 0 || figures->locked.n == 0)
    return FALSE;
  return copies * seconds_of (&figures->pageable, piece)
         < buffers * (cost_of (&figures->lock, piece) + cost_of (&figures->unlock, piece))
           + copies * seconds_of (&figures->locked, piece);
}
