/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-facts.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-format.h"

/* Of the sentences; the automatic choice of a format has bounds of its own, and says which. */
#define EVEN          1.25             /* ELL stores at most so many times the nonzeros */
#define WASTEFUL      3.0
#define FEW_DIAGONALS 1.5              /* the same of DIA */
#define SMALL         32768            /* columns: a vector of 256 KiB */
#define NARROW        0.05             /* of the columns: what is read of x lies close together */

static void
fact_free (gpointer data)
{
  EsMatrixFact *fact = data;

  g_free (fact->value);
  g_free (fact->meaning);
  g_free (fact);
}

/* Takes value and meaning. */
static EsMatrixFact *
add (GPtrArray *facts, const char *title, char *value, char *meaning)
{
  EsMatrixFact *fact = g_new0 (EsMatrixFact, 1);

  fact->title = title;
  fact->value = value;
  fact->meaning = meaning;
  g_ptr_array_add (facts, fact);
  return fact;
}

static void
add_size (GPtrArray *facts, EsSparseMatrix *matrix)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), columns = es_sparse_matrix_get_n_columns (matrix);
  EsMatrixFact *fact = add (facts, _("Rows and columns"), g_strdup_printf (_("%'zu × %'zu"), rows, columns), NULL);

  fact->warns = rows != columns;
  fact->meaning = g_strdup (rows == columns ? _("Square: products and solvers are possible.")
                                            : _("Not square: products alone are possible, neither solvers nor "
                                                "eigenpairs."));
}

static void
add_nonzeros (GPtrArray *facts, EsSparseMatrix *matrix)
{
  const gsize n = es_sparse_matrix_get_n_nonzeros (matrix), rows = es_sparse_matrix_get_n_rows (matrix);
  const double places = (double) rows * (double) es_sparse_matrix_get_n_columns (matrix);
  const double bytes = 12.0 * (double) n + 4.0 * ((double) rows + 1);
  g_autofree char *share = places > 0 ? es_format_share ((double) n / places) : NULL;
  g_autofree char *size = es_format_value (bytes, "B");

  if (n == 0)
    {
      add (facts, _("Nonzeros"), g_strdup ("0"), g_strdup (_("There is nothing to multiply by.")))->warns = TRUE;
      return;
    }
  /* TRANSLATORS: how many places of a matrix are not 0, and their share of all: "4,996,000, < 0.1 % of the places" */
  add (facts, _("Nonzeros"), g_strdup_printf (_("%'zu, %s of the places"), n, share),
       /* TRANSLATORS: CSR is a format; an amount of memory: "60 MB" */
       g_strdup_printf (_("As CSR in double precision every product reads %s."), size));
}

static void
add_duplicates (GPtrArray *facts, EsSparseMatrix *matrix)
{
  const guint64 n = es_sparse_matrix_get_n_duplicates (matrix);

  if (n > 0)
    add (facts, _("Given twice"), g_strdup_printf ("%'" G_GUINT64_FORMAT, n),
         g_strdup (_("Entries of the same place were added up.")));
}

static void
add_symmetry (GPtrArray *facts, EsSparseMatrix *matrix, const EsMatrixStatistics *statistics)
{
  const char *value = _("Not symmetric");
  const char *meaning = _("GMRES and BiCGStab suit; CG would find a wrong solution, or none.");

  if (!statistics->is_square)
    return;
  if (statistics->is_symmetric)
    {
      value = _("Symmetric");
      meaning = _("CG suits where the matrix is positive definite as well; eigenpairs are possible.");
    }
  else if (es_sparse_matrix_get_symmetry (matrix) == ES_SYMMETRY_SKEW)
    {
      value = _("Skew");
      meaning = _("Its diagonal is 0: GMRES without a preconditioner, neither CG nor Jacobi.");
    }
  add (facts, _("Symmetry"), g_strdup (value), g_strdup (meaning));
}

static void
add_lengths (GPtrArray *facts, EsSparseMatrix *matrix, const EsMatrixStatistics *statistics)
{
  const double padded = statistics->mean > 0 ? (double) statistics->longest / statistics->mean : 0;
  g_autofree char *mean = es_format_number (statistics->mean, 10);
  g_autofree char *deviation = es_format_number (statistics->deviation, 10);
  g_autofree char *times = es_format_number (padded, 100);
  char *meaning = NULL;

  if (padded > 0 && padded <= EVEN)
    meaning = g_strdup (_("Rows of like length: ELL and SELL-C-σ store hardly more than CSR, and are read in "
                          "step."));
  else if (padded >= WASTEFUL)
    /* TRANSLATORS: how many times as much a format stores: "12" */
    meaning = g_strdup_printf (_("Rows of unlike length: ELL would store %s times the nonzeros. Merge-path CSR, "
                                 "SELL-C-σ, SC-CSR and VAB share the work whatever the lengths are."), times);
  else if (padded > 0)
    meaning = g_strdup_printf (_("ELL would store %s times the nonzeros; SELL-C-σ and CSR vector store less."),
                               times);
  /* TRANSLATORS: nonzeros of a row: the fewest, the most, their mean and deviation */
  add (facts, _("Nonzeros of a row"),
       g_strdup_printf (_("%'zu to %'zu; mean %s, deviation %s"), statistics->shortest, statistics->longest, mean,
                        deviation), meaning);
}

