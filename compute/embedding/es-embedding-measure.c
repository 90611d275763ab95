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

/* Of the samples that are in the embeddings; those that are not are taken out first. */
typedef struct
{
  const EsEmbeddingMeasures *measures;
  gsize          n;
  guint          bands, n_embeddings, m, k;
  const float   *samples;
  const double  *const *coordinates;       /* of each embedding */
  const guint32 *classes;
  const gsize   *rows;         /* which they are of all; NULL: all are there */
  gsize          n_all;
  /* Owned, where some were taken out */
  float         *samples_left;
  double       **coordinates_left;
  guint32       *classes_left;
  gsize         *rows_left;

  EsEmbeddingPlan  plan;
  gsize           *anchors;    /* plan.n_anchors */
  gsize           *path_anchors;           /* plan.n_paths: which of the anchors */
  EsEmbeddingSums *sums;       /* n_embeddings x anchors */
  /* Of one batch */
  gsize          first, n_batch;
  double        *high;         /* n_batch x n */
  EsNeighboursPaths *paths;    /* nullable */
  guint          n_threads;
  EsEmbeddingProgress progress;            /* nullable */
  gpointer       user_data;
  GCancellable  *cancellable;
} Measuring;

static void
measuring_clear (Measuring *self)
{
  g_free (self->samples_left);
  for (guint e = 0; self->coordinates_left != NULL && e < self->n_embeddings; e++)
    g_free (self->coordinates_left[e]);
  g_free (self->coordinates_left);
  g_free (self->classes_left);
  g_free (self->rows_left);
  g_free (self->anchors);
  g_free (self->path_anchors);
  g_free (self->sums);
  g_free (self->high);
}

/* Whether the same samples are in all. */
static gboolean
are_alike (const double *const *coordinates, guint n_embeddings, gsize n, guint m)
{
  for (guint e = 1; e < n_embeddings; e++)
    for (gsize i = 0; i < n; i++)
      if (es_embedding_is_there (coordinates[e] + i * m, m) != es_embedding_is_there (coordinates[0] + i * m, m))
        return FALSE;
  return TRUE;
}

/* FALSE: no memory. */
static gboolean
take_out (Measuring *self)
{
  const gsize n = self->n_all, row = self->m;
  const double *first = self->coordinates[0];
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    left += es_embedding_is_there (first + i * row, self->m);
  self->n = left;
  if (left == n)
    return TRUE;

  self->samples_left = g_try_new (float, left * self->bands);
  self->coordinates_left = g_new0 (double *, self->n_embeddings);
  self->classes_left = g_try_new (guint32, left);
  self->rows_left = g_try_new (gsize, left);
  if (left > 0 && (self->samples_left == NULL || self->classes_left == NULL || self->rows_left == NULL))
    return FALSE;
  for (guint e = 0; left > 0 && e < self->n_embeddings; e++)
    {
      self->coordinates_left[e] = g_try_new (double, left * row);
      if (self->coordinates_left[e] == NULL)
        return FALSE;
    }
  for (gsize i = 0, to = 0; i < n; i++)
    if (es_embedding_is_there (first + i * row, self->m))
      {
        memcpy (self->samples_left + to * self->bands, self->samples + i * self->bands, self->bands * sizeof (float));
        for (guint e = 0; e < self->n_embeddings; e++)
          memcpy (self->coordinates_left[e] + to * row, self->coordinates[e] + i * row, row * sizeof (double));
        self->classes_left[to] = self->classes != NULL ? self->classes[i] : 0;
        self->rows_left[to++] = i;
      }
  self->samples = self->samples_left;
  self->coordinates = (const double *const *) self->coordinates_left;
  self->classes = self->classes != NULL ? self->classes_left : NULL;
  self->rows = self->rows_left;
  return TRUE;
}

/* Squared distances of the coordinates. */
static void
find_low (const Measuring *self, guint embedding, gsize anchor, double *low)
{
  const guint m = self->m;
  const double *all = self->coordinates[embedding], *from = all + anchor * m;

  for (gsize i = 0; i < self->n; i++)
    {
      double sum = 0;

      for (guint c = 0; c < m; c++)
        {
          const double x = all[i * m + c] - from[c];
          sum += x * x;
        }
      low[i] = sum;
    }
}

