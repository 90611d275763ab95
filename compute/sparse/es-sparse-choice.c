/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A model of the bytes that a product moves in each format, and the choice that follows from it. Products are bound by
 * memory, so that the fewest bytes are the least time but for how well a format comes up to the memory's speed. */

#include "es-sparse-choice.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define INDEX 4.0
/* Rows of a chunk of SELL, and sorted together: those of the back ends. */
#define CHUNK 32.0
#define WINDOW 512.0

/* ---- padding ---- */

/* Rows of lengths between neighbours of a sorted window differ by about its deviation over the chunks of a window; rows
 * far longer than the rest fill a chunk of their own. */
static double
sell_stored (const EsSparseProblem *problem)
{
  const EsMatrixStatistics *s = problem->statistics;
  const double rows = (double) problem->n_rows, nonzeros = (double) problem->n_nonzeros;
  const double windows = ceil (rows / WINDOW), typical = s->mean + 4 * MIN (s->deviation, s->mean + 1);
  double stored = nonzeros + rows * 2 * MIN (s->deviation, s->mean) * CHUNK / WINDOW;

  for (guint b = 1; b < G_N_ELEMENTS (s->lengths); b++)
    {
      const double length = MIN (1.5 * exp2 (b - 1.0), (double) s->longest), count = (double) s->lengths[b];

      /* In as many chunks as there are windows for them, or all beside each other. */
      if (count > 0 && length > typical)
        stored += MAX (MIN (count, windows) * CHUNK - count, 0) * (length - s->mean) / 2;
    }
  /* The single longest is certain. */
  if ((double) s->longest > typical)
    stored = MAX (stored, nonzeros + (CHUNK - 1) * ((double) s->longest - typical));
  return MAX (stored, nonzeros);
}

/* All rows are sorted: what is padded is the end of merged rows, of the longest most. */
static double
sc_stored (const EsSparseProblem *problem)
{
  const EsMatrixStatistics *s = problem->statistics;
  const double nonzeros = (double) problem->n_nonzeros;

  return nonzeros * (s->deviation > 0 ? 1.02 : 1.0) + MIN ((double) s->longest, nonzeros) * (s->deviation > 0 ? 1 : 0)
         + CHUNK * s->mean;
}

/* Chunks of four: of rows of one length exactly; where lengths differ, a half chunk too much in the mean. */
static double
vab_stored (const EsSparseProblem *problem)
{
  const EsMatrixStatistics *s = problem->statistics;
  const double rows = (double) (problem->n_rows - s->n_empty_rows), differ = MIN (s->deviation / 2, 1);

  return (1 - differ) * rows * 4 * ceil (round (s->mean) / 4) + differ * ((double) problem->n_nonzeros + 1.5 * rows);
}

static double
stored_of (const EsSparseProblem *problem, EskSparseFormat format)
{
  const EsMatrixStatistics *s = problem->statistics;

  switch (format)
    {
    case ESK_SPARSE_DIA: return (double) s->n_diagonals * (double) problem->n_rows;
    case ESK_SPARSE_ELL: return (double) s->longest * (double) problem->n_rows;
    case ESK_SPARSE_SC_CSR: return sc_stored (problem);
    case ESK_SPARSE_VAB: return vab_stored (problem);
    case ESK_SPARSE_SELL: return sell_stored (problem);
    case ESK_SPARSE_COO: case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: case ESK_SPARSE_MERGE:
    case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default: return (double) problem->n_nonzeros;
    }
}

/* ---- bytes ---- */

static double
value_bytes (const EsSparseProblem *problem)
{
  return problem->type == ESK_F32 ? 4 : 8;
}

double
es_sparse_least_bytes (const EsSparseProblem *problem)
{
  return value_bytes (problem)
         * ((double) problem->n_nonzeros + (double) problem->n_rows + (double) problem->n_columns);
}

static double
bytes_of (const EsSparseProblem *problem, EskSparseFormat format, double stored)
{
  const double size = value_bytes (problem), rows = (double) problem->n_rows;
  const double vectors = size * (rows + (double) problem->n_columns);

  switch (format)
    {
    case ESK_SPARSE_COO: return stored * (size + 2 * INDEX) + vectors;
    case ESK_SPARSE_DIA: return stored * size + vectors;
    case ESK_SPARSE_ELL: return stored * (size + INDEX) + vectors;
    case ESK_SPARSE_SC_CSR: case ESK_SPARSE_SELL: return stored * (size + INDEX) + rows * INDEX + vectors;
    /* Partial sums are written and read. */
    case ESK_SPARSE_VAB: return stored * (size + INDEX) + rows * INDEX + stored / 4 * 2 * size + vectors;
    case ESK_SPARSE_CSR_SCALAR: case ESK_SPARSE_CSR_VECTOR: case ESK_SPARSE_MERGE:
    case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default:
      return stored * (size + INDEX) + rows * INDEX + vectors;
    }
}

/* ---- how well a format comes up to the memory's speed: times what its bytes alone would take ---- */

