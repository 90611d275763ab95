/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-journal-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-part-internal.h"

#define NAME ".eigenscope-saving"
#define FIRST_LINE "Eigenscope save 1"
#define LAST_LINE "all"
/* Of a journal: tens of thousands of files. */
#define MOST_BYTES ((off_t) 16 << 20)
/* Between looking whether another process is done, and how often: 10 s. */
#define PAUSE_US 5000
#define PAUSES 2000
/* Renaming files never takes so long; for where nothing else shows whether somebody still does. */
#define ABANDONED_SECONDS 600

struct _EsJournal
{
  int folder;                  /* borrowed */
  int fd;                      /* locked */
};

/* ---- text ---- */

static char *
to_text (GPtrArray *changes)
{
  GString *text = g_string_new (FIRST_LINE " ");

  g_string_append_printf (text, "%s\n", es_part_boot ());
  for (guint i = 0; i < changes->len; i++)
    {
      const EsChange *change = g_ptr_array_index (changes, i);
      g_autofree char *target = g_uri_escape_string (change->target, NULL, FALSE);
      g_autofree char *part = change->part != NULL ? g_uri_escape_string (change->part, NULL, FALSE) : NULL;
      g_autofree char *aside = change->aside != NULL ? g_uri_escape_string (change->aside, NULL, FALSE) : NULL;

      g_string_append_printf (text, "%s %s %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                              " %" G_GINT64_FORMAT "\n", target, part != NULL ? part : "-",
                              aside != NULL ? aside : "-", change->old_inode, change->new_inode, change->new_size,
                              change->new_time);
    }
  g_string_append (text, LAST_LINE "\n");
  return g_string_free (text, FALSE);
}

/* A name, and nothing that leads out of the folder; hidden: one of the names that a save makes. */
static gboolean
parse_name (const char *word, gboolean hidden, char **name)
{
  if (hidden && strcmp (word, "-") == 0)
    return TRUE;
  *name = g_uri_unescape_string (word, "/");
  return *name != NULL && **name != '\0' && strchr (*name, '/') == NULL && strcmp (*name, ".") != 0
         && strcmp (*name, "..") != 0 && (!hidden || es_part_is_name (*name));
}

static EsChange *
parse_change (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  EsChange *change;

  if (g_strv_length (words) != 7)
    return NULL;
  change = g_new0 (EsChange, 1);
  change->aside_lock = -1;
  change->old_inode = g_ascii_strtoull (words[3], NULL, 10);
  change->new_inode = g_ascii_strtoull (words[4], NULL, 10);
  change->new_size = g_ascii_strtoull (words[5], NULL, 10);
  change->new_time = g_ascii_strtoll (words[6], NULL, 10);
  if (parse_name (words[0], FALSE, &change->target) && parse_name (words[1], TRUE, &change->part)
      && parse_name (words[2], TRUE, &change->aside))
    return change;
  es_change_free (change);
  return NULL;
}

/* NULL where the last line is missing: nothing has been renamed yet. */
static GPtrArray *
parse (const char *text, char *boot, gsize room)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const guint n = g_strv_length (lines);
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func ((GDestroyNotify) es_change_free);

  if (n < 3 || !g_str_has_prefix (lines[0], FIRST_LINE " ") || strcmp (lines[n - 2], LAST_LINE) != 0)
    return NULL;
  g_strlcpy (boot, lines[0] + strlen (FIRST_LINE " "), room);
  for (guint i = 1; i + 2 < n; i++)
    {
      EsChange *change = parse_change (lines[i]);

      if (change == NULL)
        return NULL;
      g_ptr_array_add (changes, change);
    }
  return g_steal_pointer (&changes);
}

static char *
read_all (int fd, const struct stat *status)
{
  g_autofree char *text = status->st_size <= MOST_BYTES ? g_malloc0 ((gsize) status->st_size + 1) : NULL;

  return text != NULL && es_file_read_at (fd, NAME, text, (gsize) status->st_size, 0, NULL) ? g_steal_pointer (&text)
                                                                                             : NULL;
}

/* ---- what was left behind ---- */

typedef enum { SETTLED, BUSY, FAILED } Settled;

/* The stem that files of one set share: "components" of "components.img". */
static gboolean
same_stem (const char *a, const char *b)
{
  const char *end_a = strrchr (a, '.'), *end_b = strrchr (b, '.');
  const gsize length = end_a != NULL && end_a != a ? (gsize) (end_a - a) : strlen (a);

  return length == (end_b != NULL && end_b != b ? (gsize) (end_b - b) : strlen (b)) && strncmp (a, b, length) == 0;
}

