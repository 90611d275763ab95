/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What became of many files, as a table and as JSON. */

#include <string.h>

#include "base/es-json.h"
#include "base/es-text-show.h"
#include "es-batch-many.h"
#include "saving/es-durable.h"

typedef struct
{
  const char *file, *outcome, *folder, *identity, *host, *message;
  gboolean    was_begun;
  double      seconds;
  guint       process;
} Row;

/* RFC 4180. */
static void
append_field (GString *text, const char *field)
{
  g_autofree char *shown = es_text_show (field);

  if (strpbrk (shown, ",\"") == NULL)
    {
      g_string_append (text, shown);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = shown; *p != '\0'; p++)
    g_string_append_printf (text, *p == '"' ? "\"\"" : "%c", *p);
  g_string_append_c (text, '"');
}

static void
append_row (GString *text, const Row *row)
{
  append_field (text, row->file);
  g_string_append_printf (text, ",%s,", row->outcome);
  if (row->was_begun)
    {
      char seconds[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, g_ascii_formatd (seconds, sizeof seconds, "%.3f", row->seconds));
    }
  g_string_append_c (text, ',');
  append_field (text, row->folder);
  g_string_append_c (text, ',');
  if (row->was_begun)
    g_string_append_printf (text, "%u", row->process);
  g_string_append_c (text, ',');
  append_field (text, row->host);
  g_string_append_c (text, ',');
  append_field (text, row->message);
  g_string_append (text, "\r\n");
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  g_autofree char *shown = es_text_show (text);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, shown);
}

static void
add_row (JsonBuilder *builder, const Row *row)
{
  json_builder_begin_object (builder);
  add_text (builder, "file", row->file);
  add_text (builder, "outcome", row->outcome);
  if (row->was_begun)
    {
      json_builder_set_member_name (builder, "seconds");
      json_builder_add_double_value (builder, row->seconds);
      json_builder_set_member_name (builder, "process");
      json_builder_add_int_value (builder, row->process);
      add_text (builder, "host", row->host);
    }
  if (*row->folder != '\0')
    add_text (builder, "folder", row->folder);
  if (*row->identity != '\0')
    add_text (builder, "identity", row->identity);
  if (*row->message != '\0')
    add_text (builder, "message", row->message);
  json_builder_end_object (builder);
}

static Row
row_of (const EsQueueEntry *entry, gboolean ended)
{
  return (Row) {
    .file = entry->name, .folder = entry->folder, .identity = entry->identity, .host = entry->host,
    .message = entry->message, .seconds = entry->seconds, .process = entry->process, .was_begun = TRUE,
    .outcome = entry->state == ES_QUEUE_DONE ? "done" : entry->state == ES_QUEUE_FAILED ? "failed"
               : ended ? "interrupted" : "begun",
  };
}

static GArray *
list_rows (EsBatchMany *self, gboolean ended, GPtrArray *waiting, GPtrArray *unopened)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  for (guint i = 0; i < es_batch_journal_get_n (self->journal); i++)
    {
      const Row row = row_of (es_batch_journal_get (self->journal, i), ended);

      g_array_append_val (rows, row);
    }
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    {
      const Row row = { g_ptr_array_index (waiting, i), "waiting", "", "", "", "", FALSE, 0, 0 };

      g_array_append_val (rows, row);
    }
  for (guint i = 0; unopened != NULL && i + 1 < unopened->len; i += 2)
    {
      const Row row = { g_ptr_array_index (unopened, i), "not opened", "", "", "", g_ptr_array_index (unopened, i + 1),
                        FALSE, 0, 0 };

      g_array_append_val (rows, row);
    }
  return rows;
}

static char *
make_json (EsBatchMany *self, GArray *rows, guint n_done, guint n_failed)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GDateTime) started = g_date_time_new_from_unix_utc (self->started), now = g_date_time_new_now_utc ();
  g_autofree char *begin = g_date_time_format_iso8601 (started), *end = g_date_time_format (now, "%FT%TZ");
  const struct { const char *name; gint64 value; } numbers[] = {
    { "processes", self->size }, { "files_done", n_done }, { "files_failed", n_failed },
  };
  JsonNode *root;
  char *text;

  json_builder_begin_object (builder);
  add_text (builder, "software", "Eigenscope " ES_VERSION);
  add_text (builder, "analysis", self->analysis->what);
  add_text (builder, "started", begin);
  add_text (builder, "written", end);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      json_builder_set_member_name (builder, numbers[i].name);
      json_builder_add_int_value (builder, numbers[i].value);
    }
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < rows->len; i++)
    add_row (builder, &g_array_index (rows, Row, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = es_json_to_text (root);
  json_node_unref (root);
  return text;
}

gboolean
es_batch_many_report (EsBatchMany *self, gboolean ended, GPtrArray *waiting, GPtrArray *unopened, GError **error)
{
  g_autoptr (GString) csv = g_string_new ("File,Outcome,Seconds,Folder,Process,Host,Message\r\n");
  g_autoptr (GArray) rows = NULL;
  g_autofree char *json = NULL;
  guint n_done = 0, n_failed = 0;

  if (!es_batch_journal_look (self->journal, error))
    return FALSE;
  for (guint i = 0; i < es_batch_journal_get_n (self->journal); i++)
    {
      n_done += es_batch_journal_get (self->journal, i)->state == ES_QUEUE_DONE;
      n_failed += es_batch_journal_get (self->journal, i)->state == ES_QUEUE_FAILED;
    }
  rows = list_rows (self, ended, waiting, unopened);
  for (guint i = 0; i < rows->len; i++)
    append_row (csv, &g_array_index (rows, Row, i));
  json = make_json (self, rows, n_done, n_failed);

  g_autofree char *csv_path = g_build_filename (self->output, "report.csv", NULL);
  g_autofree char *json_path = g_build_filename (self->output, "report.json", NULL);
  g_autoptr (GFile) csv_file = g_file_new_for_path (csv_path), json_file = g_file_new_for_path (json_path);
  /* Failures that other processes have met count for the status of all. */
  if (ended)
    {
      self->n_failed = 0;
      for (guint i = 0; i < es_batch_journal_get_n (self->journal); i++)
        {
          const EsQueueEntry *entry = es_batch_journal_get (self->journal, i);

          self->n_failed += entry->state == ES_QUEUE_FAILED && es_batch_journal_is_ours (self->journal, entry);
        }
    }
  return es_durable_write_text (csv_file, csv->str, error) && es_durable_write_text (json_file, json, error);
}
