/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-dataset-internal.h"

#define PIECE ((gsize) 64 * 1024)

static void
add_piece (GChecksum *checksum, int fd, guint64 offset, guint8 *buffer)
{
  gsize done = 0;

  while (done < PIECE)
    {
      ssize_t n = pread (fd, buffer + done, PIECE - done, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      done += (gsize) n;
    }
  g_checksum_update (checksum, buffer, (gssize) done);
}

char *
_es_dataset_identity_of (GFile *file)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = g_file_get_path (file);
  g_autofree guint8 *buffer = NULL;
  struct stat status;
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    {
      g_autofree char *uri = g_file_get_uri (file);

      if (fd >= 0)
        close (fd);
      g_checksum_update (checksum, (const guint8 *) uri, -1);
      return g_strdup (g_checksum_get_string (checksum));
    }

  /* Spelt out, so that the identity is the same on machines of either byte order. */
  g_autofree char *stamp = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld\n",
                                            (gint64) status.st_size, (gint64) status.st_mtim.tv_sec,
                                            (long) status.st_mtim.tv_nsec);
  guint64 size = (guint64) status.st_size;

  buffer = g_malloc (PIECE);
  g_checksum_update (checksum, (const guint8 *) stamp, -1);
  add_piece (checksum, fd, 0, buffer);
  if (size > PIECE)
    add_piece (checksum, fd, MAX (PIECE, size / 2 - MIN (size / 2, PIECE / 2)), buffer);
  if (size > 2 * PIECE)
    add_piece (checksum, fd, size - PIECE, buffer);
  close (fd);
  return g_strdup (g_checksum_get_string (checksum));
}
