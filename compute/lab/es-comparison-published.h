/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-comparison.h"

G_BEGIN_DECLS

/*
 * What a comparison measured, in the form of a published table (published/es-published.h): times in its unit, shares of
 * the total, speed-ups against one thread. Programs of many threads or processes stand beside all threads of the CPU,
 * those of one GPU beside the first that has finished, those of two beside all GPUs.
 */

/* The table with ours in it, where there is any, which is marked "*"; what that is, in *what, a sentence, NULL where
 * there is nothing. Transfer full of both. */
EsTable  *es_comparison_make_published_table (EsComparison *self, guint published, char **what);
/* es_published_to_json () with "here". Transfer full. */
JsonNode *es_comparison_published_to_json    (EsComparison *self, guint published);

G_END_DECLS
