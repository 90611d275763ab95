/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-session.h"

G_BEGIN_DECLS

/* A run in two steps, for who must know the job before the session's list does. source (nullable): the result that the
 * operation works on; its data set otherwise. Transfer full. */
EsJob *es_session_make_job  (EsSession *self, const EsOperation *operation, EsDataset *dataset, EsResult *source,
                             EsParams *params, EsDevice *device, EsResult *replaces);
void   es_session_start_job (EsSession *self, EsJob *job);

G_END_DECLS
