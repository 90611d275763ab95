/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"
#include "image/es-plane-source.h"

G_BEGIN_DECLS

/* Something that can be shown beside something else: a cube, or a stack of a result. */
#define ES_TYPE_COMPARE_ITEM (es_compare_item_get_type ())
G_DECLARE_FINAL_TYPE (EsCompareItem, es_compare_item, ES, COMPARE_ITEM, GObject)

/* Property "title" (string). result NULL: a cube itself, of a data set. */
EsCompareItem *es_compare_item_new          (const char *title, EsPlaneSource *source, EsDataset *dataset,
                                             EsResult *result);
const char    *es_compare_item_get_title    (EsCompareItem *self);
EsPlaneSource *es_compare_item_get_source   (EsCompareItem *self);
EsDataset     *es_compare_item_get_dataset  (EsCompareItem *self);
EsResult      *es_compare_item_get_result   (EsCompareItem *self);      /* nullable */

/*
 * All there is to be compared in a session, in the order of the tree. A GListModel of EsCompareItem that follows the
 * session; items that stay are the same objects.
 */
#define ES_TYPE_COMPARE_SOURCES (es_compare_sources_get_type ())
G_DECLARE_FINAL_TYPE (EsCompareSources, es_compare_sources, ES, COMPARE_SOURCES, GObject)

EsCompareSources *es_compare_sources_new  (EsSession *session);
/* Where an item with this data is (a cube or a stack); -1: nowhere. */
int               es_compare_sources_find (EsCompareSources *self, GObject *data);
/* What is beside a picture by default: beside a result its cube, beside a cube its newest result. -1: nothing. */
int               es_compare_sources_find_partner (EsCompareSources *self, EsDataset *dataset, EsResult *result);
/* The data set's true abundances, where they are known, as an item of the list; nullable. */
EsDataset        *es_compare_sources_get_truth (EsCompareSources *self, EsDataset *dataset);
void              es_compare_sources_set_truth (EsCompareSources *self, EsDataset *dataset, EsDataset *truth);

/* TRUE where both have one width and height; else why not, one sentence. */
gboolean          es_compare_can_pair     (EsPlaneSource *left, EsPlaneSource *right, char **why);

G_END_DECLS
