/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where what is opened lies, a file, a folder or an address, and its first bytes. */

#include "es-reader-input-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "dataset/es-dataset-internal.h"
#include "libraries/es-address-file-internal.h"

/* What tells what a store of Zarr holds; the first three lie in its folder. */
static const char * const store_files[] = { ".zgroup", ".zarray", "zarr.json", ".zmetadata", ".zattrs" };
#define N_STORE_MARKS 3
#define MOST_STORE_TEXT ((gsize) 64 << 20)

gboolean
es_reader_is_address (const EsReaderInput *input)
{
  return es_address_of_guarded (input->path) != NULL;
}

gboolean
es_reader_take_address (EsReaderInput *input, GError **error)
{
  g_autofree char *address = es_address_find (input->path);

  if (!g_str_has_prefix (input->path, "/vsi") || g_file_test (input->path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (address == NULL || !es_address_is_allowed (address))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is one of GDAL's addresses and no file of this machine; nothing is fetched from elsewhere "
                     "unless a person names it to “eigenscope-batch”, below /vsicurl/, /vsis3/, /vsizip/, /vsitar/ or "
                     "/vsigzip/: save it in a local folder first, and open that"),
                   address != NULL ? address : input->path);
      return FALSE;
    }
  if (input->options.driver != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” is an address; a driver is named for files of this machine alone"), address);
      return FALSE;
    }
  g_free (input->path);
  input->path = es_address_guard (address);
  return TRUE;
}

static gboolean
refuse_errno (EsReaderInput *input, int code, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), input->name,
               g_strerror (code));
  return FALSE;
}

static gboolean
is_file (const char *path)
{
  EsAddressStatus status;

  return es_address_of_guarded (path) != NULL ? es_address_look (path, &status) && !status.is_folder
                                              : g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static gboolean
is_store (EsReaderInput *input)
{
  gboolean found = FALSE;

  for (guint i = 0; i < N_STORE_MARKS && !found; i++)
    {
      g_autofree char *path = g_strconcat (input->path, "/", store_files[i], NULL);
      found = is_file (path);
    }
  return found;
}

static gboolean
refuse_folder (EsReaderInput *input, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
               _("“%s” is a folder; a file that holds a cube, a recording or a matrix was expected"), input->name);
  return FALSE;
}

static gboolean
refuse_empty (EsReaderInput *input, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is empty"), input->name);
  return FALSE;
}

static gboolean
fill_from_address (EsReaderInput *input, GError **error)
{
  EsAddressStatus status = { 0 };
  const gboolean there = es_address_look (input->path, &status);
  g_autoptr (EsAddressFile) file = NULL;

  if (!there || status.is_folder)
    {
      input->store = is_store (input);
      if (input->store)
        return TRUE;
      if (there)
        return refuse_folder (input, error);
    }
  file = es_address_file_open (input->path, error);
  if (file == NULL)
    return FALSE;
  input->size = es_address_file_get_size (file);
  if (input->size == 0)
    return refuse_empty (input, error);
  input->head_length = MIN (input->size, sizeof input->head);
  return es_address_file_read (file, 0, input->head_length, input->head, error);
}

/* Looks before it opens: a pipe or a device would block for ever. */
gboolean
es_reader_fill (EsReaderInput *input, GError **error)
{
  struct stat status;
  ssize_t n;
  int fd;

  if (es_reader_is_address (input))
    return fill_from_address (input, error);
  if (stat (input->path, &status) != 0)
    return refuse_errno (input, errno, error);
  if (S_ISDIR (status.st_mode))
    {
      input->store = is_store (input);
      return input->store || refuse_folder (input, error);
    }
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is a device or a pipe; a file that holds a cube, a recording or a matrix was expected"),
                   input->name);
      return FALSE;
    }

  fd = open (input->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return refuse_errno (input, errno, error);
  do
    n = pread (fd, input->head, sizeof input->head, 0);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      int code = errno;

      close (fd);
      return refuse_errno (input, code, error);
    }
  close (fd);

  input->size = (guint64) status.st_size;
  input->head_length = (gsize) n;
  return n > 0 || refuse_empty (input, error);
}

gboolean
es_reader_find_size (const char *path, guint64 *size)
{
  EsAddressStatus found;
  struct stat status;

  if (es_address_of_guarded (path) != NULL)
    {
      *size = es_address_look (path, &found) && !found.is_folder ? found.size : G_MAXUINT64;
      return *size != G_MAXUINT64;
    }
  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  *size = (guint64) status.st_size;
  return TRUE;
}

char *
es_reader_identify (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_address_of_guarded (path) != NULL ? es_address_identify (path) : _es_dataset_identity_of (file);
}

/* What is there of the texts in a folder of a store. */
static void
add_texts (GChecksum *checksum, const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (store_files); i++)
    {
      g_autofree char *path = g_strconcat (folder, "/", store_files[i], NULL), *text = NULL;
      gsize length = 0;

      if (!is_file (path))
        continue;
      if (es_address_of_guarded (path) != NULL)
        text = es_address_load (path, MOST_STORE_TEXT, &length);
      else
        g_file_get_contents (path, &text, &length, NULL);
      g_checksum_update (checksum, (const guint8 *) store_files[i], -1);
      if (text != NULL)
        g_checksum_update (checksum, (const guint8 *) text, (gssize) length);
    }
}

char *
es_reader_identify_store (const EsReaderInput *input)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  add_texts (checksum, input->path);
  for (guint i = 0; i < input->arrays->len; i++)
    {
      const EsFileArray *array = g_ptr_array_index (input->arrays, i);
      g_autofree char *folder = g_strconcat (input->path, array->name, NULL);

      if (array->open && g_str_has_prefix (array->name, "/"))
        add_texts (checksum, folder);
    }
  return g_strdup (g_checksum_get_string (checksum));
}
