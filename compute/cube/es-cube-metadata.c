/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told about a cube beside its file: the cube that is made of it, its file, and how it is told again. */

#include "es-cube-metadata-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-cube-metadata-internal.h"
#include "es-cube-selection-private.h"
#include "georeference/es-georeference-internal.h"
#include "georeference/es-places-internal.h"
#include "es-wavelength-internal.h"

/* ---- as it is said ---- */

static double *
copy_numbers (const double *values, gsize n)
{
  return values != NULL ? g_memdup2 (values, n * sizeof *values) : NULL;
}

void
_es_cube_told_keep (EsCubeTold *self, const EsCubeInfo *info)
{
  self->wavelengths = copy_numbers (info->wavelengths, info->bands);
  self->fwhm = info->wavelengths != NULL ? copy_numbers (info->fwhm, info->bands) : NULL;
}

void
_es_cube_told_clear (EsCubeTold *self)
{
  g_clear_object (&self->original);
  g_clear_pointer (&self->metadata, es_metadata_unref);
  g_clear_pointer (&self->wavelengths, g_free);
  g_clear_pointer (&self->fwhm, g_free);
  g_clear_pointer (&self->refused, g_free);
}

EsMetadata *
es_cube_get_metadata (EsCube *self)
{
  g_return_val_if_fail (ES_IS_CUBE (self), NULL);
  return _es_cube_get_told (self)->metadata;
}

EsCube *
es_cube_get_original (EsCube *self)
{
  g_return_val_if_fail (ES_IS_CUBE (self), NULL);
  return _es_cube_get_told (self)->original != NULL ? _es_cube_get_told (self)->original : self;
}

const double *
es_cube_get_said_wavelengths (EsCube *self)
{
  return _es_cube_get_told (self)->wavelengths;
}

const double *
es_cube_get_said_fwhm (EsCube *self)
{
  return _es_cube_get_told (self)->fwhm;
}

const char *
es_cube_get_wavelength_unit (EsCube *self, gboolean *guessed)
{
  const EsCubeTold *told = _es_cube_get_told (self);
  const char *unit = _es_cube_peek_info (self)->wavelength_unit;
  const gboolean is_guessed = unit == NULL || *unit == '\0' || g_ascii_strcasecmp (unit, "unknown") == 0;
  const double *wavelengths = es_cube_get_wavelengths (self);

  if (guessed != NULL)
    *guessed = is_guessed && wavelengths != NULL;
  if (told->wavelengths == NULL)
    return NULL;
  /* What it was taken for. */
  return !is_guessed ? unit : wavelengths == NULL ? NULL : wavelengths[0] == told->wavelengths[0] ? "nm" : "um";
}

const gboolean *
es_cube_get_listed_bands (EsCube *self)
{
  return _es_cube_peek_info (self)->good_bands;
}

gboolean
es_cube_get_default_bands (EsCube *self, int bands[3])
{
  const int *given = _es_cube_peek_info (self)->default_bands;

  for (guint i = 0; i < 3; i++)
    {
      if (given[i] < 0 || (guint) given[i] >= es_cube_get_bands (self))
        return FALSE;
      bands[i] = given[i];
    }
  return TRUE;
}

const char *
es_cube_get_metadata_refused (EsCube *self)
{
  return _es_cube_get_told (self)->refused;
}

/* ---- the cube of what is told ---- */

