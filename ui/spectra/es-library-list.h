/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "spectra/es-spectral-library.h"

G_BEGIN_DECLS

/*
 * The spectra of a library, thousands of them, to be searched by words of their names. Virtual.
 * Signals: "looked-at" (EsSpectrum *spectrum, nullable): the one that is selected; "keep" (EsSpectrum *spectrum): it
 * was activated, or its button was pressed; "open": another library is wanted.
 */
#define ES_TYPE_LIBRARY_LIST (es_library_list_get_type ())
G_DECLARE_FINAL_TYPE (EsLibraryList, es_library_list, ES, LIBRARY_LIST, GtkWidget)

GtkWidget         *es_library_list_new         (void);
void               es_library_list_set_library (EsLibraryList *self, EsSpectralLibrary *library);       /* nullable */
EsSpectralLibrary *es_library_list_get_library (EsLibraryList *self);
/* Those that the words leave. */
guint              es_library_list_get_n       (EsLibraryList *self);
void               es_library_list_search      (EsLibraryList *self, const char *words);

G_END_DECLS
