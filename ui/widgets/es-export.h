/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "plot/es-plot.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/* A sentence for the person: a toast where the window has a toast overlay, else a dialog. */
void es_export_report       (GtkWidget *widget, const char *sentence);

/* Pictures and text for the clipboard. The plot is drawn black on white, as it is saved. */
void es_export_copy_plot    (GtkWidget *widget, EsPlot *plot, int width, int height);
void es_export_copy_text    (GtkWidget *widget, const char *text);

/* "pdf", "svg", "png". */
const char  *es_export_plot_extension (EsPlotFormat format);
gboolean     es_export_find_format    (const char *extension, EsPlotFormat *format);

typedef void (*EsExportChosen) (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data);

/*
 * Asks where to save, with overwrite confirmation; chosen is called on acceptance, not where widget has gone
 * meanwhile. extension: "png". folder: a folder for several files, with a choice of the formats (NULL-
 * terminated, nullable).
 */
void es_export_ask_file     (GtkWidget *widget, const char *title, const char *name, const char *extension,
                             EsExportChosen chosen, gpointer user_data);
void es_export_ask_folder   (GtkWidget *widget, const char *title, const char * const *formats,
                             EsExportChosen chosen, gpointer user_data);
/* Asks, and saves the plot. */
void es_export_save_plot    (GtkWidget *widget, EsPlot *plot, EsPlotFormat format);

/* Writes a text, which it takes; what goes wrong is reported. */
void     es_export_save_text           (GtkWidget *widget, GFile *target, char *text);
/* Writes a texture as PNG off the UI thread. */
void     es_export_save_texture_async  (GdkTexture *texture, GFile *target, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
gboolean es_export_save_texture_finish (GAsyncResult *result, GError **error);

/* ---- places ---- */
/* Where dialogs that save begin: where one has last saved something of the same data, else where these lie. Main
 * context only. */

/* A file of what is shown from now on; nullable. */
void      es_export_place_set_data (GFile *file);
/* The dialog begins there; where something is chosen in it, the next ones do. */
void      es_export_place_apply    (GtkFileChooserNative *chooser);
/* Where that is just now. Nullable, transfer full. */
GFile    *es_export_place_find     (void);
/* Places of a session: folders of data, and where was saved to. Transfer full. What is no folder's URI is left out. */
JsonNode *es_export_place_tell     (void);
void      es_export_place_take     (JsonNode *told);

G_END_DECLS
