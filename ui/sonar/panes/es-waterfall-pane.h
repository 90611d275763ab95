/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-map-view.h"
#include "es-sonar-pane.h"

G_BEGIN_DECLS

/*
 * A pane whose rows are the moments of the recording: newest above, scrolled and zoomed in time together with its like.
 * A row is filled when it comes; a long record coarse to fine, what is in view first, some thousand rows a frame.
 */
#define ES_TYPE_WATERFALL_PANE (es_waterfall_pane_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsWaterfallPane, es_waterfall_pane, ES, WATERFALL_PANE, EsSonarPane)

struct _EsWaterfallPaneClass
{
  EsSonarPaneClass parent_class;
  /* Sets the x axis and the message; returns how many columns there are, 0: nothing to show. */
  guint    (*prepare)   (EsWaterfallPane *self);
  /* Powers of one row; FALSE: it is not there. */
  gboolean (*fill)      (EsWaterfallPane *self, guint64 row, float *powers);
  /* Nullable: in levels of what powers are; else the display's. */
  const char *(*get_unit) (EsWaterfallPane *self);
  /* Cursor, marks and lines. */
  void     (*mark)      (EsWaterfallPane *self);
  void     (*picked)    (EsWaterfallPane *self, double column, guint64 row);
  char    *(*describe)  (EsWaterfallPane *self, double column, guint64 row);      /* without the time */
  /* Nullable: why there never is anything at a place; NULL: there may be. Translated. */
  const char *(*explain) (EsWaterfallPane *self, double column, guint64 row);
  /* From where to where in columns, and how fast; borrowed until the next call. */
  const char *(*measure) (EsWaterfallPane *self, double first, double last, double seconds);
  /* Which changes make all rows other ones. */
  guint      refill;
};

void       es_waterfall_pane_set_up   (EsWaterfallPane *self, EsSonarDisplay *display, const char *id,
                                      const char *title);
EsMapView *es_waterfall_pane_get_view (EsWaterfallPane *self);
EsHeatmap *es_waterfall_pane_get_map  (EsWaterfallPane *self);
gboolean   es_waterfall_pane_is_filling (EsWaterfallPane *self);

G_END_DECLS
