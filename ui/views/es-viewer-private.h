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

/* es-viewer-actions.c */
void _es_viewer_install_actions (GtkWidgetClass *klass);
/* Enabledness of all of them. */
void _es_viewer_update_actions  (EsViewer *self);

G_END_DECLS
