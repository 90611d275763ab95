/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "base/es-text-show.h"
#include "es-layer-internal.h"

typedef struct
{
  char *title;
  char *unit;
  int   digits;                /* negative: text */
} Column;

typedef struct
{
  char   *text;
  double  value;
  char   *mark;                /* nullable */
} Cell;

struct _EsTable
{
  EsLayer  parent_instance;

  GArray  *columns;            /* Column */
  GArray  *cells;              /* Cell, row by row */
};

G_DEFINE_FINAL_TYPE (EsTable, es_table, ES_TYPE_LAYER)

static void
column_clear (gpointer data)
{
  Column *column = data;

  g_free (column->title);
  g_free (column->unit);
}

static void
cell_clear (gpointer data)
{
  g_free (((Cell *) data)->text);
  g_free (((Cell *) data)->mark);
}

static void
es_table_finalize (GObject *object)
{
  EsTable *self = ES_TABLE (object);

  g_array_unref (self->columns);
  g_array_unref (self->cells);
  G_OBJECT_CLASS (es_table_parent_class)->finalize (object);
}

static void
es_table_class_init (EsTableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_table_finalize;
  ES_LAYER_CLASS (class)->kind = ES_LAYER_TABLE;
}

static void
es_table_init (EsTable *self)
{
  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, column_clear);
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_array_set_clear_func (self->cells, cell_clear);
}

EsTable *
es_table_new (const char *name, const char *title)
{
  EsTable *self = g_object_new (ES_TYPE_TABLE, NULL);

  es_layer_set_name (ES_LAYER (self), name, title);
  return self;
}

void
es_table_add_column (EsTable *self, const char *title, const char *unit, int digits)
{
  Column column = { es_text_show (title), es_text_show (unit), digits };

  g_return_if_fail (self->cells->len == 0);
  g_array_append_val (self->columns, column);
}

/* For people, so in their locale; writers use the value. */
static char *
format (double value, int digits)
{
  if (isnan (value))
    return g_strdup ("–");
  return digits >= ES_TABLE_SIGNIFICANT ? g_strdup_printf ("%.*g", digits - ES_TABLE_SIGNIFICANT, value)
                                        : g_strdup_printf ("%.*f", digits, value);
}

void
es_table_add_row (EsTable *self, const gconstpointer *cells)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      const Column *column = &g_array_index (self->columns, Column, i);
      Cell cell = { NULL, NAN, NULL };

      if (column->digits < 0)
        /* Data: files say it as it is, what shows it makes it a line. */
        cell.text = g_strdup (cells[i] != NULL ? cells[i] : "");
      else
        {
          cell.value = *(const double *) cells[i];
          cell.text = format (cell.value, column->digits);
        }
      g_array_append_val (self->cells, cell);
    }
}

static const Column *
get_column (EsTable *self, guint column)
{
  g_return_val_if_fail (column < self->columns->len, NULL);
  return &g_array_index (self->columns, Column, column);
}

static const Cell *
get_cell (EsTable *self, guint row, guint column)
{
  g_return_val_if_fail (column < self->columns->len && row < es_table_get_n_rows (self), NULL);
  return &g_array_index (self->cells, Cell, row * self->columns->len + column);
}

guint
es_table_get_n_columns (EsTable *self)
{
  return self->columns->len;
}

guint
es_table_get_n_rows (EsTable *self)
{
  return self->columns->len > 0 ? self->cells->len / self->columns->len : 0;
}

const char *
es_table_get_column_title (EsTable *self, guint column)
{
  const Column *found = get_column (self, column);

  return found != NULL ? found->title : NULL;
}

const char *
es_table_get_column_unit (EsTable *self, guint column)
{
  const Column *found = get_column (self, column);

  return found != NULL ? found->unit : NULL;
}

gboolean
es_table_column_is_text (EsTable *self, guint column)
{
  const Column *found = get_column (self, column);

  return found != NULL && found->digits < 0;
}

int
es_table_get_column_digits (EsTable *self, guint column)
{
  const Column *found = get_column (self, column);

  return found != NULL ? found->digits : -1;
}

const char *
es_table_get_text (EsTable *self, guint row, guint column)
{
  const Cell *cell = get_cell (self, row, column);

  return cell != NULL ? cell->text : NULL;
}

double
es_table_get_value (EsTable *self, guint row, guint column)
{
  const Cell *cell = get_cell (self, row, column);

  return cell != NULL ? cell->value : NAN;
}

const char *
es_table_get_mark (EsTable *self, guint row, guint column)
{
  const Cell *cell = get_cell (self, row, column);

  return cell != NULL ? cell->mark : NULL;
}

void
es_table_set_mark (EsTable *self, guint row, guint column, const char *mark)
{
  Cell *cell;

  g_return_if_fail (column < self->columns->len && row < es_table_get_n_rows (self));
  cell = &g_array_index (self->cells, Cell, row * self->columns->len + column);
  g_free (cell->mark);
  cell->mark = g_strdup (mark);
}

void
es_table_set_digits (EsTable *self, guint row, guint column, int digits)
{
  Cell *cell;

  g_return_if_fail (column < self->columns->len && row < es_table_get_n_rows (self) && digits >= 0);
  cell = &g_array_index (self->cells, Cell, row * self->columns->len + column);
  g_free (cell->text);
  cell->text = format (cell->value, digits);
}
