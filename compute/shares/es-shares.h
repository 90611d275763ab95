/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "device/es-limits.h"

G_BEGIN_DECLS

/*
 * What part of the work each of several processes (es-ranks.h) gets: for a whole run, as samples stay where they were
 * read. No result depends on it but for the time that it takes.
 */
typedef enum
{
  ES_SHARES_AUTO,              /* measured where processes have other processors, threads or cards than others */
  ES_SHARES_EQUAL,
  ES_SHARES_MEASURED,
  ES_SHARES_TOLD,              /* somebody says what each is to have */
} EsSharesKind;

typedef struct
{
  EsSharesKind  kind;
  const double *told;          /* n_told of any sum, none below 0; ES_SHARES_TOLD */
  guint         n_told;
} EsShares;

/* By all processes, before anything is shared out; nothing where there is one. device: of this process; takes: what the
 * operation works on. Measuring takes a tenth of a second, or up to half a second where it does not come to the same.
 * ES_COMPUTE_ERROR_PARAMETER: as many shares as processes are told, and something above 0. */
gboolean es_shares_settle (const EsShares *self, EsDevice *device, const EsLimits *limits, EsDatasetKind takes,
                           GError **error);

/* What speeds (n, of any unit) are worth: those that differ by less than measuring does are the same, and a process so
 * slow that all others together have done everything before it has done the least piece has no part: its speed becomes
 * 0. */
void     es_shares_even_out (double *speeds, guint n);

G_END_DECLS
