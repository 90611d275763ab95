/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A file of published tables: docs/published-tables.md. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "es-published-private.h"
#include "es-published-reader-private.h"

#define FORMAT "eigenscope-published"
#define VERSION 1

#define LADDERS "covariance transform ica noise fourier beams jacobi azimuth"
#define PROGRAMS "cpu-1 cpu processes processes:2 processes:threads cuda cuda:all"
#define UNITS "s ms µs % × B MB GB/s"
#define KINDS "doubt recomputed note gap"

#define TABLE_MEMBERS \
  "id title source hardware operations ladder program step unit digits corner note columns rows marks"
#define COLUMN_MEMBERS "title name step program rung unit digits"
#define ROW_MEMBERS "title name step program rung digits values"
#define MARK_MEMBERS "kind text row column value"

const char *
_es_published_kind_name (EsPublishedMarkKind kind)
{
  static const char *const names[] = { "doubt", "recomputed", "note", "gap" };

  return names[kind];
}

static void
head_free (gpointer data)
{
  EsPublishedHead *self = data;

  g_free (self->id);
  g_free (self->step);
  g_free (self->program);
  g_free (self->rung);
  g_free (self->unit);
  g_free (self);
}

static void
note_free (gpointer data)
{
  EsPublishedNote *self = data;

  g_free (self->text);
  g_strfreev (self->rows);
  g_strfreev (self->columns);
  g_free (self);
}

static void
table_free (gpointer data)
{
  EsPublishedTable *self = data;

  g_free (self->id);
  g_free (self->title);
  g_free (self->source);
  g_free (self->hardware);
  g_free (self->ladder);
  g_free (self->note);
  g_free (self->corner);
  g_strfreev (self->operations);
  g_free (self->unit);
  g_free (self->step);
  g_free (self->program);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
  g_array_unref (self->values);
  g_ptr_array_unref (self->marks);
  g_free (self);
}