/* A diagonal this full is a line of neighbours of x. */
#define LINE_SHARE 0.002

/* Columns near to nobody's, of 0 to 1: diagonals have next to nothing on them. */
static double
scatter_of (const EsSparseProblem *problem)
{
  const double places = (double) MAX (problem->statistics->n_diagonals, 1)
                        * (double) MAX (MIN (problem->n_rows, problem->n_columns), 1);

  return (double) problem->n_nonzeros / places < LINE_SHARE ? 1 : 0;
}
/*
 * On processors, measured on the ten matrices of ./dev bench sparse. A row at a time costs as much as some nonzeros,
 * whatever its length. Where columns are near to nobody's, every nonzero waits for x: one row after the other has most
 * of them under way at once, unless some rows are so long that others wait for who has them. Long rows are mostly
 * blocks, of which a few columns are beside each other.
 */
#define BLOCKS_MEAN 48.0
#define UNEVEN 1000.0
#define SCATTERED 2.3

static double
slowness_on_processor (const EsSparseProblem *problem, EskSparseFormat format)
{
  const double mean = MAX (problem->statistics->mean, 1);
  const gboolean uneven = (double) problem->statistics->longest > UNEVEN * mean;

  if (scatter_of (problem) > 0 && mean <= BLOCKS_MEAN)
    switch (format)
      {
      case ESK_SPARSE_CSR_SCALAR: return SCATTERED * (uneven ? 1.2 : 1);
      case ESK_SPARSE_CSR_VECTOR: return SCATTERED * (uneven ? 1.05 : 1.2);
      case ESK_SPARSE_MERGE: return SCATTERED * (uneven ? 1.1 : 1.25);
      case ESK_SPARSE_SELL: return SCATTERED * 1.15;
      case ESK_SPARSE_DIA: return 1;
      case ESK_SPARSE_COO: case ESK_SPARSE_SC_CSR: return SCATTERED * 1.3;
      case ESK_SPARSE_ELL: case ESK_SPARSE_VAB: return SCATTERED * 1.5;
      case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default: return NAN;
      }
  switch (format)
    {
    case ESK_SPARSE_DIA: return 1;
    case ESK_SPARSE_SELL: return 1.02 + mean / 640;
    /* As many places of memory at once as rows are long. */
    case ESK_SPARSE_ELL: return 1.04 + MIN (MAX ((double) problem->statistics->longest - 7, 0) * 0.06, 1);
    case ESK_SPARSE_SC_CSR: return 1.12;
    case ESK_SPARSE_MERGE: return 1.08 + 1 / mean;
    case ESK_SPARSE_CSR_VECTOR: return 1 + 4.2 / mean;
    case ESK_SPARSE_CSR_SCALAR: return 1.25;
    case ESK_SPARSE_COO: return 1.25;
    case ESK_SPARSE_VAB: return 1.8;
    case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default: return NAN;
    }
}

/*
 * On cards, of ten matrices in float64 on one H100 (docs/sparse-products.md), times are those of the bytes, and of two
 * things more. In float32 the same is expected, of half the bytes of values and vectors.
 *
 * A nonzero whose column is near to nobody's brings a sector of 32 bytes of x from the second level of the cache, which
 * delivers twice as fast as memory. Rows beside each other go through their columns together, so that long ones meet in
 * a part of x that the first level holds.
 */
#define SECTOR_BYTES 16.0
#define MEETING_LENGTH 80.0
/* Bytes that would take as long as what a format does beside its own. */
static double
extra_bytes_on_card (const EsSparseProblem *problem, EskSparseFormat format)
{
  const EsMatrixStatistics *s = problem->statistics;
  const double longest = (double) s->longest;
  const double gathers = scatter_of (problem) * SECTOR_BYTES * (double) problem->n_nonzeros;

  switch (format)
    {
    case ESK_SPARSE_DIA: return 0;
    case ESK_SPARSE_ELL: case ESK_SPARSE_SELL: return gathers / (1 + s->mean / MEETING_LENGTH);
    /* Everybody waits for the lanes that have the longest row: 116, 36 and 16 ns for each of its nonzeros. */
    case ESK_SPARSE_CSR_SCALAR: return gathers + 350e3 * longest;
    case ESK_SPARSE_SC_CSR: return gathers + 110e3 * longest;
    case ESK_SPARSE_VAB: return gathers + 50e3 * longest;
    case ESK_SPARSE_COO: case ESK_SPARSE_CSR_VECTOR: case ESK_SPARSE_MERGE:
    case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default: return gathers;
    }
}

