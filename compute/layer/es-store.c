/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-store-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-file-internal.h"
#include "base/es-memory-internal.h"
#include "ranks/es-ranks-internal.h"
#include "saving/es-part-internal.h"
#include "saving/es-inputs-internal.h"

/* From here on memory is mapped in large pages where the system has them: those are ten times as fast to be given. */
#define LARGE_BYTES ((gsize) 64 << 20)
#define LARGE_PAGE ((gsize) 2 << 20)
/* What is appended may come in little: room for so many bytes more is made at a time, at least. */
#define SMALLEST_GROWTH ((gsize) 1 << 16)
/* What is to stay is on its way to the disk as soon as there is so much of it: whoever waits for the rest at the end
 * waits for the disk alone. */
#define WRITE_OUT_BYTES ((gsize) 32 << 20)

struct _EsStore
{
  char    *name;
  guint64  memory_limit;       /* 0: none */

  char    *memory;
  gsize    room;               /* bytes of the memory */
  gsize    used;               /* of what was appended */
  gboolean mapped;             /* the memory, for itself */

  int      fd;
  char    *label;              /* of the file, for messages */
  char    *part;               /* of the file beside a path, while it is ours */
  gsize    written;            /* atomic: bytes, of that file */
};

EsStore *
es_store_new (const char *name, guint64 memory_limit)
{
  EsStore *self = g_new0 (EsStore, 1);

  self->name = g_strdup (name);
  self->memory_limit = memory_limit;
  self->fd = -1;
  return self;
}

static void
close_file (EsStore *self)
{
  if (self->part != NULL)
    unlink (self->part);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->part, g_free);
  g_clear_pointer (&self->label, g_free);
}

static void
free_memory (EsStore *self)
{
  if (self->mapped)
    munmap (self->memory, self->room);
  else
    g_free (self->memory);
  self->memory = NULL;
  self->room = 0;
  self->mapped = FALSE;
}

void
es_store_empty (EsStore *self)
{
  free_memory (self);
  close_file (self);
  self->used = 0;
}

void
es_store_free (EsStore *self)
{
  es_store_empty (self);
  g_free (self->name);
  g_free (self);
}

/* ---- memory ---- */

gboolean
es_store_fits (const EsStore *self, guint64 bytes)
{
  return self->memory_limit == 0 || bytes <= self->memory_limit;
}

gboolean
es_store_allocate (EsStore *self, gsize bytes)
{
  g_return_val_if_fail (self->memory == NULL && self->fd < 0, FALSE);

  /* Linux promises more than it has, and ends the process that believes it. */
  if (bytes > es_memory_total ())
    return FALSE;
  if (bytes >= LARGE_BYTES)
    {
      void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED)
        return FALSE;
      /* The large pages inside; those that cannot be had are ordinary ones. */
      gsize skip = (LARGE_PAGE - (guintptr) memory % LARGE_PAGE) % LARGE_PAGE;
      madvise ((char *) memory + skip, bytes - skip, MADV_HUGEPAGE);
      self->memory = memory;
      self->mapped = TRUE;
    }
  else
    self->memory = g_try_malloc0 (MAX (bytes, 1));
  self->room = bytes;
  return self->memory != NULL;
}

/* FALSE where the budget or the memory does not hold so many bytes. */
static gboolean
grow_in_memory (EsStore *self, gsize needed)
{
  gsize wanted;
  char *memory;

  if (needed <= self->room)
    return TRUE;
  if (!es_store_fits (self, needed))
    return FALSE;
  wanted = MAX (needed, MAX (self->room + self->room / 2, SMALLEST_GROWTH));
  if (!es_store_fits (self, wanted))
    wanted = MAX (needed, self->memory_limit);
  memory = g_try_realloc (self->memory, wanted);
  if (memory == NULL)
    return FALSE;
  self->memory = memory;
  self->room = wanted;
  return TRUE;
}

/* ---- file ---- */

