/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Rows of a sparse matrix, computed in parts by several threads: each is added up in a row that is not sparse
 * (Gustavson, Two fast algorithms for sparse matrices: multiplication and permuted transposition, 1978), whose columns
 * are marked by a bit each, so that they come out in order without being sorted.
 */

#include "es-grids-private.h"

#include <string.h>

/* From so many on, parts lie together. */
#define MANY_ROWS (32 * ES_GRID_PART)
/* Between two looks at whether it is still wanted: numbers added up. */
#define WORK_AT_ONCE ((gsize) 1 << 20)

typedef struct
{
  EsGridRows   *out;
  EsGridMakeRow make;
  gconstpointer data;
  gsize         most, found;   /* nonzeros */
  gint          refused;
  EsGridTeam   *team;
  EsGridLane   *lanes;
  GMutex        lock;          /* of out->memory */
} Making;

/* Where several parts lie. */
typedef struct
{
  gpointer data;
  gsize    bytes;
} Piece;

void
es_grid_rows_clear (EsGridRows *self)
{
  g_free (self->end);
  g_free (self->parts);
  for (guint i = 0; self->memory != NULL && i < self->memory->len; i++)
    es_grid_give_back (self->team, g_array_index (self->memory, Piece, i).data,
                       g_array_index (self->memory, Piece, i).bytes);
  g_clear_pointer (&self->memory, g_array_unref);
  memset (self, 0, sizeof *self);
}

/* ---- a row ---- */

static gboolean
reserve (EsGridLane *lane, gsize n)
{
  gsize room = MAX (lane->room + lane->room / 2, n);
  gint32 *column;
  double *value;

  if (n <= lane->room)
    return TRUE;
  column = g_try_realloc (lane->column, room * sizeof *column);
  lane->column = column != NULL ? column : lane->column;
  value = g_try_realloc (lane->value, room * sizeof *value);
  lane->value = value != NULL ? value : lane->value;
  if (column == NULL || value == NULL)
    {
      g_atomic_int_set (&lane->team->short_of, TRUE);
      return FALSE;
    }
  lane->room = room;
  return TRUE;
}

gboolean
es_grid_lane_put (EsGridLane *lane, const gint32 *column, const double *value, gsize n)
{
  if (lane->n + n > lane->room && !reserve (lane, lane->n + n))
    return FALSE;
  for (gsize k = 0; k < n; k++)
    {
      lane->column[lane->n + k] = column[k];
      lane->value[lane->n + k] = value[k];
    }
  lane->n += n;
  lane->work += n;
  return TRUE;
}

/* What was added up becomes the part's next row, and the lane is empty. FALSE: no memory. */
static gboolean
end_row (EsGridLane *lane)
{
  const gsize first = lane->low >> 12, last = lane->high >> 12;

  if (lane->low > lane->high)
    return TRUE;
  for (gsize t = first; t <= last; t++)
    for (guint64 words = lane->words[t]; words != 0; words &= words - 1)
      {
        const gsize w = t << 6 | (gsize) __builtin_ctzll (words);
        guint64 bits = lane->seen[w];

        if (G_UNLIKELY (lane->n + 64 > lane->room) && !reserve (lane, lane->n + 64))
          return FALSE;
        for (; bits != 0; bits &= bits - 1)
          {
            const gsize c = w << 6 | (gsize) __builtin_ctzll (bits);

            lane->column[lane->n] = (gint32) c;
            lane->value[lane->n++] = lane->sum[c];
            lane->sum[c] = 0;
          }
        lane->seen[w] = 0;
      }
  memset (lane->words + first, 0, (last - first + 1) * sizeof *lane->words);
  lane->low = G_MAXSIZE;
  lane->high = 0;
  return TRUE;
}

/* ---- a part ---- */

static gboolean
prepare_lane (Making *making, EsGridLane *lane)
{
  const gsize columns = making->out->columns, n_words = columns / 64 + 1, n_tops = n_words / 64 + 1;

  if (lane->sum != NULL)
    return TRUE;
  lane->team = making->team;
  lane->low = G_MAXSIZE;
  lane->sum = g_try_malloc0_n (columns + 1, sizeof *lane->sum);
  lane->seen = g_try_malloc0_n (n_words + n_tops, sizeof *lane->seen);
  if (lane->sum == NULL || lane->seen == NULL)
    g_atomic_int_set (&making->team->short_of, TRUE);
  lane->words = lane->seen != NULL ? lane->seen + n_words : NULL;
  return lane->sum != NULL && lane->seen != NULL;
}

static void
clear_lane (EsGridLane *lane)
{
  g_free (lane->sum);
  g_free (lane->seen);
  g_free (lane->column);
  g_free (lane->value);
}

