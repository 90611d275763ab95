/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Numbers in a text that ends in something that is part of none (a line's end). *at is behind the number afterwards,
 * and stays where there is none.
 */

/* Digits alone, perhaps with a plus in front; G_MAXUINT64 where it is more. FALSE: there is no such number. */
gboolean _es_matrix_parse_count  (const char **at, guint64 *value);
/* A decimal number as strtod () rounds it, with e, E, d or D before an exponent; infinite where it is too large.
 * is_whole: it was written without point and exponent. FALSE: there is no number (which "nan" and "inf" are not). */
gboolean _es_matrix_parse_number (const char **at, double *value, gboolean *is_whole);

G_END_DECLS
