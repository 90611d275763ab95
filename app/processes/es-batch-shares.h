/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"
#include "shares/es-shares.h"

/* What --shares says; text: nullable. FALSE: it says nothing that is known, and that has been told. Transfer full of
 * *told, which self borrows. */
gboolean es_batch_shares_parse (const char *text, EsShares *self, double **told);
/* A line of a summary, where processes had other shares than others. */
void     es_batch_shares_print (EsResult *result);
