/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "statistics/es-density.h"
#include "widgets/es-latest.h"
#include "es-scatter-canvas.h"
#include "es-scatter-view.h"

G_BEGIN_DECLS

struct _EsScatterView
{
  GtkWidget        parent_instance;

  /* children */
  GtkWidget       *bar;
  GtkWidget       *axes[2];
  GtkWidget       *swap;
  EsScatterCanvas *canvas;

  EsDisplay       *display;
  EsRegionControl *control;
  EsPlaneSource   *source;       /* NULL: nothing that has two planes */
  guint            planes[2];
  EsDensity       *density;      /* of what is shown */
  EsRegion        *lassoed;      /* the selection, where it came from the lasso; not owned, only compared */
  EsLatest        *counting, *finding, *lighting;
  char            *detail;
  gboolean         updating;
  gboolean         stale;        /* the lists of planes are not those of the source */
  gboolean         detached;
};

/* es-scatter-view.c. Takes the text; NULL: none. */
void _es_scatter_view_set_detail (EsScatterView *self, char *detail);

/* es-scatter-view-work.c: what is found beside the main thread */
void _es_scatter_view_make_work  (EsScatterView *self);
/* Counts what is to be shown, where it is not what is shown already and can be seen. */
void _es_scatter_view_refresh    (EsScatterView *self);
/* Looks for the selection and the classes in the density. */
void _es_scatter_view_light      (EsScatterView *self);

G_END_DECLS
