/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The right-hand side: ones, what a known solution gives, or a file's. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-sparse-solve-private.h"

#define BANNER "%%MatrixMarket"

static gboolean
refuse (GFile *file, guint line, GError **error, const char *what)
{
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s”, line %u: %s."), name, line, what);
  return FALSE;
}

/* A banner has to be of an array of real numbers. */
static gboolean
check_banner (GFile *file, const char *line, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (line, -1);
  g_auto (GStrv) words = g_strsplit_set (lower, " \t\r", -1);
  const char *expected[] = { "%%matrixmarket", "matrix", "array" };
  guint n = 0;

  for (guint i = 0; words[i] != NULL && n < G_N_ELEMENTS (expected); i++)
    if (*words[i] != '\0')
      {
        if (!g_str_equal (words[i], expected[n]))
          return refuse (file, 1, error, _("a right-hand side is a Matrix Market array, “%%MatrixMarket matrix array "
                                           "real general”"));
        n++;
      }
  if (n < G_N_ELEMENTS (expected) || strstr (lower, "complex") != NULL || strstr (lower, "pattern") != NULL)
    return refuse (file, 1, error, _("a right-hand side is a Matrix Market array of real or integer numbers"));
  return TRUE;
}

/* "rows columns". */
static gboolean
check_size (GFile *file, guint number, const char *line, gsize n, GError **error)
{
  char *rest;
  const gsize rows = g_ascii_strtoull (line, &rest, 10), columns = g_ascii_strtoull (rest, NULL, 10);
  g_autofree char *what = g_strdup_printf (_("a column of %zu numbers is needed, not %zu × %zu"), n, rows,
                                          columns);

  return (rows == n && columns == 1) || refuse (file, number, error, what);
}

double *
es_sparse_solve_read_side (GFile *file, gsize n, GCancellable *cancellable, GError **error)
{
  g_autofree double *side = g_new (double, n + 1);
  g_autofree char *content = NULL;
  gboolean is_array = FALSE, sized = FALSE;
  guint number = 0;
  gsize length, read = 0;

  if (!g_file_load_contents (file, cancellable, &content, &length, NULL, error))
    return NULL;
  for (char *line = content, *next; line != NULL && line < content + length; line = next)
    {
      char *rest;

      next = memchr (line, '\n', length - (gsize) (line - content));
      if (next != NULL)
        *next++ = '\0';
      number++;
      if (number == 1 && g_ascii_strncasecmp (line, BANNER, strlen (BANNER)) == 0)
        {
          if (!check_banner (file, line, error))
            return NULL;
          is_array = TRUE;
          continue;
        }
      g_strstrip (line);
      if (*line == '\0' || *line == '%' || *line == '#')
        continue;
      if (is_array && !sized)
        {
          if (!check_size (file, number, line, n, error))
            return NULL;
          sized = TRUE;
          continue;
        }
      if (read == n)
        {
          g_autofree char *what = g_strdup_printf (_("there are more than the %zu numbers that the "
                                                     "matrix has rows"), n);
          refuse (file, number, error, what);
          return NULL;
        }
      side[read] = g_ascii_strtod (line, &rest);
      if (rest == line || *rest != '\0' || !isfinite (side[read]))
        {
          refuse (file, number, error, _("one finite number is expected"));
          return NULL;
        }
      read++;
    }
  if (read < n)
    {
      g_autofree char *name = es_error_file_name (file);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” has %zu numbers, and the matrix has %zu rows."), name, read,
                   n);
      return NULL;
    }
  return g_steal_pointer (&side);
}

gboolean
es_sparse_solve_make_side (EsSparseSolve *self, GError **error)
{
  const char *how = es_params_get_choice_id (self->params, "side");
  const gsize n = self->csr.rows;

  if (g_str_equal (how, "file"))
    {
      const char *name = es_params_get_text (self->params, "side-file");
      g_autoptr (GFile) file = NULL;

      if (*name == '\0')
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                               _("The right-hand side is to come from a file, and “side-file” names none."));
          return FALSE;
        }
      file = g_file_parse_name (name);
      self->b = es_sparse_solve_read_side (file, n, es_job_get_cancellable (self->job), error);
      return self->b != NULL;
    }
  self->b = g_new (double, n + 1);
  for (gsize i = 0; i < n; i++)
    self->b[i] = 1;
  if (g_str_equal (how, "known") && self->csr.rows == self->csr.columns)
    {
      self->known = g_memdup2 (self->b, n * sizeof (double));
      es_solver_multiply (&self->csr, self->known, self->b);
    }
  return TRUE;
}
