/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-resident-internal.h"

#include <math.h>
#include <string.h>

#include "ranks/es-ranks-internal.h"

/* Planes start at multiples of this many samples. */
#define PLANE_ROUND 128

/* What is on the cards. The memory is held by `place` only, which es_buffer_new () empties where it needs room. */
typedef struct
{
  EsCube        *cube;               /* not held: gone with it */
  EsDevice      *device;
  guint          n_bands;
  guint32       *bands;
  double        *no_data;
  EsResident     view;               /* without a buffer of its own */
  EsBufferCache *place;
} Entry;

static GMutex lock;
static GPtrArray *entries;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  es_buffer_cache_free (entry->place);
  g_free (entry->bands);
  g_free (entry->no_data);
  g_free (entry);
}

gboolean
es_selection_has_valid (EsCube *cube, const EskSelection *selection)
{
  const EskType type = es_cube_get_type_code (cube);

  if (es_cube_has_mask (cube) || type == ESK_F32 || type == ESK_F64)
    return TRUE;
  for (gsize i = 0; selection->no_data != NULL && i < selection->n_bands; i++)
    if (!isnan (selection->no_data[i]))
      return TRUE;
  return FALSE;
}

/* A whole number of rows, so that a plane is a multiple of rows and of PLANE_ROUND samples both. */
static guint64
padded_rows (guint64 width, guint64 rows)
{
  guint64 common = PLANE_ROUND;

  while (width % common != 0)
    common /= 2;
  const guint64 unit = PLANE_ROUND / common;
  return (rows + unit - 1) / unit * unit;
}

guint64
es_resident_bytes (EsCube *cube, guint64 rows, gsize n_bands, gboolean has_valid)
{
  const guint64 width = es_cube_get_width (cube);
  guint64 plane, bytes;

  if (__builtin_mul_overflow (width, padded_rows (width, rows), &plane)
      || __builtin_mul_overflow (plane, n_bands * esk_type_size (es_cube_get_type_code (cube)), &bytes)
      || (has_valid && __builtin_add_overflow (bytes, plane, &bytes)))
    return G_MAXUINT64;
  return bytes;
}

EsResident *
es_resident_new (EsCube *cube, EsDevice *device, const EskSelection *selection, guint64 top, guint64 rows,
                 GError **error)
{
  const EskType type = es_cube_get_type_code (cube);
  const guint64 width = es_cube_get_width (cube), plane = width * padded_rows (width, rows);
  const gboolean has_valid = es_selection_has_valid (cube, selection);
  EsBuffer *buffer = es_buffer_new (device, es_resident_bytes (cube, rows, selection->n_bands, has_valid), error);
  EsResident *self;

  if (buffer == NULL)
    return NULL;
  self = g_new0 (EsResident, 1);
  g_atomic_ref_count_init (&self->references);
  self->buffer = buffer;
  self->top = top;
  self->rows = rows;
  self->planes = (EskTile) {
    .data = es_buffer_get_data (buffer), .type = type, .width = width, .height = rows, .bands = selection->n_bands,
    .column_stride = 1, .row_stride = (ptrdiff_t) width, .band_stride = (ptrdiff_t) plane,
  };
  if (has_valid)
    self->valid = (guint8 *) es_buffer_get_data (buffer) + plane * selection->n_bands * esk_type_size (type);
  return self;
}

EsResident *
es_resident_ref (EsResident *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_resident_unref (EsResident *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  es_buffer_unref (self->buffer);
  g_free (self);
}

EskTile
es_resident_window (const EsResident *self, const EsCubeWindow *window, guint8 **valid)
{
  const gsize first = (window->y - self->top) * self->planes.width + window->x;
  EskTile tile = self->planes;

  tile.data = (const guint8 *) tile.data + first * esk_type_size (tile.type);
  tile.width = window->width;
  tile.height = window->height;
  *valid = self->valid != NULL ? self->valid + first : NULL;
  return tile;
}

/* ---- what is kept ---- */

/* What has been taken away, and what is on cards that are lost. */
static void
purge_locked (GPtrArray *gone)
{
  for (guint i = entries != NULL ? entries->len : 0; i-- > 0;)
    {
      Entry *entry = g_ptr_array_index (entries, i);
      if (es_device_is_lost (entry->device) || !es_buffer_cache_has (entry->place))
        g_ptr_array_add (gone, g_ptr_array_steal_index_fast (entries, i));
    }
}

static void
cube_is_gone (gpointer data, GObject *cube)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (entry_free);

  g_mutex_lock (&lock);
  for (guint i = entries->len; i-- > 0;)
    if ((GObject *) ((Entry *) g_ptr_array_index (entries, i))->cube == cube)
      g_ptr_array_add (gone, g_ptr_array_steal_index_fast (entries, i));
  g_mutex_unlock (&lock);
}

static gboolean
same_selection (const Entry *entry, const EskSelection *selection)
{
  if (entry->n_bands != selection->n_bands
      || memcmp (entry->bands, selection->bands, entry->n_bands * sizeof *entry->bands) != 0)
    return FALSE;
  for (guint i = 0; i < entry->n_bands; i++)
    {
      const double a = entry->no_data != NULL ? entry->no_data[i] : NAN;
      const double b = selection->no_data != NULL ? selection->no_data[i] : NAN;
      if (a != b && !(isnan (a) && isnan (b)))
        return FALSE;
    }
  return TRUE;
}

