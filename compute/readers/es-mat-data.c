/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The numbers of MATLAB's arrays: through matio where nothing can go wrong, by ourselves where it would. */

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "claims/es-claim-mat5-internal.h"
#include "es-mat-recording-private.h"
#include "hdf/es-hdf-samples-internal.h"

#define HEADER_BYTES 128
#define BLOCK_BYTES (1 << 20)

gboolean
es_mat_get_type (const matvar_t *variable, EskType *type)
{
  if (variable->isComplex)
    return FALSE;
  switch (variable->class_type)
    {
    case MAT_C_DOUBLE: *type = ESK_F64; return TRUE;
    case MAT_C_SINGLE: *type = ESK_F32; return TRUE;
    case MAT_C_INT8:   *type = ESK_I8;  return TRUE;
    case MAT_C_UINT8:  *type = ESK_U8;  return TRUE;
    case MAT_C_INT16:  *type = ESK_I16; return TRUE;
    case MAT_C_UINT16: *type = ESK_U16; return TRUE;
    case MAT_C_INT32:  *type = ESK_I32; return TRUE;
    case MAT_C_UINT32: *type = ESK_U32; return TRUE;
    case MAT_C_INT64:  *type = ESK_I64; return TRUE;
    case MAT_C_UINT64: *type = ESK_U64; return TRUE;
    default:           return FALSE;
    }
}

/* ---- version 7.3, which is HDF5 ---- */

/* matio takes what is missing of packed numbers from memory that nobody has filled, and believes the lengths that an
 * attribute of empty arrays tells. */
static gboolean
read_data_7_3 (EsReaderInput *input, matvar_t *variable)
{
  g_autofree char *path = g_strconcat ("/", variable->name, NULL);
  g_autofree guint64 *lengths = g_new (guint64, MAX (variable->rank, 1));
  hid_t file, dataset = -1;
  guint64 bytes;
  EskType type;
  gboolean ok = FALSE;

  if (!es_mat_get_type (variable, &type) || variable->data != NULL)
    return FALSE;
  bytes = esk_type_size (type);
  for (int i = 0; i < variable->rank; i++)
    {
      lengths[variable->rank - 1 - i] = variable->dims[i];
      if (__builtin_mul_overflow (bytes, (guint64) variable->dims[i], &bytes))
        return FALSE;
    }
  if (bytes == 0 || bytes > G_MAXINT64)
    return FALSE;
  file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0)
    dataset = H5Dopen2 (file, path, H5P_DEFAULT);
  if (dataset >= 0)
    variable->data = g_try_malloc (bytes);
  if (variable->data != NULL)
    {
      ok = es_hdf_read_whole (dataset, es_hdf_memory_type (type), variable->rank, lengths, variable->data);
      variable->nbytes = bytes;
      variable->data_size = (int) esk_type_size (type);
    }
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  return ok;
}

gboolean
es_mat_read_data (EsReaderInput *input, mat_t *file, matvar_t *variable)
{
  g_auto (EsClaimFile) claimed = { 0 };

  /* Full arrays of numbers alone: nobody has held against the file what a sparse one promises. */
  if (variable->class_type < MAT_C_DOUBLE || variable->class_type > MAT_C_UINT64 || variable->name == NULL)
    return FALSE;
  if (Mat_GetVersion (file) == MAT_FT_MAT73)
    return read_data_7_3 (input, variable);
  if (!es_claim_file_open (&claimed, input->path, input->name, input->cancellable, NULL) ||
      !es_claim_mat5_is_whole (&claimed, variable->name))
    return FALSE;
  return Mat_VarReadDataAll (file, variable) == 0 && variable->data != NULL;
}

/* ---- version 5 without what matio misreads ---- */

static gboolean
copy_range (EsClaimFile *from, guint64 at, guint64 n, int to)
{
  g_autofree guint8 *block = g_malloc (BLOCK_BYTES);

  while (n > 0)
    {
      const gsize part = MIN (n, BLOCK_BYTES);

      if (!es_claim_file_read (from, at, block, part))
        return FALSE;
      for (gsize done = 0; done < part;)
        {
          const gssize written = write (to, block + done, part - done);

          if (written < 0 && errno != EINTR)
            return FALSE;
          done += MAX (written, 0);
        }
      at += part;
      n -= part;
    }
  return TRUE;
}

int
es_mat_copy_without (EsClaimFile *file, guint64 end, GArray *left_out, GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("eigenscope-XXXXXX.mat", &path, NULL);
  int failure = errno;
  guint64 at = HEADER_BYTES;
  gboolean ok = fd >= 0 && copy_range (file, 0, HEADER_BYTES, fd);

  if (fd >= 0)
    g_unlink (path);
  for (guint i = 0; ok && i <= left_out->len; i++)
    {
      const EsClaimRange range = i < left_out->len ? g_array_index (left_out, EsClaimRange, i)
                                                   : (EsClaimRange) { end, 0 };

      ok = copy_range (file, at, range.at - at, fd);
      at = range.at + range.n;
    }
  if (ok)
    return fd;
  failure = fd >= 0 ? errno : failure;
  if (!g_cancellable_set_error_if_cancelled (file->cancellable, error))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                 _("“%s” cannot be read: a copy of its arrays could not be written into the folder “%s” (%s)"),
                 file->name, g_get_tmp_dir (), g_strerror (failure));
  if (fd >= 0)
    close (fd);
  return -1;
}
