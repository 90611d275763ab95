/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "image/es-image-view.h"
#include "image/es-region-control.h"
#include "places/es-section-places.h"
#include "plot/es-plot.h"
#include "profile/es-profile-pane.h"
#include "picture/es-picture.h"
#include "result/es-result.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The right column: what is known about what is shown and about the selected pixel, in sections that fold.
 * Which sections there are follows from the layer kinds of what is shown.
 * Properties "folded-sections" (strv of ids): remembered in the settings; "n-columns" (guint, read-only).
 * Each section can stand elsewhere, too (EsSectionPlaces).
 *
 * While a reconstruction is shown (its map of errors, its residual), what is judged stays the result it was made of:
 * its eigenvalues with the threshold, its components with their switches (EsJudgement).
 *
 * Signals: "threshold-moved" (const char *key, double value, gboolean final): of the judged result; "reconstruct"
 * (EsResult *judged, const char *components): it is to be reconstructed of these ("1-3, 5"; "" all); "show-layer"
 * (EsResult *result, EsLayer *layer, guint plane); "noise-region" (const char *text): pixels to estimate the noise
 * from; "use-region" (const char *key, const char *text): pixels that a parameter asks for (set_region_uses ());
 * "open-classes" (EsRegionSet *classes, GFile *file): those of the file are to be added.
 */
#define ES_TYPE_INSPECTOR (es_inspector_get_type ())
G_DECLARE_FINAL_TYPE (EsInspector, es_inspector, ES, INSPECTOR, GtkWidget)

GtkWidget *es_inspector_new          (EsDisplay *display, EsPicture *picture);
void       es_inspector_set_dataset  (EsInspector *self, EsDataset *dataset);      /* nullable */
void       es_inspector_set_result   (EsInspector *self, EsResult *result);        /* nullable */
void       es_inspector_set_selected (EsInspector *self, gboolean any, guint x, guint y);
void       es_inspector_set_hovered  (EsInspector *self, gboolean any, guint x, guint y);
gboolean   es_inspector_is_loading   (EsInspector *self);

/* Where regions are drawn and shown; once. */
void       es_inspector_set_image_view (EsInspector *self, EsImageView *image);
/* What regions can be used as: as es_region_pane_set_uses (). */
void       es_inspector_set_region_uses (EsInspector *self, const char *const *keys, const char *const *labels);
/* "spectrum", "histogram"; NULL: there is none of that name. */
EsSection *es_inspector_get_section  (EsInspector *self, const char *id);
/* Where its sections stand. Borrowed. */
EsSectionPlaces *es_inspector_get_places   (EsInspector *self);
/* Where profiles of it are, borrowed; and its section unfolded, along a row, a column or a line. */
EsProfilePane *es_inspector_get_profile (EsInspector *self);
void       es_inspector_show_profile  (EsInspector *self, EsProfileKind kind);
/* An action of what takes part (es-selection-pane.h), which unfolds to show what came of it. parameter: floating. */
void       es_inspector_choose_part   (EsInspector *self, const char *action, GVariant *parameter);
/* What is selected in the picture, and the classes. Borrowed. */
EsRegionControl *es_inspector_get_control  (EsInspector *self);
/* What the sections speak of: the shown result, or the one that the shown reconstruction was made of. Nullable. */
EsResult  *es_inspector_get_judged   (EsInspector *self);
/* The plots that show something: file name ("spectrum") and plot; called for each. */
typedef void (*EsInspectorPlotFunc) (const char *name, EsPlot *plot, gpointer data);
void       es_inspector_foreach_plot (EsInspector *self, EsInspectorPlotFunc each, gpointer data);

G_END_DECLS
