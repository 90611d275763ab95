/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "eigenscope.h"
#include "spectra/es-spectra-view.h"

G_BEGIN_DECLS

/*
 * The middle column, and the right one that belongs to it: the picture of a cube or of a layer, with the controls for
 * bands, stretch and colour map, the component strip, and an inspector whose sections (spectrum, histogram,
 * eigenvalues, loadings, steps) follow what is shown. Knows layer kinds, not operations.
 *
 * Properties: "dataset" (EsDataset, what the pixel's spectrum is read from), "result", "layer", "plane" (guint),
 * "status" (string: pixel, map coordinate, values, zoom: what the status line shows), "comparing" (a second picture is
 * shown), "compare-mode" ("off", "side", "swipe", "blink", "difference"), "spectra" (the collected spectra are shown,
 * below the picture or in a window of their own).
 * Signals: "threshold-moved" (EsResult *result, const char *key, double value, gboolean final): the person drags the
 * threshold of a scree curve. "view-changed": what es_viewer_tell () says may be otherwise, or how something is shown.
 * Actions of the group "view.", installed on the class: zoom-in, zoom-out, zoom-fit, zoom-one, next-plane,
 * previous-plane, enlarge (a section of the inspector, or back), copy (the picture), stretch-reset, crosshair-clear,
 * save-picture, save-picture-geotiff, copy-picture-command (of a composite), play (planes one after the other, or not),
 * save-plots, compare (a second picture or not), compare-mode (string), compare-swap, correlate, keep-spectrum (string:
 * "pixel", "mean", "selection", "classes").
 */
#define ES_TYPE_VIEWER (es_viewer_get_type ())
G_DECLARE_FINAL_TYPE (EsViewer, es_viewer, ES, VIEWER, GtkWidget)

GtkWidget *es_viewer_new           (void);
/* What a second picture can be chosen from. Once. */
void       es_viewer_set_session   (EsViewer *self, EsSession *session);
gboolean   es_viewer_shows_composite (EsViewer *self);
/* Shows a data set itself (composite or band). NULL: nothing. */
void       es_viewer_show_dataset  (EsViewer *self, EsDataset *dataset);
/* Shows a result: layer NULL means its first image stack. Where `replaces` was shown, plane, zoom and place are
 * kept. */
void       es_viewer_show_result   (EsViewer *self, EsResult *result, EsLayer *layer, EsResult *replaces);
/* The first plane of a stack that is being filled, in the place of the picture, at the same zoom; to be called again as
 * it fills. Gone as soon as anything else is shown. */
void       es_viewer_show_preview  (EsViewer *self, EsImageStack *stack);
/* Back to the picture that was there, where it still is. */
void       es_viewer_end_preview   (EsViewer *self);
gboolean   es_viewer_is_previewing (EsViewer *self);
/* That plane of what is shown, alone where three were shown as colours. */
void       es_viewer_show_plane    (EsViewer *self, guint plane);
/* The second picture: a cube or an image stack of the session, one plane of it or (G_MAXUINT) as it comes. FALSE: not
 * there, or of another size, which the person is told. */
gboolean   es_viewer_show_beside   (EsViewer *self, GObject *data, guint plane);
GObject   *es_viewer_get_beside    (EsViewer *self);        /* the cube or stack; NULL where nothing is compared */
EsDataset *es_viewer_get_dataset   (EsViewer *self);
EsResult  *es_viewer_get_result    (EsViewer *self);
/* The right column; belongs to the viewer, placed by the window. */
GtkWidget *es_viewer_get_inspector (EsViewer *self);
/* Selects a pixel as a click would: its spectrum is shown. */
void       es_viewer_select_pixel  (EsViewer *self, guint64 x, guint64 y);
/* Zoom and place, the selected pixel, the second picture: what outlives the program. Taken once its data set is shown,
 * and waits for the picture. References are those of the session. Transfer full. */
JsonNode  *es_viewer_tell          (EsViewer *self, EsSession *session);
void       es_viewer_take          (EsViewer *self, EsSession *session, JsonNode *told);
/* Busy while a plane is being read for display; FALSE: what is shown is current (tests wait for this). */
gboolean   es_viewer_is_loading    (EsViewer *self);

/* The spectra that are collected, and where they are shown, made when it is asked for first. Borrowed. */
EsSpectrumCollection *es_viewer_get_collection (EsViewer *self);
EsSpectraView        *es_viewer_get_spectra    (EsViewer *self);
/* The same, with all values, and the files of the open library, for a session. Taken, they come to those that are
 * there; what is wrong is reported. NULL: there are none. Transfer full. */
JsonNode             *es_viewer_tell_spectra   (EsViewer *self);
void                  es_viewer_take_spectra   (EsViewer *self, JsonNode *told);

G_END_DECLS
