/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between these two GDAL opens this address on this thread. */
void     es_address_admit         (const char *address);
void     es_address_admit_no_more (void);
/* A VSILFILE of an address that is admitted; NULL: there is none, or its server does not say so
 * (es_address_heard_all ()). */
gpointer es_address_open_heard    (const char *address);

G_END_DECLS
