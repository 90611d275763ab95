/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-spectra-plot.h"

G_BEGIN_DECLS

/* The spectra of a collection: colour, name, which is edited where it stands, value at the cursor, whether it is drawn,
 * and a button that removes it. Virtual: as many widgets as rows are seen. */
#define ES_TYPE_KEPT_LIST (es_kept_list_get_type ())
G_DECLARE_FINAL_TYPE (EsKeptList, es_kept_list, ES, KEPT_LIST, GtkWidget)

GtkWidget *es_kept_list_new (EsSpectrumCollection *collection, EsSpectraPlot *plot);

G_END_DECLS