/* All that the file says, as it says it. */
static void
copy_said (EsCube *original, EsCubeInfo *info)
{
  const EsCubeInfo *said = _es_cube_peek_info (original);
  const EsCubeTold *told = _es_cube_get_told (original);
  const guint n = said->bands;

  *info = (EsCubeInfo) {
    .width = said->width, .height = said->height, .bands = n, .type = said->type, .settled = said->settled,
    .format_name = g_strdup (said->format_name),
    .wavelengths = copy_numbers (told->wavelengths, n), .fwhm = copy_numbers (told->fwhm, n),
    .wavelength_unit = g_strdup (said->wavelength_unit),
    .good_bands = said->good_bands != NULL ? g_memdup2 (said->good_bands, n * sizeof (gboolean)) : NULL,
    .no_data = copy_numbers (said->no_data, n),
    .scale = copy_numbers (said->scale, n), .offset = copy_numbers (said->offset, n),
    .band_names = g_strdupv (said->band_names), .unit = g_strdup (said->unit),
    .geotransform = copy_numbers (said->geotransform, 6), .projection = g_strdup (said->projection),
    .classes = said->classes != NULL ? es_class_table_ref (said->classes) : NULL,
    .places = said->places != NULL ? es_places_ref (said->places) : NULL,
  };
  memcpy (info->default_bands, said->default_bands, sizeof info->default_bands);
}

static void
replace (double **values, const double *told, gsize n)
{
  if (told == NULL)
    return;
  g_free (*values);
  *values = copy_numbers (told, n);
}

/* Bands that are not told keep what the file says. */
static void
replace_some (double **values, const double *told, double otherwise, guint n)
{
  if (told == NULL)
    return;
  if (*values == NULL)
    {
      *values = g_new (double, n);
      for (guint b = 0; b < n; b++)
        (*values)[b] = otherwise;
    }
  for (guint b = 0; b < n; b++)
    if (!isnan (told[b]))
      (*values)[b] = told[b];
}

static void
replace_text (char **text, const char *told)
{
  if (told == NULL)
    return;
  g_free (*text);
  *text = g_strdup (told);
}

static void
apply_wavelengths (EsCubeInfo *info, const EsMetadataFacts *facts)
{
  const guint n = info->bands;

  /* Widths are in the unit of the wavelengths: those of the file are none of others. */
  if (facts->wavelengths != NULL)
    {
      replace (&info->wavelengths, facts->wavelengths, n);
      g_clear_pointer (&info->fwhm, g_free);
      g_clear_pointer (&info->wavelength_unit, g_free);
    }
  replace (&info->fwhm, facts->fwhm, n);
  replace_text (&info->wavelength_unit, facts->wavelength_unit);
}

static gboolean
apply_system (EsCubeInfo *info, const char *system, const char *name, GError **error)
{
  if (system == NULL)
    return TRUE;
  g_clear_pointer (&info->projection, g_free);
  if (*system == '\0')
    return TRUE;
  info->projection = es_georeference_find_system (system);
  if (info->projection != NULL)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” cannot be told the coordinate system “%.60s”: a code that is known, such as EPSG:32633, or WKT "
                 "was expected"), name, system);
  return FALSE;
}

static gboolean
apply (EsCubeInfo *info, const EsMetadataFacts *facts, const char *name, GError **error)
{
  const guint n = info->bands;

  if (!es_metadata_check (facts, n, error))
    {
      g_prefix_error (error, "“%s”: ", name);
      return FALSE;
    }
  if (facts->wavelength_unit != NULL && *facts->wavelength_unit != '\0'
      && !es_wavelength_unit_is_known (facts->wavelength_unit))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” cannot be told wavelengths in “%.30s”; nm, um or cm-1 was expected"), name,
                   facts->wavelength_unit);
      return FALSE;
    }
  apply_wavelengths (info, facts);
  if (facts->band_names != NULL)
    {
      g_strfreev (info->band_names);
      info->band_names = g_strdupv (facts->band_names);
    }
  if (facts->good != NULL)
    {
      g_free (info->good_bands);
      info->good_bands = g_memdup2 (facts->good, n * sizeof (gboolean));
    }
  replace (&info->no_data, facts->no_data, n);
  replace_some (&info->scale, facts->scale, 1, n);
  replace_some (&info->offset, facts->offset, 0, n);
  /* Numbers of classes are those that are stored. */
  if (facts->scale != NULL || facts->offset != NULL)
    g_clear_pointer (&info->classes, es_class_table_unref);
  replace_text (&info->unit, facts->unit);
  replace (&info->geotransform, facts->geotransform, 6);
  if (facts->has_default_bands)
    memcpy (info->default_bands, facts->default_bands, sizeof info->default_bands);
  return apply_system (info, facts->system, name, error);
}

