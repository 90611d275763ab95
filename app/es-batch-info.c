/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "cube/es-cube-classes.h"
#include "opening/es-batch-machine.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "preparation/es-class-pixels.h"
#include "operations/es-operations.h"
#include "sparse/es-batch-matrix.h"

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (!isfinite (value))
    json_builder_add_null_value (builder);
  else if (value == rint (value) && fabs (value) < 1e15)
    json_builder_add_int_value (builder, (gint64) value);
  else
    json_builder_add_double_value (builder, value);
}

static gboolean
only_json (const char *summary, int *argc, char ***argv, gboolean *json)
{
  GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL
  };

  return es_batch_parse_options (entries, summary, argc, argv);
}

/* ---- operations ---- */

static const char *
param_type_name (EsParamType type)
{
  static const char *const names[] = { "float", "int", "choice", "bool", "text", "file", "region" };

  return names[type];
}

static void
add_param (JsonBuilder *builder, const EsParamSpec *spec, EsParams *defaults)
{
  g_autofree char *value = es_params_format (defaults, spec->key);

  json_builder_begin_object (builder);
  add_string (builder, "key", spec->key);
  add_string (builder, "label", _(spec->label));
  add_string (builder, "help", _(spec->help));
  add_string (builder, "type", param_type_name (spec->type));
  add_string (builder, "default", value);
  if (spec->type == ES_PARAM_FLOAT || spec->type == ES_PARAM_INT)
    {
      add_number (builder, "minimum", spec->minimum);
      add_number (builder, "maximum", spec->maximum);
    }
  if (spec->type == ES_PARAM_CHOICE)
    {
      json_builder_set_member_name (builder, "choices");
      json_builder_begin_array (builder);
      for (guint i = 0; spec->choices[i].id != NULL; i++)
        json_builder_add_string_value (builder, spec->choices[i].id);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

static void
print_param (const EsParamSpec *spec, EsParams *defaults)
{
  g_autofree char *value = es_params_format (defaults, spec->key);
  g_autoptr (GString) range = g_string_new (NULL);

  if (spec->type == ES_PARAM_CHOICE)
    for (guint i = 0; spec->choices[i].id != NULL; i++)
      g_string_append_printf (range, "%s%s", i == 0 ? "" : " | ", spec->choices[i].id);
  else if (spec->type == ES_PARAM_BOOL)
    g_string_append (range, "yes | no");
  else if (spec->type == ES_PARAM_TEXT)
    g_string_append (range, _("TEXT"));
  else if (spec->type == ES_PARAM_FILE)
    g_string_append (range, _("FILE"));
  else if (spec->type == ES_PARAM_REGION)
    g_string_append (range, "rectangle X Y W H");
  else
    g_string_append_printf (range, "%.10g..%.10g", spec->minimum, spec->maximum);
  g_print ("    %-12s %-26s [%s]  %s\n", spec->key, range->str, value, _(spec->help));
}

static void
add_operation (JsonBuilder *builder, const EsOperation *operation, gboolean json)
{
  g_autoptr (EsParams) defaults = es_params_new (operation->params);

  if (!json)
    g_print ("%s  %s\n    %s\n", operation->id, _(operation->title), _(operation->summary));
  json_builder_begin_object (builder);
  add_string (builder, "id", operation->id);
  add_string (builder, "title", _(operation->title));
  add_string (builder, "summary", _(operation->summary));
  add_number (builder, "version", operation->version);
  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_array (builder);
  for (const EsParamSpec *spec = operation->params; spec->type != ES_PARAM_END; spec++)
    {
      add_param (builder, spec, defaults);
      if (!json)
        print_param (spec, defaults);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

int
es_batch_operations (int argc, char **argv)
{
  const EsOperation * const *all = es_operations_get ();
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GError) error = NULL;
  gboolean json = FALSE;

  if (!only_json (_("operations [NAME ...]: what can be computed, with every parameter."), &argc, &argv, &json))
    return ES_EXIT_USAGE;
  /* One that is wrong is known before any is printed. */
  for (int i = 1; i < argc; i++)
    {
      const EsOperation *operation = es_operation_find (argv[i], &error);

      if (operation == NULL)
        return es_batch_fail (error);
      g_ptr_array_add (named, (gpointer) operation);
    }

  json_builder_begin_array (builder);
  for (guint i = 0; i < named->len; i++)
    add_operation (builder, g_ptr_array_index (named, i), json);
  for (guint i = 0; named->len == 0 && all[i] != NULL; i++)
    add_operation (builder, all[i], json);
  json_builder_end_array (builder);
  if (json)
    es_batch_print_json (json_builder_get_root (builder));
  return ES_EXIT_DONE;
}

/* ---- devices ---- */

static const char *
device_kind_name (EsDevice *device)
{
  static const char *const names[] = { "cpu", "gpu", "all-gpus" };

  return names[es_device_get_kind (device)];
}

/* What is not known is left out. */
static void
add_status (JsonBuilder *builder, EsDevice *device)
{
  EsDeviceStatus status;

  if (!es_device_get_status (device, &status))
    return;
  g_autofree char *capability = g_strdup_printf ("%d.%d", status.major, status.minor);
  add_number (builder, "memory_free", status.memory_free);
  add_string (builder, "compute_capability", capability);
  if (status.pcie_generation > 0)
    {
      add_number (builder, "pcie_generation", status.pcie_generation);
      add_number (builder, "pcie_width", status.pcie_width);
    }
  if (status.busy >= 0)
    add_number (builder, "busy", status.busy);
  if (status.temperature >= 0)
    add_number (builder, "temperature", status.temperature);
  if (status.driver > 0)
    {
      g_autofree char *driver = g_strdup_printf ("%d.%d", status.driver / 1000, status.driver % 1000 / 10);
      add_string (builder, "driver_cuda", driver);
    }
}

static JsonNode *
devices_json (GListModel *devices)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      json_builder_begin_object (builder);
      add_string (builder, "id", es_device_get_id (device));
      add_string (builder, "name", es_device_get_name (device));
      add_string (builder, "kind", device_kind_name (device));
      add_string (builder, "backend", es_device_get_backend (device));
      add_string (builder, "detail", es_device_get_detail (device));
      add_number (builder, "lanes", es_device_get_lanes (device));
      add_number (builder, "memory", es_device_get_memory (device));
      if (!es_device_is_cpu (device))
        add_number (builder, "budget", es_device_get_budget (device));
      add_status (builder, device);
      add_number (builder, "flops", rint (es_device_get_flops (device)));
      add_number (builder, "bandwidth", rint (es_device_get_bandwidth (device)));
      if (es_device_is_cpu (device) && es_devices_why_no_gpu () != NULL)
        add_string (builder, "why_no_gpu", es_devices_why_no_gpu ());
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

static void
print_device (EsDevice *device)
{
  EsDeviceStatus status;

  g_print ("%-8s %s: %s\n", es_device_get_id (device), es_device_get_name (device), es_device_get_detail (device));
  if (!es_device_get_status (device, &status))
    return;

  g_autoptr (GString) line = g_string_new (NULL);
  if (status.busy >= 0)
    g_string_append_printf (line, _("busy %.0f %%"), 100 * status.busy);
  if (status.temperature >= 0)
    g_string_append_printf (line, "%s%d °C", line->len > 0 ? ", " : "", status.temperature);
  if (status.driver > 0)
    {
      g_string_append (line, line->len > 0 ? ", " : "");
      g_string_append_printf (line, _("driver for CUDA %d.%d"), status.driver / 1000, status.driver % 1000 / 10);
    }
  if (line->len > 0)
    g_print ("         %s\n", line->str);
}

int
es_batch_devices (int argc, char **argv)
{
  gboolean json = FALSE;
  GListModel *devices;

  if (!only_json (_("devices: what can compute."), &argc, &argv, &json))
    return ES_EXIT_USAGE;

  devices = es_devices_get ();
  if (json)
    {
      es_batch_print_json (devices_json (devices));
      return ES_EXIT_DONE;
    }
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
      print_device (device);
    }
  if (es_devices_why_no_gpu () != NULL)
    g_print ("%s\n", es_devices_why_no_gpu ());
  return ES_EXIT_DONE;
}

/* ---- info ---- */

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
      add_number (builder, "band", i + 1);
      if (es_cube_get_band_name (cube, i) != NULL)
        add_string (builder, "name", es_cube_get_band_name (cube, i));
      if (wavelengths != NULL)
        add_number (builder, "wavelength_nm", wavelengths[i]);
      if (fwhm != NULL)
        add_number (builder, "fwhm_nm", fwhm[i]);
      json_builder_set_member_name (builder, "good");
      json_builder_add_boolean_value (builder, good[i]);
      if (es_cube_get_no_data (cube, i, &no_data))
        add_number (builder, "no_data", no_data);
      if (es_cube_get_scale (cube, i) != 1)
        add_number (builder, "scale", es_cube_get_scale (cube, i));
      if (es_cube_get_offset (cube, i) != 0)
        add_number (builder, "offset", es_cube_get_offset (cube, i));
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
      add_number (builder, "value", (double) count->value);
      add_string (builder, "name", name);
      add_string (builder, "colour", colour);
      add_number (builder, "pixels", (double) count->pixels);
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
  add_string (builder, "name", es_dataset_get_name (dataset));
  add_string (builder, "identity", es_dataset_get_identity (dataset));
  add_string (builder, "format", es_cube_get_format_name (cube));
  add_number (builder, "width", es_cube_get_width (cube));
  add_number (builder, "height", es_cube_get_height (cube));
  add_number (builder, "n_bands", es_cube_get_bands (cube));
  add_number (builder, "n_good_bands", es_cube_get_n_good_bands (cube));
  add_string (builder, "type", es_cube_get_type_name (cube));
  add_number (builder, "bytes", es_cube_get_bytes (cube));
  add_string (builder, "unit", es_cube_get_unit (cube));
  add_string (builder, "projection", es_cube_get_projection (cube));
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
      add_number (builder, "centre_latitude", latitude);
      add_number (builder, "centre_longitude", longitude);
    }
  add_string (builder, "rgb_from", es_cube_pick_rgb (cube, rgb));
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
