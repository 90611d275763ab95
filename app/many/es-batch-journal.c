/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "base/es-text-show.h"
#include "saving/es-durable.h"

#define FIRST_LINE "eigenscope-batch journal 1"
#define N_FIELDS 10
/* More than any list of files is long: a journal that says so is none. */
#define MOST_BYTES (1024 * 1024 * 1024)
/* Bytes of the file that locks stand for: who writes now, and whose run it is. */
enum { LOCK_WRITING, LOCK_LEADING };

static const char *const states[] = { "begun", "done", "failed" };

struct _EsBatchJournal
{
  int         fd;
  char       *path, *session;
  guint64     read;            /* bytes that were understood */
  GPtrArray  *entries;
  GHashTable *by_key;          /* borrowed of entries */
  GHashTable *folders;         /* names that are in use */
  char       *chosen;          /* nullable: the last of them that was chosen here */
  gboolean    again;           /* what failed before this run */
};

void
es_queue_entry_free (EsQueueEntry *self)
{
  g_free (self->key);
  g_free (self->name);
  g_free (self->identity);
  g_free (self->folder);
  g_free (self->session);
  g_free (self->host);
  g_free (self->message);
  g_free (self);
}

static gboolean
fail (EsBatchJournal *self, int number, GError **error)
{
  g_autofree char *shown = es_text_show (self->path);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The journal “%s” cannot be written: %s."), shown,
               g_strerror (number));
  return FALSE;
}

/* type: F_WRLCK, F_UNLCK. FALSE: errno. */
static gboolean
lock (EsBatchJournal *self, int byte, short type, gboolean wait)
{
  struct flock range = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
  int code;

  do
    code = fcntl (self->fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range);
  while (code != 0 && errno == EINTR);
  return code == 0;
}

/* ---- reading ---- */

static void
replace (char **place, const char *text)
{
  g_free (*place);
  *place = g_strdup (text);
}

/* What results go to, or none: nothing that leads elsewhere, whoever has written it. */
static gboolean
is_folder (const char *name)
{
  return *name == '\0' || es_file_name_is_plain (name);
}

/* state, session, key, name, identity, folder, process, host, seconds, message */
static gboolean
take_line (EsBatchJournal *self, const char *line)
{
  g_auto (GStrv) fields = g_strsplit (line, "\t", -1);
  EsQueueEntry *entry;
  gboolean is_new;
  guint64 process;
  int state = -1;

  if (g_strv_length (fields) != N_FIELDS)
    return FALSE;
  for (guint i = 0; i < N_FIELDS; i++)
    {
      char *plain = g_strcompress (fields[i]);

      g_free (fields[i]);
      fields[i] = plain;
    }
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (strcmp (fields[0], states[i]) == 0)
      state = i;
  if (state < 0 || *fields[2] == '\0' || !is_folder (fields[5])
      || !g_ascii_string_to_unsigned (fields[6], 10, 0, G_MAXUINT, &process, NULL))
    return FALSE;

  entry = g_hash_table_lookup (self->by_key, fields[2]);
  is_new = entry == NULL;
  if (is_new)
    {
      entry = g_new0 (EsQueueEntry, 1);
      entry->key = g_strdup (fields[2]);
      g_ptr_array_add (self->entries, entry);
      g_hash_table_insert (self->by_key, entry->key, entry);
    }
  entry->state = state;
  replace (&entry->session, fields[1]);
  replace (&entry->name, fields[3]);
  replace (&entry->identity, fields[4]);
  replace (&entry->folder, fields[5]);
  entry->process = process;
  replace (&entry->host, fields[7]);
  entry->seconds = g_ascii_strtod (fields[8], NULL);
  replace (&entry->message, fields[9]);
  if (is_new && *entry->folder != '\0' && g_strcmp0 (entry->folder, self->chosen) != 0)
    g_free (es_file_name_make (entry->folder, self->folders));
  return TRUE;
}

/* What has been written since, from where the last look has come to. */
static char *
read_rest (EsBatchJournal *self, gsize *length, GError **error)
{
  struct stat status;
  g_autofree char *text = NULL;
  gsize n = 0;

  if (fstat (self->fd, &status) != 0)
    return fail (self, errno, error), NULL;
  if ((guint64) status.st_size > MOST_BYTES)
    return fail (self, EFBIG, error), NULL;
  const gsize size = (guint64) status.st_size > self->read ? (guint64) status.st_size - self->read : 0;
  text = g_malloc (size + 1);
  while (n < size)
    {
      const gssize got = pread (self->fd, text + n, size - n, self->read + n);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return fail (self, errno, error), NULL;
      if (got == 0)
        break;
      n += got;
    }
  text[n] = '\0';
  *length = n;
  return g_steal_pointer (&text);
}

