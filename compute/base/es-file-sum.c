/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-sum-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "es-error.h"
#include "es-sha256.h"

/* Short enough to be still in the cache of the core that read it. */
#define PIECE_BYTES ((gsize) 256 << 10)
#define MOST_THREADS 16
#define DIGEST_BYTES 32

typedef struct
{
  int            fd;
  const guint64 *blocks;
  char         **sums;
  GCancellable  *cancellable;
  int            failure;      /* errno of any of them */
} Summing;

static void
sum_block (gpointer data, gpointer user_data)
{
  Summing *summing = user_data;
  const guint i = GPOINTER_TO_UINT (data) - 1;
  const guint64 from = (summing->blocks != NULL ? summing->blocks[i] : i) * ES_FILE_SUM_BLOCK;
  g_autofree guint8 *piece = g_malloc (PIECE_BYTES);
  guint8 digest[DIGEST_BYTES];
  EskSha256 sum;

  esk_sha256_begin (&sum);
  for (guint64 done = 0; done < ES_FILE_SUM_BLOCK;)
    {
      gssize got;

      if (g_cancellable_is_cancelled (summing->cancellable) || g_atomic_int_get (&summing->failure) != 0)
        return;
      got = pread (summing->fd, piece, MIN (PIECE_BYTES, ES_FILE_SUM_BLOCK - done), (off_t) (from + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        g_atomic_int_set (&summing->failure, errno);
      if (got <= 0)
        break;
      esk_sha256_add (&sum, piece, (gsize) got);
      done += (guint64) got;
    }
  esk_sha256_end (&sum, digest);
  char *text = g_malloc (2 * DIGEST_BYTES + 1);
  for (guint k = 0; k < DIGEST_BYTES; k++)
    g_snprintf (text + 2 * k, 3, "%02x", digest[k]);
  summing->sums[i] = text;
}

guint64
es_file_sum_n_blocks (guint64 bytes)
{
  return bytes == 0 ? 1 : (bytes - 1) / ES_FILE_SUM_BLOCK + 1;
}

static char **
refuse (const char *path, int code, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” could not be read: %s."), name, g_strerror (code));
  return NULL;
}

char **
es_file_sum (const char *path, const guint64 *blocks, guint n, GCancellable *cancellable, GError **error)
{
  Summing summing = { open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), blocks, NULL, cancellable, 0 };
  GThreadPool *pool = NULL;

  if (summing.fd < 0)
    return refuse (path, errno, error);
  summing.sums = g_new0 (char *, n + 1);
  if (n > 1)
    pool = g_thread_pool_new (sum_block, &summing, (int) MIN (n, MIN (g_get_num_processors (), MOST_THREADS)), FALSE,
                              NULL);
  for (guint i = 0; i < n; i++)
    if (pool != NULL)
      g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
    else
      sum_block (GUINT_TO_POINTER (i + 1), &summing);
  if (pool != NULL)
    g_thread_pool_free (pool, FALSE, TRUE);
  close (summing.fd);

  if (!g_cancellable_set_error_if_cancelled (cancellable, error) && summing.failure == 0)
    return summing.sums;
  /* Those that were given up are NULL amid the others. */
  for (guint i = 0; i < n; i++)
    g_free (summing.sums[i]);
  g_free (summing.sums);
  return summing.failure != 0 && (error == NULL || *error == NULL) ? refuse (path, summing.failure, error) : NULL;
}
