/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "00:12:31.0": hours, minutes, seconds and tenths, rounded. NAN: "–". Transfer full. */
char *es_format_time (double seconds);

G_END_DECLS