static gboolean
refuse_line (EsBatchJournal *self, const char *line, GError **error)
{
  g_autofree char *path = es_text_show (self->path), *start = g_strndup (line, 40), *found = es_text_show (start);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” is no journal of files that were analysed: it holds the line “%s”."), path, found);
  return FALSE;
}

gboolean
es_batch_journal_look (EsBatchJournal *self, GError **error)
{
  gsize length;
  g_autofree char *text = read_rest (self, &length, error);
  char *line = text, *end;

  if (text == NULL)
    return FALSE;
  for (; (end = memchr (line, '\n', text + length - line)) != NULL; line = end + 1)
    {
      *end = '\0';
      /* The first line was looked at by who opened it. */
      if (self->read > 0 && !take_line (self, line))
        return refuse_line (self, line, error);
      self->read += end + 1 - line;
    }
  return TRUE;
}

/* ---- writing ---- */

/* At the end, and on the disk. A line that could be written in part only is taken back. */
static gboolean
append (EsBatchJournal *self, const char *line, GError **error)
{
  const gsize length = strlen (line);
  const off_t end = lseek (self->fd, 0, SEEK_END);
  gsize n = 0;

  if (end < 0)
    return fail (self, errno, error);
  while (n < length)
    {
      const gssize put = pwrite (self->fd, line + n, length - n, end + n);

      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        {
          const int number = errno;

          if (ftruncate (self->fd, end) != 0)
            g_debug ("%s", g_strerror (errno));
          return fail (self, number, error);
        }
      n += put;
    }
  return fdatasync (self->fd) == 0 || fail (self, errno, error);
}

static char *
make_line (EsBatchJournal *self, const EsQueueEntry *entry)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *process = g_strdup_printf ("%u", entry->process);
  const char *const fields[N_FIELDS] = {
    states[entry->state], self->session, entry->key, entry->name, entry->identity, entry->folder, process, entry->host,
    g_ascii_formatd (seconds, sizeof seconds, "%.3f", entry->seconds), entry->message,
  };
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < N_FIELDS; i++)
    {
      g_autofree char *plain = g_strescape (fields[i] != NULL ? fields[i] : "", NULL);

      g_string_append_printf (line, "%s%s", i == 0 ? "" : "\t", plain);
    }
  g_string_append_c (line, '\n');
  return g_string_free (line, FALSE);
}

static gboolean
write_entry (EsBatchJournal *self, const EsQueueEntry *entry, GError **error)
{
  g_autofree char *line = make_line (self, entry);

  return append (self, line, error) && es_batch_journal_look (self, error);
}

gboolean
es_batch_journal_is_ours (EsBatchJournal *self, const EsQueueEntry *entry)
{
  return strcmp (entry->session, self->session) == 0;
}

gboolean
es_batch_journal_has_result (EsBatchJournal *self, const EsQueueEntry *entry)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *result = g_build_filename (folder, entry->folder, "result.json", NULL);

  return g_file_test (result, G_FILE_TEST_EXISTS);
}

gboolean
es_batch_journal_is_taken (EsBatchJournal *self, const EsQueueEntry *entry)
{
  if (es_batch_journal_is_ours (self, entry))
    return TRUE;
  return entry->state == ES_QUEUE_DONE ? !self->again || es_batch_journal_has_result (self, entry)
                                       : entry->state == ES_QUEUE_FAILED && !self->again;
}

void
es_batch_journal_try_again (EsBatchJournal *self)
{
  self->again = TRUE;
}

/* With the lock. */
static gboolean
take (EsBatchJournal *self, EsQueueEntry *entry, gboolean *taken, GError **error)
{
  const EsQueueEntry *before;

  if (!es_batch_journal_look (self, error))
    return FALSE;
  before = es_batch_journal_find (self, entry->key);
  *taken = before == NULL || !es_batch_journal_is_taken (self, before);
  if (!*taken)
    return TRUE;
  /* What a run that has ended has left half done is done where it would have been. */
  if (entry->folder == NULL && before != NULL && *before->folder != '\0')
    entry->folder = g_strdup (before->folder);
  else if (entry->folder == NULL)
    {
      g_autofree char *base = g_path_get_basename (entry->name);

      entry->folder = es_file_name_stem (base, self->folders);
    }
  replace (&self->chosen, entry->folder);
  entry->state = ES_QUEUE_BEGUN;
  replace (&entry->session, self->session);
  return write_entry (self, entry, error);
}

