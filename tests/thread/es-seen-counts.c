/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Counts of references that GLib keeps: whoever gives the last one back sees what all the others did before they gave
 * theirs back.
 */

#include "es-seen-private.h"

#include <stdlib.h>
#include <string.h>

#undef g_atomic_ref_count_inc
#undef g_atomic_ref_count_dec

void
g_object_unref (gpointer object)
{
  GObject *self = object;
  guint count;
  SEEN_REAL (g_object_unref)

  if (self == NULL || __tsan_release == NULL)
    {
      real (object);
      return;
    }

  /* The count goes down here, so that the last one is known to be the last; toggle references are used nowhere. */
  count = (guint) g_atomic_int_get ((gint *) &self->ref_count);
  while (count > 1)
    {
      seen_give (self);
      if (g_atomic_int_compare_and_exchange ((gint *) &self->ref_count, (gint) count, (gint) count - 1))
        return;
      count = (guint) g_atomic_int_get ((gint *) &self->ref_count);
    }
  seen_take (self);
  real (object);
}

/* What the finalising of an object begins with, also where GObject itself gave the last reference back. */
gpointer
g_datalist_id_get_data (GData **datalist,
                        GQuark  key)
{
  SEEN_REAL (g_datalist_id_get_data)

  seen_take ((guint8 *) datalist - G_STRUCT_OFFSET (GObject, qdata));

  return real (datalist, key);
}

gboolean
g_atomic_ref_count_dec (gatomicrefcount *count)
{
  gboolean last;
  SEEN_REAL (g_atomic_ref_count_dec)

  seen_give (count);
  last = real (count);
  if (last)
    seen_take (count);

  return last;
}

/* Whose box is being given back on this thread. */
static __thread GDestroyNotify clear_box;

static void
box_cleared (gpointer box)
{
  GDestroyNotify clear = clear_box;

  seen_take (box);
  if (clear != NULL)
    clear (box);
}

void
g_atomic_rc_box_release_full (gpointer       box,
                              GDestroyNotify clear)
{
  GDestroyNotify outer = clear_box;
  SEEN_REAL (g_atomic_rc_box_release_full)

  seen_give (box);
  clear_box = clear;
  real (box, box_cleared);
  clear_box = outer;
}

void
g_atomic_rc_box_release (gpointer box)
{
  g_atomic_rc_box_release_full (box, NULL);
}

void
g_ptr_array_unref (GPtrArray *array)
{
  SEEN_REAL (g_ptr_array_unref)

  seen_meet (array);
  real (array);
}

void
g_array_unref (GArray *array)
{
  SEEN_REAL (g_array_unref)

  seen_meet (array);
  real (array);
}

void
g_hash_table_unref (GHashTable *table)
{
  SEEN_REAL (g_hash_table_unref)

  seen_meet (table);
  real (table);
}

void
g_bytes_unref (GBytes *bytes)
{
  SEEN_REAL (g_bytes_unref)

  seen_meet (bytes);
  real (bytes);
}

/* --- Memory ---------------------------------------------------------------------------------------------- */

/* GLib's own use of memory is left out (suppressions); what others do with it by way of GLib is not. */

void
g_free (gpointer memory)
{
  free (memory);
}

gchar *
g_strdup (const gchar *text)
{
  gsize size;

  if (text == NULL)
    return NULL;

  size = strlen (text) + 1;

  return memcpy (g_malloc (size), text, size);
}

gpointer
g_memdup2 (gconstpointer memory,
           gsize         size)
{
  return memory != NULL && size > 0 ? memcpy (g_malloc (size), memory, size) : NULL;
}
