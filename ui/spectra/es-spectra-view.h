/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-spectra-plot.h"
#include "spectra/es-spectral-match.h"

G_BEGIN_DECLS

/*
 * Spectra that are collected, beside each other: their plot, the list of them with values at the cursor, a library, and
 * what of it the spectrum under the pointer is like, live. Docked below the picture, or in a window of its own: that is
 * its owner's matter.
 *
 * Property "detached" (gboolean: it is in a window of its own; only what its button says).
 * Signals: "keep" (const char *what: "pixel", "mean", "selection", "classes"): from the picture, which it does not
 * know; "detach": into a window, or back; "close"; "library-changed": it is of other files; "said" (const char
 * *sentence): for the person, while it is in no window.
 * Actions of the group "spectra.", installed on the class: keep (string, as of the signal), undo, clear, open-library,
 * save (string: "sli", "csv"), zoom-reset, detach, close.
 */
#define ES_TYPE_SPECTRA_VIEW (es_spectra_view_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectraView, es_spectra_view, ES, SPECTRA_VIEW, GtkWidget)

GtkWidget            *es_spectra_view_new            (EsSpectrumCollection *collection);
EsSpectrumCollection *es_spectra_view_get_collection (EsSpectraView *self);
EsSpectraPlot        *es_spectra_view_get_plot       (EsSpectraView *self);
GtkWidget            *es_spectra_view_get_plot_view  (EsSpectraView *self);

/* The cube that is shown, whose bands a library is compared at; nullable. */
void                  es_spectra_view_set_cube       (EsSpectraView *self, EsCube *cube);
/* The pixel under the pointer, or the selected one: drawn greyly, and matched. */
void                  es_spectra_view_set_pixel      (EsSpectraView *self, gboolean any, guint x, guint y);
/* What can be kept by the button. */
void                  es_spectra_view_set_sources    (EsSpectraView *self, gboolean pixel, gboolean selection,
                                                      gboolean classes);
void                  es_spectra_view_set_look       (EsSpectraView *self, const EsSpectraLook *look);

/* Read in the background; what is wrong is reported. */
void                  es_spectra_view_open_library   (EsSpectraView *self, GFile *const *files, guint n);
/* That of a session: not where a person has opened another one meanwhile; what cannot be read stays one of its
 * files. */
void                  es_spectra_view_open_library_again (EsSpectraView *self, GFile *const *files, guint n);
/* Of GFile, those of the open library; empty: none. Borrowed. */
GPtrArray            *es_spectra_view_get_library_files (EsSpectraView *self);
void                  es_spectra_view_set_library    (EsSpectraView *self, EsSpectralLibrary *library);
EsSpectralLibrary    *es_spectra_view_get_library    (EsSpectraView *self);            /* nullable, borrowed */
/* What has been read is written in the background; what is wrong is reported. */
void                  es_spectra_view_save           (EsSpectraView *self, GFile *target);
/* The best match; NULL: none. Borrowed. */
EsSpectrum           *es_spectra_view_get_match      (EsSpectraView *self, guint i);
void                  es_spectra_view_set_match_kind (EsSpectraView *self, EsMatchKind kind);
/* Something is read, prepared or written. */
gboolean              es_spectra_view_is_busy        (EsSpectraView *self);

G_END_DECLS
