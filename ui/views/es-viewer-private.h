/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"
#include "es-image-view.h"
#include "es-inspector.h"
#include "es-plane-loader.h"
#include "es-stack-strip.h"
#include "es-table-view.h"
#include "es-viewer.h"

G_BEGIN_DECLS

struct _EsViewer
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *bar;
  GtkWidget     *pages;          /* a GtkStack: "picture", "curve", "table" */
  EsImageView   *image;
  GtkWidget     *curve;          /* holds a plot view of its own for each curve */
  EsTableView   *table;
  GtkWidget     *strip_revealer;
  EsStackStrip  *strip;

  /* owned */
  EsInspector   *inspector;
  EsDisplay     *display;
  EsPicture     *picture;
  EsPlaneLoader *loader;
  EsPlaneLoader *preview_loader; /* nullable */
  GSignalGroup  *gpu_signals;    /* of the GPU that the shown planes lie on */
  EsImageStack  *preview;        /* shown in the place of the display's planes; nullable */
  EsDataset     *dataset;
  EsResult      *result;
  EsLayer       *layer;
  GCancellable  *cancellable;

  gboolean       hovering;
  guint          hovered_x, hovered_y;
  gboolean       waiting;        /* a pixel to be selected once there is a picture */
  guint          waiting_x, waiting_y;
  gboolean       geographic;     /* coordinates can be asked for at once: the projection is loaded */
  char          *status;
  guint          status_idle;
};

/* es-viewer.c: planes about to be shown. They are loaded again should their GPU be lost, of which a source has one at
 * most. FALSE: it has been lost by now, and there is nothing in them to be shown. */
gboolean _es_viewer_watch_planes (EsViewer *self, const EsPlaneSet *set);
/* es-viewer-preview.c: forgets it; TRUE where there was one. The picture stays. */
gboolean _es_viewer_drop_preview (EsViewer *self);

/* es-viewer-actions.c */
void _es_viewer_install_actions (GtkWidgetClass *klass);
/* Enabledness of all of them. */
void _es_viewer_update_actions  (EsViewer *self);

G_END_DECLS
