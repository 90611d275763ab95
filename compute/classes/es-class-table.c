/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-class-table.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-text-show.h"

/* Characters of a name; more is no name, and nothing that a label can be laid out with. */
#define MOST_NAME 200

struct _EsClassTable
{
  gatomicrefcount ref_count;
  GArray         *classes;     /* of EsClass, by value */
};

G_DEFINE_BOXED_TYPE (EsClassTable, es_class_table, es_class_table_ref, es_class_table_unref)

static void
clear_class (gpointer data)
{
  g_free (((EsClass *) data)->name);
}

EsClassTable *
es_class_table_new (void)
{
  EsClassTable *self = g_new0 (EsClassTable, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->classes = g_array_new (FALSE, FALSE, sizeof (EsClass));
  g_array_set_clear_func (self->classes, clear_class);
  return self;
}

EsClassTable *
es_class_table_ref (EsClassTable *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
es_class_table_unref (EsClassTable *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->classes);
  g_free (self);
}

/* Where a value is, or belongs. */
static gboolean
find_place (EsClassTable *self, gint64 value, guint *place)
{
  guint low = 0, high = self->classes->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (self->classes, EsClass, middle).value < value)
        low = middle + 1;
      else
        high = middle;
    }
  *place = low;
  return low < self->classes->len && g_array_index (self->classes, EsClass, low).value == value;
}

/* Hues a golden angle apart: any number of them, and neighbours tell apart. */
static guint32
make_colour (gint64 value)
{
  const double hue = fmod (fabs ((double) value) * 0.618033988749895 + 0.11, 1) * 6;
  const double light = value % 3 == 0 ? 0.62 : value % 3 == 1 ? 0.82 : 0.95;
  const double low = light * (1 - 0.68);
  const double part = low + (light - low) * (1 - fabs (fmod (hue, 2) - 1));
  const int sector = (int) hue % 6;
  const double red = sector == 0 || sector == 5 ? light : sector == 1 || sector == 4 ? part : low;
  const double green = sector == 1 || sector == 2 ? light : sector == 0 || sector == 3 ? part : low;
  const double blue = sector == 3 || sector == 4 ? light : sector == 2 || sector == 5 ? part : low;

  return (guint32) (red * 255) << 16 | (guint32) (green * 255) << 8 | (guint32) (blue * 255);
}

static char *
make_name (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) strnlen (text, 8 * MOST_NAME)), *begin = NULL;
  g_autofree char *cut = NULL;

  if (g_utf8_strlen (valid, -1) <= MOST_NAME)
    return es_text_show (valid);
  begin = g_utf8_substring (valid, 0, MOST_NAME - 1);
  cut = g_strconcat (begin, "…", NULL);
  return es_text_show (cut);
}

gboolean
es_class_table_set (EsClassTable *self, gint64 value, const char *name, const guint32 *colour)
{
  EsClass *found;
  guint place;

  if (!find_place (self, value, &place))
    {
      const EsClass fresh = { .value = value, .colour = make_colour (value) };

      if (self->classes->len >= ES_CLASS_TABLE_MOST)
        return FALSE;
      g_array_insert_val (self->classes, place, fresh);
    }
  found = &g_array_index (self->classes, EsClass, place);
  if (name != NULL && *name != '\0')
    {
      g_free (found->name);
      found->name = make_name (name);
    }
  if (colour != NULL)
    {
      found->colour = *colour & 0xffffff;
      found->has_colour = TRUE;
    }
  return TRUE;
}

guint
es_class_table_get_n (EsClassTable *self)
{
  return self->classes->len;
}

const EsClass *
es_class_table_get (EsClassTable *self, guint i)
{
  g_return_val_if_fail (i < self->classes->len, NULL);
  return &g_array_index (self->classes, EsClass, i);
}

const EsClass *
es_class_table_find (EsClassTable *self, gint64 value)
{
  guint place;

  return find_place (self, value, &place) ? &g_array_index (self->classes, EsClass, place) : NULL;
}

const EsClass *
es_class_table_find_sample (EsClassTable *self, double sample)
{
  /* Samples are float32, which takes several whole numbers for one from there on. */
  return sample == floor (sample) && fabs (sample) < 16777216 ? es_class_table_find (self, (gint64) sample) : NULL;
}

char *
es_class_table_name (EsClassTable *self, gint64 value)
{
  const EsClass *found = es_class_table_find (self, value);

  if (found != NULL && found->name != NULL)
    return g_strdup (found->name);
  return g_strdup_printf (_("class %" PRId64), value);
}

guint32
es_class_table_colour (EsClassTable *self, gint64 value)
{
  const EsClass *found = es_class_table_find (self, value);

  return found != NULL ? found->colour : ES_CLASS_UNLISTED;
}

static void
set_entry (guint8 *entry, guint32 colour)
{
  entry[0] = colour >> 16 & 0xff;
  entry[1] = colour >> 8 & 0xff;
  entry[2] = colour & 0xff;
  entry[3] = 255;
}

guint8 *
es_class_table_make_palette (EsClassTable *self, gint64 *first, guint *n)
{
  const guint n_classes = self->classes->len;
  const EsClass *classes = (const EsClass *) self->classes->data;
  guint8 *entries;

  *first = n_classes > 0 ? classes[0].value : 0;
  *n = n_classes > 0 ? (guint) MIN ((guint64) classes[n_classes - 1].value - (guint64) *first + 1, ES_CLASS_TABLE_MOST)
                     : 0;
  entries = g_malloc (4 * (gsize) MAX (*n + 1, 256));
  for (guint i = 0; i < MAX (*n + 1, 256); i++)
    set_entry (entries + 4 * (gsize) i, ES_CLASS_UNLISTED);
  for (guint i = 0; i < n_classes; i++)
    if ((guint64) classes[i].value - (guint64) *first < *n)
      set_entry (entries + 4 * (gsize) ((guint64) classes[i].value - (guint64) *first), classes[i].colour);
  return entries;
}
