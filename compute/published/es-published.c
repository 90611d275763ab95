/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* All tables there are, read once; what is asked of one of them, and of ladders. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-installed.h"
#include "es-published-private.h"

static GPtrArray *tables;      /* EsPublishedTable */
static GError *trouble;        /* of the first file that could not be read; nullable */

const char *
_es_published_translate (const char *text)
{
  return text != NULL ? g_dgettext (GETTEXT_PACKAGE, text) : NULL;
}

const char *
_es_published_show_head (const EsPublishedHead *head)
{
  return head->is_name ? head->id : _es_published_translate (head->id);
}

static void
translate (EsPublishedTable *table)
{
  table->says = (EsPublished) {
    .id = table->id, .title = _es_published_translate (table->title),
    .source = _es_published_translate (table->source), .hardware = table->hardware,
    .operations = (const char *const *) table->operations, .ladder = table->ladder,
    .note = _es_published_translate (table->note)
  };
}

/* Those of a file behind those that are there; none of it where another file has a table of that id. */
static void
read_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GError **error = trouble == NULL ? &trouble : NULL;
  g_autoptr (GPtrArray) read = _es_published_read (file, error);

  for (guint i = 0; read != NULL && i < read->len; i++)
    for (guint j = 0; j < tables->len; j++)
      if (strcmp (((EsPublishedTable *) read->pdata[i])->id, ((EsPublishedTable *) tables->pdata[j])->id) == 0)
        {
          g_autofree char *name = es_error_file_name (file);

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s” is no file of published tables that can be read: “%s” is %s; expected %s."), name,
                       "tables[].id", ((EsPublishedTable *) read->pdata[i])->id, _("each of them once"));
          return;
        }
  if (read != NULL)
    g_ptr_array_extend_and_steal (tables, g_steal_pointer (&read));
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
read_all (void)
{
  g_autofree char *folder = es_installed_find_data ("published");
  g_autoptr (GDir) directory = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (directory == NULL)
    g_set_error_literal (&trouble, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         _("The published tables, the folder “published” of the program's data, are not installed."));
  for (const char *name; directory != NULL && (name = g_dir_read_name (directory)) != NULL;)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    read_file (g_ptr_array_index (names, i));
  for (guint i = 0; i < tables->len; i++)
    translate (g_ptr_array_index (tables, i));
}

static void
ready (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      tables = g_ptr_array_new ();
      read_all ();
      g_once_init_leave (&once, 1);
    }
}

gboolean
es_published_load (GError **error)
{
  ready ();
  if (trouble != NULL && error != NULL)
    *error = g_error_copy (trouble);
  return trouble == NULL;
}

guint
es_published_get_n (void)
{
  ready ();
  return tables->len;
}

EsPublishedTable *
_es_published_table (guint i)
{
  g_return_val_if_fail (i < es_published_get_n (), NULL);
  return g_ptr_array_index (tables, i);
}

const EsPublished *
es_published_get (guint i)
{
  const EsPublishedTable *table = _es_published_table (i);

  return table != NULL ? &table->says : NULL;
}

gboolean
es_published_find (const char *id, guint *i)
{
  g_return_val_if_fail (id != NULL && i != NULL, FALSE);

  for (*i = 0; *i < es_published_get_n (); ++*i)
    if (strcmp (_es_published_table (*i)->id, id) == 0)
      return TRUE;
  return FALSE;
}

gboolean
es_published_is_about (guint i, const char *operation)
{
  const EsPublishedTable *table = _es_published_table (i);

  g_return_val_if_fail (table != NULL && operation != NULL, FALSE);
  return g_strv_contains ((const char *const *) table->operations, operation);
}

guint
es_published_get_n_marks (guint i)
{
  const EsPublishedTable *table = _es_published_table (i);

  return table != NULL ? table->marks->len : 0;
}

EsPublishedMark
es_published_get_mark (guint i, guint mark)
{
  const EsPublishedTable *table = _es_published_table (i);
  const EsPublishedNote *note;

  g_return_val_if_fail (table != NULL && mark < table->marks->len,
                        ((EsPublishedMark) { ES_PUBLISHED_NOTE, "", "" }));
  note = g_ptr_array_index (table->marks, mark);
  return (EsPublishedMark) { note->kind, note->symbol, _es_published_translate (note->text) };
}

double
es_published_get_value (guint i, const char *row, const char *column)
{
  const EsPublishedTable *table = _es_published_table (i);
  guint r, c;

  g_return_val_if_fail (table != NULL && row != NULL && column != NULL, NAN);
  if (_es_published_find_head (table->rows, row, &r) == NULL
      || _es_published_find_head (table->columns, column, &c) == NULL)
    return NAN;
  return g_array_index (table->values, double, r * table->columns->len + c);
}

/* ---- ladders ---- */

static gboolean
find_rung (GPtrArray *heads, const char *rung, guint *at)
{
  for (*at = 0; *at < heads->len; ++*at)
    if (g_strcmp0 (((EsPublishedHead *) g_ptr_array_index (heads, *at))->rung, rung) == 0)
      return TRUE;
  return FALSE;
}

/* Rungs are columns or rows; the others are scenes. */
static gboolean
find_time (const EsPublishedTable *table, const char *row, const char *rung, double *ms)
{
  const char *unit;
  guint r, c;

  if (!(find_rung (table->columns, rung, &c) && _es_published_find_head (table->rows, row, &r) != NULL)
      && !(find_rung (table->rows, rung, &r) && _es_published_find_head (table->columns, row, &c) != NULL))
    return FALSE;
  unit = ((EsPublishedHead *) g_ptr_array_index (table->columns, c))->unit;
  *ms = g_array_index (table->values, double, r * table->columns->len + c) * (g_strcmp0 (unit, "s") == 0 ? 1e3 : 1);
  return !isnan (*ms) && (g_strcmp0 (unit, "s") == 0 || g_strcmp0 (unit, "ms") == 0);
}

gboolean
es_published_find_ladder (const char *ladder, const char *row, const char *rung, double *ms,
                          const EsPublished **published)
{
  g_return_val_if_fail (ladder != NULL && row != NULL && rung != NULL && ms != NULL, FALSE);

  for (guint i = 0; i < es_published_get_n (); i++)
    {
      EsPublishedTable *table = _es_published_table (i);

      if (g_strcmp0 (table->ladder, ladder) != 0 || !find_time (table, row, rung, ms))
        continue;
      if (published != NULL)
        *published = &table->says;
      return TRUE;
    }
  *ms = NAN;
  return FALSE;
}

static gboolean
has_rungs (GPtrArray *heads)
{
  for (guint i = 0; i < heads->len; i++)
    if (((EsPublishedHead *) g_ptr_array_index (heads, i))->rung != NULL)
      return TRUE;
  return FALSE;
}

char **
es_published_list_ladder_rows (const char *ladder)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  g_return_val_if_fail (ladder != NULL, NULL);

  for (guint i = 0; i < es_published_get_n (); i++)
    {
      const EsPublishedTable *table = _es_published_table (i);
      GPtrArray *scenes = has_rungs (table->rows) ? table->columns : table->rows;

      for (guint s = 0; g_strcmp0 (table->ladder, ladder) == 0 && s < scenes->len; s++)
        {
          const char *id = ((EsPublishedHead *) g_ptr_array_index (scenes, s))->id;

          if (!g_ptr_array_find_with_equal_func (ids, id, g_str_equal, NULL))
            g_ptr_array_add (ids, (gpointer) id);
        }
    }
  g_ptr_array_add (ids, NULL);
  return g_strdupv ((char **) ids->pdata);
}