/* A place for what the lane has of a part. */
static gboolean
keep (Making *making, EsGridLane *lane, EsGridPart *part)
{
  const gsize bytes = lane->n * sizeof (double) + (lane->n + 1) / 2 * 2 * sizeof (gint32);

  if (bytes > lane->left)
    {
      const gsize size = making->out->rows > MANY_ROWS ? MAX (ES_GRID_PIECE, bytes) : bytes;
      const Piece piece = { es_grid_borrow (making->team, size), size };

      lane->memory = piece.data;
      lane->left = piece.data != NULL ? piece.bytes : 0;
      if (piece.data == NULL)
        return FALSE;
      g_mutex_lock (&making->lock);
      g_array_append_val (making->out->memory, piece);
      g_mutex_unlock (&making->lock);
    }
  part->n = lane->n;
  part->value = (gpointer) lane->memory;
  part->column = (gpointer) (part->value + lane->n);
  if (lane->n > 0)
    {
      memcpy (part->value, lane->value, lane->n * sizeof (double));
      memcpy (part->column, lane->column, lane->n * sizeof (gint32));
    }
  lane->memory += bytes;
  lane->left -= bytes;
  return TRUE;
}

static void
make_part (gpointer data, gsize p, guint l)
{
  Making *making = data;
  EsGridLane *lane = &making->lanes[l];
  EsGridRows *out = making->out;

  if (g_atomic_int_get (&making->refused) || !prepare_lane (making, lane))
    return;
  lane->n = 0;
  for (gsize i = es_grid_first (p, out->rows); i < es_grid_first (p + 1, out->rows); i++)
    {
      if (lane->work > WORK_AT_ONCE)
        {
          lane->work = 0;
          if (es_grid_team_stops (making->team) || g_atomic_int_get (&making->refused))
            return;
        }
      if (!making->make (making->data, i, lane) || lane->n > making->most)
        {
          g_atomic_int_set (&making->refused, TRUE);
          return;
        }
      if (!end_row (lane))
        return;
      out->end[i] = (gint32) lane->n;
    }
  /* Which parts are done first does not matter: what all of them have decides. */
  if (__atomic_add_fetch (&making->found, lane->n, __ATOMIC_RELAXED) > making->most)
    g_atomic_int_set (&making->refused, TRUE);
  else
    keep (making, lane, &out->parts[p]);
}

gboolean
es_grid_rows_make (gsize rows, gsize columns, gsize most, EsGridMakeRow make, gconstpointer data, EsGridRows *out,
                   EsGridTeam *team, GError **error)
{
  const guint n_lanes = es_grid_team_lanes (team);
  g_autofree EsGridLane *lanes = g_new0 (EsGridLane, n_lanes);
  Making making = { .out = out, .make = make, .data = data, .most = MIN (most, (gsize) G_MAXINT32 - 1), .team = team,
                    .lanes = lanes };
  gboolean done;

  *out = (EsGridRows) { rows, columns, 0, es_grid_allocate (team, rows + 1, sizeof (gint32)),
                        g_new0 (EsGridPart, es_grid_parts (rows) + 1),
                        g_array_new (FALSE, FALSE, sizeof (Piece)), team };
  g_mutex_init (&making.lock);
  done = es_grid_team_run (team, es_grid_parts (rows), make_part, &making, error);
  g_mutex_clear (&making.lock);
  for (guint l = 0; l < n_lanes; l++)
    clear_lane (&lanes[l]);
  out->n = making.found;
  if (!done || making.refused)
    es_grid_rows_clear (out);
  return done;
}

/* ---- all of it ---- */

typedef struct
{
  const EsGridRows *rows;
  EsGridMatrix     *out;
  const gsize      *from;      /* of each part */
} Gathering;

static void
gather_part (gpointer data, gsize p, guint lane)
{
  const Gathering *self = data;
  const EsGridPart *part = &self->rows->parts[p];

  (void) lane;
  for (gsize i = es_grid_first (p, self->rows->rows); i < es_grid_first (p + 1, self->rows->rows); i++)
    self->out->row_from[i + 1] = (gint32) self->from[p] + self->rows->end[i];
  if (part->n == 0)
    return;
  memcpy (self->out->column + self->from[p], part->column, part->n * sizeof (gint32));
  memcpy (self->out->value + self->from[p], part->value, part->n * sizeof (double));
}

gboolean
es_grid_rows_gather (EsGridRows *self, EsGridMatrix *out, EsGridTeam *team, GError **error)
{
  const gsize n_parts = es_grid_parts (self->rows);
  g_autofree gsize *from = g_new0 (gsize, n_parts + 1);
  Gathering gathering = { self, out, from };
  gboolean done;

  memset (out, 0, sizeof *out);
  if (self->parts == NULL)
    return TRUE;
  for (gsize p = 0; p < n_parts; p++)
    from[p + 1] = from[p] + self->parts[p].n;
  *out = (EsGridMatrix) { self->rows, self->columns, es_grid_allocate (team, self->rows + 1, sizeof (gint32)),
                          es_grid_allocate (team, self->n, sizeof (gint32)),
                          es_grid_allocate (team, self->n, sizeof (double)), FALSE };
  done = es_grid_team_check (team, error);
  if (done)
    {
      out->row_from[0] = 0;
      done = es_grid_team_run (team, n_parts, gather_part, &gathering, error);
    }
  if (!done)
    es_grid_matrix_clear (out);
  es_grid_rows_clear (self);
  return done;
}
