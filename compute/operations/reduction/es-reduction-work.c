/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the steps of reductions do, by the definition of what they compute. */

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>

#include "ranks/es-ranks-internal.h"

double
es_reduction_count_pixels (EsCube *cube)
{
  guint64 first, end;

  es_ranks_share (ES_PASS_GROUPS, &first, &end);
  return (double) es_cube_get_width (cube) * es_cube_get_height (cube) * (double) (end - first) / ES_PASS_GROUPS;
}

static EsWorkType
find_type (EsCube *cube, EsReduction *self)
{
  const EskType type = self->minimum != NULL ? ESK_U8 : es_cube_get_type_code (cube);

  if (esk_type_is_exact (type))
    return esk_type_size (type) == 1 ? ES_WORK_INT8 : ES_WORK_INT16;
  return esk_type_size (type) == 8 ? ES_WORK_FLOAT64 : ES_WORK_FLOAT32;
}

double
es_reduction_count_bytes (EsCube *cube, guint n)
{
  return es_reduction_count_pixels (cube) * n * esk_type_size (es_cube_get_type_code (cube));
}

void
es_reduction_tell_sums (EsJob *job, EsCube *cube, EsReduction *self, const char *stage, guint n_sums, gboolean reads)
{
  const EsStageWork work = {
    .memory_bytes = reads ? es_reduction_count_bytes (cube, self->n) : 0,
    /* Half of the products, for the matrix is symmetric. */
    .operations = es_reduction_count_pixels (cube) * self->n * (self->n + 1.0) * n_sums, .type = find_type (cube, self),
    .less = N_("Fewer bands help: its operations go with their square."),
  };

  es_job_add_work (job, stage, &work);
}

void
es_reduction_tell_ranges (EsJob *job, EsCube *cube, EsReduction *self)
{
  const EsStageWork work = {
    .memory_bytes = es_reduction_count_bytes (cube, self->n),
    .operations = 2 * es_reduction_count_pixels (cube) * self->n,
    .less = N_("It is a pass of its own: without quantising it does not come."),
  };

  es_job_add_work (job, NULL, &work);
}

void
es_reduction_tell_projection (EsJob *job, EsCube *cube, guint n, guint m, gboolean to_host)
{
  const gboolean on_cpu = es_device_is_cpu (es_job_get_device (job));
  const double planes = es_reduction_count_pixels (cube) * m * sizeof (float);
  const EsStageWork work = {
    .memory_bytes = es_reduction_count_bytes (cube, n) + planes,
    .operations = 2 * es_reduction_count_pixels (cube) * n * m,
    .link_back_bytes = to_host && !on_cpu ? planes : 0,
    .less = N_("Fewer components help, and fewer bands."),
  };

  es_job_add_work (job, NULL, &work);
}

void
es_reduction_tell_output (EsJob *job, EsCube *cube, guint m)
{
  const EsStageWork work = {
    .written_bytes = es_reduction_count_pixels (cube) * m * sizeof (float),
    .less = N_("Fewer components are fewer bytes."),
  };

  es_job_add_work (job, "output", &work);
}

/* Tridiagonal form, 4/3 n^3, and its vectors turned back, 2 n^2 each; rotations: six sweeps, each of n (n - 1) / 2
 * rotations of two rows and columns and of the vectors, six operations an element. */
void
es_reduction_tell_eigenproblem (EsJob *job, gsize n, gsize n_vectors, guint sweeps, gboolean on_gpu)
{
  const double size = (double) n;
  const EsStageWork work = {
    .operations = sweeps > 0 ? sweeps * size * (size - 1) / 2 * 18 * size
                             : 4.0 / 3 * size * size * size + 2.0 * size * size * n_vectors,
    .type = ES_WORK_FLOAT64, .on_host = !on_gpu,
    .less = N_("Fewer bands help: it goes with their cube."),
  };

  es_job_add_work (job, NULL, &work);
}
