/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-market-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

/* What is read and unpacked at once; between two pieces somebody may cancel. */
#define PIECE ((gsize) 1024 * 1024)
/* No stream of zlib's takes less than one byte for 1032 (its author's figure). */
#define MOST_PACKED 1032
#define SHOWN 40

void
_es_matrix_lines_clear (EsMatrixLines *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_object (&self->unpacker);
  g_clear_pointer (&self->packed, g_free);
  g_clear_pointer (&self->text, g_free);
}

gboolean
_es_matrix_lines_refuse (const EsMatrixLines *self, guint64 line, int code, GError **error, const char *format, ...)
{
  g_autofree char *found = NULL;
  va_list arguments;

  va_start (arguments, format);
  found = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* TRANSLATORS: of a text file; what is wrong with that line */
  g_set_error (error, ES_DATA_ERROR, code, _("“%s”, line %" PRIu64 ": %s"), self->name, line, found);
  return FALSE;
}

char *
_es_matrix_show_word (const char *at)
{
  gsize length = 0;

  at = _es_matrix_skip_blanks (at);
  while (length < SHOWN && strchr (" \t\r\n", at[length]) == NULL)
    length++;
  g_autofree char *word = g_strndup (at, length);
  return es_text_show (word);
}

static gboolean
refuse_file (EsMatrixLines *self, const char *reason, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), self->name, reason);
  return FALSE;
}

/* Bytes as they lie on the disk. */
static gboolean
read_some (EsMatrixLines *self, void *data, gsize bytes, gsize *n_read, GError **error)
{
  ssize_t n;

  do
    n = read (self->fd, data, bytes);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return refuse_file (self, g_strerror (errno), error);
  self->read_all = n == 0;
  *n_read = (gsize) n;
  return TRUE;
}

gboolean
_es_matrix_lines_open (EsMatrixLines *self, const char *path, const char *name, GCancellable *cancellable,
                       GError **error)
{
  struct stat status;

  *self = (EsMatrixLines) { .name = name, .cancellable = cancellable, .fd = -1 };
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (self->fd < 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name,
                   g_strerror (errno));
      return FALSE;
    }
  if (fstat (self->fd, &status) != 0 || !S_ISREG (status.st_mode))
    return refuse_file (self, _("it is no file"), error);
  self->bytes = (guint64) status.st_size;
  self->packed = g_malloc (PIECE);
  /* One byte more: the last line may lack its end. */
  self->text = g_malloc (PIECE + ES_MATRIX_LINE_MOST + 1);
  if (!read_some (self, self->packed, PIECE, &self->packed_to, error))
    return FALSE;
  if (self->packed_to >= 2 && self->packed[0] == 0x1f && self->packed[1] == 0x8b)
    self->unpacker = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  return TRUE;
}

guint64
_es_matrix_lines_bound (const EsMatrixLines *self)
{
  return self->unpacker == NULL ? self->bytes
         : self->bytes > G_MAXUINT64 / MOST_PACKED ? G_MAXUINT64 : self->bytes * MOST_PACKED;
}

/* There are bytes of the file to be looked at, unless it has ended. */
static gboolean
fill_packed (EsMatrixLines *self, GError **error)
{
  if (self->packed_from < self->packed_to || self->read_all)
    return TRUE;
  self->packed_from = 0;
  return read_some (self, self->packed, PIECE, &self->packed_to, error);
}

static gboolean
refuse_packed (EsMatrixLines *self, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
               _("“%s” is compressed (gzip) and damaged or cut short behind line %" PRIu64 " of its text"), self->name,
               self->line);
  return FALSE;
}

/* Compressed parts follow each other in one file, and zeros may fill it up. */
static gboolean
begin_part (EsMatrixLines *self, gboolean *begun, GError **error)
{
  *begun = FALSE;
  for (;;)
    {
      if (!fill_packed (self, error))
        return FALSE;
      if (self->packed_from == self->packed_to)
        return TRUE;
      if (self->packed[self->packed_from] != 0)
        break;
      self->packed_from++;
    }
  if (self->packed[self->packed_from] != 0x1f)
    return refuse_packed (self, error);
  g_converter_reset (G_CONVERTER (self->unpacker));
  self->between = FALSE;
  *begun = TRUE;
  return TRUE;
}

/* Text into data; none: it has ended. */
static gboolean
unpack (EsMatrixLines *self, char *data, gsize room, gsize *n_read, GError **error)
{
  *n_read = 0;
  while (*n_read == 0)
    {
      gsize taken = 0, made = 0;
      gboolean begun = TRUE;
      g_autoptr (GError) failure = NULL;

      if (self->between && !begin_part (self, &begun, error))
        return FALSE;
      if (!begun)
        return TRUE;
      if (!fill_packed (self, error))
        return FALSE;
      const GConverterResult result
        = g_converter_convert (G_CONVERTER (self->unpacker), self->packed + self->packed_from,
                               self->packed_to - self->packed_from, data, room,
                               self->read_all ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &taken, &made,
                               &failure);
      if (result == G_CONVERTER_ERROR)
        {
          /* It wants more than is left of this piece: of a file that goes on there is another. */
          if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) && !self->read_all
              && self->packed_from == self->packed_to)
            continue;
          return refuse_packed (self, error);
        }
      self->packed_from += taken;
      *n_read = made;
      self->between = result == G_CONVERTER_FINISHED;
      if (taken == 0 && made == 0 && result != G_CONVERTER_FINISHED)
        return refuse_packed (self, error);
    }
  return TRUE;
}

static gboolean
read_text (EsMatrixLines *self, char *data, gsize room, gsize *n_read, GError **error)
{
  if (self->unpacker != NULL)
    return unpack (self, data, room, n_read, error);
  if (self->packed_from == self->packed_to)
    return read_some (self, data, room, n_read, error);
  *n_read = MIN (room, self->packed_to - self->packed_from);
  memcpy (data, self->packed + self->packed_from, *n_read);
  self->packed_from += *n_read;
  return TRUE;
}

/* More text behind what is left of the last piece. */
static gboolean
fill (EsMatrixLines *self, GError **error)
{
  gsize n;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->to - self->from >= ES_MATRIX_LINE_MOST)
    return _es_matrix_lines_refuse (self, self->line + 1, ES_DATA_ERROR_FORMAT, error,
                                    _("it is longer than %zu bytes, which no line of this format is"),
                                    ES_MATRIX_LINE_MOST);
  memmove (self->text, self->text + self->from, self->to - self->from);
  self->to -= self->from;
  self->from = 0;
  if (!read_text (self, self->text + self->to, PIECE, &n, error))
    return FALSE;
  self->to += n;
  self->ended = n == 0;
  if (self->ended && self->to > 0)
    self->text[self->to++] = '\n';
  return TRUE;
}

const char *
_es_matrix_lines_next (EsMatrixLines *self, GError **error)
{
  for (;;)
    {
      const char *line = self->text + self->from;
      const char *end = memchr (line, '\n', self->to - self->from);

      if (end != NULL)
        {
          self->from = (gsize) (end + 1 - self->text);
          self->line++;
          return line;
        }
      if (self->ended || !fill (self, error))
        return NULL;
    }
}
