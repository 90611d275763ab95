/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-profile.h"
#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * What one machine and others were found to do, where curves cannot show it: figures that stand for themselves, and
 * series of which another machine has a single point. A table layer for each group of an experiment's figures.
 */

/* The groups for which there is something, in the order of the figures; NULL-terminated, transfer full. others: of
 * EsDeviceProfile. */
char   **es_profile_table_groups (EsDeviceProfile *own, const char *experiment, GPtrArray *others);
/* Named as the group. Columns: what, this machine's value, and of each other that has anything of the group its value
 * and how many times as much this machine's is; "–" where one has nothing, or in another unit. title: translated. NULL:
 * no other has anything. Transfer full. */
EsTable *es_profile_table_new    (EsDeviceProfile *own, const char *experiment, const char *group, const char *title,
                                  GPtrArray *others);

G_END_DECLS