static void
add_empty (GPtrArray *facts, const EsMatrixStatistics *statistics)
{
  const gsize n = statistics->n_empty_rows;
  EsMatrixFact *fact = add (facts, _("Empty rows"), n == 0 ? g_strdup (_("None")) : g_strdup_printf ("%'zu", n), NULL);

  if (n == 0)
    return;
  fact->warns = statistics->is_square;
  fact->meaning = g_strdup (statistics->is_square
                            ? _("The matrix is singular: no solver can solve it for every right-hand side.")
                            : _("What they give is 0."));
}

static void
add_diagonal (GPtrArray *facts, const EsMatrixStatistics *statistics)
{
  const gsize n = statistics->n_zero_diagonal;
  EsMatrixFact *fact;

  if (!statistics->is_square)
    return;
  fact = add (facts, _("Zeros on the diagonal"), n == 0 ? g_strdup (_("None")) : g_strdup_printf ("%'zu", n), NULL);
  fact->warns = n > 0;
  fact->meaning = g_strdup (n == 0 ? _("Jacobi and the preconditioners by the diagonal are possible.")
                                   : _("Jacobi, ILU(0), multigrid and preconditioners by the diagonal cannot be had."));
}

static void
add_dominance (GPtrArray *facts, const EsMatrixStatistics *statistics)
{
  g_autofree char *share = es_format_share (statistics->dominant);
  const char *meaning = _("Jacobi may not converge; where it does not, it says so.");

  if (!statistics->is_square)
    return;
  if (statistics->dominant >= 1)
    meaning = _("The diagonal dominates every row: Jacobi can be expected to converge, slowly where it barely does.");
  /* TRANSLATORS: of rows, whose diagonal is at least as large as the others together: "64 % of the rows" */
  add (facts, _("Dominant diagonal"), g_strdup_printf (_("%s of the rows"), share), g_strdup (meaning));
}

static void
add_diagonals (GPtrArray *facts, EsSparseMatrix *matrix, const EsMatrixStatistics *statistics)
{
  const double n = (double) es_sparse_matrix_get_n_nonzeros (matrix);
  const double times = n > 0 ? (double) statistics->n_diagonals * (double) es_sparse_matrix_get_n_rows (matrix) / n : 0;
  g_autofree char *shown = es_format_number (times, 100);

  if (n == 0)
    return;
  add (facts, _("Diagonals with nonzeros"), g_strdup_printf ("%'zu", statistics->n_diagonals),
       times <= FEW_DIAGONALS
       ? g_strdup_printf (_("DIA suits: it stores %s times the nonzeros and no column numbers."), shown)
       : g_strdup_printf (_("DIA does not suit: it would store %s times the nonzeros."), shown));
}

static void
add_bandwidth (GPtrArray *facts, EsSparseMatrix *matrix, const EsMatrixStatistics *statistics)
{
  const double columns = (double) MAX (es_sparse_matrix_get_n_columns (matrix), 1);
  const gboolean narrow = ((double) statistics->lower + (double) statistics->upper + 1) / columns <= NARROW;
  const char *meaning = _("Rows read the vector far apart: where it is larger than the caches, that costs time.");

  if (es_sparse_matrix_get_n_nonzeros (matrix) == 0)
    return;
  if (columns <= SMALL)
    meaning = _("The vector is so short that caches hold all of it.");
  else if (narrow)
    meaning = _("What rows beside each other read of the vector lies close together: caches serve most of it.");
  /* TRANSLATORS: how far from the main diagonal nonzeros lie */
  add (facts, _("Bandwidth"), g_strdup_printf (_("%'zu below, %'zu above the diagonal"), statistics->lower,
                                               statistics->upper),
       g_strdup (meaning));
}

GPtrArray *
es_matrix_facts_new (EsSparseMatrix *matrix)
{
  GPtrArray *facts = g_ptr_array_new_with_free_func (fact_free);
  const EsMatrixStatistics *statistics;

  g_return_val_if_fail (ES_IS_SPARSE_MATRIX (matrix), facts);

  statistics = es_sparse_matrix_get_statistics (matrix);
  add_size (facts, matrix);
  add_nonzeros (facts, matrix);
  add_duplicates (facts, matrix);
  add_symmetry (facts, matrix, statistics);
  add_lengths (facts, matrix, statistics);
  add_empty (facts, statistics);
  add_diagonal (facts, statistics);
  add_dominance (facts, statistics);
  add_diagonals (facts, matrix, statistics);
  add_bandwidth (facts, matrix, statistics);
  return facts;
}
