/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is written beside a result: an array without its faults, a picture of three components, a ladder's pages. */

#include <glib/gi18n.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "composite/es-batch-composite.h"
#include "es-batch-beside.h"
#include "page/es-drawing.h"
#include "page/es-ladder-page.h"
#include "saving/es-kept.h"
#include "tool/es-batch-tool.h"

gboolean
es_batch_beside_check_mended (EsDataset *dataset, const char *path, GFile *directory, GError **error)
{
  g_autoptr (EsArray) array = ES_IS_RECORDING (dataset) ? es_recording_get_array (ES_RECORDING (dataset)) : NULL;
  g_autoptr (GFile) file = es_batch_file (path);
  g_autoptr (GFile) index = directory != NULL ? g_file_get_child (directory, "result.json") : NULL;

  if (array == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("There is no array to be mended: nobody has said where the hydrophones of “%s” are."),
                   es_dataset_get_name (dataset));
      return FALSE;
    }
  /* The name of what tells something else of a data set would be taken for that. */
  if (es_calibration_is_file (file) || es_navigation_is_file (file) || es_selection_is_file (file)
      || es_metadata_is_file (file))
    {
      g_autofree char *name = es_error_file_name (file);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” is no name for an array: what is called so tells something else of a data set."), name);
      return FALSE;
    }
  if (index != NULL && es_kept_is_one (index, file))
    {
      g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                           _("“result.json” is the result itself: the mended array needs another name."));
      return FALSE;
    }
  return es_kept_check (file, error);
}

/* The recording's array without what is dead, late or noisy, and with reversed signs turned. */
gboolean
es_batch_beside_mended (EsResult *result, const char *path, GFile *directory, GPtrArray *notes, GError **error)
{
  g_autoptr (EsArray) array = NULL, mended = NULL;
  g_autoptr (GFile) file = es_batch_file (path);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *names = NULL;
  guint n;
  const EsElementFinding *findings = es_health_get_findings (result, &n);

  if (!es_batch_beside_check_mended (es_result_get_dataset (result), path, directory, error))
    return FALSE;
  array = es_recording_get_array (ES_RECORDING (es_result_get_dataset (result)));
  mended = es_health_mend (array, findings, n);
  if (!es_array_save_as (mended, file, kept, error))
    return FALSE;
  if ((names = es_kept_names (kept)) != NULL)
    {
      g_autofree char *name = g_file_get_basename (file), *shown = es_text_show (name);

      g_ptr_array_add (notes, g_strdup_printf (_("“%s” was there already; what was in it is kept as %s."), shown,
                                                    names));
    }
  return TRUE;
}

/* In the folder of the result, by the format of its images. Transfer full. */
static GFile *
find_picture (GFile *directory, EsStackFormat format)
{
  return g_file_get_child (directory, format == ES_STACK_GEOTIFF ? "composite.tif" : "composite.png");
}

gboolean
es_batch_beside_check_composite (GFile *directory, EsStackFormat format, GError **error)
{
  g_autoptr (GFile) target = find_picture (directory, format);

  return es_kept_check (target, error);
}

gboolean
es_batch_beside_composite (EsResult *result, EsParams *composite, GFile *directory, EsStackFormat format,
                           GPtrArray *notes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) things = g_ptr_array_new ();
  g_autoptr (GFile) target = find_picture (directory, format);
  EsDataset *dataset = es_result_get_dataset (result);

  g_ptr_array_add (things, result);
  if (dataset != NULL)
    g_ptr_array_add (things, dataset);
  return es_batch_composite_write (things, composite, target, notes, cancellable, error);
}

void
es_batch_beside_tell_saved (GFile *directory, const char *option, GError **error)
{
  g_autofree char *path = NULL, *shown = NULL;
  g_autoptr (GError) own = NULL;
  gboolean named;

  if (directory == NULL || error == NULL || *error == NULL
      || g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  own = g_steal_pointer (error);
  named = g_error_matches (own, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  path = g_file_get_parse_name (directory);
  shown = es_text_show (path);
  g_set_error (error, named ? ES_DATA_ERROR : own->domain, named ? ES_DATA_ERROR_WRITE : own->code,
               /* TRANSLATORS: the first %s is a sentence on what went wrong, the last an option such as --rgb. */
               _("%s The result was computed and is saved in “%s”; what %s asks for was not written."), own->message,
               shown, option);
}

/* Whether a page is one that the program made, of an earlier run. */
static gboolean
is_own_page (const char *path)
{
  static const char mark[] = "Eigenscope ";
  g_autofree char *contents = NULL;
  gsize length;

  return !g_file_test (path, G_FILE_TEST_IS_SYMLINK) && g_file_get_contents (path, &contents, &length, NULL)
         && memmem (contents, length, mark, strlen (mark)) != NULL;
}

/* What somebody else has under the name of a page stays beside it, and is named. */
static gboolean
save_page (EsResult *result, GFile *directory, const char *name, EsLadderPageFormat format, GPtrArray *notes,
           GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) page = g_file_get_child (directory, name);
  g_autofree char *path = g_file_get_path (page), *names = NULL;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && !is_own_page (path)
      && !es_kept_add (kept, path, cancellable, error))
    return FALSE;
  if (!es_ladder_page_write (result, page, format, error))
    {
      es_kept_forget (kept);
      return FALSE;
    }
  if ((names = es_kept_names (kept)) != NULL)
    g_ptr_array_add (notes, g_strdup_printf (_("“%s” was there already; what was in it is kept as %s."), name,
                                                  names));
  return TRUE;
}

/* A climbed ladder as pages beside its numbers; the PDF where somebody can draw. */
gboolean
es_batch_beside_ladder (EsResult *result, GFile *directory, GPtrArray *notes, GCancellable *cancellable,
                        GError **error)
{
  return save_page (result, directory, "ladder.html", ES_LADDER_PAGE_HTML, notes, cancellable, error)
         && (!es_drawing_print (NULL, 0, NULL)
             || save_page (result, directory, "ladder.pdf", ES_LADDER_PAGE_PDF, notes, cancellable, error));
}
