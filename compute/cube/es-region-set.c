/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-set-private.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json-internal.h"
#include "base/es-text-file-internal.h"

#define FORMAT_VERSION 1

struct _EsRegionSet
{
  GObject     parent_instance;

  EsDataset  *dataset;         /* weak: it owns the set */
  GListStore *regions;
  GHashTable *computing;       /* EsNamedRegion -> GCancellable */
};

static void list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EsRegionSet, es_region_set, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
es_region_set_finalize (GObject *object)
{
  EsRegionSet *self = ES_REGION_SET (object);

  g_clear_weak_pointer (&self->dataset);
  g_object_unref (self->regions);
  g_hash_table_unref (self->computing);
  G_OBJECT_CLASS (es_region_set_parent_class)->finalize (object);
}

static void
es_region_set_class_init (EsRegionSetClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_region_set_finalize;
}

static void
on_items_changed (EsRegionSet *self, guint position, guint removed, guint added)
{
  g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

static void
es_region_set_init (EsRegionSet *self)
{
  self->regions = g_list_store_new (ES_TYPE_NAMED_REGION);
  self->computing = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  g_signal_connect_object (self->regions, "items-changed", G_CALLBACK (on_items_changed), self, G_CONNECT_SWAPPED);
}

static GType
get_item_type (GListModel *model)
{
  return ES_TYPE_NAMED_REGION;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (ES_REGION_SET (model)->regions));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (ES_REGION_SET (model)->regions), position);
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

EsRegionSet *
es_dataset_get_regions (EsDataset *dataset)
{
  EsRegionSet *self = g_object_get_data (G_OBJECT (dataset), "es-regions");

  if (self != NULL)
    return self;
  self = g_object_new (ES_TYPE_REGION_SET, NULL);
  g_set_weak_pointer (&self->dataset, dataset);
  g_object_set_data_full (G_OBJECT (dataset), "es-regions", self, g_object_unref);
  return self;
}

EsCube *
es_region_set_get_cube (EsRegionSet *self)
{
  return self->dataset != NULL ? ES_CUBE (self->dataset) : NULL;
}

/* ---- spectra, one region after the other ---- */

typedef struct
{
  EsCube   *cube;
  EsRegion *region;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_object_unref (self->cube);
  es_region_unref (self->region);
  g_free (self);
}

static void
compute_in_pool (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  EsRegionSpectra *spectra = es_region_spectra_compute (request->cube, request->region, g_task_get_cancellable (task),
                                                        &error);

  if (spectra != NULL)
    g_task_return_pointer (task, spectra, (GDestroyNotify) es_region_spectra_free);
  else
    g_task_return_error (task, error);
}

/* A queue of its own: a pool costs no thread, which idle pools share, and regions that waited behind a job, or behind
 * stacks that wait for their time (es_image_stack_settle ()), would stay without a spectrum that long. */
static GThreadPool *
computing_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (compute_in_pool, NULL, 1, FALSE, NULL));
  return pool;
}

static void
on_computed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsRegionSet) self = data;
  EsNamedRegion *region = ES_NAMED_REGION (object);
  GError *error = NULL;
  EsRegionSpectra *spectra = g_task_propagate_pointer (G_TASK (result), &error);

  g_hash_table_remove (self->computing, region);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_error_free (error);
  else
    es_named_region_take_spectra (region, spectra, error);
}

static void
compute (EsRegionSet *self, EsNamedRegion *region, EsCube *cube)
{
  GCancellable *cancellable = g_cancellable_new ();
  GTask *task = g_task_new (region, cancellable, on_computed, g_object_ref (self));
  Request *request = g_new (Request, 1);

  *request = (Request) { g_object_ref (cube), es_region_ref (es_named_region_get_region (region)) };
  g_task_set_source_tag (task, compute);
  g_task_set_task_data (task, request, request_free);
  g_hash_table_insert (self->computing, g_object_ref (region), cancellable);
  g_thread_pool_push (computing_pool (), task, NULL);
}

static void
stop_computing (EsRegionSet *self, EsNamedRegion *region)
{
  GCancellable *cancellable = g_hash_table_lookup (self->computing, region);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/* ---- adding and removing ---- */

static EsNamedRegion *
peek (EsRegionSet *self, guint i)
{
  g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self->regions), i);

  return region;
}

static gboolean
is_taken (EsRegionSet *self, const char *name)
{
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    if (strcmp (es_named_region_get_name (peek (self, i)), name) == 0)
      return TRUE;
  return FALSE;
}

static char *
free_name (EsRegionSet *self)
{
  for (guint i = 1;; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Class %u"), i);
      if (!is_taken (self, name))
        return g_steal_pointer (&name);
    }
}