/* In the cache directory, which is on a real disk more often than the one for temporary files is. */
gboolean
es_store_open_file (EsStore *self, GError **error)
{
  g_autofree char *directory = g_build_filename (g_get_user_cache_dir (), "eigenscope", NULL);
  const char *place = g_mkdir_with_parents (directory, 0700) == 0 ? directory : g_get_tmp_dir ();
  g_autofree char *file = g_strconcat (self->name, "-XXXXXX", NULL);

  if (self->fd >= 0)
    return TRUE;
  g_free (self->label);
  self->label = g_build_filename (place, file, NULL);
  self->fd = g_mkstemp_full (self->label, O_RDWR | O_CLOEXEC, 0600);
  if (self->fd < 0)
    return es_file_set_error (error, self->label, errno);
  unlink (self->label);
  return TRUE;
}

static gboolean
open_beside (EsStore *self, const char *path, GError **error)
{
  /* Known now, and not when all of it is computed. */
  if (!es_inputs_check (path, error))
    return FALSE;
  self->fd = es_part_open (path, &self->part, error);
  if (self->fd < 0)
    return FALSE;
  self->label = g_strdup (path);
  return TRUE;
}

/* What another process has made, of several that write the same file. Each removes it if it comes to nothing, for the
 * other may be gone by then. */
static gboolean
open_part_of_first (EsStore *self, const char *path, GError **error)
{
  self->label = g_strdup (path);
  self->fd = es_part_join (self->part, path, error);
  return self->fd >= 0;
}

/* The same, with room for the bytes, or for as many as prepare () says: of the first of several processes. */
static gboolean
make_beside (EsStore *self, const char *path, gsize bytes, EsStorePrepare prepare, gpointer data, GError **error)
{
  struct stat opened, prepared;
  guint64 length = bytes;

  if (!open_beside (self, path, error) || (prepare != NULL && !prepare (self->part, self->label, data, &length, error)))
    return FALSE;
  /* What goes through our descriptor has to get there. */
  if (fstat (self->fd, &opened) != 0 || stat (self->part, &prepared) != 0)
    return es_file_set_error (error, self->label, errno);
  if (opened.st_dev != prepared.st_dev || opened.st_ino != prepared.st_ino)
    return es_file_set_error (error, self->label, ESTALE);
  if (!es_file_reserve (self->fd, self->label, length, error))
    return FALSE;
  /* What makes room there by writing zeros has written them before the others write. */
  return es_ranks_get_size () == 1 || es_part_is_local (self->fd) || fsync (self->fd) == 0
         || es_file_set_error (error, self->label, errno);
}

static gboolean
share_beside (EsStore *self, const char *path, gsize bytes, EsStorePrepare prepare, gpointer data, gsize data_bytes,
              GError **error)
{
  const gboolean first = es_ranks_get_rank () == 0;

  return es_ranks_agree (!first || make_beside (self, path, bytes, prepare, data, error), error)
         && es_ranks_broadcast_text (&self->part, error) && es_ranks_broadcast (data, data_bytes, error)
         && es_ranks_agree (first || open_part_of_first (self, path, error), error);
}

gboolean
es_store_allocate_file (EsStore *self, const char *path, gsize bytes, GError **error)
{
  g_return_val_if_fail (self->memory == NULL && self->fd < 0, FALSE);

  if (path != NULL)
    return share_beside (self, path, bytes, NULL, NULL, 0, error);
  return es_store_open_file (self, error) && es_file_reserve (self->fd, self->label, bytes, error);
}

gboolean
es_store_allocate_prepared (EsStore *self, const char *path, EsStorePrepare prepare, gpointer data, gsize data_bytes,
                            GError **error)
{
  g_return_val_if_fail (self->memory == NULL && self->fd < 0, FALSE);

  return share_beside (self, path, 0, prepare, data, data_bytes, error);
}

