/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-archive-private.h"

#include <string.h>
#include <sys/statvfs.h>

#include "es-beam-history-private.h"
#include "layer/es-store-internal.h"

/* How much is asked for at once. */
#define MEMORY_PIECE ((gsize) 16 << 20)
#define FILE_PIECE ((gsize) 256 << 20)
#define USUAL_FILE_LIMIT ((guint64) 8 << 30)
#define NO_ROW G_MAXUINT64

/* Records side by side, from place `first` on. */
typedef struct
{
  EsStore *store;
  guint    first, n;
} Piece;

/* Where a record is, and of which row and kind. */
typedef struct
{
  guint64 row;                 /* NO_ROW: free, or being written */
  guint   serial;              /* another one each time it is taken */
  guint8  kind;
} Place;

struct _EsBeamArchive
{
  gsize    n_levels, n_field, record;  /* record: bytes */
  guint64  memory_limit, file_limit;

  GMutex   lock;               /* all below */
  guint64  memory, file;       /* bytes */
  GArray  *pieces;             /* of Piece; their stores live as long as the archive */
  GArray  *places;             /* of Place */
  GArray  *unused;             /* of guint: places */
  GArray  *index[ES_N_BEAM_KINDS];     /* by row: guint, its place + 1; 0: none */
  guint    n_records;
  gboolean full;
  guint    view_first, view_end, view_stride, focus;
};

static void
clear_piece (gpointer data)
{
  es_store_free (((Piece *) data)->store);
}

EsBeamArchive *
es_beam_archive_new (const EsBeamSettings *settings, guint64 memory_limit, guint64 file_limit)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  EsBeamArchive *self = g_atomic_rc_box_new0 (EsBeamArchive);

  self->n_levels = has_far ? (gsize) settings->n_angles * settings->n_bins : 0;
  self->n_field = (gsize) settings->n_ranges * settings->n_angles;
  /* Fields are float32, and lie behind the levels. */
  self->record = (self->n_levels * sizeof (guint16) + 3) / 4 * 4 + self->n_field * sizeof (float);
  self->memory_limit = memory_limit;
  self->file_limit = file_limit;
  self->focus = G_MAXUINT;
  g_mutex_init (&self->lock);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->unused = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    self->index[kind] = g_array_new (FALSE, TRUE, sizeof (guint));
  return self;
}

EsBeamArchive *
es_beam_archive_ref (EsBeamArchive *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_archive (gpointer data)
{
  EsBeamArchive *self = data;

  g_array_unref (self->pieces);
  g_array_unref (self->places);
  g_array_unref (self->unused);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    g_array_unref (self->index[kind]);
  g_mutex_clear (&self->lock);
}

void
es_beam_archive_unref (EsBeamArchive *self)
{
  g_atomic_rc_box_release_full (self, clear_archive);
}

/* ---- places; with the lock held ---- */

static guint64
find_file_limit (void)
{
  struct statvfs disk;

  if (statvfs (g_get_user_cache_dir (), &disk) != 0 && statvfs (g_get_tmp_dir (), &disk) != 0)
    return 0;
  return MIN (USUAL_FILE_LIMIT, (guint64) disk.f_bavail * disk.f_frsize / 2);
}

static gboolean
add_piece (EsBeamArchive *self, EsStore *store, gsize bytes)
{
  const Piece piece = { store, self->places->len, (guint) (bytes / self->record) };

  g_array_append_val (self->pieces, piece);
  /* The first ones are taken first. */
  for (guint i = piece.n; i-- > 0;)
    {
      const guint place = piece.first + i;
      g_array_append_val (self->unused, place);
    }
  g_array_set_size (self->places, piece.first + piece.n);
  for (guint i = 0; i < piece.n; i++)
    g_array_index (self->places, Place, piece.first + i) = (Place) { .row = NO_ROW };
  return TRUE;
}

static gboolean
grow_memory (EsBeamArchive *self)
{
  const guint64 left = self->memory_limit - MIN (self->memory, self->memory_limit);
  const gsize bytes = (gsize) MIN ((guint64) MAX (MEMORY_PIECE, self->record), left) / self->record * self->record;
  EsStore *store;

  if (bytes == 0)
    return FALSE;
  store = es_store_new ("beams", 0);
  if (!es_store_allocate (store, bytes))
    {
      es_store_free (store);
      /* It will not be there a moment later either. */
      self->memory_limit = self->memory;
      return FALSE;
    }
  self->memory += bytes;
  return add_piece (self, store, bytes);
}

static gboolean
grow_file (EsBeamArchive *self)
{
  g_autoptr (GError) error = NULL;
  EsStore *store;

  if (self->file_limit == G_MAXUINT64)
    self->file_limit = find_file_limit ();
  const guint64 left = self->file_limit - MIN (self->file, self->file_limit);
  const gsize bytes = (gsize) MIN ((guint64) MAX (FILE_PIECE, self->record), left) / self->record * self->record;
  if (bytes == 0)
    return FALSE;
  store = es_store_new ("beams", 0);
  if (!es_store_allocate_file (store, NULL, bytes, &error))
    {
      g_debug ("Spectra are not kept any more: %s", error->message);
      es_store_free (store);
      self->file_limit = self->file;
      return FALSE;
    }
  self->file += bytes;
  return add_piece (self, store, bytes);
}

static void
give_place (EsBeamArchive *self, guint place)
{
  g_array_index (self->places, Place, place).row = NO_ROW;
  g_array_append_val (self->unused, place);
}

/* What is kept of a row is not any more. */
static void
forget (EsBeamArchive *self, guint64 row, guint kind)
{
  GArray *index = self->index[kind];

  if (row >= index->len || g_array_index (index, guint, row) == 0)
    return;
  give_place (self, g_array_index (index, guint, row) - 1);
  g_array_index (index, guint, row) = 0;
  self->n_records--;
}

/* What goes first: nobody looks there; it is between lines that are looked at; it is one of them. */
static guint
find_rank (EsBeamArchive *self, guint64 row)
{
  if (row == self->focus)
    return 0;
  if (row < self->view_first || row >= self->view_end || self->view_stride == 0)
    return 2;
  return row % self->view_stride != 0 ? 1 : 0;
}

static gboolean
drop_farthest (EsBeamArchive *self, guint64 row)
{
  const guint own = find_rank (self, row);
  guint64 farthest = 0;
  guint found = G_MAXUINT, highest = 0;

  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = &g_array_index (self->places, Place, i);
      const guint64 distance = place->row > row ? place->row - row : row - place->row;

      if (place->row == NO_ROW || distance == 0)
        continue;
      const guint rank = find_rank (self, place->row);
      if (found == G_MAXUINT || rank > highest || (rank == highest && distance > farthest))
        {
          farthest = distance;
          highest = rank;
          found = i;
        }
    }
  /* Those that are looked at do not drive each other out, or there would be no end of computing. */
  if (found == G_MAXUINT || (highest == 0 && own == 0))
    return FALSE;
  const guint64 gone = g_array_index (self->places, Place, found).row;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    forget (self, gone, kind);
  return TRUE;
}

