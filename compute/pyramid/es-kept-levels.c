/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-levels-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dataset/es-dataset-internal.h"
#include "saving/es-part-internal.h"
#include "saving/es-used-files.h"

#define SUFFIX ".levels"
/* A use is noted once in so many seconds. */
#define NOTE_AFTER 60

/* ---- names ---- */

char *
_es_kept_levels_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "eigenscope", "levels", NULL);
}

char *
_es_kept_levels_path (const char *key)
{
  g_autofree char *folder = _es_kept_levels_folder ();
  g_autofree char *name = g_strconcat (key, SUFFIX, NULL);

  return g_build_filename (folder, name, NULL);
}

static gboolean
is_name (const char *name)
{
  return strspn (name, "0123456789abcdef") == 64 && strcmp (name + 64, SUFFIX) == 0;
}

/* All that decides the values of a band: what is in its files by now, and how it is understood. */
char *
_es_kept_levels_key (EsCube *cube, guint band)
{
  EsDataset *dataset = ES_DATASET (cube);
  const EsOpenOptions *options = es_dataset_get_options (dataset);
  g_autoptr (GString) text = g_string_new (es_dataset_get_identity (dataset));
  g_autoptr (GPtrArray) files = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double no_data = 0;

  if (es_dataset_get_file (dataset) == NULL)
    return NULL;
  files = es_dataset_list_files (dataset);
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = g_file_peek_path (g_ptr_array_index (files, i));
      struct stat status;

      if (path == NULL || stat (path, &status) != 0)
        return NULL;
      /* Programs that copy over a file say when the other one was written; when it was changed they cannot say. */
      g_string_append_printf (text, "\n%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld %" G_GINT64_FORMAT ".%09ld",
                              path, (gint64) status.st_size, (gint64) status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                              (gint64) status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
    }
  g_string_append_printf (text, "\n%s %s %s", es_cube_get_format_name (cube), es_cube_get_type_name (cube),
                          options->variable != NULL ? options->variable : "");
  g_string_append_printf (text, "\n%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u %u", es_cube_get_width (cube),
                          es_cube_get_height (cube), es_cube_get_bands (cube), band);
  if (es_cube_get_no_data (cube, band, &no_data))
    g_string_append_printf (text, " %s", g_ascii_dtostr (number, sizeof number, no_data));
  g_string_append_printf (text, "\n%s", g_ascii_dtostr (number, sizeof number, es_cube_get_scale (cube, band)));
  g_string_append_printf (text, " %s", g_ascii_dtostr (number, sizeof number, es_cube_get_offset (cube, band)));
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
}

/* ---- the file ---- */

void
_es_levels_header_init (EsLevelsHeader *header, const char *key, EsCube *cube, guint last)
{
  memset (header, 0, sizeof *header);
  g_strlcpy (header->magic, ES_LEVELS_MAGIC, sizeof header->magic);
  g_strlcpy (header->key, key, sizeof header->key);
  header->width = es_cube_get_width (cube);
  header->height = es_cube_get_height (cube);
  header->first = MIN (2, last);
  header->last = last;
  header->order = ES_LEVELS_ORDER;
}

gboolean
_es_levels_find_start (const EsLevelsHeader *header, guint level, guint64 *start)
{
  guint64 at = ES_LEVELS_START, bytes;

  for (guint i = header->first; i < level; i++)
    if (!g_uint64_checked_mul (&bytes, es_level_length (header->width, i), es_level_length (header->height, i))
        || !g_uint64_checked_mul (&bytes, bytes, sizeof (float)) || !g_uint64_checked_add (&at, at, bytes)
        || at > G_MAXINT64)
      return FALSE;
  *start = at;
  return TRUE;
}

