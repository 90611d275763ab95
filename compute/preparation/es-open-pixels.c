/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-pixels.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "cube/es-cube-internal.h"
#include "cube/es-region.h"
#include "dataset/es-dataset-internal.h"
#include "device/es-device-internal.h"
#include "readers/es-open.h"

/* ---- a raster ---- */

/* The value that a name stands for; NAN: any but 0. */
static gboolean
read_value (const char *name, const char *file_name, double *value, GError **error)
{
  char *end;

  *value = NAN;
  if (name == NULL)
    return TRUE;
  *value = g_ascii_strtod (name, &end);
  if (end != name && *end == '\0' && isfinite (*value))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is a raster and “%s” no value of its pixels: expected a number behind the “#”."),
               file_name, name);
  return FALSE;
}

static gboolean
check_raster (EsCube *cube, EsDataset *dataset, const char *file_name, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  EsCube *raster;

  if (!ES_IS_CUBE (dataset))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” is no mask of pixels: expected a raster of one band."), file_name);
      return FALSE;
    }
  raster = ES_CUBE (dataset);
  if (es_cube_get_bands (raster) != 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 g_dngettext (GETTEXT_PACKAGE, "“%s” has %u band: a mask has one.",
                              "“%s” has %u bands: a mask has one.", es_cube_get_bands (raster)),
                 file_name, es_cube_get_bands (raster));
  else if (es_cube_get_width (raster) != width || es_cube_get_height (raster) != height)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("The mask “%s” has %llu × %llu pixels: expected %llu × %llu, as “%s” has."), file_name,
                 (unsigned long long) es_cube_get_width (raster), (unsigned long long) es_cube_get_height (raster),
                 (unsigned long long) width, (unsigned long long) height, es_dataset_get_name (ES_DATASET (cube)));
  else
    return TRUE;
  return FALSE;
}

/* Of a raster that has been checked, as text. */
static char *
read_raster (EsCube *raster, double value, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_cube_get_width (raster), height = es_cube_get_height (raster);
  const gsize pixels = width * height;
  g_autofree float *values = g_try_new (float, pixels);
  g_autofree guint8 *mask = g_try_malloc (pixels);
  g_autoptr (EsRegion) region = NULL;

  if (values == NULL || mask == NULL)
    {
      es_compute_error_no_memory (_("a mask"), error);
      return NULL;
    }
  if (!es_cube_read_band (raster, 0, 0, 0, width, height, 1, values, cancellable, error))
    return NULL;
  for (gsize i = 0; i < pixels; i++)
    mask[i] = isnan (value) ? !isnan (values[i]) && values[i] != 0 : values[i] == (float) value;
  region = es_region_new_mask (mask, width, height);
  return es_region_format (region);
}

static char *
open_raster (EsCube *cube, GFile *file, const char *name, GCancellable *cancellable, GError **error)
{
  g_autofree char *file_name = es_error_file_name (file);
  g_autoptr (EsDataset) dataset = NULL;
  double value;

  if (!read_value (name, file_name, &value, error))
    return NULL;
  dataset = es_dataset_open (file, NULL, cancellable, error);
  if (dataset == NULL || !check_raster (cube, dataset, file_name, error))
    return NULL;
  return read_raster (ES_CUBE (dataset), value, cancellable, error);
}

/* ---- classes ---- */

static const char *
get_string (JsonNode *node, const char *name)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *member = object != NULL ? json_object_get_member (object, name) : NULL;

  return member != NULL && JSON_NODE_HOLDS_VALUE (member) && json_node_get_value_type (member) == G_TYPE_STRING
         ? json_node_get_string (member) : NULL;
}

/* Those of that name, or all, as one region. */
static gboolean
add_class (JsonNode *node, guint number, const char *file_name, const EsCubeWindow *all, guint8 *mask, guint8 *row,
           GError **error)
{
  const char *text = get_string (node, "region");
  g_autoptr (GError) local_error = NULL;
  g_autoptr (EsRegion) region = text != NULL ? es_region_parse (text, &local_error) : NULL;

  if (region == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s”, region %u: %s"), file_name, number,
                   local_error != NULL ? local_error->message : _("it has no text “region”."));
      return FALSE;
    }
  for (guint64 y = 0; y < all->height; y++)
    {
      es_region_fill_mask (region, 0, y, all->width, 1, row);
      for (guint64 x = 0; x < all->width; x++)
        mask[y * all->width + x] |= row[x];
    }
  return TRUE;
}