/* What every thread does by its number; a thread that there is no room for: its share is done here. */
typedef struct
{
  Measuring *measuring;
  void     (*work) (Measuring *measuring, guint thread);
  guint      thread;
} Share;

static gpointer
do_share (gpointer data)
{
  const Share *share = data;

  share->work (share->measuring, share->thread);
  return NULL;
}

static void
do_shares (Measuring *self, guint n, void (*work) (Measuring *measuring, guint thread))
{
  g_autofree Share *shares = g_new (Share, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);

  for (guint t = 0; t < n; t++)
    shares[t] = (Share) { self, work, t };
  for (guint t = 1; t < n; t++)
    threads[t] = g_thread_try_new ("quality", do_share, &shares[t], NULL);
  for (guint t = 0; t < n; t++)
    if (threads[t] == NULL)
      do_share (&shares[t]);
  for (guint t = 1; t < n; t++)
    if (threads[t] != NULL)
      g_thread_join (threads[t]);
}

/* Every so many anchors of the batch. */
static void
measure_share (Measuring *self, guint thread)
{
  const gsize n = self->n;
  const guint k = self->k;
  const gboolean paths = self->measures->graph != NULL;
  g_autofree double *low = g_new (double, n);
  g_autofree EsEmbeddingNear *near_high = g_new (EsEmbeddingNear, 3 * (gsize) k);
  EsEmbeddingNear *near_low = near_high + k, *room = near_low + k;

  for (gsize b = thread; b < self->n_batch; b += self->n_threads)
    {
      const gsize anchor = self->anchors[self->first + b];
      const double *high = self->high + b * n;

      es_embedding_find_nearest (high, n, anchor, k, NULL, near_high);
      for (guint e = 0; e < self->n_embeddings && !g_cancellable_is_cancelled (self->cancellable); e++)
        {
          EsEmbeddingSums *sums = &self->sums[e * self->plan.n_anchors + self->first + b];

          find_low (self, e, anchor, low);
          es_embedding_find_nearest (low, n, anchor, k, NULL, near_low);
          sums->intruders = es_embedding_sum_ranks (high, n, anchor, k, near_high, near_low, room);
          sums->torn = es_embedding_sum_ranks (low, n, anchor, k, near_low, near_high, room);
          sums->hit = self->classes != NULL ? es_embedding_get_hit (low, n, anchor, k, self->classes, room) : NAN;
          if (!paths)
            es_embedding_add_pairs (high, NULL, low, n, anchor, sums);
        }
    }
}

/* Along the graph; the calling thread tells how far it has come. */
static void
follow_share (Measuring *self, guint thread)
{
  g_autoptr (EsNeighboursPaths) paths = es_neighbours_paths_new_beside (self->paths);
  g_autofree double *all = g_new (double, self->n_all), *length = g_new (double, self->n);
  g_autofree double *low = g_new (double, self->n);

  for (gsize p = thread; p < self->plan.n_paths && !g_cancellable_is_cancelled (self->cancellable);
       p += self->n_threads)
    {
      const gsize a = self->path_anchors[p], anchor = self->anchors[a];

      es_neighbours_paths_find (paths, self->rows != NULL ? self->rows[anchor] : anchor, all);
      for (gsize i = 0; i < self->n; i++)
        length[i] = all[self->rows != NULL ? self->rows[i] : i];
      for (guint e = 0; e < self->n_embeddings; e++)
        {
          find_low (self, e, anchor, low);
          es_embedding_add_pairs (NULL, length, low, self->n, anchor, &self->sums[e * self->plan.n_anchors + a]);
        }
      if (thread == 0 && self->progress != NULL)
        self->progress (1 - self->plan.share_of_paths * (1 - (double) p / self->plan.n_paths), self->user_data);
    }
}

/* Of `all`, without the pairs of `less`. */
static double
find_residual (const EsEmbeddingSums *all, const EsEmbeddingSums *less)
{
  const double pairs = all->pairs - less->pairs, all_x = all->x - less->x, all_y = all->y - less->y;
  const double xx = all->xx - less->xx, yy = all->yy - less->yy;
  const double x = xx - all_x * all_x / pairs, y = yy - all_y * all_y / pairs;
  const double xy = all->xy - less->xy - all_x * all_y / pairs;

  return x > 1e-12 * xx && y > 1e-12 * yy ? 1 - MIN (xy * xy / (x * y), 1) : NAN;
}

