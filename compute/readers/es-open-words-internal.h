/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/* Options as KEY=VALUE words for the helper of rehearsals, those alone that were told. NULL-terminated; transfer
 * full. */
char   **es_open_words_new  (const EsOpenOptions *options);
/* The other way round; texts are those of the words. FALSE: they are no such words. */
gboolean es_open_words_read (const char * const *words, EsOpenOptions *options);

G_END_DECLS
