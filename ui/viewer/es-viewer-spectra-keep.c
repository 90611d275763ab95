/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What outlives the program of spectra: those that are collected, with their values, and the files of the library. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-export.h"

static void
on_changed (EsViewer *self)
{
  g_clear_pointer (&self->spectra_kept, json_object_unref);
  g_signal_emit_by_name (self, "view-changed");
}

static void
on_said (EsViewer *self, const char *sentence)
{
  es_export_report (GTK_WIDGET (self), sentence);
}

void
_es_viewer_watch_collection (EsViewer *self)
{
  g_signal_connect_object (self->collection, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}

void
_es_viewer_watch_library (EsViewer *self)
{
  g_signal_connect_object (self->spectra, "library-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spectra, "said", G_CALLBACK (on_said), self, G_CONNECT_SWAPPED);
}

static JsonObject *
tell_library (GPtrArray *files)
{
  JsonObject *library = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *name = g_file_get_parse_name (g_ptr_array_index (files, i));

      json_array_add_string_element (array, name);
    }
  json_object_set_array_member (library, "files", array);
  return library;
}

JsonNode *
es_viewer_tell_spectra (EsViewer *self)
{
  GPtrArray *files = self->spectra != NULL ? es_spectra_view_get_library_files (self->spectra) : NULL;
  const gboolean any_file = files != NULL && files->len > 0;

  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);

  if (!any_file && es_spectrum_collection_get_n (self->collection) == 0)
    return NULL;
  if (self->spectra_kept == NULL)
    {
      self->spectra_kept = json_object_new ();
      if (es_spectrum_collection_get_n (self->collection) > 0)
        json_object_set_member (self->spectra_kept, "collected", es_spectrum_collection_to_json (self->collection));
      if (any_file)
        json_object_set_object_member (self->spectra_kept, "library", tell_library (files));
    }
  return json_node_init_object (json_node_alloc (), self->spectra_kept);
}

/* Sessions of before had the URIs alone. */
static JsonArray *
get_files (JsonNode *told)
{
  JsonNode *files = JSON_NODE_HOLDS_OBJECT (told) ? json_object_get_member (json_node_get_object (told), "files")
                                                  : told;

  return files != NULL && JSON_NODE_HOLDS_ARRAY (files) ? json_node_get_array (files) : NULL;
}

static void
take_library (EsViewer *self, JsonNode *told)
{
  JsonArray *array = get_files (told);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_ptr_array_add (files, g_file_parse_name (json_node_get_string (node)));
    }
  if (files->len > 0)
    es_spectra_view_open_library_again (es_viewer_get_spectra (self), (GFile *const *) files->pdata, files->len);
}

void
es_viewer_take_spectra (EsViewer *self, JsonNode *told)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (ES_IS_VIEWER (self));

  if (object == NULL)
    return;
  if (json_object_has_member (object, "collected")
      && !es_spectrum_collection_add_json (self->collection, json_object_get_member (object, "collected"),
                                           _("Collected Spectra"), &error))
    es_export_report (GTK_WIDGET (self), error->message);
  if (json_object_has_member (object, "library"))
    take_library (self, json_object_get_member (object, "library"));
}