void
es_resident_publish (EsResident *self, EsCube *cube, const EskSelection *selection)
{
  static const char watched[] = "es-resident-watched";
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (entry_free);
  Entry *entry = g_new0 (Entry, 1);

  entry->cube = cube;
  entry->device = es_buffer_get_device (self->buffer);
  entry->n_bands = selection->n_bands;
  entry->bands = g_memdup2 (selection->bands, selection->n_bands * sizeof *selection->bands);
  if (selection->no_data != NULL)
    entry->no_data = g_memdup2 (selection->no_data, selection->n_bands * sizeof (double));
  entry->view = *self;
  entry->view.buffer = NULL;
  entry->place = es_buffer_cache_new ();
  es_buffer_cache_put (entry->place, self->buffer);

  g_mutex_lock (&lock);
  if (entries == NULL)
    entries = g_ptr_array_new ();
  purge_locked (gone);
  /* Two jobs at once have each brought it there: one copy is enough. */
  for (guint i = entries->len; i-- > 0;)
    {
      Entry *other = g_ptr_array_index (entries, i);
      if (other->cube == cube && other->device == entry->device && other->view.top >= self->top
          && other->view.top + other->view.rows <= self->top + self->rows && same_selection (other, selection))
        g_ptr_array_add (gone, g_ptr_array_steal_index_fast (entries, i));
    }
  g_ptr_array_add (entries, entry);
  if (g_object_get_data (G_OBJECT (cube), watched) == NULL)
    {
      g_object_set_data (G_OBJECT (cube), watched, (gpointer) watched);
      g_object_weak_ref (G_OBJECT (cube), cube_is_gone, NULL);
    }
  g_mutex_unlock (&lock);
}

EsResident *
es_resident_lookup (EsCube *cube, EsDevice *device, const EskSelection *selection, guint64 top, guint64 rows)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (entry_free);
  EsResident *found = NULL;

  g_mutex_lock (&lock);
  purge_locked (gone);
  for (guint i = 0; entries != NULL && i < entries->len && found == NULL; i++)
    {
      Entry *entry = g_ptr_array_index (entries, i);
      EsBuffer *buffer;

      if (entry->cube != cube || entry->device != device || entry->view.top > top
          || entry->view.top + entry->view.rows < top + rows || !same_selection (entry, selection)
          || (buffer = es_buffer_cache_get (entry->place)) == NULL)
        continue;
      found = g_memdup2 (&entry->view, sizeof entry->view);
      g_atomic_ref_count_init (&found->references);
      found->buffer = buffer;
    }
  g_mutex_unlock (&lock);
  return found;
}

static gboolean
member_has (EsCube *cube, EsDevice *device, guint64 top, guint64 rows)
{
  gboolean has = FALSE;

  g_mutex_lock (&lock);
  for (guint i = 0; entries != NULL && i < entries->len && !has; i++)
    {
      Entry *entry = g_ptr_array_index (entries, i);
      has = entry->cube == cube && entry->device == device && entry->view.top <= top
            && entry->view.top + entry->view.rows >= top + rows && es_buffer_cache_has (entry->place);
    }
  g_mutex_unlock (&lock);
  return has;
}

void
es_cube_get_share (EsCube *cube, guint n, guint i, guint64 *top, guint64 *rows)
{
  const guint64 height = es_cube_get_height (cube);
  guint64 block_width, unit, first, behind;

  es_cube_get_block (cube, &block_width, &unit);
  unit = CLAMP (unit, 1, height);
  if (unit < ES_RESIDENT_ROWS)
    unit = (ES_RESIDENT_ROWS + unit - 1) / unit * unit;
  /* This process's, of which each member has as much: others may have another number of them. */
  es_ranks_share ((height + unit - 1) / unit, &first, &behind);
  const guint64 units = behind - first;
  const guint64 end = MIN ((first + units / n * (i + 1) + MIN (units % n, i + 1)) * unit, height);

  *top = MIN ((first + units / n * i + MIN (units % n, i)) * unit, height);
  *rows = end - *top;
}

gboolean
es_resident_is_on (EsCube *cube, EsDevice *device)
{
  const guint n = es_device_get_n_members (device);

  if (es_device_is_cpu (device) || es_device_is_lost (device))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint64 top, rows;

      es_cube_get_share (cube, n, i, &top, &rows);
      if (rows > 0 && !member_has (cube, es_device_get_member (device, i), top, rows))
        return FALSE;
    }
  return TRUE;
}

void
es_resident_get_statistics (EsDevice *device, guint64 *bytes, guint *cubes)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint64 total = 0;

  g_mutex_lock (&lock);
  purge_locked (gone);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (entries, i);
      for (guint k = 0; k < es_device_get_n_members (device); k++)
        if (entry->device == es_device_get_member (device, k))
          {
            total += es_resident_bytes (entry->cube, entry->view.rows, entry->n_bands, entry->view.valid != NULL);
            g_hash_table_add (seen, entry->cube);
          }
    }
  g_mutex_unlock (&lock);
  if (bytes != NULL)
    *bytes = total;
  if (cubes != NULL)
    *cubes = g_hash_table_size (seen);
}

void
es_resident_clear (EsDevice *device)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (entry_free);

  g_mutex_lock (&lock);
  for (guint i = entries != NULL ? entries->len : 0; i-- > 0;)
    {
      Entry *entry = g_ptr_array_index (entries, i);
      for (guint k = 0; k < es_device_get_n_members (device); k++)
        if (entry->device == es_device_get_member (device, k))
          {
            g_ptr_array_add (gone, g_ptr_array_steal_index_fast (entries, i));
            break;
          }
    }
  g_mutex_unlock (&lock);
}