/* Its name, its files and what was noted of them; what takes part. */
static void
take_over (EsCube *self, EsCube *from)
{
  EsDataset *dataset = ES_DATASET (self), *other = ES_DATASET (from);
  const char * const *notes = es_dataset_get_notes (other);
  g_autoptr (GPtrArray) files = es_dataset_list_files (other);
  g_autoptr (EsSelection) selection = es_cube_dup_selection (from);
  g_autoptr (GError) error = NULL;

  _es_dataset_set_file (dataset, es_dataset_get_file (other), es_dataset_get_name (other));
  _es_dataset_set_identity (dataset, es_dataset_get_identity (other));
  _es_dataset_set_options (dataset, es_dataset_get_options (other));
  if (files->len > 0)
    _es_dataset_hold_files (dataset, files);
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    if (i >= _es_cube_get_told (from)->n_settled
        && g_strcmp0 (notes[i], _es_cube_get_told (from)->refused) != 0)
      _es_dataset_add_note (dataset, "%s", notes[i]);
  if (selection == NULL)
    return;
  if (es_cube_check_selection (self, selection, &error))
    es_cube_set_selection (self, selection);
  else
    {
      g_autofree char *sentence = g_strdup_printf (_("What took part does no longer: %s"), error->message);

      _es_dataset_add_note (dataset, "%s", sentence);
      _es_cube_set_refused (self, sentence);
    }
}

EsCube *
es_cube_with_metadata (EsCube *self, EsMetadata *metadata, GError **error)
{
  EsCube *original = es_cube_get_original (self), *other;
  EsCubeInfo info;
  EsCubeTold *told;

  g_return_val_if_fail (ES_IS_CUBE (self) && es_cube_get_whole (self) == self, NULL);

  copy_said (original, &info);
  if (!apply (&info, es_metadata_get_facts (metadata), es_dataset_get_name (ES_DATASET (self)), error))
    {
      es_cube_info_clear (&info);
      return NULL;
    }
  const EsCubeWindow all = { 0, 0, info.width, info.height };
  info.source = _es_cube_source_new_of (original, &all, NULL);
  other = es_cube_new (NULL, &info, error);
  if (other == NULL)
    return NULL;
  told = _es_cube_get_told (other);
  told->original = g_object_ref (original);
  told->metadata = !es_metadata_is_empty (metadata) ? es_metadata_ref (metadata) : NULL;
  take_over (other, self);
  return other;
}

static void
tell_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsCube *other = es_cube_with_metadata (source, data, &error);

  if (other != NULL)
    g_task_return_pointer (task, other, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_cube_with_metadata_async (EsCube *self, EsMetadata *metadata, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, es_cube_with_metadata_async);
  if (metadata != NULL)
    g_task_set_task_data (task, es_metadata_ref (metadata), (GDestroyNotify) es_metadata_unref);
  g_task_run_in_thread (task, tell_in_thread);
}

EsCube *
es_cube_with_metadata_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

EsMetadata *
es_cube_take_metadata_of (EsCube *self, EsCube *other, GError **error)
{
  const guint n = es_cube_get_bands (self);
  const char *name = es_dataset_get_name (ES_DATASET (other));
  const gboolean *good = es_cube_get_listed_bands (other);
  const double *wavelengths = es_cube_get_wavelengths (other), *fwhm = es_cube_get_fwhm (other);
  EsMetadataFacts facts = {
    .bands = n, .wavelengths = (double *) wavelengths, .wavelength_unit = wavelengths != NULL ? "nm" : NULL,
    .fwhm = wavelengths != NULL ? (double *) fwhm : NULL, .good = (gboolean *) good,
    .band_names = _es_cube_peek_info (other)->band_names,
  };

  if (es_cube_get_bands (other) != n)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” tells of %u bands; the cube has %u"), name,
                 es_cube_get_bands (other), n);
  else if (wavelengths == NULL && good == NULL && facts.band_names == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” says neither wavelengths nor bad bands nor names"), name);
  else
    return es_metadata_new (&facts);
  return NULL;
}

