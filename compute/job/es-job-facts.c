/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a run is of, for its checkpoint: all that the numbers depend on. */

#include "es-job-object-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/es-json.h"
#include "cube/es-cube-metadata.h"
#include "metadata/es-metadata.h"

EsCheckpoint *
es_job_get_checkpoint (EsJob *self)
{
  return self->checkpoint;
}

void
es_job_set_checkpoint (EsJob *self, EsCheckpoint *checkpoint)
{
  g_clear_pointer (&self->checkpoint, es_checkpoint_unref);
  if (checkpoint != NULL && self->operation->resumes)
    self->checkpoint = es_checkpoint_ref (checkpoint);
}

/* Which file it is now; nothing of one that is not there. */
static char *
describe_file (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return g_strdup ("");
  return g_strdup_printf ("%" G_GINT64_FORMAT " @ %" G_GINT64_FORMAT, (gint64) status.st_size,
                          (gint64) status.st_mtime);
}

static void
add_params (GArray *facts, EsParams *params)
{
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *key = g_strconcat ("parameter ", spec->key, NULL), *quoted = g_strdup_printf ("“%s”", spec->key);

      es_checkpoint_facts_add (facts, key, quoted, es_params_format (params, spec->key));
      if (spec->type == ES_PARAM_FILE)
        {
          g_autofree char *of_file = g_strconcat ("file ", spec->key, NULL);

          es_checkpoint_facts_add (facts, of_file, quoted, describe_file (es_params_get_text (params, spec->key)));
        }
    }
}

/* Takes the tree, which may be NULL. */
static char *
tree_to_text (JsonNode *root)
{
  char *text = root != NULL ? es_json_to_text (root) : g_strdup ("");

  g_clear_pointer (&root, json_node_unref);
  return text;
}

static void
add_input (GArray *facts, EsJob *self)
{
  EsCube *cube = ES_CUBE (self->dataset);
  EsMetadata *metadata = es_cube_get_metadata (cube);
  const char *array = es_dataset_get_array_name (self->dataset);

  es_checkpoint_facts_add (facts, "size", _("the size of the input"),
                           g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT " × %u",
                                            es_cube_get_width (cube), es_cube_get_height (cube),
                                            es_cube_get_bands (cube)));
  es_checkpoint_facts_add (facts, "array", _("the array that was opened"), g_strdup (array != NULL ? array : ""));
  es_checkpoint_facts_add (facts, "identity", _("the identity of the input"),
                           g_strdup (es_dataset_get_identity (self->dataset)));
  es_checkpoint_facts_add (facts, "part", _("what takes part"),
                           tree_to_text (es_selection_is_everything (self->selection)
                                         ? NULL : es_selection_to_node (self->selection)));
  es_checkpoint_facts_add (facts, "metadata", _("what was told of the input"),
                           tree_to_text (metadata != NULL ? es_metadata_to_node (metadata) : NULL));
}

gboolean
es_job_begin_checkpoint (EsJob *self, GError **error)
{
  GArray *facts;

  if (self->checkpoint == NULL)
    return TRUE;
  facts = es_checkpoint_facts_new ();
  es_checkpoint_facts_add (facts, "program", _("the version of the program"), g_strdup (ES_VERSION));
  es_checkpoint_facts_add (facts, "operation", _("the operation"),
                           g_strdup_printf ("%s %u", self->operation->id, self->operation->version));
  add_params (facts, self->params);
  if (ES_IS_CUBE (self->dataset))
    add_input (facts, self);
  /* Another device rounds otherwise, and tiles depend on the memory. */
  es_checkpoint_facts_add (facts, "device", _("the device"),
                           g_strdup (es_device_is_cpu (self->device) ? "CPU" : es_device_get_name (self->device)));
  es_checkpoint_facts_add (facts, "memory", _("the memory that it may take"),
                           g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) self->limits.memory));
  return es_checkpoint_begin (self->checkpoint, facts, error);
}
