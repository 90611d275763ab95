/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

/* Prints how long each step of a run took and what bound it, who computed it, what would help, and the folder that it
 * was written to (nullable). */
void  es_batch_summary_print (EsResult *result, GFile *directory);
/* Prints what there is to warn of: what the recording's reader noted, the result's warnings, and notes (of char *).
 * file: of several, the one that all of it is about; NULL: there is only one. */
void  es_batch_summary_warn  (EsResult *result, GPtrArray *notes, const char *file);
/* The result's warnings and the notes in one line. Transfer full. */
char *es_batch_summary_join  (EsResult *result, GPtrArray *notes);