/* ---- beside the cube ---- */

EsCube *
es_cube_read_metadata (EsCube *self)
{
  GFile *file = es_dataset_get_file (ES_DATASET (self));
  g_autoptr (GFile) sidecar = file != NULL ? es_metadata_sidecar_of (file) : NULL;
  g_autofree char *shape = es_dataset_shape (ES_DATASET (self));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMetadata) told = NULL, beside = NULL;
  EsCube *other = NULL;

  if (sidecar == NULL || !g_file_query_exists (sidecar, NULL))
    return g_object_ref (self);
  told = es_metadata_load (sidecar, shape, es_cube_get_bands (self), &error);
  if (told != NULL && es_metadata_is_empty (told))
    return g_object_ref (self);
  if (told != NULL)
    {
      beside = es_metadata_with_source (told, ES_METADATA_BESIDE);
      other = es_cube_with_metadata (self, beside, &error);
    }
  if (other != NULL)
    return other;
  _es_cube_get_told (self)->refused = g_strdup_printf (_("What the cube is, as told beside it, was not taken: %s"),
                                                       error->message);
  _es_dataset_add_note (ES_DATASET (self), "%s", _es_cube_get_told (self)->refused);
  return g_object_ref (self);
}

/* ---- told again ---- */

/* What is told: of a result by its values, of a cube what lies not beside it anyway. *known: it is said at all. */
static EsMetadata *
metadata_of (EsCube *self, JsonObject *values)
{
  JsonNode *node = values != NULL ? json_object_get_member (values, "metadata") : NULL;
  EsMetadata *now = es_cube_get_metadata (self);

  if (values == NULL)
    return now != NULL ? es_metadata_ref (now) : NULL;
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? es_metadata_from_node (node, es_cube_get_bands (self), NULL)
                                                       : NULL;
}

static gboolean
has_sidecar (EsCube *self)
{
  GFile *file = es_dataset_get_file (ES_DATASET (self));
  g_autoptr (GFile) sidecar = file != NULL ? es_metadata_sidecar_of (file) : NULL;

  return sidecar != NULL && g_file_query_exists (sidecar, NULL);
}

/* Null: what lies beside the cube by now does not count. */
void
_es_cube_add_metadata (EsCube *self, JsonBuilder *builder, JsonObject *values)
{
  g_autoptr (EsMetadata) metadata = metadata_of (self, values);

  if (values == NULL && metadata != NULL && es_metadata_get_source (metadata) == ES_METADATA_BESIDE)
    return;
  if (metadata == NULL && !has_sidecar (self))
    return;
  json_builder_set_member_name (builder, "metadata");
  if (metadata != NULL)
    json_builder_add_value (builder, es_metadata_to_node (metadata));
  else
    json_builder_add_null_value (builder);
}

void
_es_cube_append_metadata (EsCube *self, GString *line, JsonObject *values)
{
  GFile *file = es_dataset_get_file (ES_DATASET (self));
  g_autoptr (GFile) sidecar = file != NULL ? es_metadata_sidecar_of (file) : NULL;
  g_autoptr (EsMetadata) metadata = metadata_of (self, values), beside = NULL;
  g_autofree char *shape = es_dataset_shape (ES_DATASET (self)), *text = NULL, *quoted = NULL;

  if (sidecar != NULL && g_file_query_exists (sidecar, NULL))
    beside = es_metadata_load (sidecar, shape, es_cube_get_bands (self), NULL);
  if (es_metadata_equal (metadata, beside) && (beside != NULL || !has_sidecar (self)))
    return;
  if (metadata == NULL)
    {
      g_string_append (line, " --metadata none");
      return;
    }
  text = es_metadata_to_line (metadata);
  quoted = g_shell_quote (text);
  g_string_append_printf (line, " --metadata %s", quoted);
}
