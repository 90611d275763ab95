/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Figures are kept in units without prefixes, so that files compare; people read them in the ones that they are used
 * to: "B/s" as GB/s, MB/s or kB/s, "1/s" as G/s, M/s or k/s, "s" as s, ms, µs or ns, whichever leaves `largest` at one
 * or more; words are translated. Returns the unit (static, or the one given; NULL: it has none, as "1" has not) and
 * what a figure is multiplied by to be in it.
 */
const char *es_shown_unit (const char *unit, double largest, double *factor);

/* Four digits, without zeros behind the point: "1.25". What fixed decimals would lose or drag on is with an exponent,
 * "9.98e-09": below 1e-4, from 1e15, and from 1e7 where it is not whole. Transfer full. */
char       *es_shown_digits (double value);
/* As caches are made and asked: "1.25 MiB". What there is of memory is told in decimal units, as elsewhere. */
char       *es_shown_bytes (double bytes);
/* As rates count them, so that one divided by the other is a time: "1.25 MB". */
char       *es_shown_traffic (double bytes);

G_END_DECLS
