/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-shares.h"

G_BEGIN_DECLS

/* How fast this process is at what the operation does most, on its device, with its threads, while the others measure
 * as well; of any unit, the same for all that use such devices. 0: it cannot be measured. */
double es_shares_measure (EsDevice *device, const EsLimits *limits, EsDatasetKind takes);
/* Threads of the processor that a run is going to use. */
guint  es_shares_threads (const EsLimits *limits);

G_END_DECLS
