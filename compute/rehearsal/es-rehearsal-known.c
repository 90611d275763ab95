/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-rehearsal-private.h"

/* With more of them all are forgotten. */
#define MOST_KNOWN 1000u

static GMutex mutex;
static GHashTable *known;      /* text of file and arguments: EsRehearsalEnd */

static char *
key_of (const struct stat *status, const char * const *arguments)
{
  g_autofree char *words = g_strjoinv ("\n", (char **) arguments);

  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld"
                          " %" G_GINT64_FORMAT ".%09ld\n%s", (guint64) status->st_dev, (guint64) status->st_ino,
                          (gint64) status->st_size, (gint64) status->st_mtim.tv_sec, (long) status->st_mtim.tv_nsec,
                          (gint64) status->st_ctim.tv_sec, (long) status->st_ctim.tv_nsec, words);
}

gboolean
es_rehearsal_known (const struct stat *status, const char * const *arguments, EsRehearsalEnd *end)
{
  g_autofree char *key = key_of (status, arguments);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  gpointer value;

  if (known == NULL || !g_hash_table_lookup_extended (known, key, NULL, &value))
    return FALSE;
  *end = (EsRehearsalEnd) GPOINTER_TO_UINT (value);
  return TRUE;
}

void
es_rehearsal_remember (const struct stat *status, const char * const *arguments, EsRehearsalEnd end)
{
  char *key = key_of (status, arguments);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (known) >= MOST_KNOWN)
    g_hash_table_remove_all (known);
  g_hash_table_replace (known, key, GUINT_TO_POINTER ((guint) end));
}

gboolean
es_rehearsal_equal (const struct stat *one, const struct stat *other)
{
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_size == other->st_size &&
         one->st_mtim.tv_sec == other->st_mtim.tv_sec && one->st_mtim.tv_nsec == other->st_mtim.tv_nsec &&
         one->st_ctim.tv_sec == other->st_ctim.tv_sec && one->st_ctim.tv_nsec == other->st_ctim.tv_nsec;
}
