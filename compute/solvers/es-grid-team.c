/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Threads that make grids, and memory for them. */

#include "es-grids-private.h"

#include <glib/gi18n-lib.h>
#include <sys/mman.h>

#include "base/es-error.h"

/* Arrays from so many bytes on have large pages, which are quickly had. */
#define LARGE_BYTES (4 * LARGE_PAGE)
#define LARGE_PAGE  ((gsize) 2 << 20)

typedef struct
{
  EsGridTeam *team;
  EsGridWork  work;
  gpointer    data;
  gsize       n, next;
} Turn;

guint
es_grid_team_lanes (const EsGridTeam *self)
{
  return self->stream != NULL ? MIN (esk_team_size (self->stream), ES_GRID_MOST_LANES) : 1;
}

gboolean
es_grid_team_stops (EsGridTeam *self)
{
  return g_cancellable_is_cancelled (self->cancellable) || g_atomic_int_get (&self->short_of);
}

/* A lane takes parts until none is left. */
static void
take_parts (void *data, size_t lane, unsigned worker)
{
  Turn *turn = data;
  gsize part;

  (void) worker;
  while (!es_grid_team_stops (turn->team)
         && (part = __atomic_fetch_add (&turn->next, 1, __ATOMIC_RELAXED)) < turn->n)
    turn->work (turn->data, part, (guint) lane);
}

gboolean
es_grid_team_run (EsGridTeam *self, gsize n_parts, EsGridWork work, gpointer data, GError **error)
{
  Turn turn = { self, work, data, n_parts, 0 };

  if (self->stream != NULL && n_parts > 1)
    esk_team_run (self->stream, MIN (es_grid_team_lanes (self), n_parts), take_parts, &turn);
  else
    take_parts (&turn, 0, 0);
  return es_grid_team_check (self, error);
}

gboolean
es_grid_team_check (EsGridTeam *self, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (!g_atomic_int_get (&self->short_of))
    return TRUE;
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                       _("There is not enough memory for the grids of multigrid: take another preconditioner."));
  return FALSE;
}

typedef struct
{
  char *data;
  gsize bytes;
} Piece;

/* Whole large pages, and so many at least that pieces are good for the next user. */
static gsize
piece_of (gsize bytes)
{
  return MAX ((bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE, ES_GRID_PIECE);
}

/* NULL: the system has none. */
static char *
map (gsize bytes)
{
  char *data = mmap (NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  gsize skip;

  if (data == MAP_FAILED)
    return NULL;
  skip = (LARGE_PAGE - (guintptr) data % LARGE_PAGE) % LARGE_PAGE;
  if (skip > 0)
    munmap (data, skip);
  munmap (data + skip + bytes, LARGE_PAGE - skip);
  madvise (data + skip, bytes, MADV_HUGEPAGE);
  return data + skip;
}

gpointer
es_grid_borrow (EsGridTeam *self, gsize bytes)
{
  const gsize wanted = piece_of (bytes);
  guint best = G_MAXUINT;
  char *data = NULL;

  if (bytes < LARGE_PAGE)
    return es_grid_allocate (self, bytes, 1);
  g_bit_lock (&self->lock, 0);
  for (guint i = 0; self->idle != NULL && i < self->idle->len; i++)
    if (g_array_index (self->idle, Piece, i).bytes == wanted)
      best = i;
  if (best != G_MAXUINT)
    {
      data = g_array_index (self->idle, Piece, best).data;
      g_array_remove_index (self->idle, best);
    }
  g_bit_unlock (&self->lock, 0);
  if (data == NULL)
    data = map (wanted);
  if (data == NULL)
    g_atomic_int_set (&self->short_of, TRUE);
  return data;
}

void
es_grid_give_back (EsGridTeam *self, gpointer data, gsize bytes)
{
  const Piece piece = { data, piece_of (bytes) };

  if (data == NULL)
    return;
  if (bytes < LARGE_PAGE)
    {
      g_free (data);
      return;
    }
  g_bit_lock (&self->lock, 0);
  if (self->idle == NULL)
    self->idle = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_append_val (self->idle, piece);
  g_bit_unlock (&self->lock, 0);
}

void
es_grid_team_trim (EsGridTeam *self)
{
  g_bit_lock (&self->lock, 0);
  for (guint i = 0; self->idle != NULL && i < self->idle->len; i++)
    munmap (g_array_index (self->idle, Piece, i).data, g_array_index (self->idle, Piece, i).bytes);
  g_clear_pointer (&self->idle, g_array_unref);
  g_bit_unlock (&self->lock, 0);
}

gpointer
es_grid_allocate (EsGridTeam *self, gsize count, gsize size)
{
  gpointer data = count < G_MAXSIZE / 2 / size ? g_try_malloc (count * size + 1) : NULL;

  if (data == NULL)
    g_atomic_int_set (&self->short_of, TRUE);
  else if (count * size >= LARGE_BYTES)
    {
      const gsize skip = (LARGE_PAGE - (guintptr) data % LARGE_PAGE) % LARGE_PAGE;

      /* Where there are none, pages are ordinary ones. */
      madvise ((char *) data + skip, (count * size - skip) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    }
  return data;
}
