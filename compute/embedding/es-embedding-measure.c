/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-embedding-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-embedding-ranks-private.h"
#include "graph/es-neighbours-searcher-internal.h"

/* Of the samples that are in the embedding; those that are not are taken out first. */
typedef struct
{
  const EsEmbeddingMeasures *measures;
  gsize          n;
  guint          bands, m, k;
  const float   *samples;
  const double  *coordinates;
  const guint32 *classes;
  const gsize   *rows;         /* which they are of all; NULL: all are there */
  gsize          n_all;
  /* Owned, where some were taken out */
  float         *samples_left;
  double        *coordinates_left;
  guint32       *classes_left;
  gsize         *rows_left;

  EsEmbeddingPlan  plan;
  gsize           *anchors;    /* plan.n_anchors */
  EsEmbeddingSums *sums;       /* an anchor */
  /* Of one batch */
  gsize          first, n_batch;
  double        *high;         /* n_batch x n */
  guint          n_threads;
  GCancellable  *cancellable;
} Measuring;

static void
measuring_clear (Measuring *self)
{
  g_free (self->samples_left);
  g_free (self->coordinates_left);
  g_free (self->classes_left);
  g_free (self->rows_left);
  g_free (self->anchors);
  g_free (self->sums);
  g_free (self->high);
}

static gboolean
is_there (const double *row, guint m)
{
  for (guint c = 0; c < m; c++)
    if (!isfinite (row[c]))
      return FALSE;
  return TRUE;
}

/* FALSE: no memory. */
static gboolean
take_out (Measuring *self)
{
  const gsize n = self->n_all;
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    left += is_there (self->coordinates + i * self->m, self->m);
  self->n = left;
  if (left == n)
    return TRUE;

  self->samples_left = g_try_new (float, left * self->bands);
  self->coordinates_left = g_try_new (double, left * self->m);
  self->classes_left = g_try_new (guint32, left);
  self->rows_left = g_try_new (gsize, left);
  if (left > 0 && (self->samples_left == NULL || self->coordinates_left == NULL || self->classes_left == NULL
                   || self->rows_left == NULL))
    return FALSE;
  for (gsize i = 0, to = 0; i < n; i++)
    if (is_there (self->coordinates + i * self->m, self->m))
      {
        memcpy (self->samples_left + to * self->bands, self->samples + i * self->bands, self->bands * sizeof (float));
        memcpy (self->coordinates_left + to * self->m, self->coordinates + i * self->m, self->m * sizeof (double));
        self->classes_left[to] = self->classes != NULL ? self->classes[i] : 0;
        self->rows_left[to++] = i;
      }
  self->samples = self->samples_left;
  self->coordinates = self->coordinates_left;
  self->classes = self->classes != NULL ? self->classes_left : NULL;
  self->rows = self->rows_left;
  return TRUE;
}

/* Squared distances of the coordinates. */
static void
find_low (const Measuring *self, gsize anchor, double *low)
{
  const double *from = self->coordinates + anchor * self->m;

  for (gsize i = 0; i < self->n; i++)
    {
      double sum = 0;

      for (guint c = 0; c < self->m; c++)
        {
          const double x = self->coordinates[i * self->m + c] - from[c];
          sum += x * x;
        }
      low[i] = sum;
    }
}

typedef struct
{
  Measuring *measuring;
  guint      thread;
} Share;

/* Every so many anchors of the batch. */
static gpointer
measure_share (gpointer data)
{
  const Share *share = data;
  Measuring *self = share->measuring;
  const gsize n = self->n;
  const guint k = self->k;
  const gboolean paths = self->measures->graph != NULL;
  g_autofree double *low = g_new (double, n);
  g_autofree EsEmbeddingNear *near_high = g_new (EsEmbeddingNear, 3 * (gsize) k);
  EsEmbeddingNear *near_low = near_high + k, *room = near_low + k;

  for (gsize b = share->thread; b < self->n_batch && !g_cancellable_is_cancelled (self->cancellable);
       b += self->n_threads)
    {
      const gsize anchor = self->anchors[self->first + b];
      const double *high = self->high + b * n;
      EsEmbeddingSums *sums = &self->sums[self->first + b];

      find_low (self, anchor, low);
      es_embedding_find_nearest (high, n, anchor, k, NULL, near_high);
      es_embedding_find_nearest (low, n, anchor, k, NULL, near_low);
      sums->intruders = es_embedding_sum_ranks (high, n, anchor, k, near_high, near_low, room);
      sums->torn = es_embedding_sum_ranks (low, n, anchor, k, near_low, near_high, room);
      sums->hit = self->classes != NULL ? es_embedding_get_hit (low, n, anchor, k, self->classes, room) : NAN;
      if (!paths)
        es_embedding_add_pairs (high, NULL, low, n, anchor, sums);
    }
  return NULL;
}

static void
measure_batch (Measuring *self)
{
  g_autofree Share *shares = g_new (Share, self->n_threads);
  g_autofree GThread **threads = g_new0 (GThread *, self->n_threads);

  for (guint t = 0; t < self->n_threads; t++)
    shares[t] = (Share) { self, t };
  for (guint t = 1; t < self->n_threads && t < self->n_batch; t++)
    threads[t] = g_thread_try_new ("quality", measure_share, &shares[t], NULL);
  /* A thread that there is no room for: its share is done here. */
  for (guint t = 0; t < self->n_threads && t < self->n_batch; t++)
    if (threads[t] == NULL)
      measure_share (&shares[t]);
  for (guint t = 1; t < self->n_threads; t++)
    if (threads[t] != NULL)
      g_thread_join (threads[t]);
}

