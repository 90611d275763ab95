/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The header that makes a raw cube one that opens by itself. */

#include "es-raw-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/es-envi-header-internal.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"

static int
data_type_of (EskType type)
{
  switch (type)
    {
    case ESK_U8: return 1;
    case ESK_I16: return 2;
    case ESK_I32: return 3;
    case ESK_F32: return 4;
    case ESK_F64: return 5;
    case ESK_U16: return 12;
    case ESK_U32: return 13;
    default: g_return_val_if_reached (0);
    }
}

/* "scene.hdr" beside "scene.raw"; NULL where the name has no end that could be taken off. Transfer full. */
static char *
replaced_suffix (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  const char *dot = strrchr (base, '.');

  return dot != NULL && dot > base ? g_strdup_printf ("%.*s.hdr", (int) (strlen (path) - strlen (dot)), path) : NULL;
}

GFile *
es_raw_header_place (GFile *file)
{
  const char *path = g_file_peek_path (file);
  g_autofree char *appended = path != NULL ? g_strconcat (path, ".hdr", NULL) : NULL;
  g_autofree char *replaced = path != NULL ? replaced_suffix (path) : NULL;

  if (path == NULL || g_file_test (appended, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK)
      || (replaced != NULL && g_strcmp0 (replaced, path) != 0 && es_envi_header_is_at (replaced)))
    return NULL;
  return g_file_new_for_path (appended);
}

static char *
make_header (const EsRawShape *shape, EskType type)
{
  return g_strdup_printf ("ENVI\n"
                          "description = {described by a person in Eigenscope}\n"
                          "samples = %" PRIu64 "\n"
                          "lines = %" PRIu64 "\n"
                          "bands = %" PRIu64 "\n"
                          "header offset = %" PRIu64 "\n"
                          "file type = ENVI Standard\n"
                          "data type = %d\n"
                          "interleave = %s\n"
                          "byte order = %d\n",
                          shape->width, shape->height, shape->bands, shape->offset, data_type_of (type),
                          es_interleave_name (shape->interleave), shape->big_endian ? 1 : 0);
}

gboolean
es_raw_header_write (GFile *file, const EsRawShape *shape, GError **error)
{
  g_autoptr (GFile) target = es_raw_header_place (file);
  g_autofree char *name = es_error_file_name (file), *text = NULL;
  EskType type = ESK_U8;
  gboolean done;
  int fd;

  g_return_val_if_fail (shape != NULL && es_raw_type_find (shape->type, &type), FALSE);

  if (target == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("No header was written for “%s”: there is one beside it, or a file of that name"), name);
      return FALSE;
    }
  /* Whoever was sooner stays. */
  fd = open (g_file_peek_path (target), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      g_autofree char *shown = es_error_file_name (target);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” cannot be written: %s"), shown,
                   g_strerror (errno));
      return FALSE;
    }
  text = make_header (shape, type);
  done = es_file_write (fd, g_file_peek_path (target), text, strlen (text), error);
  if (done)
    fsync (fd);
  close (fd);
  if (!done)
    unlink (g_file_peek_path (target));
  return done;
}
