/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-component-item.h"

G_BEGIN_DECLS

/* The columns of the list of components. */
typedef enum
{
  ES_COMPONENT_KEPT, ES_COMPONENT_TITLE, ES_COMPONENT_VALUE, ES_COMPONENT_SHARE, ES_COMPONENT_SNR,
  ES_COMPONENT_COHERENCE, ES_COMPONENT_ENTROPY, ES_COMPONENT_HISTOGRAM, ES_COMPONENT_N_COLUMNS
} EsComponentColumn;

#define ES_COMPONENT_HISTOGRAM_WIDTH 32

/* Cells of a column, of EsComponentItem, inside a components pane, which is told of switches. Transfer full. */
GtkListItemFactory *es_component_cell_factory_new (EsComponentColumn column);
/* What a cell says in words. Transfer full. */
char               *es_component_cell_format      (EsComponentItem *item, EsComponentColumn column);

G_END_DECLS
