/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-claim-file-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"

#define BLOCK ((guint64) 64 * 1024)

gboolean
es_claim_file_open (EsClaimFile *self, const char *path, const char *name, GCancellable *cancellable, GError **error)
{
  struct stat status;

  memset (self, 0, sizeof *self);
  self->name = g_strdup (name);
  self->cancellable = cancellable;
  if (es_address_of_guarded (path) != NULL)
    {
      self->fd = -1;
      self->address = es_address_file_open (path, error);
      if (self->address == NULL)
        return FALSE;
      self->size = es_address_file_get_size (self->address);
      self->block = g_malloc (BLOCK);
      return TRUE;
    }
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0 || fstat (self->fd, &status) != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name, g_strerror (errno));
      return FALSE;
    }
  self->size = (guint64) MAX (status.st_size, 0);
  self->block = g_malloc (BLOCK);
  return TRUE;
}

void
es_claim_file_close (EsClaimFile *self)
{
  /* One that was never opened is all zeros. */
  if (self->name != NULL && self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->address, es_address_file_free);
  g_clear_pointer (&self->block, g_free);
  g_clear_pointer (&self->name, g_free);
}

/* The block that begins at a multiple of its length and holds this place. */
static gboolean
fill (EsClaimFile *self, guint64 offset)
{
  guint64 at = offset / BLOCK * BLOCK;
  ssize_t n = (ssize_t) MIN (BLOCK, self->size - MIN (at, self->size));

  if (self->block_length > 0 && self->block_at == at)
    return TRUE;
  self->block_length = 0;
  if (g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  if (self->address == NULL)
    do
      n = pread (self->fd, self->block, BLOCK, (off_t) at);
    while (n < 0 && errno == EINTR);
  else if (!es_address_file_read (self->address, at, (gsize) n, self->block, NULL))
    return FALSE;
  if (n <= 0)
    return FALSE;
  self->block_at = at;
  self->block_length = (guint64) n;
  return TRUE;
}

gboolean
es_claim_file_read (EsClaimFile *self, guint64 offset, void *bytes, gsize n)
{
  guint8 *out = bytes;

  if (offset > self->size || n > self->size - offset)
    return FALSE;
  while (n > 0)
    {
      guint64 inside = offset % BLOCK;
      gsize count;

      if (!fill (self, offset) || inside >= self->block_length)
        return FALSE;
      count = MIN (n, self->block_length - inside);
      memcpy (out, self->block + inside, count);
      out += count;
      offset += count;
      n -= count;
    }
  return TRUE;
}

gboolean
es_claim_file_number (EsClaimFile *self, guint64 offset, guint bytes, gboolean big_endian, guint64 *number)
{
  guint8 raw[8];

  *number = 0;
  if (!es_claim_file_read (self, offset, raw, bytes))
    return FALSE;
  for (guint i = 0; i < bytes; i++)
    *number = *number << 8 | raw[big_endian ? i : bytes - 1 - i];
  return TRUE;
}

gboolean
es_claim_file_refuse (EsClaimFile *self, guint64 promised, GError **error)
{
  g_autofree char *found = g_strdup_printf ("%" PRIu64, self->size);
  g_autofree char *wanted = g_strdup_printf ("%" PRIu64, promised);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
               _("“%s” holds %s bytes; its header promises %s"), self->name, found, wanted);
  return FALSE;
}