static gboolean
read_at (int fd, void *data, gsize bytes, guint64 offset)
{
  while (bytes > 0)
    {
      const gssize n = pread (fd, data, bytes, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      data = (guint8 *) data + n;
      bytes -= (gsize) n;
      offset += (guint64) n;
    }
  return TRUE;
}

/* A file of this kind, this user's, and no link. -1: it is none. */
static int
open_levels (const char *path, EsLevelsHeader *header, struct stat *status)
{
  const int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  if (fd < 0)
    return -1;
  if (fstat (fd, status) == 0 && S_ISREG (status->st_mode) && status->st_uid == geteuid ()
      && read_at (fd, header, sizeof *header, 0) && strncmp (header->magic, ES_LEVELS_MAGIC, sizeof header->magic) == 0)
    return fd;
  close (fd);
  return -1;
}

/* Those of a band, whole. -1: there are none. */
static int
open_own (EsCube *cube, guint band, EsLevelsHeader *header)
{
  g_autofree char *key = _es_kept_levels_key (cube, band);
  g_autofree char *path = key != NULL ? _es_kept_levels_path (key) : NULL;
  struct stat status;
  guint64 end;
  int fd;

  if (path == NULL || (fd = open_levels (path, header, &status)) < 0)
    return -1;
  if (strncmp (header->key, key, sizeof header->key) == 0 && header->order == ES_LEVELS_ORDER
      && header->width == es_cube_get_width (cube) && header->height == es_cube_get_height (cube)
      && header->first <= header->last && header->last <= ES_LEVEL_LAST
      && _es_levels_find_start (header, header->last + 1, &end) && (guint64) status.st_size == end)
    {
      if (status.st_mtime + NOTE_AFTER < g_get_real_time () / G_USEC_PER_SEC)
        futimens (fd, NULL);
      return fd;
    }
  close (fd);
  return -1;
}

gboolean
es_kept_levels_have (EsCube *cube, guint band, guint last)
{
  EsLevelsHeader header;
  int fd;

  g_return_val_if_fail (ES_IS_CUBE (cube) && band < es_cube_get_bands (cube), FALSE);

  fd = open_own (cube, band, &header);
  if (fd >= 0)
    close (fd);
  return fd >= 0 && header.last >= last;
}

static gboolean
read_window (int fd, const EsLevelsHeader *header, const EsLevelWindow *window, float *out)
{
  const guint64 width = es_level_length (header->width, window->level);
  guint64 start;

  if (window->level < header->first || window->level > header->last
      || !_es_levels_find_start (header, window->level, &start))
    return FALSE;
  start += (window->y * width + window->x) * sizeof (float);
  if (window->width == width)
    return read_at (fd, out, window->height * width * sizeof (float), start);
  for (guint64 row = 0; row < window->height; row++)
    if (!read_at (fd, out + row * window->width, window->width * sizeof (float), start + row * width * sizeof (float)))
      return FALSE;
  return TRUE;
}

gboolean
es_kept_levels_read (EsCube *cube, guint band, const EsLevelWindow *window, float *out)
{
  EsLevelsHeader header;
  gboolean done;
  int fd;

  g_return_val_if_fail (ES_IS_CUBE (cube) && band < es_cube_get_bands (cube), FALSE);

  if (window->level == 0 || (fd = open_own (cube, band, &header)) < 0)
    return FALSE;
  done = read_window (fd, &header, window, out);
  close (fd);
  return done;
}

/* ---- room ---- */

static GPtrArray *
list_kept (const char *folder)
{
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  GPtrArray *list = es_used_files_new ();
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = is_name (name) ? g_build_filename (folder, name, NULL) : NULL;
      EsLevelsHeader header;
      struct stat status;
      const int fd = path != NULL ? open_levels (path, &header, &status) : -1;

      if (fd < 0)
        continue;
      close (fd);
      es_used_files_add (list, path, (guint64) status.st_size, status.st_mtime);
    }
  return list;
}

static gboolean
remove_kept (const char *path)
{
  return unlink (path) == 0;
}

guint64
es_kept_levels_limit (guint64 bytes)
{
  g_autofree char *folder = _es_kept_levels_folder ();
  g_autoptr (GPtrArray) list = NULL;

  /* What builds that were killed have left. */
  es_part_clear (folder);
  list = list_kept (folder);
  return es_used_files_limit (list, bytes, remove_kept);
}
