/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-layer-internal.h"

#include <math.h>
#include "base/es-text-show.h"

struct _EsCurve
{
  EsLayer  parent_instance;

  char    *role;
  char    *x_title;
  char    *x_unit;
  double  *x;
  guint    n;
  GArray  *series;             /* EsCurveSeries */
  gboolean log_y;
  char    *y_title;
  char    *threshold_key;
  double   threshold;
};

G_DEFINE_FINAL_TYPE (EsCurve, es_curve, ES_TYPE_LAYER)

static void
series_clear (gpointer data)
{
  EsCurveSeries *series = data;

  g_free (series->title);
  g_free (series->unit);
  g_free (series->y);
}

static void
es_curve_finalize (GObject *object)
{
  EsCurve *self = ES_CURVE (object);

  g_free (self->role);
  g_free (self->x_title);
  g_free (self->x_unit);
  g_free (self->x);
  g_array_unref (self->series);
  g_free (self->y_title);
  g_free (self->threshold_key);
  G_OBJECT_CLASS (es_curve_parent_class)->finalize (object);
}

static void
es_curve_class_init (EsCurveClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_curve_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_CURVE;
}

static void
es_curve_init (EsCurve *self)
{
  self->series = g_array_new (FALSE, FALSE, sizeof (EsCurveSeries));
  g_array_set_clear_func (self->series, series_clear);
}

EsCurve *
es_curve_new (const char *name, const char *title, const char *role, guint n, const double *x,
              const char *x_title, const char *x_unit)
{
  EsCurve *self = g_object_new (ES_TYPE_CURVE, NULL);

  es_layer_set_name (ES_LAYER (self), name, title);
  self->role = g_strdup (role);
  self->n = n;
  self->x = g_memdup2 (x, n * sizeof (double));
  self->x_title = es_text_show (x_title);
  self->x_unit = es_text_show (x_unit);
  return self;
}

void
es_curve_add_series (EsCurve *self, const char *title, const char *unit, EsCurveStyle style,
                     gboolean right_axis, const double *y)
{
  EsCurveSeries series = {
    .title = es_text_show (title),
    .unit = es_text_show (unit),
    .y = g_memdup2 (y, self->n * sizeof (double)),
    .style = style,
    .right_axis = right_axis,
  };

  g_array_append_val (self->series, series);
}

void
es_curve_set_log_y (EsCurve *self, gboolean log_y)
{
  self->log_y = log_y;
}

void
es_curve_set_y_title (EsCurve *self, const char *title)
{
  g_free (self->y_title);
  self->y_title = title != NULL ? es_text_show (title) : NULL;
}

void
es_curve_set_threshold (EsCurve *self, const char *key, double value)
{
  g_free (self->threshold_key);
  self->threshold_key = g_strdup (key);
  self->threshold = value;
}

guint
es_curve_get_length (EsCurve *self)
{
  return self->n;
}

const double *
es_curve_get_x (EsCurve *self)
{
  return self->x;
}

const char *
es_curve_get_x_title (EsCurve *self)
{
  return self->x_title;
}

const char *
es_curve_get_x_unit (EsCurve *self)
{
  return self->x_unit;
}

gboolean
es_curve_get_log_y (EsCurve *self)
{
  return self->log_y;
}

const char *
es_curve_get_y_title (EsCurve *self)
{
  return self->y_title;
}

guint
es_curve_get_n_series (EsCurve *self)
{
  return self->series->len;
}

const EsCurveSeries *
es_curve_get_series (EsCurve *self, guint i)
{
  g_return_val_if_fail (i < self->series->len, NULL);
  return &g_array_index (self->series, EsCurveSeries, i);
}

const char *
es_curve_get_role (EsCurve *self)
{
  return self->role;
}

const char *
es_curve_get_threshold_key (EsCurve *self)
{
  return self->threshold_key;
}

double
es_curve_get_threshold (EsCurve *self)
{
  return self->threshold;
}

/* ---- what a threshold keeps ---- */

guint
es_curve_count_reaching (const double *sums, guint n, double least)
{
  for (guint i = 0; i < n; i++)
    if (sums[i] >= least)
      return i + 1;
  return n;
}

/* The first series of an axis. */
static const EsCurveSeries *
find_series (EsCurve *self, gboolean right_axis)
{
  for (guint i = 0; i < self->series->len; i++)
    if (es_curve_get_series (self, i)->right_axis == right_axis)
      return es_curve_get_series (self, i);
  return NULL;
}

/* Shares may be fractions or per cent. */
static double
all_of (const EsCurveSeries *shares)
{
  return g_strcmp0 (shares->unit, "%") == 0 ? 100 : 1;
}

guint
es_curve_count_kept (EsCurve *self, gboolean is_share, double threshold)
{
  const EsCurveSeries *series = find_series (self, is_share);
  guint kept = 0;

  if (series == NULL)
    return 0;
  if (is_share)
    return es_curve_count_reaching (series->y, self->n, threshold * all_of (series));
  while (kept < self->n && series->y[kept] >= threshold)
    kept++;
  return MAX (kept, 1);
}

double
es_curve_get_kept_share (EsCurve *self, guint m)
{
  const EsCurveSeries *shares = find_series (self, TRUE);

  return shares != NULL && m > 0 && self->n > 0 ? shares->y[MIN (m, self->n) - 1] / all_of (shares) : NAN;
}
