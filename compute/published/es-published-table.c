/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A published table as a layer and as JSON, with ours in it or without. */

#include <math.h>
#include <string.h>

#include "es-published-private.h"
#include "layer/es-layer-internal.h"

#define OURS "*"
#define MOST_DIGITS 9

/* ---- what of ours stands where ---- */

typedef struct
{
  gboolean as_row;
  GArray  *units;              /* const char *, of the columns of ours; nullable ones */
  GArray  *values;             /* double: of a row, one a column; of columns, one after the other */
} Ours;

static void
ours_clear (Ours *ours)
{
  g_clear_pointer (&ours->units, g_array_unref);
  g_clear_pointer (&ours->values, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ours, ours_clear)

static gboolean
is_ours (const EsPublishedHead *head)
{
  return head->step != NULL || head->program != NULL;
}

static gboolean
are_ours (GPtrArray *heads)
{
  for (guint i = 0; i < heads->len; i++)
    if (is_ours (g_ptr_array_index (heads, i)))
      return TRUE;
  return FALSE;
}

/* TRUE: there is any. */
static gboolean
ask (const EsPublishedTable *table, const EsPublishedHead *head, const char *unit, EsPublishedOurs ours, gpointer data,
     GArray *values)
{
  const char *program = head->program != NULL ? head->program : table->program;
  const char *step = head->step != NULL ? head->step : table->step != NULL ? table->step : "total";
  double value = is_ours (head) && program != NULL && unit != NULL ? ours (program, step, unit, data) : NAN;

  if (!isfinite (value))
    value = NAN;
  g_array_append_val (values, value);
  return !isnan (value);
}

/* Where columns are programs or steps, ours is a row; where rows are, a column for each unit. */
static gboolean
find_ours (const EsPublishedTable *table, EsPublishedOurs ours, gpointer data, Ours *found)
{
  const gboolean columns = are_ours (table->columns), rows = are_ours (table->rows);
  gboolean any = FALSE;

  found->as_row = columns;
  found->units = g_array_new (FALSE, FALSE, sizeof (char *));
  found->values = g_array_new (FALSE, FALSE, sizeof (double));
  if (ours == NULL || columns == rows)
    return FALSE;
  for (guint c = 0; c < table->columns->len; c++)
    {
      const EsPublishedHead *head = g_ptr_array_index (table->columns, c);
      gboolean seen = FALSE;

      if (columns)
        {
          any |= ask (table, head, head->unit, ours, data, found->values);
          continue;
        }
      for (guint u = 0; u < found->units->len; u++)
        seen |= g_strcmp0 (g_array_index (found->units, char *, u), head->unit) == 0;
      if (seen)
        continue;
      g_array_append_val (found->units, head->unit);
      for (guint r = 0; r < table->rows->len; r++)
        any |= ask (table, g_ptr_array_index (table->rows, r), head->unit, ours, data, found->values);
    }
  return any;
}

/* ---- marks ---- */

static gboolean
is_in (char **ids, const char *id)
{
  return ids != NULL && g_strv_contains ((const char *const *) ids, id);
}

/* The symbols at a place, "a b"; NULL: none. row or column NULL: at the head of the other. */
static char *
find_symbols (const EsPublishedTable *table, const EsPublishedHead *row, const EsPublishedHead *column)
{
  g_autoptr (GString) symbols = g_string_new (NULL);

  for (guint m = 0; m < table->marks->len; m++)
    {
      const EsPublishedNote *note = g_ptr_array_index (table->marks, m);

      if (note->symbol[0] == '\0' || (note->rows != NULL) != (row != NULL)
          || (note->columns != NULL) != (column != NULL) || (row != NULL && !is_in (note->rows, row->id))
          || (column != NULL && !is_in (note->columns, column->id)))
        continue;
      g_string_append_printf (symbols, "%s%s", symbols->len > 0 ? " " : "", note->symbol);
    }
  return symbols->len > 0 ? g_string_free (g_steal_pointer (&symbols), FALSE) : NULL;
}

/* ---- a layer ---- */

static void
add_columns (EsTable *layer, const EsPublishedTable *table, const char *here, const Ours *ours)
{
  es_table_add_column (layer, _es_published_translate (table->corner), NULL, -1);
  for (guint c = 0; c < table->columns->len; c++)
    {
      const EsPublishedHead *head = g_ptr_array_index (table->columns, c);
      g_autofree char *symbols = find_symbols (table, NULL, head);
      g_autofree char *title = symbols != NULL ? g_strdup_printf ("%s [%s]", _es_published_show_head (head), symbols)
                                               : g_strdup (_es_published_show_head (head));

      es_table_add_column (layer, title, head->unit, head->digits);
    }
  for (guint u = 0; ours != NULL && !ours->as_row && u < ours->units->len; u++)
    {
      const char *unit = g_array_index (ours->units, char *, u);
      g_autofree char *title = g_strconcat (here, " " OURS, NULL);
      int digits = table->digits;

      for (guint c = table->columns->len; c-- > 0;)
        if (g_strcmp0 (((EsPublishedHead *) g_ptr_array_index (table->columns, c))->unit, unit) == 0)
          digits = ((EsPublishedHead *) g_ptr_array_index (table->columns, c))->digits;
      es_table_add_column (layer, title, unit, digits);
    }
}

/* Ours may be far less than what was published: three digits that tell something. */
static void
show_ours (EsTable *layer, guint row, guint column)
{
  const double value = es_table_get_value (layer, row, column);
  const int needed = value > 0 ? 2 - (int) floor (log10 (value)) : 0;

  if (needed > es_table_get_column_digits (layer, column)
      && g_strcmp0 (es_table_get_column_unit (layer, column), "%") != 0)
    es_table_set_digits (layer, row, column, MIN (needed, MOST_DIGITS));
}

static void
add_rows (EsTable *layer, const EsPublishedTable *table, const char *here, const Ours *ours)
{
  const guint n = table->columns->len, more = ours != NULL && !ours->as_row ? ours->units->len : 0;
  g_autofree gconstpointer *cells = g_new0 (gconstpointer, n + more + 1);

  for (guint r = 0; r < table->rows->len; r++)
    {
      const EsPublishedHead *row = g_ptr_array_index (table->rows, r);

      cells[0] = _es_published_show_head (row);
      for (guint c = 0; c < n; c++)
        cells[c + 1] = &g_array_index (table->values, double, r * n + c);
      for (guint u = 0; u < more; u++)
        cells[n + 1 + u] = &g_array_index (ours->values, double, u * table->rows->len + r);
      es_table_add_row (layer, cells);
      for (guint u = 0; u < more; u++)
        show_ours (layer, r, n + 1 + u);
      for (guint c = 0; c <= n; c++)
        {
          const EsPublishedHead *column = c > 0 ? g_ptr_array_index (table->columns, c - 1) : NULL;
          g_autofree char *symbols = find_symbols (table, row, column);

          es_table_set_mark (layer, r, c, symbols);
          if (c > 0 && row->digits >= 0)
            es_table_set_digits (layer, r, c, row->digits);
        }
    }
  if (ours == NULL || !ours->as_row)
    return;
  cells[0] = here;
  for (guint c = 0; c < n; c++)
    cells[c + 1] = &g_array_index (ours->values, double, c);
  es_table_add_row (layer, cells);
  es_table_set_mark (layer, table->rows->len, 0, OURS);
  for (guint c = 0; c < n; c++)
    show_ours (layer, table->rows->len, c + 1);
}

EsTable *
es_published_make_table_with (guint i, const char *here, EsPublishedOurs ours, gpointer data, gboolean *any)
{
  const EsPublishedTable *table = _es_published_table (i);
  g_auto (Ours) found = { 0 };
  gboolean is_any;
  EsTable *layer;

  g_return_val_if_fail (table != NULL && (ours == NULL || here != NULL), NULL);
  is_any = find_ours (table, ours, data, &found);
  layer = es_table_new ("published", table->says.title);
  add_columns (layer, table, here, is_any ? &found : NULL);
  add_rows (layer, table, here, is_any ? &found : NULL);
  if (any != NULL)
    *any = is_any;
  return layer;
}

EsTable *
es_published_make_table (guint i)
{
  return es_published_make_table_with (i, NULL, NULL, NULL, NULL);
}

/* ---- JSON ---- */

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

static JsonArray *
make_numbers (const double *values, guint n)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < n; i++)
    if (isnan (values[i]))
      json_array_add_null_element (array);
    else
      json_array_add_double_element (array, values[i]);
  return array;
}

