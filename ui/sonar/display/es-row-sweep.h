/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * In which order a display fills the rows of a record: those in view first, coarse to fine, and then all others the
 * same way. A row that could not be filled is not offered again until it is set in view anew.
 */
typedef struct _EsRowSweep EsRowSweep;

typedef enum
{
  ES_ROW_EMPTY,
  ES_ROW_FILLED,
  ES_ROW_DROPPED,              /* it was filled, and is needed again where it is in view */
} EsRowState;

EsRowSweep *es_row_sweep_new       (void);
void        es_row_sweep_free      (EsRowSweep *self);
/* n rows, all empty. */
void        es_row_sweep_reset     (EsRowSweep *self, guint n);
/* n more of them. */
void        es_row_sweep_extend    (EsRowSweep *self, guint n);
/* refills: also what has been dropped there. */
void        es_row_sweep_set_view  (EsRowSweep *self, double from, double end, gboolean refills);
void        es_row_sweep_set       (EsRowSweep *self, guint row, EsRowState state);
EsRowState  es_row_sweep_get       (EsRowSweep *self, guint row);
/* FALSE: none is left. */
gboolean    es_row_sweep_next      (EsRowSweep *self, guint *row);
gboolean    es_row_sweep_is_done   (EsRowSweep *self);

G_END_DECLS
