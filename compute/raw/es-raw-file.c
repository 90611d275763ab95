/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"

gboolean
es_raw_file_open (EsRawFile *self, const char *path, const char *name, GError **error)
{
  struct stat status;

  *self = (EsRawFile) { -1, NULL, 0 };
  if (es_address_of_guarded (path) != NULL)
    {
      self->address = es_address_file_open (path, error);
      self->size = self->address != NULL ? es_address_file_get_size (self->address) : 0;
      return self->address != NULL;
    }
  self->fd = open (path, O_RDONLY | O_CLOEXEC);
  if (self->fd >= 0 && fstat (self->fd, &status) == 0)
    {
      self->size = (guint64) MAX (status.st_size, 0);
      return TRUE;
    }
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name, g_strerror (errno));
  es_raw_file_close (self);
  return FALSE;
}

void
es_raw_file_close (EsRawFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->address, es_address_file_free);
}

gsize
es_raw_file_read_head (const EsRawFile *self, void *buffer, gsize most)
{
  const gsize wanted = MIN (self->size, most);
  ssize_t n;

  if (self->address != NULL)
    return es_address_file_read (self->address, 0, wanted, buffer, NULL) ? wanted : 0;
  n = pread (self->fd, buffer, wanted, 0);
  return n > 0 ? (gsize) n : 0;
}
