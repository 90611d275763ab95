/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-selection.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "base/es-text-file-internal.h"
#include "saving/es-json-file-internal.h"

/*
 * { "eigenscope-selection": 1, "shape": "160x192x224", "bands": "400-1340 nm", "exclude-bands": "131-136",
 *   "subset": [ x, y, width, height ],
 *   "pixels": [ { "take": "outside", "name": "Water", "region": "runs 3:0-7" }, ... ] }
 *
 * A mask is in it as the pixels that it was: "file" and "identity" say where it came from, and no file is read because
 * this one names it. In results also "source".
 */
#define MARK "eigenscope-selection"
#define VERSION 1
#define LARGEST_FILE ((gsize) 256 << 20)
#define MOST_SETS 1000

static const char *const sources[] = { "beside", "named", "hand" };

/* ---- writing ---- */

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_window (JsonBuilder *builder, const EsSelectionWindow *window)
{
  const guint64 numbers[] = { window->x, window->y, window->width, window->height };

  if (window->width == 0)
    return;
  json_builder_set_member_name (builder, "subset");
  json_builder_begin_array (builder);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_builder_add_int_value (builder, (gint64) numbers[i]);
  json_builder_end_array (builder);
}

static void
add_sets (JsonBuilder *builder, EsSelection *self)
{
  guint n;
  EsPixelSet * const *sets = es_selection_get_sets (self, &n);

  if (n == 0)
    return;
  json_builder_set_member_name (builder, "pixels");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      add_text (builder, "take", sets[i]->outside ? "outside" : "inside");
      add_text (builder, "name", sets[i]->name);
      add_text (builder, "region", sets[i]->region);
      add_text (builder, "file", sets[i]->file);
      add_text (builder, "identity", sets[i]->identity);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static JsonNode *
make_tree (EsSelection *self, const char *shape)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const EsSelectionWindow window = es_selection_get_window (self);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, MARK);
  json_builder_add_int_value (builder, VERSION);
  add_text (builder, "shape", shape);
  add_text (builder, "bands", es_selection_get_bands (self));
  add_text (builder, "exclude-bands", es_selection_get_excluded (self));
  add_window (builder, &window);
  add_sets (builder, self);
  if (shape == NULL)
    add_text (builder, "source", sources[es_selection_get_source (self)]);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
es_selection_to_node (EsSelection *self)
{
  return make_tree (self, NULL);
}

gboolean
es_selection_save (EsSelection *self, GFile *file, const char *shape, GError **error)
{
  static const char *const known[] = { MARK, "shape", "bands", "exclude-bands", "subset", "pixels", "source", NULL };
  g_autoptr (JsonNode) root = make_tree (self, shape);

  return es_json_file_save_over (root, file, MARK, known, NULL, error);
}

/* ---- reading ---- */

static gpointer
refuse (GError **error, const char *name, char *message)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "“%s”: %s", name, message);
  g_free (message);
  return NULL;
}

/* TRUE and NULL where there is none; FALSE where it is no text. */
static gboolean
read_text (JsonObject *object, const char *key, const char **text)
{
  JsonNode *node = json_object_get_member (object, key);

  *text = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return FALSE;
  *text = json_node_get_string (node);
  return TRUE;
}

static gboolean
read_window (JsonObject *root, EsSelectionWindow *window)
{
  JsonNode *node = json_object_get_member (root, "subset");
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint64 *numbers[] = { &window->x, &window->y, &window->width, &window->height };

  *window = (EsSelectionWindow) { 0 };
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (array == NULL || json_array_get_length (array) != G_N_ELEMENTS (numbers))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_VALUE (element) || json_node_get_value_type (element) != G_TYPE_INT64
          || json_node_get_int (element) < (i < 2 ? 0 : 1))
        return FALSE;
      *numbers[i] = (guint64) json_node_get_int (element);
    }
  return TRUE;
}