/* FALSE: there is none. */
static gboolean
take_place (EsBeamArchive *self, guint64 row, gboolean makes_room, guint *place)
{
  if (self->record == 0)
    return FALSE;
  if (self->unused->len == 0 && !grow_memory (self) && !grow_file (self))
    {
      self->full = TRUE;
      if (!makes_room || !drop_farthest (self, row))
        return FALSE;
    }
  *place = g_array_index (self->unused, guint, self->unused->len - 1);
  g_array_set_size (self->unused, self->unused->len - 1);
  g_array_index (self->places, Place, *place).serial++;
  return TRUE;
}

/* Its store, and where in it a place begins. */
static EsStore *
find_store (EsBeamArchive *self, guint place, guint64 *offset)
{
  guint low = 0, high = self->pieces->len;

  while (high - low > 1)
    {
      const guint middle = (low + high) / 2;

      if (g_array_index (self->pieces, Piece, middle).first <= place)
        low = middle;
      else
        high = middle;
    }
  const Piece *piece = &g_array_index (self->pieces, Piece, low);
  *offset = (guint64) (place - piece->first) * self->record;
  return piece->store;
}

void
es_beam_archive_set_view (EsBeamArchive *self, guint from, guint end, guint stride, guint focus)
{
  g_mutex_lock (&self->lock);
  self->view_first = from;
  self->view_end = end;
  self->view_stride = stride;
  self->focus = focus;
  g_mutex_unlock (&self->lock);
}

/* ---- records ---- */

