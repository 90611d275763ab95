/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"

G_BEGIN_DECLS

/* As short as says it all; "" where it is NAN. Transfer full. */
char    *_es_metadata_show_number (double value);
/* FALSE: it is none, or has something behind it. */
gboolean _es_metadata_read_number (const char *text, double *value);
/* "none", or what that is called in the language of the program. */
gboolean _es_metadata_is_none     (const char *text);
/* ES_DATA_ERROR_FORMAT, with one sentence; FALSE. */
gboolean _es_metadata_refuse      (GError **error, const char *sentence);
/* As stored; NAN: none. */
double   _es_metadata_get_no_data (EsCube *cube, guint band);
/* The same for all of n bands. Transfer full. */
double  *_es_metadata_repeat      (double value, guint n);

G_END_DECLS
