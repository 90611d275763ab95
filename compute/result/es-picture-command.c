/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-picture-command.h"

#include "dataset/es-dataset-internal.h"
#include "base/es-file-name.h"
#include "es-operation.h"

/* Results of one operation are told apart by their folders. */
static char *
make_folder (GPtrArray *things, guint at)
{
  const char *id = es_result_get_operation (g_ptr_array_index (things, at))->id;
  guint number = 1;

  for (guint i = 0; i < at; i++)
    if (ES_IS_RESULT (g_ptr_array_index (things, i))
        && g_str_equal (es_result_get_operation (g_ptr_array_index (things, i))->id, id))
      number++;
  return number > 1 ? g_strdup_printf ("%s-result-%u", id, number) : g_strdup_printf ("%s-result", id);
}

/* The line that runs it, into that folder. */
static void
append_run (GString *text, EsResult *result, const char *folder)
{
  g_autofree char *line = es_result_to_command (result);
  g_autofree char *usual = g_strdup_printf (" -o %s-result", es_result_get_operation (result)->id);
  /* The last one: a file may be called so, but no parameter. */
  const char *at = g_strrstr (line, usual);

  if (at == NULL)
    g_string_append (text, line);
  else
    g_string_append_printf (text, "%.*s -o %s%s", (int) (at - line), line, folder, at + strlen (usual));
  g_string_append (text, " && ");
}

char *
es_picture_make_command (GPtrArray *things, const char *arguments)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) line = g_string_new ("eigenscope-batch composite");
  EsDataset *dataset;
  g_autofree char *stem = NULL, *name = NULL, *quoted = NULL;

  g_return_val_if_fail (things->len > 0 && ES_IS_DATASET (g_ptr_array_index (things, 0)), NULL);

  dataset = g_ptr_array_index (things, 0);
  for (guint i = 0; i < things->len; i++)
    {
      gpointer thing = g_ptr_array_index (things, i);

      g_string_append_c (line, ' ');
      if (ES_IS_RESULT (thing))
        {
          g_autofree char *folder = make_folder (things, i);

          append_run (text, thing, folder);
          g_string_append (line, folder);
        }
      else
        _es_dataset_append_files (thing, line);
    }
  stem = es_file_name_stem (es_dataset_get_name (dataset), NULL);
  name = g_strconcat (stem, "-composite.png", NULL);
  quoted = g_shell_quote (name);
  g_string_append_printf (line, " -o %s", quoted);
  _es_dataset_append_input_of (dataset, line, NULL);
  g_string_append_printf (line, " %s", arguments);
  g_string_append (text, line->str);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