/* name NULL: of whichever file. */
static gboolean
concerns (GPtrArray *changes, const char *name)
{
  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      const EsChange *change = g_ptr_array_index (changes, i);
      if (name == NULL || same_stem (change->target, name))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_abandoned (int fd, const struct stat *status, const char *boot)
{
  const gboolean old = g_get_real_time () / G_USEC_PER_SEC - status->st_mtime > ABANDONED_SECONDS;

  if (!es_part_lock (fd, FALSE))
    return errno != EAGAIN && old;
  return strcmp (boot, es_part_boot ()) == 0 || es_part_is_local (fd) || old;
}

static gboolean
put_back (int folder, GPtrArray *changes)
{
  for (guint i = changes->len; i > 0; i--)
    es_change_restore (g_ptr_array_index (changes, i - 1), folder);
  fsync (folder);
  return unlinkat (folder, NAME, 0) == 0 || errno == ENOENT;
}

static Settled
settle_once (int folder, const char *name, int *code)
{
  int fd = openat (folder, NAME, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  gboolean writable = fd >= 0;
  g_autoptr (GPtrArray) changes = NULL;
  g_autofree char *text = NULL;
  char boot[16] = "";
  struct stat status;
  Settled settled = SETTLED;

  *code = errno;
  if (fd < 0 && errno != ENOENT)
    fd = openat (folder, NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return SETTLED;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || status.st_nlink == 0)
    {
      close (fd);
      return SETTLED;
    }

  text = read_all (fd, &status);
  changes = text != NULL ? parse (text, boot, sizeof boot) : NULL;
  /* One that is not complete yet is on its way, or goes away. */
  const gboolean ours = concerns (changes, name) || (changes == NULL && name == NULL);
  if (writable ? !is_abandoned (fd, &status, changes != NULL ? boot : es_part_boot ())
               : !es_part_lock (fd, TRUE) && errno == EAGAIN)
    settled = ours ? BUSY : SETTLED;
  /* Removed since it was opened: that save is done. */
  else if (fstat (fd, &status) != 0 || status.st_nlink == 0)
    settled = SETTLED;
  else if (!writable)
    settled = ours ? FAILED : SETTLED;
  else if (changes == NULL ? unlinkat (folder, NAME, 0) != 0 && errno != ENOENT : !put_back (folder, changes))
    {
      *code = errno;
      settled = ours ? FAILED : SETTLED;
    }
  close (fd);
  return settled;
}

static Settled
settle (int folder, const char *name, int *code)
{
  Settled settled = settle_once (folder, name, code);

  for (guint i = 0; i < PAUSES && settled == BUSY; i++)
    {
      g_usleep (PAUSE_US);
      settled = settle_once (folder, name, code);
    }
  return settled;
}

gboolean
es_journal_settle (const char *path, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path), *name = g_path_get_basename (path);
  int folder = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), code;
  Settled settled;

  if (folder < 0)
    return TRUE;
  settled = settle (folder, name, &code);
  close (folder);
  if (settled == SETTLED)
    return TRUE;

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *shown = es_error_file_name (file);
  if (settled == BUSY)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                 _("“%s” is being written by another program; try again when that is done."), shown);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                 _("“%s” belongs to files of which some are old and some new, as saving them was broken off, and the "
                   "old ones cannot be put back: %s."), shown, g_strerror (code));
  return FALSE;
}

gboolean
es_journal_is_in (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, NAME, NULL);
  struct stat status;

  return lstat (path, &status) == 0;
}

/* ---- one of our own ---- */

EsJournal *
es_journal_new (int folder, const char *directory, const char *path, GError **error)
{
  int code = 0;

  for (guint attempt = 0; attempt < PAUSES; attempt++)
    {
      int fd = openat (folder, NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      struct stat status;

      if (fd >= 0 && (es_part_lock (fd, FALSE) || errno != EAGAIN) && fstat (fd, &status) == 0 && status.st_nlink > 0)
        {
          EsJournal *self = g_new (EsJournal, 1);

          self->folder = folder;
          self->fd = fd;
          return self;
        }
      code = errno;
      if (fd >= 0)
        close (fd);
      else if (code != EEXIST)
        {
          es_file_set_error (error, path, code);
          return NULL;
        }
      else if (fstatat (folder, NAME, &status, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG (status.st_mode))
        {
          g_autofree char *reason = g_strdup_printf (_("“%s” in its folder, a name that saving needs, is no file; "
                                                       "rename it"), NAME);

          es_file_set_reason (error, path, reason);
          return NULL;
        }
      else
        switch (settle (folder, NULL, &code))
          {
          case SETTLED:
            break;
          case FAILED:
            es_file_set_error (error, path, code);
            return NULL;
          case BUSY:
            attempt = PAUSES;
          }
    }

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *shown = es_error_file_name (file);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” could not be written: another program is saving into the same folder and does not come to an "
                 "end."), shown);
  return NULL;
}

gboolean
es_journal_write (EsJournal *self, GPtrArray *changes)
{
  g_autofree char *text = to_text (changes);
  const gsize length = strlen (text);

  errno = EIO;
  return es_file_write_at (self->fd, NAME, text, length, 0, NULL) && fsync (self->fd) == 0;
}

gboolean
es_journal_remove (EsJournal *self)
{
  return unlinkat (self->folder, NAME, 0) == 0;
}

void
es_journal_free (EsJournal *self)
{
  close (self->fd);
  g_free (self);
}