static gboolean
is_of_name (JsonNode *node, const char *name)
{
  return name == NULL || (g_strcmp0 (get_string (node, "name"), name) == 0 && get_string (node, "region") != NULL);
}

static char *
join_classes (JsonArray *array, const char *name, const char *file_name, const EsCubeWindow *all, GError **error)
{
  g_autofree guint8 *mask = g_try_malloc0 (all->width * all->height), *row = g_try_malloc (all->width);
  g_autoptr (EsRegion) region = NULL;

  if (mask == NULL || row == NULL)
    {
      es_compute_error_no_memory (_("a mask"), error);
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (is_of_name (json_array_get_element (array, i), name)
        && !add_class (json_array_get_element (array, i), i + 1, file_name, all, mask, row, error))
      return NULL;
  region = es_region_new_mask (mask, all->width, all->height);
  return es_region_format (region);
}

static char *
open_classes (EsCube *cube, GFile *file, const char *name, GCancellable *cancellable, GError **error)
{
  const EsCubeWindow all = es_cube_get_place (cube);
  g_autofree char *file_name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_json_load (file, cancellable, error);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *list = object != NULL ? json_object_get_member (object, "regions") : NULL;
  JsonArray *array = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  const char *text = NULL;
  guint n = 0;

  if (root == NULL)
    return NULL;
  if (array == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is not a file of regions: expected “regions”: [ … ]."), file_name);
      return NULL;
    }
  for (guint i = 0; name != NULL && i < json_array_get_length (array); i++)
    if (is_of_name (json_array_get_element (array, i), name))
      {
        text = get_string (json_array_get_element (array, i), "region");
        n++;
      }
  /* One is told in its own words; names are not unique, and whoever drew two of one name means both. */
  if (n == 1)
    return g_strdup (text);
  if (name == NULL || n > 1)
    return join_classes (array, name, file_name, &all, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has no class “%s”."), file_name, name);
  return NULL;
}

/* ---- both ---- */

EsPixelSet *
es_cube_open_pixels (EsCube *cube, gboolean outside, GFile *file, const char *name, GCancellable *cancellable,
                     GError **error)
{
  g_autofree char *base = g_file_get_basename (file), *shown = es_error_file_name (file), *text = NULL;
  g_autoptr (EsRegion) region = NULL;
  const gboolean is_json = base != NULL && g_str_has_suffix (base, ".json");
  EsPixelSet *set;

  g_return_val_if_fail (ES_IS_CUBE (cube) && G_IS_FILE (file), NULL);

  text = is_json ? open_classes (cube, file, name, cancellable, error)
                 : open_raster (cube, file, name, cancellable, error);
  region = text != NULL ? es_region_parse (text, error) : NULL;
  if (region == NULL)
    return NULL;
  set = es_pixel_set_new (outside, name != NULL ? name : shown, text);
  set->file = g_file_get_parse_name (file);
  set->identity = _es_dataset_identity_of (file);
  return set;
}

EsPixelSet *
es_cube_parse_pixels (EsCube *cube, const char *text, GCancellable *cancellable, GError **error)
{
  const gboolean outside = g_str_has_prefix (text, "outside:");
  const char *what = outside || g_str_has_prefix (text, "inside:") ? strchr (text, ':') + 1 : text;
  const char *hash = strrchr (what, '#');
  g_autofree char *path = hash != NULL && !g_file_test (what, G_FILE_TEST_EXISTS) ? g_strndup (what, hash - what)
                                                                                  : g_strdup (what);
  const char *name = strlen (path) < strlen (what) ? hash + 1 : NULL;
  g_autoptr (EsRegion) region = NULL;
  g_autoptr (GFile) file = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      region = es_region_parse (what, error);
      g_prefix_error (error, _("“%s” is neither a file nor a region. "), what);
      return region != NULL ? es_pixel_set_new (outside, NULL, what) : NULL;
    }
  file = g_file_new_for_path (path);
  return es_cube_open_pixels (cube, outside, file, name, cancellable, error);
}
