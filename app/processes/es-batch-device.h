/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"
#include "device/es-limits.h"
#include "result/es-operation.h"

/*
 * Which device an operation has, as --device tells it (text; nullable). *device: NULL where the program chooses for
 * every file; borrowed. *chosen: why the program has chosen it; NULL where somebody has told it, or nothing is chosen.
 * Several processes share what processors compute; many: each has a file of its own. limits: whether the processor may
 * take over. FALSE: there is no such device.
 */
gboolean es_batch_device_settle      (const EsOperation *operation, const char *text, gboolean many, EsDevice **device,
                                      const char **chosen, EsLimits *limits, GError **error);
/* Several processes of a host share its processors, unless the launcher has already given each its own; 0: all. */
guint    es_batch_threads_of_process (void);
