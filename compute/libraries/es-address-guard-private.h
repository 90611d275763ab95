/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between these two GDAL opens this address on this thread. */
void es_address_admit         (const char *address);
void es_address_admit_no_more (void);

G_END_DECLS
