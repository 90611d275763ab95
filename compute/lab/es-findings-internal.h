/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-profile.h"
#include "es-probing-internal.h"
#include "layer/es-verdict.h"

G_BEGIN_DECLS

/*
 * What an experiment has found so far: figures in groups. A group with an axis becomes a plot (a curve), one without a
 * table. Names are N_(): the same in every file, translated where they are shown.
 */
typedef struct _EsFindings EsFindings;

typedef struct EsFindingsGroup
{
  const char *name;            /* "latency": of the layer, and in profiles */
  const char *title;           /* N_(); NULL: no layer, the experiment makes one of its own */
  const char *x_title;         /* N_(); NULL: a table */
  const char *x_unit;          /* "B", "words"; nullable */
  const char *y_title;         /* N_(): of a table's column of numbers */
  const char *unit;            /* "clocks", "ns", "B/s", "1/s", "s" */
  gboolean    log_y;
} EsFindingsGroup;

/* Of its axis, as it is shown; NULL: the axis' title says it already, as "Threads" does of threads, or it has none. */
const char *es_findings_group_get_x_unit (const EsFindingsGroup *group);

EsFindings *es_findings_new     (const EsOperation *operation);
void        es_findings_free    (EsFindings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsFindings, es_findings_free)
/* In the order to be shown; group is static. */
void        es_findings_open    (EsFindings *self, const EsFindingsGroup *group);
/* Into the group that was opened last. x: NAN in a table. scale: what a sample is multiplied by to be in the unit. */
void        es_findings_add     (EsFindings *self, const char *name, double x, const EsMeasured *measured,
                                 double scale);
/* Of all groups. */
guint       es_findings_get_n   (EsFindings *self);
/* The median; NAN: it was not measured. */
double      es_findings_get     (EsFindings *self, const char *group, const char *name, double x);
/* Those of one series by x; *x and *values are to be freed. 0: there are none. */
guint       es_findings_get_series (EsFindings *self, const char *group, const char *name, double **x, double **values);
/* Curves, tables, then the verdict (nullable), and the figures among the values. */
void        es_findings_publish (EsFindings *self, EsVerdict *verdict, EsResult *result);

/* Of "figures" among a result's values, of EsFigure, appended to a list; FALSE: it has something wrong with it, which
 * `found` tells (static). */
gboolean    es_figures_read     (JsonArray *array, const char *experiment, GArray *figures, const char **found);
/* The same of what was measured here: a figure with something wrong, as a latency below that of the empty loop, is left
 * out, and no other. */
void        es_figures_take     (JsonArray *array, const char *experiment, GArray *figures);
JsonArray  *es_figures_write    (GArray *figures);
void        es_figure_clear     (gpointer figure);

G_END_DECLS
