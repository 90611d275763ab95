/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How well the embedding keeps what lies beside what, and a PCA and an MNF of the same samples. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "embedding/es-embedding-quality.h"
#include "readers/es-open.h"

enum { THIS, PCA, MNF, N_ROWS };

/* Of more samples than ES_EMBEDDING_ALL; and digits of what is exact. */
#define LEAST_ANCHORS 1024
#define MOST_DIGITS 4

gsize
es_manifold_count_anchors (gsize n)
{
  const gsize all = ES_EMBEDDING_ALL;

  return n <= all ? n : CLAMP (all * all / n, LEAST_ANCHORS, ES_EMBEDDING_ANCHORS);
}

/* ---- the classes of the samples ---- */

static EsCube *
open_classes (EsManifoldRun *self, const char *path, GError **error)
{
  EsCube *whole = es_cube_get_whole (self->cube);
  g_autoptr (GFile) file = g_file_parse_name (path);
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, es_job_get_cancellable (self->job), error);

  if (dataset == NULL)
    return NULL;
  if (!ES_IS_CUBE (dataset) || es_cube_get_bands (ES_CUBE (dataset)) != 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("“%s” is no classification: it is not an image of one band."), name);
  else if (es_cube_get_width (ES_CUBE (dataset)) != es_cube_get_width (whole)
           || es_cube_get_height (ES_CUBE (dataset)) != es_cube_get_height (whole))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("The classification “%s” has %llu × %llu pixels; “%s” has %llu × %llu."), name,
                 (unsigned long long) es_cube_get_width (ES_CUBE (dataset)),
                 (unsigned long long) es_cube_get_height (ES_CUBE (dataset)),
                 es_dataset_get_name (ES_DATASET (whole)), (unsigned long long) es_cube_get_width (whole),
                 (unsigned long long) es_cube_get_height (whole));
  else
    return ES_CUBE (g_steal_pointer (&dataset));
  return NULL;
}

/* Of each sample that is embedded the number of its class, 0: none. *classes NULL: none were asked for. */
static gboolean
read_classes (EsManifoldRun *self, guint32 **classes, GError **error)
{
  const char *path = es_params_get_text (self->params, "classes");
  const EsCubeWindow place = es_cube_get_place (self->cube);
  const guint64 width = es_cube_get_width (self->cube);
  g_autoptr (EsCube) classification = NULL;
  g_autofree float *row = NULL;
  g_autofree guint32 *found = NULL;
  guint64 read = G_MAXUINT64;

  *classes = NULL;
  if (*path == '\0')
    return TRUE;
  classification = open_classes (self, path, error);
  if (classification == NULL)
    return FALSE;
  row = g_new (float, es_cube_get_width (classification));
  found = g_new0 (guint32, self->inner.n);
  for (gsize i = 0; i < self->inner.n; i++)
    {
      const guint64 x = self->inner.pixels[i] % width + place.x, y = self->inner.pixels[i] / width + place.y;

      if (y != read && !es_cube_read_band (classification, 0, 0, y, es_cube_get_width (classification), 1, 1, row,
                                           es_job_get_cancellable (self->job), error))
        return FALSE;
      read = y;
      found[i] = row[x] >= 1 && row[x] < (float) G_MAXINT32 ? (guint32) row[x] : 0;
    }
  *classes = g_steal_pointer (&found);
  return TRUE;
}

/* ---- what stands beside it ---- */

/* Physical spectra of the samples that are embedded. Transfer full. */
static float *
take_rows (const EsManifoldRun *self, const float *from)
{
  const gsize bands = self->bands.n;
  float *rows = g_try_new (float, self->n_embedded * bands);

  for (gsize i = 0; rows != NULL && i < self->n_embedded; i++)
    memcpy (rows + i * bands, from + self->embedded[i] * bands, bands * sizeof (float));
  return rows;
}

/* The PCA is of the spectra as distances are taken of them, as the embedding is. An MNF is the same however its bands
 * are scaled. */
static gboolean
find_others (EsManifoldRun *self, double *coordinates[N_ROWS], GError **error)
{
  const gsize n = self->n_embedded;
  const guint bands = self->bands.n;
  g_autofree float *rows = take_rows (self, self->spectra), *beside = take_rows (self, self->beside);
  gboolean possible;

  if (rows == NULL || beside == NULL)
    return es_compute_error_no_memory (_("the spectra of the samples"), error);
  coordinates[PCA] = g_new0 (double, n * self->m);
  coordinates[MNF] = g_new0 (double, n * self->m);
  if (!es_manifold_pca (self->job, self->inner.spectra, n, self->inner.bands, self->m, coordinates[PCA], error)
      || !es_manifold_mnf (self->job, rows, beside, n, bands, self->m, coordinates[MNF], &possible, error))
    return FALSE;
  if (!possible)
    {
      g_clear_pointer (&coordinates[MNF], g_free);
      es_manifold_warn (self, _("There is no MNF beside it: too few of the samples have a neighbour that noise could "
                                "be told from."));
    }
  return TRUE;
}

/* ---- the table ---- */

static void
tell_progress (double fraction, gpointer data)
{
  es_job_set_fraction (data, fraction);
}

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
}

/* As many as its standard error leaves: the unit of the last one is not less than the error. An error that there is
 * none of says nothing. */
