/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * A climbed ladder as something to hand on. HTML: one file that needs nothing beside it, with bars, roofline, every
 * rung's numbers and changed lines, in the language of the program. CSV: the numbers. PDF: the pictures, where the
 * program has told who can draw (es_drawing_set_print ()).
 */
typedef enum { ES_LADDER_PAGE_HTML, ES_LADDER_PAGE_CSV, ES_LADDER_PAGE_PDF } EsLadderPageFormat;

/* Whether a result is one. Cheap. */
gboolean es_ladder_page_suits   (EsResult *result);
/* By the ending of its name; HTML where that is none of them. */
EsLadderPageFormat es_ladder_page_get_format (GFile *file);
/* The HTML alone. Transfer full. The errors of es_ladder_climb_new_from (). */
char    *es_ladder_page_make    (EsResult *result, GError **error);
/* Writes beside the file and renames. ES_DATA_ERROR_WRITE: also where there is nobody who draws a PDF. */
gboolean es_ladder_page_write   (EsResult *result, GFile *file, EsLadderPageFormat format, GError **error);

G_END_DECLS
