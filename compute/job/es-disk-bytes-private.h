/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes that the system has brought from disks for this process so far, not from its cache; negative: it does not
 * say. */
double es_disk_bytes (void);

G_END_DECLS
