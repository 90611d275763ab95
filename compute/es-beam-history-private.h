/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-block-private.h"
#include "es-beam-history.h"

G_BEGIN_DECLS

/* Rows of the bearing-time record that are allocated, and forgotten, together. */
#define ES_BEAM_HISTORY_CHUNK 1024

/* What is kept of the newest blocks only. */
typedef struct
{
  guint16 *levels;             /* n_angles x n_bins; NULL where there is no far row */
  float   *field;              /* n_ranges x n_angles */
} EsBeamMoment;

struct _EsBeamHistory
{
  GObject       parent_instance;

  guint64       spectra_limit;
  EsBeamForm   *form;          /* NULL until there is a block */

  /* Rows in the order of their coming */
  guint         n_rows;
  GArray       *times;         /* n_rows of double */
  GPtrArray    *chunks;        /* of CHUNK x n_angles floats; NULL entries: not read from the result yet */

  /* A ring: the moment of the newest row is at (next - 1) modulo capacity */
  EsBeamMoment *ring;
  guint         capacity, next, n_moments;

  /* Of a result; what it lacks is NULL */
  EsResult     *result;
  EsField      *btr, *lofar;
  guint         lofar_angle;
  float        *fraz, *field;  /* over all of its time */
};

/* es-beam-history-result.c */
void     _es_beam_history_take_result (EsBeamHistory *self, EsResult *result);
gboolean _es_beam_history_read_chunk  (EsBeamHistory *self, guint chunk);

G_END_DECLS
