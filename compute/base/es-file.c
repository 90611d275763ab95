/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "es-error.h"

/* Linux writes at most 2 GiB - 4 KiB at a time. */
#define CHUNK_BYTES ((gsize) 1 << 30)

gboolean
es_file_set_reason (GError **error, const char *path, const char *reason)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” could not be written: %s."), name, reason);
  return FALSE;
}

gboolean
es_file_set_error (GError **error, const char *path, int saved_errno)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);

  switch (saved_errno)
    {
    case ENOSPC:
    case EDQUOT:
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” could not be written: there is no space left on the disk."), name);
      break;
    case ENOENT:
    case ENOTDIR:
      {
        g_autofree char *directory = g_path_get_dirname (path);
        g_autofree char *shown = g_filename_display_name (directory);
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                     _("“%s” could not be written: the folder “%s” does not exist."), name, shown);
        break;
      }
    case EISDIR:
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” could not be written: it is a folder."), name);
      break;
    default:
      return es_file_set_reason (error, path, g_strerror (saved_errno));
    }
  return FALSE;
}

gboolean
es_file_reserve (int fd, const char *path, guint64 bytes, GError **error)
{
  int code;

  do
    code = posix_fallocate (fd, 0, (off_t) bytes);
  while (code == EINTR);

  /* File systems that cannot reserve (EINVAL, EOPNOTSUPP) still give the file its size. */
  if ((code == EINVAL || code == EOPNOTSUPP) && bytes > 0)
    code = ftruncate (fd, (off_t) bytes) == 0 ? 0 : errno;
  return code == 0 ? TRUE : es_file_set_error (error, path, code);
}

gboolean
es_file_write_at (int fd, const char *path, const void *data, gsize bytes, guint64 offset, GError **error)
{
  const char *from = data;

  while (bytes > 0)
    {
      gssize written = pwrite (fd, from, MIN (bytes, CHUNK_BYTES), (off_t) offset);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return es_file_set_error (error, path, written < 0 ? errno : ENOSPC);
      from += written;
      bytes -= written;
      offset += written;
    }
  return TRUE;
}

gboolean
es_file_write (int fd, const char *path, const void *data, gsize bytes, GError **error)
{
  const char *from = data;

  while (bytes > 0)
    {
      gssize written = write (fd, from, MIN (bytes, CHUNK_BYTES));

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return es_file_set_error (error, path, written < 0 ? errno : ENOSPC);
      from += written;
      bytes -= written;
    }
  return TRUE;
}

gboolean
es_file_read_at (int fd, const char *path, void *data, gsize bytes, guint64 offset, GError **error)
{
  char *to = data;
  guint64 end = offset + bytes;

  while (bytes > 0)
    {
      gssize got = pread (fd, to, MIN (bytes, CHUNK_BYTES), (off_t) offset);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        {
          const int code = errno;      /* of which a name to show leaves nothing */
          g_autoptr (GFile) file = g_file_new_for_path (path);
          g_autofree char *name = es_error_file_name (file);

          if (got < 0)
            g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” could not be read: %s."),
                         name, g_strerror (code));
          else
            g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                         _("“%s” ends after %llu bytes, where %llu were expected."),
                         name, (unsigned long long) offset, (unsigned long long) end);
          return FALSE;
        }
      to += got;
      bytes -= got;
      offset += got;
    }
  return TRUE;
}
