/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-device-profile.h"

G_BEGIN_DECLS

/*
 * The figures of a profile beside those of others, as rows of texts: what, of which experiment, at which x, this one's,
 * and of each other its value and how many times as much this one's is.
 */
typedef struct
{
  guint      n_columns, n_rows;
  GPtrArray *titles;           /* of char * */
  GPtrArray *cells;            /* row after row, of char * */
} EsProfileSheet;

/* others: of EsDeviceProfile. whole: every point of every curve, with plain numbers and units in columns of their own,
 * to be written; else, to be read, of each curve its two ends. */
EsProfileSheet *es_profile_sheet_new    (EsDeviceProfile *profile, GPtrArray *others, gboolean whole);
void            es_profile_sheet_free   (EsProfileSheet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsProfileSheet, es_profile_sheet_free)
/* Comma-separated, with a header row, as RFC 4180 quotes. Transfer full. */
char           *es_profile_sheet_to_csv (EsProfileSheet *self);

G_END_DECLS
