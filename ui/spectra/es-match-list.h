/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "spectra/es-spectral-match.h"

G_BEGIN_DECLS

/*
 * The best matches of the spectrum under the pointer, as they come. Signals: "looked-at" (EsSpectrum *, nullable) and
 * "keep" (EsSpectrum *) as of EsLibraryList; "kind-changed": by angle or by fit.
 */
#define ES_TYPE_MATCH_LIST (es_match_list_get_type ())
G_DECLARE_FINAL_TYPE (EsMatchList, es_match_list, ES, MATCH_LIST, GtkWidget)

#define ES_MATCH_LIST_MOST 50

GtkWidget  *es_match_list_new         (void);
EsMatchKind es_match_list_get_kind    (EsMatchList *self);
void        es_match_list_set_kind    (EsMatchList *self, EsMatchKind kind);
/* n matches of spectra of this library; what of: "x 80  y 150"; n_compared took part. */
void        es_match_list_set_matches (EsMatchList *self, EsSpectralLibrary *library, guint n,
                                       const EsSpectralMatch *matches, const char *of, guint n_compared);
/* Nothing to show, and why. */
void        es_match_list_clear       (EsMatchList *self, const char *why);
/* The spectrum at a place; NULL: there are fewer. Borrowed. */
EsSpectrum *es_match_list_get         (EsMatchList *self, guint i);

G_END_DECLS
