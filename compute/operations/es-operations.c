/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-operations.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "operations/ica/es-ica-operations-internal.h"
#include "operations/lab/es-lab-operations-internal.h"
#include "operations/manifold/es-manifold-operations-internal.h"
#include "operations/reduction/es-reduction-operations-internal.h"
#include "operations/sonar/es-sonar-operations-internal.h"
#include "operations/sparse/es-sparse-operations-internal.h"

/* The registry: a new operation is one line here. */
static const EsOperation *const operations[] = {
  &es_operation_pca,
  &es_operation_fastica,
  &es_operation_mnf,
  &es_operation_reconstruct,
  &es_operation_laplacian_eigenmaps,
  &es_operation_lle,
  &es_operation_isomap,
  &es_operation_diffusion_map,
  &es_operation_kernel_pca,
  &es_operation_umap,
  &es_operation_cbf,
  &es_operation_mvdr,
  &es_operation_lofar,
  &es_operation_demon,
  &es_operation_localize,
  &es_operation_health,
  &es_operation_lab_arithmetic,
  &es_operation_lab_branches,
  &es_operation_lab_latency,
  &es_operation_lab_stride,
  &es_operation_lab_sharing,
  &es_operation_lab_order,
  &es_operation_lab_private_arrays,
  &es_operation_lab_banks,
  &es_operation_lab_bandwidth,
  &es_operation_lab_atomics,
  &es_operation_lab_launch,
  &es_operation_lab_host_memory,
  &es_operation_lab_host_access,
  &es_operation_lab_link,
  &es_operation_lab_registration,
  &es_operation_lab_peer,
  &es_operation_lab_choose,
  &es_operation_lab_zero_copy,
  &es_operation_lab_mandelbrot,
  &es_operation_lab_overlap,
  &es_operation_lab_advice,
  &es_operation_ladder_covariance,
  &es_operation_ladder_transform,
  &es_operation_ladder_ica,
  &es_operation_ladder_noise,
  &es_operation_ladder_fourier,
  &es_operation_ladder_beams,
  &es_operation_ladder_jacobi,
  &es_operation_ladder_azimuth,
  &es_operation_sparse_products,
  &es_operation_sparse_solve,
  &es_operation_sparse_eigen,
  NULL
};

const EsOperation * const *
es_operations_get (void)
{
  return operations;
}

const EsOperation *
es_operation_find (const char *id, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; operations[i] != NULL; i++)
    {
      if (strcmp (operations[i]->id, id) == 0)
        return operations[i];
      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", operations[i]->id);
    }

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
               _("There is no operation “%s”; there are %s."), id, known->str);
  return NULL;
}
