/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The shortest decimal text that reads back as the same double, '.' as decimal point; "nan", "inf". */
void  es_text_append_number (GString *text, double value);
/* A cell of every table that is written: nothing where there is no value, "-inf" where a level is that of silence,
 * "inf" where a range is that of a plane wave, else the number. */
void  es_text_append_cell   (GString *text, double value);
/* To the nearest tenth, for "%.1f": a bearing just below 0 is not "-0.0". */
double es_text_round_tenth  (double value);
/* One field of RFC 4180, quoted where it has to be. */
void  es_text_append_field  (GString *text, const char *field);
/* "Wavelength (nm)" as a field. */
void  es_text_append_title  (GString *text, const char *title, const char *unit);

G_END_DECLS
