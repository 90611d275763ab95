/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/*
 * The device that an operation's plan and the measured speeds favour for this run, and why (one translated sentence:
 * "expected 0.1 s, 1.9 s on the CPU"); transfer full. Borrowed; never NULL. Measures the devices that it compares.
 */
EsDevice *es_device_choose (const EsOperation *operation, EsDataset *dataset, EsParams *params, const EsLimits *limits,
                            char **reason);

G_END_DECLS