static EsPublishedTable *
table_new (void)
{
  EsPublishedTable *self = g_new0 (EsPublishedTable, 1);

  self->columns = g_ptr_array_new_with_free_func (head_free);
  self->rows = g_ptr_array_new_with_free_func (head_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
  self->marks = g_ptr_array_new_with_free_func (note_free);
  return self;
}

EsPublishedHead *
_es_published_find_head (GPtrArray *heads, const char *id, guint *at)
{
  for (guint i = 0; i < heads->len; i++)
    if (strcmp (((EsPublishedHead *) g_ptr_array_index (heads, i))->id, id) == 0)
      {
        *at = i;
        return g_ptr_array_index (heads, i);
      }
  return NULL;
}

/* ---- what heads rows and columns ---- */

static gboolean
is_id (const char *text)
{
  return text[strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789-.")] == '\0';
}

static char *
read_id (EsPublishedReader *reader, JsonObject *object, const char *name, gboolean needed)
{
  g_autofree char *id = _es_published_read_text (reader, object, name, needed);

  if (id == NULL || is_id (id))
    return g_steal_pointer (&id);
  _es_published_refuse (reader, name, json_object_get_member (object, name),
                        _("small letters, digits, dots and hyphens"));
  return NULL;
}

/* Either a title, which is translated, or a name, which is not. */
static gboolean
read_head (EsPublishedReader *reader, JsonObject *object, GPtrArray *heads, EsPublishedHead *head)
{
  guint at;

  head->is_name = !json_object_has_member (object, "title");
  head->id = _es_published_read_text (reader, object, head->is_name ? "name" : "title", TRUE);
  if (!head->is_name && json_object_has_member (object, "name"))
    return _es_published_refuse (reader, "name", json_object_get_member (object, "name"),
                                 _("either a title or a name"));
  head->step = read_id (reader, object, "step", FALSE);
  head->program = _es_published_read_word (reader, object, "program", PROGRAMS);
  head->rung = read_id (reader, object, "rung", FALSE);
  if (!reader->failed && _es_published_find_head (heads, head->id, &at) != NULL)
    return _es_published_refuse (reader, head->is_name ? "name" : "title",
                                 json_object_get_member (object, head->is_name ? "name" : "title"),
                                 _("each of them once"));
  return !reader->failed;
}

static gboolean
read_column (EsPublishedReader *reader, JsonNode *node, EsPublishedTable *table)
{
  EsPublishedHead *head = g_new0 (EsPublishedHead, 1);
  JsonObject *object;
  gboolean read;

  head->unit = g_strdup (table->unit);
  head->digits = table->digits;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      /* A name and nothing else. */
      g_autoptr (JsonObject) name = json_object_new ();

      json_object_set_string_member (name, "name", json_node_get_string (node));
      read = read_head (reader, name, table->columns, head);
    }
  else
    {
      object = _es_published_check_object (reader, node);
      read = object != NULL && _es_published_check_known (reader, object, COLUMN_MEMBERS)
             && read_head (reader, object, table->columns, head);
      if (read && json_object_has_member (object, "unit"))
        {
          g_free (head->unit);
          head->unit = _es_published_read_word (reader, object, "unit", UNITS);
        }
      if (read)
        head->digits = _es_published_read_digits (reader, object, "digits", table->digits);
    }
  if (!read)
    {
      head_free (head);
      return FALSE;
    }
  g_ptr_array_add (table->columns, head);
  return !reader->failed;
}

static gboolean
read_row (EsPublishedReader *reader, JsonNode *node, EsPublishedTable *table)
{
  JsonObject *object = _es_published_check_object (reader, node);
  EsPublishedHead *head;

  if (object == NULL || !_es_published_check_known (reader, object, ROW_MEMBERS))
    return FALSE;
  head = g_new0 (EsPublishedHead, 1);
  if (!read_head (reader, object, table->rows, head))
    {
      head_free (head);
      return FALSE;
    }
  head->digits = json_object_has_member (object, "digits") ? _es_published_read_digits (reader, object, "digits", -1)
                                                             : -1;
  g_ptr_array_add (table->rows, head);
  return _es_published_read_numbers (reader, object, "values", table->columns->len, table->values);
}

/* ---- marks ---- */

static gboolean
are_heads (EsPublishedReader *reader, const char *name, char **ids, GPtrArray *heads)
{
  guint at;

  for (char **id = ids; id != NULL && *id != NULL; id++)
    if (_es_published_find_head (heads, *id, &at) == NULL)
      {
        g_autofree char *found = g_strdup_printf ("“%s”", *id);

        return _es_published_refuse_said (reader, name, found, g_str_equal (name, "row")
                                                               ? _("the title or name of a row")
                                                               : _("the title or name of a column"));
      }
  return TRUE;
}

/* A figure that is said to be missing is. */
static gboolean
is_gap (EsPublishedReader *reader, EsPublishedTable *table, const EsPublishedNote *note)
{
  for (char **row = note->rows; row != NULL && *row != NULL; row++)
    for (char **column = note->columns; column != NULL && *column != NULL; column++)
      {
        guint r, c;

        _es_published_find_head (table->rows, *row, &r);
        _es_published_find_head (table->columns, *column, &c);
        if (!isnan (g_array_index (table->values, double, r * table->columns->len + c)))
          return _es_published_refuse_said (reader, "kind", "“gap”", _("another kind where there is a figure"));
      }
  return TRUE;
}

static gboolean
read_mark (EsPublishedReader *reader, JsonNode *node, EsPublishedTable *table)
{
  JsonObject *object = _es_published_check_object (reader, node);
  EsPublishedNote *note;
  g_autofree char *kind = NULL;

  if (object == NULL || !_es_published_check_known (reader, object, MARK_MEMBERS))
    return FALSE;
  note = g_new0 (EsPublishedNote, 1);
  g_ptr_array_add (table->marks, note);
  note->value = NAN;
  note->text = _es_published_read_text (reader, object, "text", TRUE);
  note->rows = _es_published_read_texts (reader, object, "row");
  note->columns = _es_published_read_texts (reader, object, "column");
  kind = _es_published_read_word (reader, object, "kind", KINDS);
  if (kind == NULL)
    return _es_published_refuse (reader, "kind", NULL, _("a text"));
  for (guint i = 0; i <= ES_PUBLISHED_GAP; i++)
    if (g_str_equal (kind, _es_published_kind_name (i)))
      note->kind = i;
  if (json_object_has_member (object, "value"))
    {
      JsonNode *value = json_object_get_member (object, "value");

      if (note->kind != ES_PUBLISHED_RECOMPUTED || !JSON_NODE_HOLDS_VALUE (value)
          || !(json_node_get_double (value) > 0))
        return _es_published_refuse (reader, "value", value, _("a positive number, of a mark that is “recomputed”"));
      note->value = json_node_get_double (value);
    }
  return are_heads (reader, "row", note->rows, table->rows)
         && are_heads (reader, "column", note->columns, table->columns)
         && (note->kind != ES_PUBLISHED_GAP || is_gap (reader, table, note));
}

/* a, b ... in the order of the file; what says the same has the same. */
static void
give_symbols (EsPublishedTable *table)
{
  guint n = 0;

  for (guint i = 0; i < table->marks->len; i++)
    {
      EsPublishedNote *note = g_ptr_array_index (table->marks, i);

      if (note->rows == NULL && note->columns == NULL)
        continue;
      for (guint j = 0; j < i && note->symbol[0] == '\0'; j++)
        {
          const EsPublishedNote *other = g_ptr_array_index (table->marks, j);

          if (g_str_equal (other->text, note->text))
            g_strlcpy (note->symbol, other->symbol, sizeof note->symbol);
        }
      if (note->symbol[0] == '\0')
        note->symbol[0] = (char) ('a' + n++ % 26);
    }
}

/* ---- a table ---- */

static gboolean
read_elements (EsPublishedReader *reader, JsonObject *object, const char *name, EsPublishedTable *table,
               gboolean (*read) (EsPublishedReader *, JsonNode *, EsPublishedTable *))
{
  JsonArray *array = _es_published_read_array (reader, object, name);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      const gsize length = _es_published_enter (reader, name, i);

      if (!read (reader, json_array_get_element (array, i), table))
        return FALSE;
      _es_published_leave (reader, length);
    }
  return array != NULL;
}