static gboolean
put_kind (EsBeamArchive *self, guint64 row, EsBeamKind kind, EsBeamBlock *block, char *record, gboolean makes_room)
{
  const float *spectra = es_beam_block_get_spectra_of (block, kind);
  const float *field = es_beam_block_get_field_of (block, kind);
  const gsize behind = self->record - self->n_field * sizeof *field;
  guint64 offset = 0;
  guint place = 0;

  if (self->n_levels > 0 && spectra != NULL)
    _es_beam_levels_encode (spectra, (guint16 *) (gpointer) record, self->n_levels);
  else
    /* No level at all: NAN. */
    memset (record, 0xff, behind);
  memcpy (record + behind, field, self->n_field * sizeof *field);

  g_mutex_lock (&self->lock);
  gboolean has_place = take_place (self, row, FALSE, &place);
  /* What is older is not shown for what is newer: its place is the first that is free. */
  if (!has_place)
    {
      forget (self, row, kind);
      has_place = take_place (self, row, makes_room, &place);
    }
  if (!has_place)
    {
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  /* What takes long is done without the lock; who reads there meanwhile looks at the serial. */
  EsStore *store = find_store (self, place, &offset);
  const gboolean in_file = es_store_is_in_file (store);
  if (in_file)
    g_mutex_unlock (&self->lock);
  const gboolean written = es_store_write (store, record, self->record, offset, NULL);
  if (in_file)
    g_mutex_lock (&self->lock);
  forget (self, row, kind);
  if (written)
    {
      if (self->index[kind]->len <= row)
        g_array_set_size (self->index[kind], (guint) row + 1);
      g_array_index (self->index[kind], guint, row) = place + 1;
      g_array_index (self->places, Place, place).row = row;
      g_array_index (self->places, Place, place).kind = (guint8) kind;
      self->n_records++;
    }
  else
    {
      give_place (self, place);
      self->full = TRUE;
    }
  g_mutex_unlock (&self->lock);
  return written;
}

gboolean
es_beam_archive_put (EsBeamArchive *self, guint64 row, EsBeamBlock *block, gboolean makes_room)
{
  g_autofree char *record = g_try_malloc (MAX (self->record, 1));
  gboolean all = record != NULL && row < G_MAXUINT - 1;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      if (es_beam_block_get_field_of (block, (EsBeamKind) kind) != NULL && record != NULL && row < G_MAXUINT - 1)
        {
          all = put_kind (self, row, (EsBeamKind) kind, block, record, makes_room) && all;
          continue;
        }
      g_mutex_lock (&self->lock);
      forget (self, row, kind);
      g_mutex_unlock (&self->lock);
    }
  return all;
}

static guint
find_place (EsBeamArchive *self, guint64 row, EsBeamKind kind)
{
  return row < self->index[kind]->len ? g_array_index (self->index[kind], guint, row) : 0;
}

gboolean
es_beam_archive_has (EsBeamArchive *self, guint64 row, EsBeamKind kind)
{
  g_mutex_lock (&self->lock);
  const gboolean has = find_place (self, row, kind) != 0;
  g_mutex_unlock (&self->lock);
  return has;
}

/* From a file without the lock, and looked at again: another row may have been put there meanwhile. */
static gboolean
read_record (EsBeamArchive *self, guint64 row, EsBeamKind kind, gsize from, gsize bytes, gpointer out)
{
  guint64 offset = 0;
  guint serial = 0;

  g_mutex_lock (&self->lock);
  const guint place = find_place (self, row, kind);
  EsStore *store = place != 0 ? find_store (self, place - 1, &offset) : NULL;
  if (place != 0)
    serial = g_array_index (self->places, Place, place - 1).serial;
  if (store != NULL && !es_store_is_in_file (store))
    {
      const gboolean read = es_store_read (store, out, bytes, offset + from, NULL);

      g_mutex_unlock (&self->lock);
      return read;
    }
  g_mutex_unlock (&self->lock);
  if (store == NULL || !es_store_read (store, out, bytes, offset + from, NULL))
    return FALSE;
  g_mutex_lock (&self->lock);
  const gboolean same = g_array_index (self->places, Place, place - 1).serial == serial;
  g_mutex_unlock (&self->lock);
  return same;
}

gboolean
es_beam_archive_read (EsBeamArchive *self, guint64 row, EsBeamKind kind, gsize first, gsize n, guint16 *levels)
{
  g_return_val_if_fail (first <= self->n_levels && n <= self->n_levels - first, FALSE);

  return read_record (self, row, kind, first * sizeof *levels, n * sizeof *levels, levels);
}

gboolean
es_beam_archive_read_field (EsBeamArchive *self, guint64 row, EsBeamKind kind, float *field)
{
  return read_record (self, row, kind, self->record - self->n_field * sizeof *field, self->n_field * sizeof *field,
                      field);
}

void
es_beam_archive_get_use (EsBeamArchive *self, guint64 *memory, guint64 *file, gboolean *full)
{
  g_mutex_lock (&self->lock);
  *memory = self->memory;
  *file = self->file;
  *full = self->full;
  g_mutex_unlock (&self->lock);
}

guint
es_beam_archive_count (EsBeamArchive *self)
{
  g_mutex_lock (&self->lock);
  const guint n = self->n_records;
  g_mutex_unlock (&self->lock);
  return n;
}

guint64
es_beam_archive_get_capacity (EsBeamArchive *self)
{
  g_mutex_lock (&self->lock);
  if (self->file_limit == G_MAXUINT64)
    self->file_limit = find_file_limit ();
  const guint64 bytes = self->memory_limit + self->file_limit;
  g_mutex_unlock (&self->lock);
  return self->record > 0 ? bytes / self->record : 0;
}
