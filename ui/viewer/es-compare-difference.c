/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-difference.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-latest.h"

typedef struct
{
  EsPlaneSource *sources[2];
  guint          planes[2];
  gboolean       standardise;
} Request;

struct _EsDifferenceLoader
{
  GObject   parent_instance;

  EsLatest *latest;
};

enum { LOADED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsDifferenceLoader, es_difference_loader, G_TYPE_OBJECT)

/* Two passes: means first, so that large offsets do not cost digits. */
void
es_difference_compute (const float *first, const float *second, gsize n, gboolean standardise, float *difference,
                       EsDifference *answer)
{
  double means[2] = { 0, 0 }, squares[2] = { 0, 0 }, product = 0, deviations[2], sign;
  guint64 count = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (first[i]) && isfinite (second[i]))
      {
        means[0] += first[i];
        means[1] += second[i];
        count++;
      }
  for (guint k = 0; k < 2; k++)
    means[k] = count > 0 ? means[k] / (double) count : 0;
  for (gsize i = 0; i < n; i++)
    if (isfinite (first[i]) && isfinite (second[i]))
      {
        double a = first[i] - means[0], b = second[i] - means[1];

        squares[0] += a * a;
        squares[1] += b * b;
        product += a * b;
      }

  answer->n_valid = count;
  answer->correlation = squares[0] > 0 && squares[1] > 0 ? CLAMP (product / sqrt (squares[0] * squares[1]), -1, 1)
                                                         : NAN;
  answer->standardised = standardise && isfinite (answer->correlation);
  answer->reversed = answer->standardised && answer->correlation < 0;
  for (guint k = 0; k < 2; k++)
    deviations[k] = count > 0 ? sqrt (squares[k] / (double) count) : 0;
  sign = answer->reversed ? -1 : 1;
  for (gsize i = 0; i < n; i++)
    {
      double a = first[i], b = second[i];

      if (!isfinite (a) || !isfinite (b))
        difference[i] = NAN;
      else if (answer->standardised)
        difference[i] = (float) ((a - means[0]) / deviations[0] - sign * (b - means[1]) / deviations[1]);
      else
        difference[i] = (float) (a - b);
    }
}

/* ---- on the worker ---- */

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->sources[0]);
  g_object_unref (request->sources[1]);
  g_free (request);
}

static void
difference_free (gpointer data)
{
  EsDifference *difference = data;

  g_clear_pointer (&difference->ready, es_plane_unref);
  g_free (difference);
}

static GBytes *
make_difference (GBytes *first, GBytes *second, gsize n, gboolean standardise, EsDifference *answer, GError **error)
{
  float *values = g_try_new (float, n);

  if (values == NULL)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                           _("The difference does not fit in memory."));
      return NULL;
    }
  es_difference_compute (g_bytes_get_data (first, NULL), g_bytes_get_data (second, NULL), n, standardise, values,
                         answer);
  return g_bytes_new_take (values, n * sizeof (float));
}

static gpointer
load (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  guint step = es_plane_source_get_step (request->sources[0]);
  guint width = (es_plane_source_get_width (request->sources[0]) + step - 1) / step;
  guint height = (es_plane_source_get_height (request->sources[0]) + step - 1) / step;
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GBytes) values = NULL;
  g_autofree EsDifference *answer = g_new0 (EsDifference, 1);

  first = es_plane_source_read (request->sources[0], request->planes[0], step, cancellable, error);
  if (first == NULL)
    return NULL;
  second = es_plane_source_read (request->sources[1], request->planes[1], step, cancellable, error);
  if (second == NULL)
    return NULL;
  values = make_difference (first, second, (gsize) width * height, request->standardise, answer, error);
  if (values == NULL)
    return NULL;
  answer->step = step;
  answer->ready = es_plane_new (values, width, height);
  return g_steal_pointer (&answer);
}

static void
loaded (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsDifferenceLoader *self = user_data;

  if (answer != NULL)
    g_signal_emit (self, signals[LOADED], 0, answer);
  else
    g_signal_emit (self, signals[FAILED], 0, error);
}

/* ---- the loader ---- */

EsDifferenceLoader *
es_difference_loader_new (void)
{
  return g_object_new (ES_TYPE_DIFFERENCE_LOADER, NULL);
}

void
es_difference_loader_load (EsDifferenceLoader *self, EsPlaneSource *first, guint first_plane, EsPlaneSource *second,
                           guint second_plane, gboolean standardise)
{
  Request *request;

  g_return_if_fail (ES_IS_DIFFERENCE_LOADER (self));
  g_return_if_fail (ES_IS_PLANE_SOURCE (first) && ES_IS_PLANE_SOURCE (second));
  g_return_if_fail (es_plane_source_get_width (first) == es_plane_source_get_width (second)
                    && es_plane_source_get_height (first) == es_plane_source_get_height (second));

  request = g_new0 (Request, 1);
  request->sources[0] = g_object_ref (first);
  request->sources[1] = g_object_ref (second);
  request->planes[0] = first_plane;
  request->planes[1] = second_plane;
  request->standardise = standardise;
  es_latest_submit (self->latest, request);
}

void
es_difference_loader_cancel (EsDifferenceLoader *self)
{
  g_return_if_fail (ES_IS_DIFFERENCE_LOADER (self));
  es_latest_cancel (self->latest);
}

gboolean
es_difference_loader_is_busy (EsDifferenceLoader *self)
{
  g_return_val_if_fail (ES_IS_DIFFERENCE_LOADER (self), FALSE);
  return es_latest_is_busy (self->latest);
}

static void
es_difference_loader_dispose (GObject *object)
{
  es_latest_cancel (ES_DIFFERENCE_LOADER (object)->latest);
  G_OBJECT_CLASS (es_difference_loader_parent_class)->dispose (object);
}

static void
es_difference_loader_finalize (GObject *object)
{
  g_clear_object (&ES_DIFFERENCE_LOADER (object)->latest);
  G_OBJECT_CLASS (es_difference_loader_parent_class)->finalize (object);
}

static void
es_difference_loader_class_init (EsDifferenceLoaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = es_difference_loader_dispose;
  object_class->finalize = es_difference_loader_finalize;
  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
es_difference_loader_init (EsDifferenceLoader *self)
{
  self->latest = es_latest_new (load, request_free, difference_free, loaded, self);
}