static gboolean
read_table (EsPublishedReader *reader, JsonNode *node, const char *hardware, EsPublishedTable *table)
{
  JsonObject *object = _es_published_check_object (reader, node);

  if (object == NULL || !_es_published_check_known (reader, object, TABLE_MEMBERS))
    return FALSE;
  table->id = read_id (reader, object, "id", TRUE);
  table->title = _es_published_read_text (reader, object, "title", TRUE);
  table->source = _es_published_read_text (reader, object, "source", TRUE);
  table->hardware = _es_published_read_text (reader, object, "hardware", FALSE) ?: g_strdup (hardware);
  table->operations = _es_published_read_texts (reader, object, "operations");
  if (table->operations == NULL)
    return _es_published_refuse (reader, "operations", NULL, _("an array with at least one element"));
  table->ladder = _es_published_read_word (reader, object, "ladder", LADDERS);
  table->program = _es_published_read_word (reader, object, "program", PROGRAMS);
  table->step = read_id (reader, object, "step", FALSE);
  table->unit = _es_published_read_word (reader, object, "unit", UNITS);
  table->digits = _es_published_read_digits (reader, object, "digits", -1);
  table->corner = _es_published_read_text (reader, object, "corner", TRUE);
  table->note = _es_published_read_text (reader, object, "note", FALSE);
  if (!read_elements (reader, object, "columns", table, read_column)
      || !read_elements (reader, object, "rows", table, read_row))
    return FALSE;
  if (json_object_has_member (object, "marks") && !read_elements (reader, object, "marks", table, read_mark))
    return FALSE;
  give_symbols (table);
  return !reader->failed;
}

static gboolean
read_file (EsPublishedReader *reader, JsonNode *root, GPtrArray *tables)
{
  JsonObject *object;
  JsonArray *array;
  g_autofree char *hardware = NULL, *format = NULL;

  g_string_assign (reader->path, "");
  if (!JSON_NODE_HOLDS_OBJECT (root))
    return _es_published_refuse (reader, "/", root, _("an object"));
  object = json_node_get_object (root);
  format = _es_published_read_text (reader, object, "format", FALSE);
  if (g_strcmp0 (format, FORMAT) != 0)
    return _es_published_refuse (reader, "format", json_object_get_member (object, "format"), "“" FORMAT "”");
  if (!json_object_has_member (object, "version")
      || !JSON_NODE_HOLDS_VALUE (json_object_get_member (object, "version"))
      || json_node_get_double (json_object_get_member (object, "version")) != VERSION)
    return _es_published_refuse (reader, "version", json_object_get_member (object, "version"), "1");
  if (!_es_published_check_known (reader, object, "format version hardware tables"))
    return FALSE;
  hardware = _es_published_read_text (reader, object, "hardware", TRUE);
  array = _es_published_read_array (reader, object, "tables");
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      EsPublishedTable *table = table_new ();
      const gsize length = _es_published_enter (reader, "tables", i);

      g_ptr_array_add (tables, table);
      if (!read_table (reader, json_array_get_element (array, i), hardware, table))
        return FALSE;
      for (guint j = 0; j < i; j++)
        if (g_str_equal (((EsPublishedTable *) g_ptr_array_index (tables, j))->id, table->id))
          return _es_published_refuse (reader, "id", json_object_get_member (json_array_get_object_element (array, i),
                                                                             "id"), _("each of them once"));
      _es_published_leave (reader, length);
    }
  return array != NULL;
}

GPtrArray *
_es_published_read (GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_json_load (file, NULL, error);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (table_free);
  g_autoptr (GString) path = g_string_new (NULL);
  EsPublishedReader reader = { .file = name, .path = path, .error = error };

  return root != NULL && read_file (&reader, root, tables) ? g_steal_pointer (&tables) : NULL;
}
