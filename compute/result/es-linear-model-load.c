/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The model of a saved result, without its layers and its cube. */

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-linear-model-internal.h"
#include "es-saved-internal.h"

gboolean
es_result_load_model (GFile *file, guint n_cube_bands, EsSavedModel *saved, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_saved_parse (file, name, cancellable, error);

  if (root == NULL)
    return FALSE;
  JsonObject *object = json_node_get_object (root), *model = es_saved_get_object (object, "model");
  JsonObject *input = es_saved_get_object (object, "input"), *values = es_saved_get_object (object, "values");
  const char *operation = es_saved_get_string (object, "operation"), *title = es_saved_get_string (object, "title");
  if (operation == NULL)
    return es_saved_refuse (name, error, _("it does not say which operation made it"));
  *saved = (EsSavedModel) {
    .model = model != NULL ? es_linear_model_from_json (model, n_cube_bands) : NULL,
    .wrong = json_object_has_member (object, "model"),
    .operation = g_strdup (operation),
    .title = g_strdup (title != NULL ? title : operation),
    .identity = g_strdup (es_saved_get_string (input, "identity")),
    .shape = g_strdup (es_saved_get_string (input, "shape")),
    .selection = values != NULL ? json_object_dup_member (values, "selection") : NULL,
    .metadata = values != NULL ? json_object_dup_member (values, "metadata") : NULL,
  };
  saved->wrong = saved->wrong && saved->model == NULL;
  return TRUE;
}
