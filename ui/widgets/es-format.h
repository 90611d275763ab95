/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Numbers as read-outs show them: as many digits as tell values apart that lie in a range of that width (0:
 * five significant digits), a true minus sign, scientific where plain would be long. "no data" for NAN.
 * Transfer full.
 */
char     *es_format_number    (double value, double range);
/* "29.4 clocks", "1.94 TB/s", "4.21 µs", "48 KiB": four digits, and the prefix that keeps them short; unit nullable,
 * "1" and NULL are none. "–" for NAN. */
char     *es_format_value     (double value, const char *unit);
/* "64.1 %", "< 0.1 %" of a share 0..1; NULL for NAN. */
char     *es_format_share     (double share);
/* "2:1", "1:4", "1.5:1": device pixels to picture pixels. */
char     *es_format_zoom      (double zoom);
/* "52.3905° N 13.0645° E". */
char     *es_format_geographic (double latitude, double longitude);
/* "00:12:31.0": hours, minutes, seconds and tenths, rounded. NAN: "–". */
char     *es_format_time      (double seconds);
/* A name for a line of a list or a sentence: at most so many characters, the middle left out ("a long na…me.img"), as
 * es_text_show () shows it. Transfer full. */
char     *es_format_shorten   (const char *name, guint length);
/* A number somebody has typed: '.' or the locale's point, a true or an ASCII minus, a unit behind it. */
gboolean  es_format_parse     (const char *text, double *value);

G_END_DECLS
