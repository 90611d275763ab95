/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a selection means for a cube: its bands, its window, its regions; and how it is told again. */

#include "es-cube-metadata-private.h"
#include "es-cube-selection-private.h"
#include "es-cube-taken.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

/* ---- bands ---- */

static gboolean
parse_bands (EsCube *self, const char *text, gboolean *which, GError **error)
{
  if (es_band_ranges_parse (text, es_cube_get_wavelengths (self), es_cube_get_good_bands (self),
                            es_cube_get_bands (self), which, error))
    return TRUE;
  g_prefix_error (error, "“%s”: ", es_dataset_get_name (ES_DATASET (self)));
  return FALSE;
}

gboolean *
es_cube_find_taken (EsCube *self, EsSelection *selection, guint *n, GError **error)
{
  const guint bands = es_cube_get_bands (self);
  const char *told = selection != NULL ? es_selection_get_bands (selection) : NULL;
  const char *excluded = selection != NULL ? es_selection_get_excluded (selection) : NULL;
  g_autofree gboolean *taken = g_memdup2 (es_cube_get_good_bands (self), bands * sizeof (gboolean));
  g_autofree gboolean *left_out = g_new0 (gboolean, bands);
  guint count = 0;

  g_return_val_if_fail (ES_IS_CUBE (self), NULL);

  if ((told != NULL && !parse_bands (self, told, taken, error))
      || (excluded != NULL && !parse_bands (self, excluded, left_out, error)))
    return NULL;
  for (guint b = 0; b < bands; b++)
    {
      taken[b] = taken[b] && !left_out[b];
      count += taken[b];
    }
  if (n != NULL)
    *n = count;
  return g_steal_pointer (&taken);
}

gboolean *
es_cube_dup_taken (EsCube *self)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (self);
  gboolean *taken = es_cube_find_taken (self, selection, NULL, NULL);

  return taken != NULL ? taken : es_cube_find_taken (self, NULL, NULL, NULL);
}

/* ---- pixels ---- */

GPtrArray *
_es_cube_parse_sets (EsCube *self, EsSelection *selection, GError **error)
{
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func ((GDestroyNotify) es_region_unref);
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);

  for (guint i = 0; i < n; i++)
    {
      EsRegion *region = es_region_parse (sets[i]->region, error);

      if (region == NULL)
        return NULL;
      g_ptr_array_add (regions, region);
    }
  return g_steal_pointer (&regions);
}

static gboolean
refuse_empty (EsCube *self, const char *why, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("No pixel of “%s” takes part: %s."),
               es_dataset_get_name (ES_DATASET (self)), why);
  return FALSE;
}

/* The box round two windows; one of width 0 is none. */
static EsCubeWindow
join (EsCubeWindow a, EsCubeWindow b)
{
  if (a.width == 0)
    return b;
  const guint64 x = MIN (a.x, b.x), y = MIN (a.y, b.y);

  return (EsCubeWindow) { x, y, MAX (a.x + a.width, b.x + b.width) - x, MAX (a.y + a.height, b.y + b.height) - y };
}

static gboolean
cut (EsCubeWindow *window, EsCubeWindow by)
{
  const guint64 x = MAX (window->x, by.x), y = MAX (window->y, by.y);
  const guint64 right = MIN (window->x + window->width, by.x + by.width);
  const guint64 bottom = MIN (window->y + window->height, by.y + by.height);

  if (right <= x || bottom <= y)
    return FALSE;
  *window = (EsCubeWindow) { x, y, right - x, bottom - y };
  return TRUE;
}

gboolean
_es_cube_find_window (EsCube *self, EsSelection *selection, GPtrArray *regions, EsCubeWindow *window, GError **error)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  const EsSelectionWindow told = es_selection_get_window (selection);
  EsCubeWindow inside = { 0 };
  gboolean any = FALSE;
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);

  *window = (EsCubeWindow) { 0, 0, width, height };
  if (told.width > 0 && (told.x >= width || told.y >= height || told.width > width - told.x
                         || told.height > height - told.y))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The subset of %llu × %llu pixels at %llu, %llu does not lie in “%s”, which has %llu × %llu."),
                   (unsigned long long) told.width, (unsigned long long) told.height, (unsigned long long) told.x,
                   (unsigned long long) told.y, es_dataset_get_name (ES_DATASET (self)), (unsigned long long) width,
                   (unsigned long long) height);
      return FALSE;
    }
  if (told.width > 0)
    *window = (EsCubeWindow) { told.x, told.y, told.width, told.height };
  for (guint i = 0; i < n; i++)
    {
      EsCubeWindow box;

      if (sets[i]->outside)
        continue;
      any = TRUE;
      if (es_region_get_box (g_ptr_array_index (regions, i), width, height, &box.x, &box.y, &box.width, &box.height))
        inside = join (inside, box);
    }
  if (any && inside.width == 0)
    return refuse_empty (self, _("the regions that do lie outside of it"), error);
  return !any || cut (window, inside) || refuse_empty (self, _("the regions that do lie outside of the subset"), error);
}

