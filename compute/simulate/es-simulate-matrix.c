/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate.h"
#include "es-simulate-private.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "matrix/es-sparse-matrix.h"
#include "saving/es-output-internal.h"

const EsParamSpec es_simulate_matrix_params[] = {
  { .key = "name", .label = N_("Name"), .type = ES_PARAM_TEXT, .default_text = "poisson2d:100x100",
    .help = N_("Which matrix: poisson2d:1000x1000:5, poisson3d:100x100x100:7, random:n=100000,mean=20, banded:n=1000, "
               "power:n=100000 or like:cage14.") },
  { .type = ES_PARAM_END }
};

gboolean
es_simulate_matrix (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data), gpointer data,
                    GCancellable *cancellable, GError **error)
{
  static const char * const endings[] = { ".mtx", ".mtx.gz", NULL };
  g_autofree char *path = es_output_local_path (target, error);
  g_autoptr (EsDataset) matrix = NULL;
  struct stat status;

  if (path == NULL || !es_simulate_check_ending (path, endings, error))
    return FALSE;
  if (stat (path, &status) == 0 && S_ISREG (status.st_mode) && !es_sparse_matrix_is_written (target))
    return es_simulate_refuse_earlier (path, error);
  matrix = es_sparse_matrix_make (es_params_get_text (params, "name"), cancellable, error);
  return matrix != NULL
         && es_sparse_matrix_write (ES_SPARSE_MATRIX (matrix), target, progress, data, cancellable, error);
}
