/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-compare-bar.h"
#include "es-compare-difference.h"
#include "es-compare-sources.h"
#include "es-compare-view.h"
#include "image/es-display.h"
#include "image/es-image-view.h"
#include "inspector/es-inspector.h"
#include "es-match-view.h"
#include "image/es-plane-loader.h"
#include "widgets/es-latest.h"
#include "image/es-stack-strip.h"
#include "tiles/es-detail.h"
#include "tiles/es-pixel-probe.h"
#include "spectra/es-spectra-view.h"
#include "charts/es-table-view.h"
#include "animation/es-plane-player.h"
#include "es-viewer.h"

G_BEGIN_DECLS

/* One of two pictures: what it shows and how, and how that is read. */
typedef struct
{
  EsDisplay     *display;
  EsPicture     *picture;
  EsPlaneLoader *loader;
  GSignalGroup  *gpu_signals;    /* of the GPU that the shown planes lie on */
  GtkWidget     *bar;            /* the display's; a child */
  EsImageView   *view;           /* of the compare view */
  EsDetail      *detail;         /* of what is in view of it */
  EsPixelProbe  *probe;
  GListStore    *groups;         /* of EsPlaneGroup: what its channels can be; NULL until there is a session */
} EsViewerSide;

typedef struct
{
  gboolean any;
  guint    x, y;
} EsViewerPixel;

typedef struct
{
  gboolean any;
  double   zoom, x, y;           /* as es_image_view_set_place () takes them */
} EsViewerPlace;

/* What a job has made so far, in the place of the left display's planes. */
typedef struct
{
  EsPlaneLoader *loader;         /* nullable */
  EsImageStack  *stack;          /* nullable */
  EsImageStack  *shown;          /* the one that is on the screen by now; nullable */
} EsViewerPreview;

struct _EsViewer
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *compare_controls;   /* the rows of the second picture */
  EsCompareBar  *compare_bar;
  GtkWidget     *pages;          /* a GtkStack: "picture", "curve", "table", "matrix", "correlations" */
  EsCompareView *compare;        /* the page "picture" */
  GtkWidget     *curve;          /* holds a plot view of its own for each curve */
  EsTableView   *table;
  EsMatrixView  *matrix;
  EsMatchView   *matches;        /* the page "correlations" */
  GtkWidget     *strip_revealer;
  EsStackStrip  *strip;

  /* owned */
  EsInspector   *inspector;
  EsViewerSide   left, right;
  EsPlanePlayer *player;         /* of the left one */
  EsViewerPreview preview;
  EsDataset     *dataset;
  EsResult      *result;
  EsLayer       *layer;
  GCancellable  *cancellable;
  EsLatest      *basis;          /* counts values for a stretch (es-viewer-basis.c) */

  /* the second picture (es-viewer-compare.c, es-viewer-difference.c) */
  EsSession     *session;        /* the sources' */
  EsCompareSources *sources;     /* NULL until there is a session */
  EsCompareItem *beside;         /* what it shows; nullable */
  EsPicture     *difference;
  EsDifferenceLoader *difference_loader;
  char          *difference_title;
  EsCompareMode  compare_mode;   /* the one to be taken up again */
  EsCompareItem *correlated;     /* the columns of the correlations; nullable */

  /* spectra that are collected (es-viewer-spectra.c) */
  EsSpectrumCollection *collection;
  EsLargeSplit  *large;          /* a child: what follows, and a section of the inspector that is large */
  GtkWidget     *split;          /* the pages, and the spectra below them */
  EsSpectraView *spectra;        /* NULL until they have been shown */
  GtkWindow     *spectra_window; /* NULL: below the pages, or hidden */
  gboolean       spectra_shown, spectra_detached, spectra_told;
  gboolean       spectra_aside;  /* shown again once nothing is large any more */
  int            spectra_position;       /* of the divider; 0: nobody has moved it */
  JsonObject    *spectra_kept;   /* what sessions were told last; NULL: it is not so any more */

  EsViewerPixel  hovered;
  EsViewerPixel  waiting;        /* to be selected once there is a picture */
  EsViewerPlace  waiting_place;  /* to be shown then */
  gboolean       geographic;     /* coordinates can be asked for at once: the projection is loaded */
  char          *status;
  guint          status_idle;
};

/* es-viewer-side.c */
void     _es_viewer_side_init    (EsViewerSide *side, EsDisplay *display);     /* takes it */
void     _es_viewer_side_clear   (EsViewerSide *side);
/* The view that it is shown in, once it is there. */
void     _es_viewer_side_set_view (EsViewerSide *side, EsImageView *view);
/* What a picture says it shows. Transfer full. */
char    *_es_viewer_side_make_caption (EsViewerSide *side);
/* Reads the planes of its display. FALSE: there are none. */
gboolean _es_viewer_side_load    (EsViewerSide *side);
/* What has been read becomes its picture. */
void     _es_viewer_side_show    (EsViewerSide *side, const EsPlaneSet *set);
void     _es_viewer_side_update_legend (EsViewerSide *side);
/* Its bar shows whether it is reading; a handler of the loader's "notify::busy". */
void     _es_viewer_side_update_busy (EsViewerSide *side);
/* Of which GPU planes are; nullable. */
EsDevice *_es_viewer_find_gpu    (const EsPlaneSet *set);

