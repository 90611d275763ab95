/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verb that writes a picture of three planes of cubes and saved results. */

#include <glib/gi18n.h>

#include "base/es-error.h"
#include "composite/es-batch-composite.h"
#include "es-batch.h"
#include "opening/es-batch-open.h"
#include "session/es-result-info.h"
#include "session/es-result-load.h"
#include "writers/es-writer.h"

typedef struct
{
  EsBatchOpen *open;
  GPtrArray   *files;          /* of GFile */
  EsParams    *params;
  GFile       *target;
  GPtrArray   *notes;
} Work;

static gboolean
run (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;
  g_autoptr (GPtrArray) things = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < work->files->len; i++)
    {
      GFile *file = g_ptr_array_index (work->files, i);
      g_autoptr (GPtrArray) one = g_ptr_array_new ();
      g_autoptr (GObject) thing = NULL;

      g_ptr_array_add (one, file);
      if (es_result_info_is_for (file))
        {
          g_autofree char *name = g_file_get_basename (file);
          g_autoptr (GFile) index = g_strcmp0 (name, "result.json") == 0 ? g_object_ref (file)
                                                                         : g_file_get_child (file, "result.json");

          thing = (GObject *) es_result_load (index, cancellable, error);
        }
      else
        thing = (GObject *) es_batch_open (work->open, one, cancellable, error);
      if (thing == NULL)
        return FALSE;
      if (ES_IS_DATASET (thing) && !ES_IS_CUBE (thing))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("“%s” is no cube, and one was expected."), es_dataset_get_name (ES_DATASET (thing)));
          return FALSE;
        }
      if (ES_IS_RESULT (thing))
        for (const char *const *warning = es_result_get_warnings (ES_RESULT (thing));
             warning != NULL && *warning != NULL; warning++)
          g_ptr_array_add (work->notes, g_strdup (*warning));
      g_ptr_array_add (things, g_steal_pointer (&thing));
    }
  return es_batch_composite_write (things, work->params, work->target, work->notes, cancellable, error);
}

int
es_batch_composite (int argc, char **argv)
{
  g_autofree char *output = NULL;
  g_auto (EsBatchOpen) open = { 0 };
  GOptionEntry entries[1 + ES_BATCH_OPEN_ENTRIES] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("The picture: FILE.png, or FILE.tif with georeference"),
      N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EsParams) params = es_params_new (es_batch_composite_params);
  g_autoptr (GFile) target = NULL;
  g_autoptr (GError) error = NULL;
  Work work = { &open, files, params, NULL, notes };

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  es_batch_open_add_entries (&open, entries);
  if (!es_batch_parse_options (entries,
                               _("composite FILE... -o PICTURE [key=value ...]: three planes of cubes and saved "
                                 "results as red, green and blue.\n\n"
                                 "  rgb=R,G,B       each a plane by its number, wavelength (640nm) or name; of the "
                                 "second file\n                  2:PLANE, of one of its layers 2/LAYER:PLANE; or "
                                 "true-colour, cir, swir,\n                  agriculture\n"
                                 "  cut=0.02        cut off at both ends; or deviations=2; or limits=LOW:HIGH[,…]\n"
                                 "  curve=linear    or square-root, logarithm, gaussian, equalise\n"
                                 "  linked=no       one stretch for all three"), &argc, &argv))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    if (es_batch_is_parameter (argv[i]))
      {
        if (!es_batch_parse_parameter (params, argv[i], &error))
          return es_batch_fail (error);
      }
    else
      g_ptr_array_add (files, es_batch_file (argv[i]));
  if (files->len == 0)
    return es_batch_usage (_("“composite” needs a cube or a saved result"));
  if (output == NULL || *output == '\0')
    return es_batch_usage (_("“composite” needs -o FILE.png or -o FILE.tif"));
  work.target = target = es_batch_file (output);
  if (!es_written_image_is_geotiff (target) && !g_str_has_suffix (output, ".png") && !g_str_has_suffix (output, ".PNG"))
    return es_batch_usage (_("-o cannot be “%s”: expected a file that ends with .png or .tif"), output);
  if (!es_batch_open_settle (&open))
    return ES_EXIT_USAGE;
  if (!es_batch_work (run, &work, &error))
    return es_batch_fail (error);
  for (guint i = 0; i < notes->len; i++)
    g_printerr ("eigenscope-batch: %s\n", (const char *) g_ptr_array_index (notes, i));
  return ES_EXIT_DONE;
}