/* Of the mean of `count` values drawn from `n`, by their sum of squares about it. */
static double
find_error (double squares, gsize count, gsize n)
{
  if (count == n)
    return 0;
  return count > 1 ? sqrt (squares / (count - 1.0) / (double) count * (1 - (double) count / (double) n)) : NAN;
}

static EsEmbeddingErrors
find_errors (const Measuring *self, const EsEmbeddingSums *sums, const EsEmbeddingSums *all, double labelled,
             double scale, const EsEmbeddingQuality *quality)
{
  const gsize n_anchors = self->plan.n_anchors, n_paths = quality->n_paths > 0 ? quality->n_paths : n_anchors;
  const double intruders = all->intruders / (double) n_anchors, torn = all->torn / (double) n_anchors;
  double squares[4] = { 0 }, mean = 0;
  g_autofree double *left = g_new (double, n_paths);
  gsize n_labelled = 0;

  for (gsize a = 0; a < n_anchors; a++)
    {
      squares[0] += (sums[a].intruders - intruders) * (sums[a].intruders - intruders);
      squares[1] += (sums[a].torn - torn) * (sums[a].torn - torn);
      if (isfinite (sums[a].hit))
        squares[2] += (sums[a].hit - quality->neighbourhood_hit) * (sums[a].hit - quality->neighbourhood_hit);
    }
  for (gsize i = 0; self->classes != NULL && i < self->n; i++)
    n_labelled += self->classes[i] > 0;
  for (gsize p = 0; p < n_paths; p++)
    {
      left[p] = find_residual (all, &sums[quality->n_paths > 0 ? self->path_anchors[p] : p]);
      mean += left[p] / (double) n_paths;
    }
  for (gsize p = 0; p < n_paths; p++)
    squares[3] += (left[p] - mean) * (left[p] - mean);
  return (EsEmbeddingErrors) {
    .trustworthiness = find_error (squares[0], n_anchors, self->n) / scale,
    .continuity = find_error (squares[1], n_anchors, self->n) / scale,
    .neighbourhood_hit = labelled > 0 ? find_error (squares[2], (gsize) labelled, n_labelled) : NAN,
    .residual_variance = isfinite (quality->residual_variance)
                         ? find_error (squares[3], n_paths, self->n) * ((double) n_paths - 1) : NAN,
  };
}