/* Along the graph, from every so many anchors. */
static void
measure_paths (Measuring *self, EsEmbeddingProgress progress, gpointer user_data)
{
  const gsize step = MAX (self->plan.n_anchors / self->plan.n_paths, 1);
  g_autoptr (EsNeighboursPaths) paths = es_neighbours_paths_new (self->measures->graph);
  g_autofree double *all = g_new (double, self->n_all), *length = g_new (double, self->n);
  g_autofree double *low = g_new (double, self->n);

  for (gsize a = 0; a < self->plan.n_anchors && !g_cancellable_is_cancelled (self->cancellable); a += step)
    {
      const gsize anchor = self->anchors[a];

      es_neighbours_paths_find (paths, self->rows != NULL ? self->rows[anchor] : anchor, all);
      for (gsize i = 0; i < self->n; i++)
        length[i] = all[self->rows != NULL ? self->rows[i] : i];
      find_low (self, anchor, low);
      es_embedding_add_pairs (NULL, length, low, self->n, anchor, &self->sums[a]);
      if (progress != NULL)
        progress (1 - self->plan.share_of_paths * (1 - (double) a / self->plan.n_anchors), user_data);
    }
}

static void
add_up (const Measuring *self, EsEmbeddingQuality *quality)
{
  const gsize n_anchors = self->plan.n_anchors;
  const double n = self->n, k = self->k, pairs_of_ranks = (double) n_anchors * k * (2 * n - 3 * k - 1) / 2;
  EsEmbeddingSums all = { 0 };
  double labelled = 0, x, y, xy;

  for (gsize a = 0; a < n_anchors; a++)
    {
      const EsEmbeddingSums *sums = &self->sums[a];

      all.intruders += sums->intruders;
      all.torn += sums->torn;
      if (isfinite (sums->hit))
        {
          all.hit += sums->hit;
          labelled++;
        }
      all.pairs += sums->pairs;
      all.x += sums->x;
      all.y += sums->y;
      all.xx += sums->xx;
      all.yy += sums->yy;
      all.xy += sums->xy;
    }
  x = all.xx - all.x * all.x / all.pairs;
  y = all.yy - all.y * all.y / all.pairs;
  xy = all.xy - all.x * all.y / all.pairs;
  *quality = (EsEmbeddingQuality) {
    .k = self->k, .n = self->n, .n_anchors = n_anchors,
    .trustworthiness = 1 - all.intruders / pairs_of_ranks,
    .continuity = 1 - all.torn / pairs_of_ranks,
    .neighbourhood_hit = labelled > 0 ? all.hit / labelled : NAN,
    .residual_variance = x > 1e-12 * all.xx && y > 1e-12 * all.yy ? 1 - MIN (xy * xy / (x * y), 1) : NAN,
  };
}

gboolean
es_embedding_measure (EsDevice *device, guint threads, const float *samples, gsize n, guint bands,
                      const double *coordinates, guint m, const EsEmbeddingMeasures *measures,
                      EsEmbeddingQuality *quality, EsEmbeddingProgress progress, gpointer user_data,
                      GCancellable *cancellable, GError **error)
{
  Measuring self = { .measures = measures, .bands = bands, .m = m, .samples = samples, .coordinates = coordinates,
                     .classes = measures->classes, .n_all = n, .cancellable = cancellable };
  g_autofree float *queries = NULL;
  EsNeighboursSearcher searcher;
  gboolean good = FALSE;

  device = es_neighbours_choose_device (device);
  if (!take_out (&self))
    goto no_memory;
  self.k = es_embedding_choose_k (self.n, measures->k);
  if (self.k == 0 || self.k >= self.n - self.k)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The quality of an embedding of %zu samples was asked for by %u neighbours: there have to be "
                     "fewer than half of the samples."), self.n, MAX (measures->k, 1));
      measuring_clear (&self);
      return FALSE;
    }
  self.plan = es_embedding_make_plan (device, threads, self.n, bands, m, measures);
  self.n_threads = threads > 0 ? threads : es_device_get_lanes (es_device_get_cpu ());
  self.anchors = g_try_new (gsize, self.plan.n_anchors);
  self.sums = g_try_new0 (EsEmbeddingSums, self.plan.n_anchors);
  self.high = g_try_new (double, self.plan.batch * self.n);
  queries = g_try_new (float, self.plan.batch * bands);
  if (self.anchors == NULL || self.sums == NULL || self.high == NULL || queries == NULL)
    goto no_memory;
  es_neighbours_choose_probes (self.n, self.plan.n_anchors, measures->seed, self.anchors);

  if (es_neighbours_searcher_begin (&searcher, device, threads, cancellable, error))
    {
      good = TRUE;
      for (self.first = 0; good && self.first < self.plan.n_anchors; self.first += self.n_batch)
        {
          int code;

          self.n_batch = MIN (self.plan.batch, self.plan.n_anchors - self.first);
          for (gsize b = 0; b < self.n_batch; b++)
            memcpy (queries + b * bands, self.samples + self.anchors[self.first + b] * bands, bands * sizeof (float));
          code = searcher.hotspots->neighbours->squares (searcher.stream, self.samples, self.n, queries, self.n_batch,
                                                         bands, self.high);
          good = es_device_check (device, searcher.stream, code, _("the quality of an embedding"), error);
          if (good)
            measure_batch (&self);
          if (progress != NULL)
            progress ((1 - self.plan.share_of_paths) * (self.first + self.n_batch) / self.plan.n_anchors, user_data);
        }
      es_neighbours_searcher_end (&searcher);
    }
  if (good && measures->graph != NULL)
    measure_paths (&self, progress, user_data);
  good = good && !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (good)
    add_up (&self, quality);
  measuring_clear (&self);
  return good;

no_memory:
  measuring_clear (&self);
  return es_compute_error_no_memory (_("the quality of an embedding"), error);
}
