/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* "spy": where the nonzeros of a sparse matrix lie, as a picture of any size. */

#include <glib/gi18n.h>

#include "es-batch-matrix.h"
#include "es-batch-spy.h"
#include "plane/es-spy-picture.h"
#include "tool/es-batch-tool.h"
#include "writers/es-writer.h"

#define MOST 16384

static const EsParamChoice colours[] = {
  { "gray", N_("Grey") },
  { "viridis", N_("Viridis") },
  { "magma", N_("Magma") },
  { "cividis", N_("Cividis") },
  { .id = NULL }
};

static const EsParamSpec spy_params[] = {
  { .key = "size", .label = N_("Longer side"), .type = ES_PARAM_INT, .unit = N_("pixels"), .minimum = 16,
    .maximum = MOST, .default_value = 1024, .help = N_("The other side follows from the shape of the matrix.") },
  { .key = "width", .label = N_("Width"), .type = ES_PARAM_INT, .unit = N_("pixels"), .maximum = MOST,
    .help = N_("Instead, with a height: so many, whatever the shape of the matrix is. 0: by its shape.") },
  { .key = "height", .label = N_("Height"), .type = ES_PARAM_INT, .unit = N_("pixels"), .maximum = MOST,
    .help = N_("The same of rows.") },
  { .key = "colours", .label = N_("Colours"), .type = ES_PARAM_CHOICE, .choices = colours,
    .help = N_("By how many nonzeros lie in a pixel, on a logarithmic scale: black on white, or a colour map on "
               "black.") },
  { .type = ES_PARAM_END }
};

typedef struct
{
  GFile     *file, *target;
  EsParams  *params;
  GPtrArray *notes;
} Work;

/* Of a name or a file. */
static EsDataset *
open_matrix (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (EsDataset) dataset = NULL;
  gboolean is_made;

  g_ptr_array_add (files, file);
  dataset = es_batch_matrix_make (files, &is_made, cancellable, error);
  if (!is_made)
    dataset = es_dataset_open (file, NULL, cancellable, error);
  if (dataset == NULL || ES_IS_SPARSE_MATRIX (dataset))
    return g_steal_pointer (&dataset);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("“%s” is no sparse matrix, and one was expected"),
               es_dataset_get_name (dataset));
  return NULL;
}

static EsColormap
get_map (EsParams *params)
{
  static const EsColormap maps[] = { ES_COLORMAP_GRAY, ES_COLORMAP_VIRIDIS, ES_COLORMAP_MAGMA, ES_COLORMAP_CIVIDIS };

  return maps[es_params_get_choice (params, "colours")];
}

static gboolean
settle_size (EsSparseMatrix *matrix, EsParams *params, guint *width, guint *height, GError **error)
{
  const int told_width = es_params_get_int (params, "width"), told_height = es_params_get_int (params, "height");

  es_spy_picture_choose_size (es_sparse_matrix_get_n_rows (matrix), es_sparse_matrix_get_n_columns (matrix),
                              (guint) es_params_get_int (params, "size"), width, height);
  if ((told_width > 0) != (told_height > 0))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("width and height are told together, or neither of them is"));
      return FALSE;
    }
  if (told_width > 0)
    {
      *width = (guint) told_width;
      *height = (guint) told_height;
    }
  return TRUE;
}

static gboolean
run (gpointer data, GCancellable *cancellable, GError **error)
{
  Work *work = data;
  g_autoptr (EsDataset) dataset = open_matrix (work->file, cancellable, error);
  g_autofree guint32 *cells = NULL;
  g_autofree guint8 *pixels = NULL;
  EsSparseMatrix *matrix = (EsSparseMatrix *) dataset;
  guint width, height;

  if (matrix == NULL || !settle_size (matrix, work->params, &width, &height, error))
    return FALSE;
  /* No more cells than there are rows and columns: then some would have none. */
  const guint columns = (guint) MIN (width, es_sparse_matrix_get_n_columns (matrix));
  const guint rows = (guint) MIN (height, es_sparse_matrix_get_n_rows (matrix));
  cells = g_try_new (guint32, (gsize) columns * rows);
  pixels = g_try_malloc ((gsize) width * height * 4);
  if (cells == NULL || pixels == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("The picture does not fit in memory."));
      return FALSE;
    }
  if (!es_sparse_matrix_count_cells (matrix, columns, rows, cells, cancellable, error))
    return FALSE;
  es_spy_picture_paint (cells, columns, rows, get_map (work->params), width, height, pixels);
  const EsWrittenImage image = { .width = width, .height = height, .pixels = pixels, .step = 1,
                                 .description = es_dataset_get_name (dataset), .keeps = TRUE };
  return es_write_image (&image, work->target, work->notes, cancellable, error);
}

int
es_batch_spy (int argc, char **argv)
{
  g_autofree char *output = NULL;
  GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_("The picture: FILE.png"), N_("FILE") },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EsParams) params = es_params_new (spy_params);
  g_autoptr (GFile) file = NULL, target = NULL;
  g_autoptr (GError) error = NULL;

  if (!es_batch_catch_signals ())
    return ES_EXIT_DEVICE;
  if (!es_batch_parse_options (entries,
                               _("spy FILE|NAME -o FILE.png [key=value ...]: where the nonzeros of a sparse matrix "
                                 "lie.\n\n"
                                 "  size=1024       the longer side in pixels; or width=N height=N\n"
                                 "  colours=gray    or viridis, magma, cividis"), &argc, &argv))
    return ES_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    /* The name of a matrix may have an equals sign, too. */
    if (file == NULL && (es_sparse_matrix_is_made_name (argv[i]) || !es_batch_is_parameter (argv[i])))
      file = es_batch_file (argv[i]);
    else if (!es_batch_is_parameter (argv[i]))
      return es_batch_usage (_("“%s” takes one matrix: a file, or a name such as poisson2d:100x100"), "spy");
    else if (!es_batch_parse_parameter (params, argv[i], &error))
      return es_batch_fail (error);
  if (file == NULL)
    return es_batch_usage (_("“%s” takes one matrix: a file, or a name such as poisson2d:100x100"), "spy");
  if (output == NULL || !(g_str_has_suffix (output, ".png") || g_str_has_suffix (output, ".PNG")))
    return es_batch_usage (_("“spy” needs -o FILE.png"));
  target = es_batch_file (output);
  Work work = { file, target, params, notes };
  if (!es_batch_work (run, &work, &error))
    return es_batch_fail (error);
  for (guint i = 0; i < notes->len; i++)
    g_printerr ("eigenscope-batch: %s\n", (const char *) g_ptr_array_index (notes, i));
  return ES_EXIT_DONE;
}
