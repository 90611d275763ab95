/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-lab-profiles.h"
#include "operations/lab/es-experiment.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * The page of an experiment: its question, what it found of a machine as sentences, plots and tables, what that means
 * for this program, how it asks. Before it has run: what to predict, and how it asks. Actions that it offers:
 * "win.lab-back", "win.lab-run".
 */
#define ES_TYPE_LAB_PAGE (es_lab_page_get_type ())
G_DECLARE_FINAL_TYPE (EsLabPage, es_lab_page, ES, LAB_PAGE, GtkWidget)

GtkWidget  *es_lab_page_new        (EsLabProfiles *profiles);
/* result NULL: it has not run; else one of the experiment's operation. experiment NULL: the result is of an operation
 * that is none. machine NULL: nothing. */
void        es_lab_page_show       (EsLabPage *self, EsMachine *machine, const EsExperiment *experiment,
                                    EsResult *result);
EsResult   *es_lab_page_get_result (EsLabPage *self);            /* borrowed, nullable */
/* Scrolls to what shows a layer; NULL: to the top. */
void        es_lab_page_seek       (EsLabPage *self, EsLayer *layer);
/* All of it as it would be were the window as high as it: a picture. NULL: it is not on the screen. Transfer full. */
GdkTexture *es_lab_page_render     (EsLabPage *self);

G_END_DECLS