gboolean
es_cube_check_selection (EsCube *self, EsSelection *selection, GError **error)
{
  g_autoptr (EsCube) part = es_cube_take_part (self, selection, TRUE, error);

  return part != NULL;
}

/* ---- beside the cube ---- */

void
es_cube_take_sidecar (EsCube *self)
{
  GFile *file = es_dataset_get_file (ES_DATASET (self));
  g_autoptr (GFile) sidecar = file != NULL ? es_selection_sidecar_of (file) : NULL;
  g_autofree char *shape = es_dataset_shape (ES_DATASET (self));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSelection) told = NULL, beside = NULL;

  if (sidecar == NULL || !g_file_query_exists (sidecar, NULL))
    return;
  told = es_selection_load (sidecar, shape, &error);
  if (told == NULL || !es_cube_check_selection (self, told, &error))
    {
      g_autofree char *sentence = g_strdup_printf (_("What takes part, as told beside it, was not taken: %s"),
                                                   error->message);

      _es_dataset_add_note (ES_DATASET (self), "%s", sentence);
      _es_cube_set_refused (self, sentence);
      return;
    }
  beside = es_selection_with_source (told, ES_SELECTION_BESIDE);
  es_cube_set_selection (self, beside);
}

/* ---- told again ---- */

static EsSelection *
selection_of (EsCube *self, JsonObject *values)
{
  JsonNode *node = values != NULL ? json_object_get_member (values, "selection") : NULL;

  if (values == NULL)
    {
      g_autoptr (EsSelection) now = es_cube_dup_selection (self);

      /* What lies beside the cube is told there, and once. */
      return now != NULL && es_selection_get_source (now) != ES_SELECTION_BESIDE ? g_steal_pointer (&now) : NULL;
    }
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? es_selection_from_node (node, NULL) : NULL;
}

/* Null: what lies beside the cube was not taken. Nothing at all where there was nothing to be told. */
void
_es_cube_add_input (EsDataset *dataset, JsonBuilder *builder, JsonObject *values)
{
  g_autoptr (EsSelection) selection = selection_of (ES_CUBE (dataset), values);

  _es_cube_add_metadata (ES_CUBE (dataset), builder, values);
  if (!es_selection_is_everything (selection))
    {
      json_builder_set_member_name (builder, "selection");
      json_builder_add_value (builder, es_selection_to_node (selection));
    }
  else if (values != NULL && json_object_has_member (values, "selection"))
    {
      json_builder_set_member_name (builder, "selection");
      json_builder_add_null_value (builder);
    }
}

static void
append_quoted (GString *line, const char *option, const char *text)
{
  g_autofree char *quoted = text != NULL ? g_shell_quote (text) : NULL;

  if (quoted != NULL)
    g_string_append_printf (line, " %s %s", option, quoted);
}

/* By the file that told it, where that is as it was: pixels of a mask are a long text. */
static char *
name_set (const EsPixelSet *set)
{
  g_autoptr (GFile) file = set->file != NULL ? g_file_parse_name (set->file) : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *identity = path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR)
                              ? _es_dataset_identity_of (file) : NULL;
  const gboolean by_file = set->identity != NULL && g_strcmp0 (identity, set->identity) == 0;
  const gboolean is_class = by_file && g_str_has_suffix (path, ".json");

  return g_strconcat (set->outside ? "outside:" : "inside:", by_file ? path : set->region, is_class ? "#" : NULL,
                      set->name, NULL);
}

static void
append_words (GString *line, EsSelection *selection)
{
  const EsSelectionWindow window = es_selection_get_window (selection);
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (selection, &n);

  append_quoted (line, "--bands", es_selection_get_bands (selection));
  append_quoted (line, "--exclude-bands", es_selection_get_excluded (selection));
  if (window.width > 0)
    g_string_append_printf (line, " --subset %llu,%llu,%llu,%llu", (unsigned long long) window.x,
                            (unsigned long long) window.y, (unsigned long long) window.width,
                            (unsigned long long) window.height);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *word = name_set (sets[i]);

      append_quoted (line, "--pixels", word);
    }
}

void
_es_cube_append_input (EsDataset *dataset, GString *line, JsonObject *values)
{
  EsCube *self = ES_CUBE (dataset);
  GFile *file = es_dataset_get_file (dataset);
  g_autoptr (EsSelection) selection = selection_of (self, values), beside = NULL;
  g_autoptr (GFile) sidecar = file != NULL ? es_selection_sidecar_of (file) : NULL;
  g_autofree char *shape = es_dataset_shape (dataset);

  _es_cube_append_metadata (self, line, values);
  if (sidecar != NULL && g_file_query_exists (sidecar, NULL))
    beside = es_selection_load (sidecar, shape, NULL);
  /* What lies beside the cube is taken without being asked for. */
  if (es_selection_equal (selection, beside))
    return;
  if (beside != NULL)
    g_string_append (line, " --selection none");
  if (selection != NULL)
    append_words (line, selection);
}