static void
add_up (const Measuring *self, guint embedding, EsEmbeddingQuality *quality)
{
  const gsize n_anchors = self->plan.n_anchors;
  const EsEmbeddingSums *of_anchors = &self->sums[embedding * n_anchors], none = { 0 };
  const double n = self->n, k = self->k, ranks = k * (2 * n - 3 * k - 1) / 2, all_ranks = (double) n_anchors * ranks;
  EsEmbeddingSums all = { 0 };
  double labelled = 0;

  for (gsize a = 0; a < n_anchors; a++)
    {
      const EsEmbeddingSums *sums = &of_anchors[a];

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
  *quality = (EsEmbeddingQuality) {
    .k = self->k, .n = self->n, .n_anchors = n_anchors, .n_paths = self->plan.n_paths,
    .trustworthiness = 1 - all.intruders / all_ranks,
    .continuity = 1 - all.torn / all_ranks,
    .neighbourhood_hit = labelled > 0 ? all.hit / labelled : NAN,
    .residual_variance = find_residual (&all, &none),
  };
  quality->standard = find_errors (self, of_anchors, &all, labelled, ranks, quality);
}

/* Ranks of all anchors. */
static gboolean
measure_batches (Measuring *self, EsDevice *device, guint threads, float *queries, GError **error)
{
  const guint bands = self->bands;
  EsNeighboursSearcher searcher;
  gboolean good = TRUE;

  if (!es_neighbours_searcher_begin (&searcher, device, threads, self->cancellable, error))
    return FALSE;
  for (self->first = 0; good && self->first < self->plan.n_anchors; self->first += self->n_batch)
    {
      int code;

      self->n_batch = MIN (self->plan.batch, self->plan.n_anchors - self->first);
      for (gsize b = 0; b < self->n_batch; b++)
        memcpy (queries + b * bands, self->samples + self->anchors[self->first + b] * bands, bands * sizeof (float));
      code = searcher.hotspots->neighbours->squares (searcher.stream, self->samples, self->n, queries, self->n_batch,
                                                     bands, self->high);
      good = es_device_check (device, searcher.stream, code, _("the quality of an embedding"), error);
      if (good)
        do_shares (self, (guint) MIN (self->n_threads, self->n_batch), measure_share);
      if (self->progress != NULL)
        self->progress ((1 - self->plan.share_of_paths) * (self->first + self->n_batch) / self->plan.n_anchors,
                        self->user_data);
    }
  es_neighbours_searcher_end (&searcher);
  return good;
}

/* Of embeddings that have the same samples. */
static gboolean
measure_alike (Measuring *self, EsDevice *device, guint threads, EsEmbeddingQuality *quality, GError **error)
{
  const EsEmbeddingMeasures *measures = self->measures;
  g_autofree float *queries = NULL;
  gboolean good;

  device = es_neighbours_choose_device (device);
  if (!take_out (self))
    return es_compute_error_no_memory (_("the quality of an embedding"), error);
  self->k = es_embedding_choose_k (self->n, measures->k);
  if (self->k == 0 || self->k >= self->n - self->k)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The quality of an embedding of %zu samples was asked for by %u neighbours: there have to be "
                     "fewer than half of the samples."), self->n, MAX (measures->k, 1));
      return FALSE;
    }
  self->plan = es_embedding_make_plan (device, threads, self->n, self->bands, self->n_embeddings, self->m, measures);
  self->n_threads = threads > 0 ? threads : es_device_get_lanes (es_device_get_cpu ());
  self->anchors = g_try_new (gsize, self->plan.n_anchors);
  self->sums = g_try_new0 (EsEmbeddingSums, self->n_embeddings * self->plan.n_anchors);
  self->high = g_try_new (double, self->plan.batch * self->n);
  queries = g_try_new (float, self->plan.batch * self->bands);
  self->path_anchors = g_try_new (gsize, MAX (self->plan.n_paths, 1));
  if (self->anchors == NULL || self->path_anchors == NULL || self->sums == NULL || self->high == NULL
      || queries == NULL)
    return es_compute_error_no_memory (_("the quality of an embedding"), error);
  es_neighbours_choose_probes (self->n, self->plan.n_anchors, measures->seed, self->anchors);
  es_neighbours_choose_probes (self->plan.n_anchors, self->plan.n_paths, measures->seed + 1, self->path_anchors);

  good = measure_batches (self, device, threads, queries, error);
  if (good && measures->graph != NULL)
    {
      self->paths = es_neighbours_paths_new (measures->graph);
      do_shares (self, (guint) MIN (self->n_threads, self->plan.n_paths), follow_share);
      es_neighbours_paths_free (self->paths);
    }
  good = good && !g_cancellable_set_error_if_cancelled (self->cancellable, error);
  for (guint e = 0; good && e < self->n_embeddings; e++)
    add_up (self, e, &quality[e]);
  return good;
}

gboolean
es_embedding_measure_several (EsDevice *device, guint threads, const float *samples, gsize n, guint bands,
                              const double *const *coordinates, guint n_embeddings, guint m,
                              const EsEmbeddingMeasures *measures, EsEmbeddingQuality *quality,
                              EsEmbeddingProgress progress, gpointer user_data, GCancellable *cancellable,
                              GError **error)
{
  const guint at_once = are_alike (coordinates, n_embeddings, n, m) ? n_embeddings : 1;
  gboolean good = TRUE;

  for (guint e = 0; good && e < n_embeddings; e += at_once)
    {
      Measuring self = { .measures = measures, .bands = bands, .n_embeddings = at_once, .m = m, .samples = samples,
                         .coordinates = coordinates + e, .classes = measures->classes, .n_all = n,
                         .progress = progress, .user_data = user_data, .cancellable = cancellable };

      good = measure_alike (&self, device, threads, quality + e, error);
      measuring_clear (&self);
    }
  return good;
}

gboolean
es_embedding_measure (EsDevice *device, guint threads, const float *samples, gsize n, guint bands,
                      const double *coordinates, guint m, const EsEmbeddingMeasures *measures,
                      EsEmbeddingQuality *quality, EsEmbeddingProgress progress, gpointer user_data,
                      GCancellable *cancellable, GError **error)
{
  return es_embedding_measure_several (device, threads, samples, n, bands, &coordinates, 1, m, measures, quality,
                                       progress, user_data, cancellable, error);
}
