/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "operations/lab/es-experiment.h"

G_BEGIN_DECLS

/* How an experiment asks: the paragraph, and below it the source of what runs on that machine, which is fetched when it
 * is first seen. */
#define ES_TYPE_LAB_SOURCE (es_lab_source_get_type ())
G_DECLARE_FINAL_TYPE (EsLabSource, es_lab_source, ES, LAB_SOURCE, GtkWidget)

GtkWidget *es_lab_source_new (const EsExperiment *experiment, EsMachine *machine);

G_END_DECLS