/* Of Okabe and Ito, "Color Universal Design" (2008), which the colour-blind tell apart; black as a grey, to be seen on
 * dark images. The one used least. */
static guint32
free_colour (EsRegionSet *self)
{
  static const guint32 colours[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0xd55e00, 0xcc79a7, 0x0072b2, 0x999999 };
  guint uses[G_N_ELEMENTS (colours)] = { 0 }, best = 0;

  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    for (guint k = 0; k < G_N_ELEMENTS (colours); k++)
      uses[k] += es_named_region_get_colour (peek (self, i)) == colours[k];
  for (guint k = 1; k < G_N_ELEMENTS (colours); k++)
    if (uses[k] < uses[best])
      best = k;
  return colours[best];
}

EsNamedRegion *
es_region_set_add (EsRegionSet *self, const char *name, EsRegion *region, guint32 colour)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autofree char *given = NULL;
  g_autoptr (EsNamedRegion) named = NULL;

  g_return_val_if_fail (cube != NULL && region != NULL, NULL);

  given = name != NULL && *name != '\0' ? g_utf8_make_valid (name, -1) : free_name (self);
  named = es_named_region_new (given, colour != 0 ? colour : free_colour (self), region, cube);
  compute (self, named, cube);
  g_list_store_append (self->regions, named);
  return named;
}

void
es_region_set_remove (EsRegionSet *self, EsNamedRegion *region)
{
  guint position;

  if (!g_list_store_find (self->regions, region, &position))
    return;
  stop_computing (self, region);
  g_list_store_remove (self->regions, position);
}

void
es_region_set_clear (EsRegionSet *self)
{
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    stop_computing (self, peek (self, i));
  g_list_store_remove_all (self->regions);
}

/* ---- as JSON ---- */

gboolean
es_region_set_save (EsRegionSet *self, GFile *target, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "regions_version");
  json_builder_add_int_value (builder, FORMAT_VERSION);
  if (self->dataset != NULL)
    {
      g_autofree char *shape = es_dataset_shape (self->dataset);

      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, es_dataset_get_name (self->dataset));
      json_builder_set_member_name (builder, "identity");
      json_builder_add_string_value (builder, es_dataset_get_identity (self->dataset));
      json_builder_set_member_name (builder, "shape");
      json_builder_add_string_value (builder, shape);
    }
  json_builder_set_member_name (builder, "regions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < get_n_items (G_LIST_MODEL (self)); i++)
    {
      EsNamedRegion *region = peek (self, i);
      g_autofree char *colour = g_strdup_printf ("#%06x", es_named_region_get_colour (region));
      g_autofree char *pixels = es_region_format (es_named_region_get_region (region));

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, es_named_region_get_name (region));
      json_builder_set_member_name (builder, "colour");
      json_builder_add_string_value (builder, colour);
      json_builder_set_member_name (builder, "region");
      json_builder_add_string_value (builder, pixels);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = es_json_to_text (root);
  return g_file_replace_contents (target, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
}

static gboolean
refuse (const char *name, const char *found, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a file of regions: %s."), name, found);
  return FALSE;
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/* Adds nothing where one of them is damaged. */
static gboolean
parse_regions (EsRegionSet *self, JsonArray *array, const char *file_name, GError **error)
{
  const guint n = json_array_get_length (array);
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func ((GDestroyNotify) es_region_unref);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      const char *text = JSON_NODE_HOLDS_OBJECT (element) ? get_string (json_node_get_object (element), "region")
                                                          : NULL;
      EsRegion *region = text != NULL ? es_region_parse (text, NULL) : NULL;

      if (region == NULL)
        return refuse (file_name, _("one of its regions cannot be read"), error);
      g_ptr_array_add (regions, region);
    }
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = json_node_get_object (json_array_get_element (array, i));
      const char *colour = get_string (object, "colour");

      es_region_set_add (self, get_string (object, "name"), g_ptr_array_index (regions, i),
                         colour != NULL && *colour == '#' ? g_ascii_strtoull (colour + 1, NULL, 16) & 0xffffff : 0);
    }
  return TRUE;
}

gboolean
es_region_set_load (EsRegionSet *self, GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file), *text = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  gsize length;

  text = es_text_file_load (file, &length, NULL, error);
  if (text == NULL)
    return FALSE;
  if (es_json_is_nested_too_deeply (text, length))
    return refuse (name, _("it lists no regions"), error);

  JsonNode *root = json_parser_load_from_data (parser, text, length, NULL) ? json_parser_get_root (parser) : NULL;
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *list = object != NULL ? json_object_get_member (object, "regions") : NULL;
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list))
    return refuse (name, _("it lists no regions"), error);
  return parse_regions (self, json_node_get_array (list), name, error);
}