/* es-viewer-planes.c */
void     _es_viewer_connect_planes (EsViewer *self);
void     _es_viewer_load_planes   (EsViewer *self);
void     _es_viewer_update_caption (EsViewer *self);
/* Planes about to be shown. They are loaded again should their GPU be lost, of which a source has one at
 * most. FALSE: it has been lost by now, and there is nothing in them to be shown. */
gboolean _es_viewer_watch_planes (EsViewer *self, const EsPlaneSet *set);
/* es-viewer-basis.c: before the look is applied. */
void     _es_viewer_connect_basis (EsViewer *self);
void     _es_viewer_update_basis  (EsViewer *self);
/* es-viewer-preview.c: forgets it; TRUE where there was one. The picture stays. */
gboolean _es_viewer_drop_preview (EsViewer *self);

/* es-viewer-command.c: of the composite that is shown, to the clipboard. */
void     _es_viewer_copy_picture_command (EsViewer *self);

/* es-viewer-others.c: there are sources. */
void     _es_viewer_follow_others (EsViewer *self);

/* es-viewer-keep.c */
void     _es_viewer_watch_view     (EsViewer *self);
/* There is a picture: what waited for it. */
void     _es_viewer_take_waiting   (EsViewer *self);

/* es-viewer.c */
void     _es_viewer_notify_status  (EsViewer *self);

/* es-viewer-status.c: soon. */
void     _es_viewer_queue_status (EsViewer *self);
void     _es_viewer_append_values (GString *text, EsPicture *picture, EsDisplay *display, guint x, guint y);
/* The same of a side: always those of the pixel itself. FALSE: they are being read. */
gboolean _es_viewer_append_side_values (GString *text, EsViewerSide *side, guint x, guint y);
/* Whether the data set has coordinates, which is found out on a worker. */
void     _es_viewer_find_projection (EsViewer *self);

/* es-viewer-compare.c */
void     _es_viewer_init_compare (EsViewer *self);
void     _es_viewer_dispose_compare (EsViewer *self);
/* The controls above the pictures, between the display's own row and the pages. */
void     _es_viewer_make_compare_controls (EsViewer *self);
/* Another source, other planes or another look on the left. */
void     _es_viewer_left_changed (EsViewer *self);
gboolean _es_viewer_is_comparing (EsViewer *self);
gboolean _es_viewer_set_compare_mode (EsViewer *self, EsCompareMode mode);
gboolean _es_viewer_find_compare_mode (const char *id, EsCompareMode *mode);
const char *_es_viewer_compare_mode_id (EsCompareMode mode);
/* "   right −0.21   difference 0.3" for the status line. */
gboolean _es_viewer_append_right_values (EsViewer *self, GString *text, guint x, guint y);
/* "PCA 5 of 218 · Components: " where two pictures are to be told apart; else "". Transfer full. */
char    *_es_viewer_caption_prefix (EsViewer *self);
gboolean _es_viewer_compare_is_loading (EsViewer *self);

/* es-viewer-difference.c */
void     _es_viewer_init_difference   (EsViewer *self);
void     _es_viewer_update_difference (EsViewer *self);

/* es-viewer-spectra.c */
void     _es_viewer_init_spectra    (EsViewer *self);        /* the pages are there */
void     _es_viewer_connect_spectra (EsViewer *self);        /* all is there */
void     _es_viewer_dispose_spectra (EsViewer *self);
void     _es_viewer_show_spectra    (EsViewer *self, gboolean shown);
/* Another data set; another pixel; something else that could be kept. */
void     _es_viewer_spectra_dataset (EsViewer *self);
void     _es_viewer_follow_spectra  (EsViewer *self);
void     _es_viewer_update_spectra  (EsViewer *self);

/* es-viewer-spectra-keep.c: once the one, and the other, is there */
void     _es_viewer_watch_collection (EsViewer *self);
/* Spectra that were kept of a cube are read again when something is told of it. */
void     _es_viewer_follow_told (EsViewer *self);
void     _es_viewer_watch_library   (EsViewer *self);
/* what: "pixel", "mean", "selection", "classes". */
void     _es_viewer_keep_spectrum   (EsViewer *self, const char *what);

/* es-viewer-correlate.c */
void     _es_viewer_add_correlations (EsViewer *self);
void     _es_viewer_toggle_correlations (EsViewer *self);
void     _es_viewer_right_changed (EsViewer *self);
/* Opens the true abundances of the data set, where they lie beside it. */
void     _es_viewer_find_truth (EsViewer *self);

/* es-viewer-actions.c */
void _es_viewer_install_actions (GtkWidgetClass *klass);
/* Enabledness of all of them. */
void _es_viewer_update_actions  (EsViewer *self);
/* Every plot that shows something, into a new folder inside parent, "scene-plots" (a number behind it where that is
 * there); says where, or why not. format: as es_export_find_format () takes it, else PDF. */
void _es_viewer_save_plots      (EsViewer *self, GFile *parent, const char *format);

G_END_DECLS