static EsPixelSet *
read_set (JsonNode *node, guint number, const char *name, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *take = NULL, *title = NULL, *region = NULL, *file = NULL, *identity = NULL;
  EsPixelSet *set;

  if (object == NULL || !read_text (object, "take", &take) || !read_text (object, "region", &region)
      || !read_text (object, "name", &title) || !read_text (object, "file", &file)
      || !read_text (object, "identity", &identity) || region == NULL
      || (g_strcmp0 (take, "inside") != 0 && g_strcmp0 (take, "outside") != 0))
    return refuse (error, name, g_strdup_printf (_("entry %u of the pixels cannot be read, expected “take”: “inside” "
                                                   "or “outside”, and “region”: a text such as “rectangle 0 0 10 10”."),
                                                 number));
  set = es_pixel_set_new (strcmp (take, "outside") == 0, title, region);
  set->file = g_strdup (file);
  set->identity = g_strdup (identity);
  return set;
}

static GPtrArray *
read_sets (JsonObject *root, const char *name, GError **error)
{
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) es_pixel_set_free);
  JsonNode *list = json_object_get_member (root, "pixels");
  JsonArray *array = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;

  if (list == NULL)
    return g_steal_pointer (&sets);
  if (array == NULL || json_array_get_length (array) > MOST_SETS)
    return refuse (error, name, g_strdup_printf (_("the pixels cannot be read, expected “pixels”: [ … ] of at most %u "
                                                   "entries."), MOST_SETS));
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      EsPixelSet *set = read_set (json_array_get_element (array, i), i + 1, name, error);

      if (set == NULL)
        return NULL;
      g_ptr_array_add (sets, set);
    }
  return g_steal_pointer (&sets);
}

static EsSelection *
read_tree (JsonNode *node, const char *name, const char *shape, GError **error)
{
  JsonObject *root = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *version = root != NULL ? json_object_get_member (root, MARK) : NULL;
  const char *bands, *excluded, *told, *own;
  g_autoptr (GPtrArray) sets = NULL;
  g_autoptr (EsSelection) plain = NULL;
  EsSelectionWindow window;
  EsSelectionSource source = ES_SELECTION_BY_HAND;

  if (version == NULL)
    return refuse (error, name, g_strdup (_("this does not tell what takes part of a cube, expected an object with "
                                            "“eigenscope-selection”.")));
  if (!JSON_NODE_HOLDS_VALUE (version) || json_node_get_int (version) != VERSION)
    return refuse (error, name, g_strdup_printf (_("what takes part is told in another version, expected %d."),
                                                 VERSION));
  if (!read_text (root, "shape", &own) || !read_text (root, "bands", &bands)
      || !read_text (root, "exclude-bands", &excluded) || !read_text (root, "source", &told))
    return refuse (error, name, g_strdup (_("“shape”, “bands” or “exclude-bands” cannot be read, expected texts.")));
  if (shape != NULL && own != NULL && strcmp (own, shape) != 0)
    return refuse (error, name, g_strdup_printf (_("this is of another cube, one of %s; expected %s."), own, shape));
  if (!read_window (root, &window))
    return refuse (error, name, g_strdup (_("“subset” cannot be read, expected [ x, y, width, height ] in pixels.")));
  sets = read_sets (root, name, error);
  if (sets == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_strcmp0 (told, sources[i]) == 0)
      source = i;
  plain = es_selection_new (bands, excluded, &window, (EsPixelSet * const *) sets->pdata, sets->len);
  return es_selection_with_source (plain, source);
}

EsSelection *
es_selection_load (GFile *file, const char *shape, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (JsonNode) root = text != NULL ? es_json_parse (text, length, name, error) : NULL;
  g_autoptr (EsSelection) told = root != NULL ? read_tree (root, name, shape, error) : NULL;

  return told != NULL ? es_selection_with_source (told, ES_SELECTION_NAMED) : NULL;
}

EsSelection *
es_selection_from_node (JsonNode *root, GError **error)
{
  return read_tree (root, _("what takes part"), NULL, error);
}

GFile *
es_selection_sidecar_of (GFile *cube)
{
  return es_json_file_beside (cube, ES_SELECTION_ENDING);
}

gboolean
es_selection_is_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ES_SELECTION_ENDING);
}