/* Processes of one host see the same memory; those of several see what has come to the server. */
static gboolean
is_apart (const EsStore *self)
{
  return es_ranks_get_size () > 1 && self->part != NULL && !es_part_is_local (self->fd);
}

gboolean
es_store_bring_out (EsStore *self, GError **error)
{
  return !is_apart (self) || fsync (self->fd) == 0 || es_file_set_error (error, self->label, errno);
}

void
es_store_look_again (EsStore *self)
{
  /* Who opens it compares what this host remembers of the file with the file. */
  const int fd = is_apart (self) ? open (self->part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;

  if (fd >= 0)
    close (fd);
}

static gboolean
move_to_file (EsStore *self, GError **error)
{
  if (!es_store_open_file (self, error))
    return FALSE;
  if (self->used > 0 && !es_file_write_at (self->fd, self->label, self->memory, self->used, 0, error))
    {
      close_file (self);
      return FALSE;
    }
  free_memory (self);
  return TRUE;
}

gboolean
es_store_append (EsStore *self, const void *data, gsize bytes, GError **error)
{
  g_return_val_if_fail (!self->mapped && self->part == NULL, FALSE);

  if (self->fd < 0 && !grow_in_memory (self, self->used + bytes) && !move_to_file (self, error))
    return FALSE;
  if (!es_store_write (self, data, bytes, self->used, error))
    return FALSE;
  self->used += bytes;
  return TRUE;
}

/* ---- either ---- */

gpointer
es_store_get_memory (const EsStore *self)
{
  return self->memory;
}

gboolean
es_store_is_in_file (const EsStore *self)
{
  return self->fd >= 0;
}

gboolean
es_store_read (const EsStore *self, void *data, gsize bytes, guint64 offset, GError **error)
{
  if (self->fd >= 0)
    return es_file_read_at (self->fd, self->label, data, bytes, offset, error);
  memcpy (data, self->memory + offset, bytes);
  return TRUE;
}

static int writing_out;        /* atomic: somebody is about to begin, or at it */

/* What cannot be begun is no failure: es_outputs_commit () waits for all of it in any case. */
static void
write_out (gpointer data, gpointer user_data)
{
  const int fd = GPOINTER_TO_INT (data) - 1;

  sync_file_range (fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  close (fd);
  g_atomic_int_set (&writing_out, FALSE);
}

/* On a thread of its own, for a disk that has enough to do lets whoever asks for more wait. */
static void
begin_to_write_out (EsStore *self, gsize bytes)
{
  static gsize once;
  static GThreadPool *pool;
  const gsize before = (gsize) g_atomic_pointer_add (&self->written, (gssize) bytes);
  int fd;

  if (before / WRITE_OUT_BYTES == (before + bytes) / WRITE_OUT_BYTES
      || !g_atomic_int_compare_and_exchange (&writing_out, FALSE, TRUE))
    return;
  if (g_once_init_enter (&once))
    {
      pool = g_thread_pool_new (write_out, NULL, 1, FALSE, NULL);
      g_once_init_leave (&once, 1);
    }
  /* One that may outlast the store, and that has nothing of the lock of ours. */
  fd = open (self->part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0)
    g_atomic_int_set (&writing_out, FALSE);
  else
    g_thread_pool_push (pool, GINT_TO_POINTER (fd + 1), NULL);
}

gboolean
es_store_write (EsStore *self, const void *data, gsize bytes, guint64 offset, GError **error)
{
  if (self->fd >= 0)
    {
      if (!es_file_write_at (self->fd, self->label, data, bytes, offset, error))
        return FALSE;
      if (self->part != NULL)
        begin_to_write_out (self, bytes);
      return TRUE;
    }
  memcpy (self->memory + offset, data, bytes);
  return TRUE;
}

const char *
es_store_get_part (const EsStore *self)
{
  return self->part;
}

void
es_store_give_part (EsStore *self)
{
  g_clear_pointer (&self->part, g_free);
}
