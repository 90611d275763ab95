/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes of memory that this process can count on at most: the machine's, or less where the control group (container,
 * service, batch queue) that it runs in is allowed less. Read once. */
guint64 es_memory_total (void);

/* What control groups allow: memberships is the text of /proc/self/cgroup, root where the groups are mounted. Both
 * hierarchies are known, and each group's parents count as well. G_MAXUINT64: no limit is set. */
guint64 es_memory_allowed (const char *memberships, const char *root);

G_END_DECLS