static int
count_digits (int digits, double standard)
{
  while (digits > 0 && standard > pow (10, -digits))
    digits--;
  return digits;
}

/* Digits of each column for the row whose error is greatest. Errors of the residual variance are as unlike as it is
 * itself, a few hundredths beside a few ten-thousandths: they stand beside it, and its digits are for the least. */
static void
add_columns (EsManifoldRun *self, const EsEmbeddingQuality *quality, guint count)
{
  int trustworthiness = MOST_DIGITS, continuity = MOST_DIGITS, residual = 0, hit = MOST_DIGITS;

  for (guint i = 0; i < count; i++)
    {
      trustworthiness = count_digits (trustworthiness, quality[i].standard.trustworthiness);
      continuity = count_digits (continuity, quality[i].standard.continuity);
      residual = MAX (residual, count_digits (MOST_DIGITS, quality[i].standard.residual_variance));
      hit = count_digits (hit, quality[i].standard.neighbourhood_hit);
    }
  es_table_add_column (self->quality, _("Reduction"), NULL, -1);
  es_table_add_column (self->quality, _("Trustworthiness"), NULL, trustworthiness);
  es_table_add_column (self->quality, _("Continuity"), NULL, continuity);
  es_table_add_column (self->quality, _("Residual variance"), NULL, residual);
  es_table_add_column (self->quality, _("Residual variance, ±"), NULL, MOST_DIGITS);
  es_table_add_column (self->quality, _("Neighbourhood hit"), NULL, hit);
}

static void
add_row (EsManifoldRun *self, const char *id, const char *title, const EsEmbeddingQuality *quality,
         gboolean with_classes)
{
  const gconstpointer cells[] = { title, &quality->trustworthiness, &quality->continuity, &quality->residual_variance,
                                  &quality->standard.residual_variance, &quality->neighbourhood_hit };
  JsonObject *object = json_object_new (), *standard = json_object_new ();

  es_table_add_row (self->quality, cells);
  set_number (object, "trustworthiness", quality->trustworthiness);
  set_number (object, "continuity", quality->continuity);
  set_number (object, "residual_variance", quality->residual_variance);
  if (with_classes)
    set_number (object, "neighbourhood_hit", quality->neighbourhood_hit);
  set_number (standard, "trustworthiness", quality->standard.trustworthiness);
  set_number (standard, "continuity", quality->standard.continuity);
  set_number (standard, "residual_variance", quality->standard.residual_variance);
  if (with_classes)
    set_number (standard, "neighbourhood_hit", quality->standard.neighbourhood_hit);
  json_object_set_object_member (object, "standard_error", standard);
  json_object_set_object_member (self->quality_values, id, object);
}

static gboolean
measure (EsManifoldRun *self, double *const coordinates[N_ROWS], const guint32 *classes, GError **error)
{
  const char *const ids[N_ROWS] = { self->kind->operation->id, "pca", "mnf" };
  const char *const titles[N_ROWS] = { _(self->kind->operation->short_title), _("PCA"), _("MNF") };
  const EsEmbeddingMeasures measures = { .classes = classes, .graph = self->inner_graph,
                                         .n_anchors = es_manifold_count_anchors (self->inner.n),
                                         .n_paths = ES_MANIFOLD_PATHS,
                                         .seed = (guint64) es_params_get_int (self->params, "seed") };
  const double *there[N_ROWS];
  EsEmbeddingQuality quality[N_ROWS];
  guint count = 0, row = 0;

  for (guint i = 0; i < N_ROWS; i++)
    if (coordinates[i] != NULL)
      there[count++] = coordinates[i];
  if (!es_embedding_measure_several (es_job_get_device (self->job), self->threads, self->inner.spectra, self->inner.n,
                                     self->inner.bands, there, count, self->m, &measures, quality, tell_progress,
                                     self->job, es_job_get_cancellable (self->job), error))
    return FALSE;
  add_columns (self, quality, count);
  for (guint i = 0; i < N_ROWS; i++)
    if (coordinates[i] != NULL)
      add_row (self, ids[i], titles[i], &quality[row++], classes != NULL);
  json_object_set_int_member (self->quality_values, "neighbours", quality[0].k);
  json_object_set_int_member (self->quality_values, "samples", (gint64) quality[0].n);
  json_object_set_int_member (self->quality_values, "anchors", (gint64) quality[0].n_anchors);
  if (quality[0].n_paths > 0)
    json_object_set_int_member (self->quality_values, "path_anchors", (gint64) quality[0].n_paths);
  return TRUE;
}

gboolean
es_manifold_judge (EsManifoldRun *self, GError **error)
{
  double *coordinates[N_ROWS] = { self->embedding->coordinates };
  g_autofree guint32 *classes = NULL;
  gboolean done;

  self->quality = es_table_new ("quality", _("Quality"));
  self->quality_values = json_object_new ();
  done = read_classes (self, &classes, error) && find_others (self, coordinates, error)
         && measure (self, coordinates, classes, error);
  g_free (coordinates[PCA]);
  g_free (coordinates[MNF]);
  /* Distances among the spectra, once for all. */
  es_job_add_work (self->job, NULL, &(EsStageWork) {
    .operations = 2.0 * es_manifold_count_anchors (self->inner.n) * self->inner.n * self->inner.bands,
    .less = N_("Fewer samples help, or none of it: it comes with the comparison beside PCA and MNF."),
  });
  return done;
}
