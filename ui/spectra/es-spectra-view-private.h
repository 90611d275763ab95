/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-library-list.h"
#include "es-match-list.h"
#include "es-spectra-view.h"
#include "widgets/es-latest.h"

G_BEGIN_DECLS

struct _EsSpectraView
{
  GtkWidget             parent_instance;

  GtkWidget            *bar, *paned;           /* children */
  GtkWidget            *keep, *shape, *unit, *stacked, *offset, *detach, *close;
  GtkWidget            *plot_view, *lists;     /* lists: a GtkStack of "collected", "library", "matches" */
  EsLibraryList        *library_list;
  EsMatchList          *match_list;

  EsSpectrumCollection *collection;
  EsSpectraPlot        *plot;
  EsCube               *cube;
  gboolean              detached;
  gboolean              quiet;                 /* the controls are being set */

  /* es-spectra-view-match.c */
  EsLatest             *reader;
  EsSpectralMatcher    *matcher;               /* NULL: none, or being prepared */
  GCancellable         *preparing;             /* nullable */
  gboolean              any_pixel;
  guint                 pixel_x, pixel_y;

  /* es-spectra-view-files.c */
  guint                 n_files;               /* read or written */
  GPtrArray            *library_files;         /* of GFile: of the open library; empty: it is of none */
};

/* es-spectra-view-match.c: what is under the pointer, and what it is like */
void _es_spectra_view_init_match    (EsSpectraView *self);
void _es_spectra_view_drop_match    (EsSpectraView *self);
/* Another library or cube. */
void _es_spectra_view_prepare_match (EsSpectraView *self);
void _es_spectra_view_ask_match     (EsSpectraView *self);

/* es-spectra-view-files.c */
void _es_spectra_view_ask_library   (EsSpectraView *self);
void _es_spectra_view_ask_target    (EsSpectraView *self, const char *ending);

/* es-spectra-view-bar.c: the row of controls above */
GtkWidget *_es_spectra_view_make_bar    (EsSpectraView *self);
void       _es_spectra_view_update_bar  (EsSpectraView *self);
void       _es_spectra_view_show_detached (EsSpectraView *self);

G_END_DECLS
