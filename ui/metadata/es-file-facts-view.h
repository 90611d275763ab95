/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * Everything that the file of a data set says, as it says it: a list that can be searched, and copied as text. It is
 * read when the view is first seen, in the background.
 */
#define ES_TYPE_FILE_FACTS_VIEW (es_file_facts_view_get_type ())
G_DECLARE_FINAL_TYPE (EsFileFactsView, es_file_facts_view, ES, FILE_FACTS_VIEW, AdwBin)

GtkWidget *es_file_facts_view_new   (EsDataset *dataset);
/* How many of the facts match what is searched for; 0 until they are there. */
guint      es_file_facts_view_get_n (EsFileFactsView *self);
/* Those as text: a line each, "group", "key" and "value" with tabulators between. Transfer full. */
char      *es_file_facts_view_to_text (EsFileFactsView *self);
GtkWidget *es_file_facts_view_get_search (EsFileFactsView *self);

G_END_DECLS
