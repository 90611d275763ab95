/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which samples are neighbours, and which of them hang together. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-limits.h"

typedef struct
{
  EsJob *job;
  double from, share;          /* of the stage */
} Progress;

static void
tell_progress (double fraction, gpointer data)
{
  const Progress *progress = data;

  es_job_set_fraction (progress->job, progress->from + progress->share * fraction);
}

/* Searching that takes longer is not worth what it tells. */
#define MOST_SECONDS 20.0
/* A few more neighbours than there are join most graphs, and many are slow to select: so many times as many each. */
#define MORE_NEIGHBOURS 4
/* Of the memory, for the neighbours that are looked at. */
#define JOINING_SHARE ((EsMemoryShare) { .of_limit = 4, .of_machine = 4 })

/* Whether k neighbours, found exactly, join the samples: self->joining. FALSE: cancelled, or the device failed. */
static gboolean
look_for_joining (EsManifoldRun *self, guint k, Progress *progress, GError **error)
{
  const gsize n = self->samples.n;
  g_autoptr (EsNeighbours) graph = NULL;

  graph = es_neighbours_find (es_job_get_device (self->job), self->threads, self->samples.spectra, n,
                              self->samples.bands, k, ES_NEIGHBOURS_EXACT, 1, tell_progress, progress,
                              es_job_get_cancellable (self->job), error);
  if (graph == NULL)
    return FALSE;
  es_job_add_work (self->job, NULL, &(EsStageWork) {
    .operations = (double) n * n * self->samples.bands,
    .memory_bytes = (double) n * self->samples.bands * sizeof (float),
    .less = N_("Fewer samples help, or as many neighbours as join them."),
  });
  self->joining = es_neighbours_find_joining (graph);
  return TRUE;
}

/*
 * How many neighbours it takes for one part, by all that may be asked for, found exactly: links are taken in the order
 * of their ranks until all samples hang together. As many as there are samples outside the largest part do at any rate:
 * in whatever is not joined to it there are fewer, of which one then has a neighbour elsewhere. FALSE: cancelled, or
 * the device failed.
 */
static gboolean
find_joining (EsManifoldRun *self, GError **error)
{
  const gsize n = self->samples.n, needed = n - self->part_sizes[0];
  const guint64 row = n * (sizeof (gint32) + sizeof (float));
  const gsize room = es_limits_get_host_memory (es_job_get_limits (self->job), JOINING_SHARE) / row;
  const guint most = (guint) MIN (MIN (needed, room), ES_MANIFOLD_MOST_NEIGHBOURS);
  Progress progress = { .job = self->job, .share = 0.5 };
  double seconds = 0;
  guint64 memory;
  guint k = 0;

  if (most <= self->k && needed > most)
    {
      self->joining_told = g_strdup (_("More neighbours may join them."));
      return TRUE;
    }
  while (self->joining == 0 && k < most)
    {
      const guint next = (guint) MIN ((guint64) MORE_NEIGHBOURS * MAX (k, self->k), most);

      seconds += es_neighbours_plan (es_job_get_device (self->job), self->threads, n, self->samples.bands, next,
                                     ES_NEIGHBOURS_EXACT, &memory);
      if (seconds > MOST_SECONDS)
        break;
      if (k == 0)
        es_job_begin_stage (self->job, "joining", _("Joining neighbours"), 0);
      if (!look_for_joining (self, k = next, &progress, error))
        return FALSE;
      progress.from += progress.share;
      progress.share /= 2;
    }
  if (k == 0)
    self->joining_told = g_strdup_printf (_("More neighbours may join them; how many was not looked for, which would "
                                            "take about %.0f s."), seconds);
  else if (self->joining == 0)
    self->joining_told = g_strdup_printf (_("No number of neighbours up to %u joins them."), k);
  else if (es_neighbours_is_exact (self->graph))
    self->joining_told = g_strdup_printf (_("They hang together from %u neighbours on."), self->joining);
  else
    self->joining_told = g_strdup_printf (_("They hang together from %u neighbours on, where these are found exactly."),
                                          self->joining);
  return TRUE;
}

static void
tell_parts (EsManifoldRun *self)
{
  g_autoptr (GString) sizes = g_string_new (NULL);

  for (guint i = 0; i < MIN (self->n_parts, 5); i++)
    g_string_append_printf (sizes, "%s%zu", i == 0 ? "" : ", ", self->part_sizes[i]);
  if (self->n_parts > 5)
    g_string_append (sizes, ", …");
  if (self->kind->method->takes_parts)
    es_manifold_warn (self, _("The graph of the samples has %u parts that are not joined (%s samples): each keeps its "
                              "shape, and where they lie beside each other means nothing. %s"), self->n_parts,
                      sizes->str, self->joining_told);
  else
    es_manifold_warn (self, _("The graph of the samples has %u parts that are not joined (%s samples): the largest is "
                              "embedded, and all other pixels are placed by the samples of it that they are most "
                              "alike. %s"), self->n_parts, sizes->str, self->joining_told);
}

/* The same neighbours, by their numbers in the part: number[i] of sample i, -1: it is in another. NULL: so is a
 * neighbour. */
static EsNeighbours *
renumber (EsNeighbours *graph, const gsize *which, gsize n, const gint32 *number)
{
  const guint k = es_neighbours_get_k (graph);
  g_autofree gint32 *index = g_new (gint32, n * k);
  g_autofree float *distance = g_new (float, n * k);

  for (gsize i = 0; i < n; i++)
    {
      const gint32 *from = es_neighbours_get_indices (graph) + which[i] * k;

      for (guint j = 0; j < k; j++)
        if ((index[i * k + j] = number[from[j]]) < 0)
          return NULL;
      memcpy (distance + i * k, es_neighbours_get_distances (graph) + which[i] * k, k * sizeof (float));
    }
  return es_neighbours_new (n, k, g_steal_pointer (&index), g_steal_pointer (&distance),
                            es_neighbours_is_exact (graph));
}

