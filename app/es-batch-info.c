/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verb that says what a file holds. */

#include <glib/gi18n.h>
#include <math.h>

#include "cube/es-cube-classes.h"
#include "opening/es-batch-machine.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "preparation/es-class-pixels.h"
#include "sparse/es-batch-matrix.h"
#include "tool/es-batch-json.h"

static void
add_bands (JsonBuilder *builder, EsCube *cube)
{
  const double *wavelengths = es_cube_get_wavelengths (cube), *fwhm = es_cube_get_fwhm (cube);
  const gboolean *good = es_cube_get_good_bands (cube);

  json_builder_set_member_name (builder, "bands");
  json_builder_begin_array (builder);
  for (guint i = 0; i < es_cube_get_bands (cube); i++)
    {
      double no_data;

      json_builder_begin_object (builder);
      es_batch_json_number (builder, "band", i + 1);
      if (es_cube_get_band_name (cube, i) != NULL)
        es_batch_json_string (builder, "name", es_cube_get_band_name (cube, i));
      if (wavelengths != NULL)
        es_batch_json_number (builder, "wavelength_nm", wavelengths[i]);
      if (fwhm != NULL)
        es_batch_json_number (builder, "fwhm_nm", fwhm[i]);
      json_builder_set_member_name (builder, "good");
      json_builder_add_boolean_value (builder, good[i]);
      if (es_cube_get_no_data (cube, i, &no_data))
        es_batch_json_number (builder, "no_data", no_data);
      if (es_cube_get_scale (cube, i) != 1)
        es_batch_json_number (builder, "scale", es_cube_get_scale (cube, i));
      if (es_cube_get_offset (cube, i) != 0)
        es_batch_json_number (builder, "offset", es_cube_get_offset (cube, i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
add_classes (JsonBuilder *builder, EsCube *cube, GError **error)
{
  EsClassTable *classes = es_cube_get_classes (cube);
  g_autoptr (GArray) counts = classes != NULL ? es_class_count_pixels (cube, NULL, NULL, error) : NULL;

  if (counts == NULL)
    return classes == NULL;
  json_builder_set_member_name (builder, "classes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < counts->len; i++)
    {
      const EsClassCount *count = &g_array_index (counts, EsClassCount, i);
      g_autofree char *name = es_class_table_name (classes, count->value);
      g_autofree char *colour = g_strdup_printf ("#%06x", es_class_table_colour (classes, count->value));

      json_builder_begin_object (builder);
      es_batch_json_number (builder, "value", (double) count->value);
      es_batch_json_string (builder, "name", name);
      es_batch_json_string (builder, "colour", colour);
      es_batch_json_number (builder, "pixels", (double) count->pixels);
      json_builder_set_member_name (builder, "listed");
      json_builder_add_boolean_value (builder, count->listed);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return TRUE;
}

static JsonNode *
info_json (EsCube *cube, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  EsDataset *dataset = ES_DATASET (cube);
  const double *transform = es_cube_get_geotransform (cube);
  const char * const *notes = es_dataset_get_notes (dataset);
  double latitude, longitude;
  guint rgb[3];

  json_builder_begin_object (builder);
  es_batch_json_string (builder, "name", es_dataset_get_name (dataset));
  es_batch_json_string (builder, "identity", es_dataset_get_identity (dataset));
  es_batch_json_string (builder, "format", es_cube_get_format_name (cube));
  es_batch_json_number (builder, "width", es_cube_get_width (cube));
  es_batch_json_number (builder, "height", es_cube_get_height (cube));
  es_batch_json_number (builder, "n_bands", es_cube_get_bands (cube));
  es_batch_json_number (builder, "n_good_bands", es_cube_get_n_good_bands (cube));
  es_batch_json_string (builder, "type", es_cube_get_type_name (cube));
  es_batch_json_number (builder, "bytes", es_cube_get_bytes (cube));
  es_batch_json_string (builder, "unit", es_cube_get_unit (cube));
  es_batch_json_string (builder, "projection", es_cube_get_projection (cube));
  if (transform != NULL)
    {
      json_builder_set_member_name (builder, "geotransform");
      json_builder_begin_array (builder);
      for (int i = 0; i < 6; i++)
        json_builder_add_double_value (builder, transform[i]);
      json_builder_end_array (builder);
    }
  if (es_cube_get_geographic (cube, (es_cube_get_width (cube) - 1) / 2.0, (es_cube_get_height (cube) - 1) / 2.0,
                              &latitude, &longitude))
    {
      es_batch_json_number (builder, "centre_latitude", latitude);
      es_batch_json_number (builder, "centre_longitude", longitude);
    }
  es_batch_json_string (builder, "rgb_from", es_cube_pick_rgb (cube, rgb));
  json_builder_set_member_name (builder, "rgb");
  json_builder_begin_array (builder);
  for (int i = 0; i < 3; i++)
    json_builder_add_int_value (builder, rgb[i] + 1);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "notes");
  json_builder_begin_array (builder);
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    json_builder_add_string_value (builder, notes[i]);
  json_builder_end_array (builder);
  es_batch_arrays_add_json (dataset, builder);
  es_batch_metadata_add_json (cube, builder);
  es_batch_selection_add_json (cube, builder);
  add_bands (builder, cube);
  if (!add_classes (builder, cube, error))
    return NULL;
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* The stored value that stands for a missing one. */
static void
print_no_data (EsCube *cube)
{
  const guint bands = es_cube_get_bands (cube);
  double lowest = INFINITY, highest = -INFINITY, value;
  guint n = 0;

  for (guint i = 0; i < bands; i++)
    if (es_cube_get_no_data (cube, i, &value))
      {
        lowest = MIN (lowest, value);
        highest = MAX (highest, value);
        n++;
      }
  if (n == 0)
    return;
  if (lowest != highest)
    g_print (_("  no data: stored values from %.10g to %.10g, by band (--json lists them)\n"), lowest, highest);
  else if (n < bands)
    g_print (_("  no data: stored value %.10g, in %u bands\n"), lowest, n);
  else
    g_print (_("  no data: stored value %.10g\n"), lowest);
}

/* The classes of a classification with their pixels, which takes a pass. FALSE: they cannot be counted. */
static gboolean
print_classes (EsCube *cube, GError **error)
{
  EsClassTable *classes = es_cube_get_classes (cube);
  guint64 missing = 0;
  g_autoptr (GArray) counts = classes != NULL ? es_class_count_pixels (cube, &missing, NULL, error) : NULL;

  for (guint i = 0; counts != NULL && i < counts->len; i++)
    {
      const EsClassCount *count = &g_array_index (counts, EsClassCount, i);
      g_autofree char *name = es_class_table_name (classes, count->value);

      g_print ("  %4lld  #%06x  %10llu  %s%s\n", (long long) count->value,
               es_class_table_colour (classes, count->value), (unsigned long long) count->pixels, name,
               count->listed ? "" : _(" (not listed)"));
    }
  if (missing > 0)
    g_print (_("  %llu pixels of no class\n"), (unsigned long long) missing);
  return classes == NULL || counts != NULL;
}

static gboolean
info_text (EsCube *cube, GError **error)
{
  EsDataset *dataset = ES_DATASET (cube);
  g_autofree char *description = es_dataset_describe (dataset);
  g_autofree char *size = g_format_size (es_cube_get_bytes (cube));
  const char * const *notes = es_dataset_get_notes (dataset);
  double latitude, longitude;
  guint rgb[3];
  const char *from = es_cube_pick_rgb (cube, rgb);

  g_print ("%s\n  %s\n", es_dataset_get_name (dataset), description);
  g_print ("  %s, %s, %s\n", es_cube_get_format_name (cube), es_cube_get_type_name (cube), size);
  if (es_cube_get_bands (cube) > 1)
    {
      g_print (_("  %u good bands of %u\n"), es_cube_get_n_good_bands (cube), es_cube_get_bands (cube));
      g_print (_("  composite: bands %u, %u, %u (%s)\n"), rgb[0] + 1, rgb[1] + 1, rgb[2] + 1, from);
    }
  es_batch_metadata_print (cube);
  es_batch_selection_print (cube);
  print_no_data (cube);
  if (es_cube_get_geographic (cube, (es_cube_get_width (cube) - 1) / 2.0, (es_cube_get_height (cube) - 1) / 2.0,
                              &latitude, &longitude))
    g_print (_("  centre: %.5f° %s, %.5f° %s\n"), fabs (latitude), latitude < 0 ? "S" : "N", fabs (longitude),
             longitude < 0 ? "W" : "E");
  es_batch_arrays_print (dataset);
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    g_print ("  %s\n", notes[i]);
  return print_classes (cube, error);
}

int
es_batch_info (int argc, char **argv)
{
  gboolean json = FALSE;
  g_auto (EsBatchOpen) open = { 0 };
  gboolean check_bands = FALSE, said = FALSE;
  GOptionEntry entries[3 + ES_BATCH_OPEN_ENTRIES] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    { "check-bands", 0, 0, G_OPTION_ARG_NONE, &check_bands, N_("Of a cube: which bands are dead or noisy, and why"),
      NULL },
    { "file-says", 0, 0, G_OPTION_ARG_NONE, &said, N_("Of a cube: everything its file says, as it says it"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) groups = NULL;
  g_autoptr (GError) error = NULL;

  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries, _("info FILE...: what a file holds; several files of one channel each, and a "
                                          "file that describes their array, are one recording. Of a saved result "
                                          "(its folder, or result.json): what it is, and whether it is whole."),
                               &argc, &argv))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    g_ptr_array_add (files, es_batch_file (argv[i]));
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  if (files->len == 1 && es_result_info_is_for (g_ptr_array_index (files, 0)))
    return es_batch_result_info (g_ptr_array_index (files, 0), json);
  if (files->len > 0)
    groups = es_batch_open_group (&open, files);
  if (groups == NULL || groups->len != 1)
    return es_batch_usage (_("“info” takes one file, or the files of one recording"));

  g_autoptr (EsDataset) dataset = es_batch_open (&open, g_ptr_array_index (groups, 0), NULL, &error);
  if (dataset == NULL)
    return es_batch_fail (error);
  if (ES_IS_MACHINE (dataset))
    {
      if (json)
        es_batch_print_json (es_batch_machine_json (ES_MACHINE (dataset)));
      else
        es_batch_machine_print (ES_MACHINE (dataset));
      return ES_EXIT_DONE;
    }
  if (said && !ES_IS_CUBE (dataset))
    return es_batch_usage (_("%s is for cubes; “%s” is none"), "--file-says", es_dataset_get_name (dataset));
  if (said)
    return es_batch_metadata_list (dataset, json);
  if (check_bands && !ES_IS_CUBE (dataset))
    return es_batch_usage (_("%s is for cubes; “%s” is none"), "--check-bands", es_dataset_get_name (dataset));
  if (check_bands)
    return es_batch_selection_check_bands (ES_CUBE (dataset), json);
  if (ES_IS_SPARSE_MATRIX (dataset))
    {
      if (json)
        es_batch_print_json (es_batch_matrix_json (ES_SPARSE_MATRIX (dataset)));
      else
        es_batch_matrix_print (ES_SPARSE_MATRIX (dataset));
      return ES_EXIT_DONE;
    }
  if (json)
    {
      JsonNode *root = ES_IS_RECORDING (dataset) ? es_batch_recording_json (ES_RECORDING (dataset))
                                                 : info_json (ES_CUBE (dataset), &error);

      if (root == NULL)
        return es_batch_fail (error);
      es_batch_print_json (root);
    }
  else if (ES_IS_RECORDING (dataset))
    es_batch_recording_print (ES_RECORDING (dataset));
  else if (!info_text (ES_CUBE (dataset), &error))
    return es_batch_fail (error);
  return ES_EXIT_DONE;
}