static double
slowness_on_card (const EsSparseProblem *problem, EskSparseFormat format)
{
  switch (format)
    {
    case ESK_SPARSE_DIA: return 1;
    case ESK_SPARSE_ELL: return 1.03;
    case ESK_SPARSE_CSR_VECTOR: return 1.09;
    case ESK_SPARSE_SELL: return 1.1;
    /* Beside the launches that they are more. */
    case ESK_SPARSE_VAB: return 1;
    case ESK_SPARSE_SC_CSR: return 1.1;
    case ESK_SPARSE_COO: return 1.25;
    case ESK_SPARSE_MERGE: return 1.42;
    /* Lanes read as far from each other as rows are long. */
    case ESK_SPARSE_CSR_SCALAR: return MIN (1 + problem->statistics->mean / 20, 3);
    case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default: return NAN;
    }
}

void
es_sparse_predict (const EsSparseProblem *problem, EsSparsePrediction *predictions)
{
  const double bandwidth = problem->bandwidth > 0 ? problem->bandwidth : NAN;

  for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
    {
      const EskSparseFormat format = (EskSparseFormat) f;
      const double stored = stored_of (problem, format), bytes = bytes_of (problem, format, stored);
      const double slowness = problem->on_card ? slowness_on_card (problem, format)
                                               : slowness_on_processor (problem, format);
      const double extra = problem->on_card ? extra_bytes_on_card (problem, format) : 0;
      const guint launches = format == ESK_SPARSE_VAB ? 2 : format == ESK_SPARSE_SC_CSR ? 4 : 1;

      predictions[f] = (EsSparsePrediction) { stored, bytes, (bytes * slowness + extra) / bandwidth
                                                              + (problem->on_card ? launches * problem->launch : 0) };
      if (format == ESK_SPARSE_LIBRARY)
        predictions[f] = (EsSparsePrediction) { NAN, NAN, NAN };
    }
}

/* ---- the choice ---- */

static char *
explain (const EsSparseProblem *problem, EskSparseFormat chosen, double stored)
{
  const EsMatrixStatistics *s = problem->statistics;
  const double padding = 100 * (stored / MAX ((double) problem->n_nonzeros, 1) - 1);

  switch (chosen)
    {
    case ESK_SPARSE_DIA:
      return g_strdup_printf (ngettext ("%zu diagonal holds every nonzero, with %.1f %% of padding: columns need not "
                                        "be read.",
                                        "%zu diagonals hold every nonzero, with %.1f %% of padding: columns need not "
                                        "be read.", s->n_diagonals), s->n_diagonals, padding);
    case ESK_SPARSE_ELL: case ESK_SPARSE_SELL:
      return g_strdup_printf (_("Rows of %.1f ± %.1f nonzeros lie beside each other with %.1f %% of padding."), s->mean,
                              s->deviation, padding);
    case ESK_SPARSE_SC_CSR:
      return g_strdup_printf (_("Rows have from %zu to %zu nonzeros: sorted as a whole and merged they need %.0f %% of "
                                "padding."), s->shortest, s->longest, padding);
    case ESK_SPARSE_MERGE:
      return g_strdup_printf (_("Rows have from %zu to %zu nonzeros: equal shares of the merge path need no padding."),
                              s->shortest, s->longest);
    case ESK_SPARSE_CSR_VECTOR:
      if (problem->on_card)
        return g_strdup_printf (_("Rows have from %zu to %zu nonzeros: tiles of whole rows need no padding."),
                                s->shortest, s->longest);
      return g_strdup_printf (_("Rows of %.1f nonzeros fill the lanes that work on one, without padding."), s->mean);
    case ESK_SPARSE_CSR_SCALAR:
      if (!problem->on_card && scatter_of (problem) > 0)
        return g_strdup (_("Columns lie far from each other: one row after the other has most of them under way."));
      G_GNUC_FALLTHROUGH;
    case ESK_SPARSE_COO: case ESK_SPARSE_VAB: case ESK_SPARSE_LIBRARY: case ESK_N_SPARSE_FORMATS: default:
      return g_strdup_printf (_("It moves the fewest bytes for rows of %.1f ± %.1f nonzeros."), s->mean, s->deviation);
    }
}

EskSparseFormat
es_sparse_choose (const EsSparseProblem *problem, char **reason)
{
  EsSparseProblem at = *problem;
  EsSparsePrediction predictions[ESK_N_SPARSE_FORMATS];
  EskSparseFormat chosen = ESK_SPARSE_CSR_SCALAR;

  if (reason != NULL)
    *reason = NULL;
  if (problem->n_nonzeros == 0)
    {
      if (reason != NULL)
        *reason = g_strdup (_("There are no nonzeros."));
      return chosen;
    }
  /* The order does not depend on the bandwidth but for kernels' launches. */
  at.bandwidth = at.bandwidth > 0 ? at.bandwidth : 1e11;
  es_sparse_predict (&at, predictions);
  for (guint f = 0; f < ESK_SPARSE_LIBRARY; f++)
    if (predictions[f].stored <= ES_SPARSE_MOST_PADDING * (double) problem->n_nonzeros
        && predictions[f].seconds < predictions[chosen].seconds)
      chosen = (EskSparseFormat) f;
  if (reason != NULL)
    *reason = explain (problem, chosen, predictions[chosen].stored);
  return chosen;
}
