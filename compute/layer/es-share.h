/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "64.13 %" of a share 0..1, with so many decimals. Only all is 100 %, and only nothing is 0 %: what is less, or more,
 * is never rounded to it ("99.99 %", "< 0.01 %"). NULL for NAN. Transfer full. */
char *es_share_format (double share, guint decimals);

G_END_DECLS
