/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The noise statistics of a result as a file. */

#include "es-cube-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "saving/es-durable.h"
#include "base/es-file-name.h"
#include "widgets/es-export.h"

#define NOISE "noise_statistics"

JsonNode *
_es_cube_noise_get (EsCubeWorkspace *self)
{
  EsResult *result = es_shown_get_result (es_workspace_get_shown (ES_WORKSPACE (self)));
  JsonNode *node = result != NULL ? json_object_get_member (es_result_get_values (result), NOISE) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? node : NULL;
}

static void
save_noise_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsCubeWorkspace *self = user_data;
  JsonNode *noise = _es_cube_noise_get (self);
  g_autofree char *text = noise != NULL ? es_json_to_text (noise) : NULL;
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return;
  if (!es_durable_write_text (file, text, &error))
    es_shell_say (es_workspace_get_shell (ES_WORKSPACE (self)), error->message);
  else
    es_shell_say_saved (es_workspace_get_shell (ES_WORKSPACE (self)), file);
}

void
_es_cube_noise_choose (EsCubeWorkspace *self)
{
  g_autofree char *stem = NULL;
  g_autofree char *name = NULL;

  if (_es_cube_noise_get (self) == NULL)
    return;
  stem = es_file_name_stem (es_dataset_get_name (es_shown_get_dataset (es_workspace_get_shown (ES_WORKSPACE (self)))),
                            NULL);
  name = g_strdup_printf ("%s-noise", stem);
  es_export_ask_file (GTK_WIDGET (self->viewer), _("Save Noise Statistics"), name, "json", save_noise_to, self);
}