gboolean
es_batch_journal_take (EsBatchJournal *self, EsQueueEntry *entry, gboolean *taken, GError **error)
{
  *taken = FALSE;
  if (!lock (self, LOCK_WRITING, F_WRLCK, TRUE))
    return fail (self, errno, error);
  const gboolean done = take (self, entry, taken, error);
  lock (self, LOCK_WRITING, F_UNLCK, TRUE);
  return done;
}

gboolean
es_batch_journal_tell (EsBatchJournal *self, const EsQueueEntry *entry, GError **error)
{
  if (!lock (self, LOCK_WRITING, F_WRLCK, TRUE))
    return fail (self, errno, error);
  const gboolean done = es_batch_journal_look (self, error) && write_entry (self, entry, error);
  lock (self, LOCK_WRITING, F_UNLCK, TRUE);
  return done;
}

/* ---- opening ---- */

static gboolean
sync_folder (EsBatchJournal *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  const int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const gboolean done = fd >= 0 && es_durable_sync_folder (fd);
  const int number = errno;

  if (fd >= 0)
    close (fd);
  return done || fail (self, number, error);
}

/* A journal of this and nothing else, without what a crash has cut off. */
static gboolean
put_in_order (EsBatchJournal *self, const char *first, gboolean fresh, GError **error)
{
  g_autofree char *shown = es_text_show (self->path), *text = NULL;
  const char *end, *last;
  gsize length;

  if (!lock (self, LOCK_LEADING, F_WRLCK, FALSE))
    {
      if (errno != EAGAIN && errno != EACCES)
        return fail (self, errno, error);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("Another run is at work in the folder of “%s”: each needs a folder of its own."), shown);
      return FALSE;
    }
  if (fresh && ftruncate (self->fd, 0) != 0)
    return fail (self, errno, error);
  if ((text = read_rest (self, &length, error)) == NULL)
    return FALSE;
  last = g_strrstr_len (text, length, "\n");
  /* Not even the first line: it had just begun. */
  if (last == NULL && strncmp (text, first, length) != 0)
    return refuse_line (self, text, error);
  if (ftruncate (self->fd, last != NULL ? last + 1 - text : 0) != 0)
    return fail (self, errno, error);
  if (last == NULL)
    return append (self, first, error) && sync_folder (self, error);
  end = strchr (text, '\n');
  if (!g_str_has_prefix (text, FIRST_LINE "\t"))
    return refuse_line (self, text, error);
  if ((gsize) (end + 1 - text) != strlen (first) || strncmp (text, first, strlen (first)) != 0)
    {
      g_autofree char *raw = g_strndup (text + strlen (FIRST_LINE "\t"), end - text - strlen (FIRST_LINE "\t"));
      g_autofree char *plain = g_strcompress (raw), *found = es_text_show (plain);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("The journal “%s” is of “%s”: something else needs another folder."), shown, found);
      return FALSE;
    }
  return TRUE;
}

EsBatchJournal *
es_batch_journal_open (const char *path, const char *what, const char *session, gboolean leads, gboolean fresh,
                       GError **error)
{
  g_autoptr (EsBatchJournal) self = g_new0 (EsBatchJournal, 1);
  g_autofree char *plain = g_strescape (what, NULL), *first = g_strdup_printf (FIRST_LINE "\t%s\n", plain);
  const char *const kept[] = { "report.csv", "report.json" };

  self->path = g_strdup (path);
  self->session = g_strdup (session);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) es_queue_entry_free);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->folders = es_file_names_new ();
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_free (es_file_name_make (kept[i], self->folders));
  self->fd = open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (leads ? O_CREAT : 0), 0666);
  if (self->fd < 0)
    return fail (self, errno, error), NULL;
  if ((leads && !put_in_order (self, first, fresh, error)) || !es_batch_journal_look (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
es_batch_journal_close (EsBatchJournal *self)
{
  /* Its locks go with it. */
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->by_key, g_hash_table_unref);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->folders);
  g_free (self->path);
  g_free (self->session);
  g_free (self->chosen);
  g_free (self);
}

guint
es_batch_journal_get_n (EsBatchJournal *self)
{
  return self->entries->len;
}

const EsQueueEntry *
es_batch_journal_get (EsBatchJournal *self, guint i)
{
  return g_ptr_array_index (self->entries, i);
}

const EsQueueEntry *
es_batch_journal_find (EsBatchJournal *self, const char *key)
{
  return g_hash_table_lookup (self->by_key, key);
}