static JsonArray *
make_texts (char **texts)
{
  JsonArray *array = json_array_new ();

  for (char **text = texts; *text != NULL; text++)
    json_array_add_string_element (array, *text);
  return array;
}

static JsonArray *
make_rows (const EsPublishedTable *table)
{
  JsonArray *array = json_array_new ();

  for (guint r = 0; r < table->rows->len; r++)
    {
      const EsPublishedHead *head = g_ptr_array_index (table->rows, r);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "label", head->id);
      if (head->rung != NULL)
        json_object_set_string_member (object, "rung", head->rung);
      json_object_set_array_member (object, "values",
                                    make_numbers (&g_array_index (table->values, double, r * table->columns->len),
                                                  table->columns->len));
      json_array_add_object_element (array, object);
    }
  return array;
}

static JsonArray *
make_marks (const EsPublishedTable *table)
{
  JsonArray *array = json_array_new ();

  for (guint m = 0; m < table->marks->len; m++)
    {
      const EsPublishedNote *note = g_ptr_array_index (table->marks, m);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "kind", _es_published_kind_name (note->kind));
      json_object_set_string_member (object, "text", note->text);
      if (note->rows != NULL)
        json_object_set_array_member (object, "rows", make_texts (note->rows));
      if (note->columns != NULL)
        json_object_set_array_member (object, "columns", make_texts (note->columns));
      if (!isnan (note->value))
        json_object_set_double_member (object, "value", note->value);
      json_array_add_object_element (array, object);
    }
  return array;
}