static EsNeighbours *
find_neighbours (EsManifoldRun *self, const EsManifoldSamples *samples, GError **error)
{
  Progress progress = { .job = self->job, .share = 1 };
  EsNeighbours *graph = es_neighbours_find (es_job_get_device (self->job), self->threads, samples->spectra, samples->n,
                                            samples->bands, self->k,
                                            (EsNeighboursSearch) es_params_get_choice (self->params, "search"),
                                            (guint64) es_params_get_int (self->params, "seed"), tell_progress,
                                            &progress, es_job_get_cancellable (self->job), error);

  if (graph != NULL)
    es_job_add_work (self->job, NULL, &(EsStageWork) {
      .operations = es_neighbours_is_exact (graph) ? (double) samples->n * samples->n * samples->bands : 0,
      .memory_bytes = (double) samples->n * samples->bands * sizeof (float),
      .less = N_("Fewer samples help, or the approximate search."),
    });
  return graph;
}

/* The samples of the largest part alone: they have all their neighbours among themselves, or, where links weigh
 * nothing, find them there. */
static gboolean
take_largest (EsManifoldRun *self, const guint32 *part, GError **error)
{
  const guint bands = self->samples.bands;
  const gsize n = self->part_sizes[0];
  g_autofree gint32 *number = g_new (gint32, self->samples.n);
  gsize count = 0;

  self->n_embedded = n;
  self->embedded = g_new (gsize, n);
  self->inner = (EsManifoldSamples) { .n = n, .bands = bands, .pixels = g_new (guint64, n),
                                      .spectra = g_new (float, n * bands), .origin = self->samples.origin };
  for (gsize i = 0; i < self->samples.n; i++)
    if (part[i] > 0)
      number[i] = -1;
    else
      {
        number[i] = (gint32) count;
        self->embedded[count] = i;
        self->inner.pixels[count] = self->samples.pixels[i];
        memcpy (self->inner.spectra + count * bands, self->samples.spectra + i * bands, bands * sizeof (float));
        count++;
      }
  self->inner_graph = renumber (self->graph, self->embedded, n, number);
  if (self->inner_graph == NULL)
    self->inner_graph = find_neighbours (self, &self->inner, error);
  return self->inner_graph != NULL;
}

/* Where a kernel's width leaves more parts than the graph has, they are those, and it is told. */
static gboolean
find_weighed_parts (EsManifoldRun *self, guint32 *part, GError **error)
{
  const EsManifoldMethod *method = self->kind->method;
  const EsManifoldInput input = { .job = self->job, .samples = &self->samples, .graph = self->graph,
                                  .params = self->params };
  g_autoptr (EsNeighbours) weighed = NULL;
  g_autofree guint32 *own = g_new (guint32, self->samples.n);
  g_autofree gsize *sizes = NULL;
  guint n_parts;

  if (method->told_width == NULL || !(method->told_width (self->params) > 0))
    return TRUE;
  weighed = method->find_links (&input, error);
  if (weighed == NULL)
    return FALSE;
  n_parts = es_neighbours_find_parts (weighed, own, &sizes);
  if (n_parts <= self->n_parts)
    return TRUE;
  self->n_parts = n_parts;
  g_free (self->part_sizes);
  self->part_sizes = g_steal_pointer (&sizes);
  memcpy (part, own, self->samples.n * sizeof (guint32));
  self->joining_told = es_spectral_describe_width (self->graph, method->told_width (self->params));
  return TRUE;
}

static void
take_all (EsManifoldRun *self)
{
  self->n_embedded = self->samples.n;
  self->embedded = g_new (gsize, self->n_embedded);
  for (gsize i = 0; i < self->n_embedded; i++)
    self->embedded[i] = i;
  self->inner = self->samples;
  self->inner_graph = self->graph != NULL ? es_neighbours_ref (self->graph) : NULL;
}

gboolean
es_manifold_find_graph (EsManifoldRun *self, GError **error)
{
  const gsize n = self->samples.n;
  g_autofree guint32 *part = NULL;
  const guint wanted = self->k;

  self->k = (guint) MIN (wanted, n - 1);
  if (self->k < wanted)
    es_manifold_warn (self, _("%u neighbours were asked for; %zu samples have %u others each."), wanted,
                      n, self->k);
  if (!self->kind->method->needs_graph)
    {
      take_all (self);
      return TRUE;
    }
  self->graph = find_neighbours (self, &self->samples, error);
  if (self->graph == NULL)
    return FALSE;
  part = g_new (guint32, n);
  self->n_parts = es_neighbours_find_parts (self->graph, part, &self->part_sizes);
  if (!find_weighed_parts (self, part, error) || (self->n_parts > 1 && self->joining_told == NULL
                                                  && !find_joining (self, error)))
    return FALSE;
  if (self->n_parts > 1)
    tell_parts (self);
  if (self->n_parts == 1 || self->kind->method->takes_parts)
    {
      take_all (self);
      return TRUE;
    }
  if (self->part_sizes[0] <= self->k || self->part_sizes[0] <= self->m)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   /* TRANSLATORS: %s is a sentence on how many neighbours join the parts of the graph. */
                   _("The largest part of the graph holds %zu of %zu samples, too few "
                     "for %u neighbours and %u dimensions. %s"),
                   self->part_sizes[0], n, self->k, self->m, self->joining_told);
      return FALSE;
    }
  return take_largest (self, part, error);
}
