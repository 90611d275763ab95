/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "job/es-job.h"

G_BEGIN_DECLS

/* Which planes, and how they are stretched: the parameters of "composite". */
extern const EsParamSpec es_batch_composite_params[];

/* "1,2,3 cut=0.01 curve=equalise": the planes, and parameters behind them; of which there are, nothing is known yet.
 * Transfer full. */
EsParams *es_batch_composite_parse (const char *text, GError **error);
/* What of it can be told before job has run, whose result and cube a picture is then made of, the first and the second
 * file: FALSE where one of the planes will not be there. */
gboolean  es_batch_composite_check (EsJob *job, EsParams *params, GError **error);
/* things: of EsCube or EsResult, in the order in which planes name them. Blocking. notes: as es_write_image (). */
gboolean  es_batch_composite_write (GPtrArray *things, EsParams *params, GFile *target, GPtrArray *notes,
                                    GCancellable *cancellable, GError **error);

G_END_DECLS