static JsonObject *
make_ours (const EsPublishedTable *table, const Ours *ours)
{
  JsonObject *object = json_object_new ();
  JsonArray *columns;

  if (ours->as_row)
    {
      json_object_set_array_member (object, "row", make_numbers (&g_array_index (ours->values, double, 0),
                                                                 ours->values->len));
      return object;
    }
  columns = json_array_new ();
  for (guint u = 0; u < ours->units->len; u++)
    {
      JsonObject *column = json_object_new ();

      set_text (column, "unit", g_array_index (ours->units, char *, u));
      json_object_set_array_member (column, "values",
                                    make_numbers (&g_array_index (ours->values, double, u * table->rows->len),
                                                  table->rows->len));
      json_array_add_object_element (columns, column);
    }
  json_object_set_array_member (object, "columns", columns);
  return object;
}

JsonNode *
es_published_to_json_with (guint i, EsPublishedOurs ours, gpointer data)
{
  const EsPublishedTable *table = _es_published_table (i);
  g_auto (Ours) found = { 0 };
  JsonObject *root;
  JsonArray *titles, *units;
  JsonNode *node;

  g_return_val_if_fail (table != NULL, NULL);
  root = json_object_new ();
  titles = json_array_new ();
  units = json_array_new ();
  for (guint c = 0; c < table->columns->len; c++)
    {
      const EsPublishedHead *head = g_ptr_array_index (table->columns, c);

      json_array_add_string_element (titles, head->id);
      if (head->unit != NULL)
        json_array_add_string_element (units, head->unit);
      else
        json_array_add_null_element (units);
    }
  /* The msgids: a file does not depend on the language. */
  json_object_set_string_member (root, "id", table->id);
  json_object_set_string_member (root, "title", table->title);
  json_object_set_string_member (root, "source", table->source);
  json_object_set_string_member (root, "hardware", table->hardware);
  json_object_set_array_member (root, "operations", make_texts (table->operations));
  set_text (root, "ladder", table->ladder);
  set_text (root, "unit", table->unit);
  set_text (root, "note", table->note);
  json_object_set_array_member (root, "columns", titles);
  json_object_set_array_member (root, "units", units);
  json_object_set_array_member (root, "rows", make_rows (table));
  json_object_set_array_member (root, "marks", make_marks (table));
  if (find_ours (table, ours, data, &found))
    json_object_set_object_member (root, "here", make_ours (table, &found));
  node = json_node_init_object (json_node_alloc (), root);
  json_object_unref (root);
  return node;
}

JsonNode *
es_published_to_json (guint i)
{
  return es_published_to_json_with (i, NULL, NULL);
}
