/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a reconstruction is asked for: of which result, and from which of its components. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-metadata.h"
#include "result/es-linear-model-internal.h"
#include "result/es-result-computed-internal.h"
#include "es-reconstruct-private.h"

/* ---- of which result ---- */

void
es_reconstruction_source_clear (EsReconstructionSource *self)
{
  g_clear_pointer (&self->model, es_linear_model_unref);
  g_free (self->operation);
  g_free (self->title);
  g_free (self->path);
}

static gboolean
refuse_other_cube (const char *title, EsDataset *dataset, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("The result “%s” was computed from another cube than “%s”."), title, es_dataset_get_name (dataset));
  return FALSE;
}

static gboolean
refuse_without_model (const char *title, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("The result “%s” holds no linear model to reconstruct from, as those of older versions: compute it "
                 "again."), title);
  return FALSE;
}

static gboolean
is_same_cube (EsDataset *dataset, EsDataset *other)
{
  g_autofree char *shape = es_dataset_shape (dataset), *other_shape = es_dataset_shape (other);
  const char *identity = es_dataset_get_identity (dataset);

  return dataset == other || (*identity != '\0' && strcmp (identity, es_dataset_get_identity (other)) == 0
                              && strcmp (shape, other_shape) == 0);
}

/* What somebody has named for this run alone would not be what is described. */
static gboolean
check_named (EsCube *cube, EsSelection *selection, const char *title, GError **error)
{
  g_autoptr (EsSelection) named = es_cube_dup_selection (cube);
  g_autofree char *told = NULL, *taken = NULL;

  if (named == NULL || es_selection_get_source (named) != ES_SELECTION_NAMED || es_selection_equal (named, selection))
    return TRUE;
  told = es_selection_describe (named);
  taken = selection != NULL ? es_selection_describe (selection) : g_strdup (_("everything"));
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("What takes part in a reconstruction is what took part in its result: “%s” was computed from %s, and "
                 "%s was told."), title, taken, told);
  return FALSE;
}

/* Nor would it be of a cube that is told something else. node: nullable. */
static gboolean
check_metadata (EsCube *cube, JsonNode *node, const char *title, GError **error)
{
  EsMetadata *now = es_cube_get_metadata (cube);
  g_autoptr (EsMetadata) then = node != NULL && JSON_NODE_HOLDS_OBJECT (node)
                                ? es_metadata_from_node (node, es_cube_get_bands (cube), NULL) : NULL;
  g_autofree char *told = NULL, *tells = NULL;

  if (es_metadata_equal (then, now))
    return TRUE;
  told = then != NULL ? es_metadata_describe (then) : g_strdup (_("nothing"));
  tells = now != NULL ? es_metadata_describe (now) : g_strdup (_("nothing"));
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” was computed of a cube that was told: %s; this one is told: %s."), title, told, tells);
  return FALSE;
}

/* The pixels that the result was computed from are those that are described. node: nullable. */
static gboolean
take_selection (EsJob *job, EsCube *cube, JsonNode *node, const char *title, GError **error)
{
  g_autoptr (EsSelection) selection = node != NULL && JSON_NODE_HOLDS_OBJECT (node)
                                      ? es_selection_from_node (node, error) : NULL;

  return (selection != NULL || node == NULL || JSON_NODE_HOLDS_NULL (node))
         && check_named (cube, selection, title, error) && es_job_take_part (job, selection, error);
}

gboolean
es_reconstruction_source_init (EsJob *job, EsDataset *dataset, EsParams *params, EsReconstructionSource *source,
                               GError **error)
{
  EsResult *result = es_job_get_source (job);
  const char *path = es_params_get_text (params, "result");

  /* Results are of whole cubes, whatever took part. */
  dataset = ES_DATASET (es_cube_get_whole (ES_CUBE (dataset)));
  if (result != NULL)
    {
      const EsLinearModel *model = es_result_get_model (result);

      if (!is_same_cube (dataset, es_result_get_computed (result)))
        return refuse_other_cube (es_result_get_title (result), dataset, error);
      if (model == NULL)
        return refuse_without_model (es_result_get_title (result), error);
      source->model = es_linear_model_ref (model);
      source->operation = g_strdup (es_result_get_operation (result)->id);
      source->title = g_strdup (es_result_get_title (result));
      return TRUE;
    }
  if (*path == '\0')
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("A reconstruction needs the result of a reduction: result=FOLDER/result.json."));
      return FALSE;
    }

  g_autoptr (GFile) file = g_file_parse_name (path);
  EsSavedModel saved = { NULL };
  if (!es_result_load_model (file, es_cube_get_bands (ES_CUBE (dataset)), &saved, es_job_get_cancellable (job), error))
    return FALSE;
  g_autoptr (JsonNode) selection = saved.selection;
  *source = (EsReconstructionSource) { saved.model, saved.operation, saved.title, g_strdup (path) };
  g_autofree char *shape = es_dataset_shape (dataset), *identity = saved.identity, *saved_shape = saved.shape;
  if (g_strcmp0 (identity, es_dataset_get_identity (dataset)) != 0 || g_strcmp0 (saved_shape, shape) != 0)
    return refuse_other_cube (source->title, dataset, error);
  g_autoptr (JsonNode) metadata = saved.metadata;
  if (!check_metadata (ES_CUBE (dataset), metadata, source->title, error)
      || !take_selection (job, ES_CUBE (dataset), selection, source->title, error))
    return FALSE;
  if (saved.wrong)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("The linear model in the result “%s” is damaged."),
                 source->title);
  else if (source->model == NULL)
    refuse_without_model (source->title, error);
  return source->model != NULL;
}

/* ---- which components ---- */

static gboolean
refuse_components (const char *text, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is not a list of components: expected numbers and ranges such as “1-5, 8”."), text);
  return FALSE;
}

gboolean
es_reconstruction_parse_components (const char *text, guint m, gboolean *kept, GError **error)
{
  g_auto (GStrv) parts = g_strsplit_set (text, ",; ", -1);
  gboolean any = FALSE;

  for (char **part = parts; *part != NULL; part++)
    {
      char *end = *part;
      guint64 first, last;

      if (**part == '\0')
        continue;
      if (!g_ascii_isdigit (**part))
        return refuse_components (text, error);
      first = last = g_ascii_strtoull (*part, &end, 10);
      if (*end == '-' && g_ascii_isdigit (end[1]))
        last = g_ascii_strtoull (end + 1, &end, 10);
      if (*end != '\0' || last < first || (first == 0 && last != 0))
        return refuse_components (text, error);
      if (last > m)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       g_dngettext (GETTEXT_PACKAGE, "“%s” names component %llu, but the result has %u component.",
                                    "“%s” names component %llu, but the result has %u components.", m),
                       text, (unsigned long long) last, m);
          return FALSE;
        }
      for (guint64 i = first; i <= last && first > 0; i++)
        kept[i - 1] = TRUE;
      any = TRUE;
    }
  for (guint i = 0; !any && i < m; i++)
    kept[i] = TRUE;
  return TRUE;
}
