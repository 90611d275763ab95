/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-layer-internal.h"

#include <math.h>

#include "base/es-text-show.h"

struct _EsMatrix
{
  EsLayer  parent_instance;

  guint    n_rows, n_columns;
  double  *values;
  char   **row_titles, **column_titles;
  char    *rows_title, *columns_title;
  double   minimum, maximum;
};

G_DEFINE_FINAL_TYPE (EsMatrix, es_matrix, ES_TYPE_LAYER)

static void
free_titles (char **titles, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (titles[i]);
  g_free (titles);
}

static char **
copy_titles (const char *const *titles, guint n)
{
  char **copy = g_new0 (char *, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    copy[i] = es_text_show (titles[i]);
  return copy;
}

static void
es_matrix_finalize (GObject *object)
{
  EsMatrix *self = ES_MATRIX (object);

  g_free (self->values);
  free_titles (self->row_titles, self->n_rows);
  free_titles (self->column_titles, self->n_columns);
  g_free (self->rows_title);
  g_free (self->columns_title);
  G_OBJECT_CLASS (es_matrix_parent_class)->finalize (object);
}

static void
es_matrix_class_init (EsMatrixClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_matrix_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_MATRIX;
}

static void
es_matrix_init (EsMatrix *self)
{
  self->minimum = self->maximum = NAN;
}

EsMatrix *
es_matrix_new (const char *name, const char *title, guint n_rows, guint n_columns, const double *values,
               const char *const *row_titles, const char *const *column_titles)
{
  EsMatrix *self = g_object_new (ES_TYPE_MATRIX, NULL);

  es_layer_set_name (ES_LAYER (self), name, title);
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  self->values = g_memdup2 (values, (gsize) n_rows * n_columns * sizeof (double));
  self->row_titles = copy_titles (row_titles, n_rows);
  self->column_titles = copy_titles (column_titles, n_columns);
  return self;
}

void
es_matrix_set_titles (EsMatrix *self, const char *rows_title, const char *columns_title)
{
  g_free (self->rows_title);
  g_free (self->columns_title);
  self->rows_title = es_text_show (rows_title);
  self->columns_title = es_text_show (columns_title);
}

void
es_matrix_set_range (EsMatrix *self, double minimum, double maximum)
{
  self->minimum = minimum;
  self->maximum = maximum;
}

guint
es_matrix_get_n_rows (EsMatrix *self)
{
  return self->n_rows;
}

guint
es_matrix_get_n_columns (EsMatrix *self)
{
  return self->n_columns;
}

const double *
es_matrix_get_values (EsMatrix *self)
{
  return self->values;
}

const char *
es_matrix_get_row_title (EsMatrix *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NULL);
  return self->row_titles[row];
}

const char *
es_matrix_get_column_title (EsMatrix *self, guint column)
{
  g_return_val_if_fail (column < self->n_columns, NULL);
  return self->column_titles[column];
}

const char *
es_matrix_get_rows_title (EsMatrix *self)
{
  return self->rows_title;
}

const char *
es_matrix_get_columns_title (EsMatrix *self)
{
  return self->columns_title;
}

void
es_matrix_get_range (EsMatrix *self, double *minimum, double *maximum)
{
  *minimum = self->minimum;
  *maximum = self->maximum;
}
