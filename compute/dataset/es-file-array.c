/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-array.h"

#include <glib/gi18n-lib.h>
#include <string.h>

EsFileArray *
es_file_array_new (const char *name, guint64 width, guint64 height, guint bands, const char *type,
                   gboolean wavelengths)
{
  EsFileArray *self = g_new0 (EsFileArray, 1);

  self->name = g_utf8_make_valid (name, -1);
  self->width = width;
  self->height = height;
  self->bands = bands;
  self->type = g_strdup (type);
  self->wavelengths = wavelengths;
  return self;
}

void
es_file_array_free (EsFileArray *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self);
}

char *
es_file_array_describe (const EsFileArray *self)
{
  g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT " × %u", self->width,
                                            self->height, self->bands);

  /* TRANSLATORS: an array of a file: its size and the type of its samples, "1280 × 1242 × 285, float32" */
  return self->wavelengths ? g_strdup_printf (_("%s, %s, with wavelengths"), shape, self->type)
                           : g_strdup_printf (_("%s, %s"), shape, self->type);
}

const char *
es_file_array_tell_reason (const EsFileArray *self)
{
  switch (self->reason)
    {
    case ES_FILE_ARRAY_ONLY:
      return _("the only one");
    case ES_FILE_ARRAY_PRODUCT:
      return _("what the product is about");
    case ES_FILE_ARRAY_WAVELENGTHS:
      return _("it has wavelengths");
    case ES_FILE_ARRAY_LARGEST:
      return _("no other has more samples");
    case ES_FILE_ARRAY_NAMED_ONLY:
    default:
      return NULL;
    }
}

static double
count_samples (const EsFileArray *self)
{
  return (double) self->width * (double) self->height * self->bands;
}

static gboolean
goes_before (const EsFileArray *self, const EsFileArray *other)
{
  if (self->wavelengths != other->wavelengths)
    return self->wavelengths;
  if ((self->bands > 1) != (other->bands > 1))
    return self->bands > 1;
  return count_samples (self) > count_samples (other);
}

guint
es_file_arrays_choose (GPtrArray *arrays)
{
  EsFileArray *best;
  guint chosen = 0;
  gboolean larger = FALSE;

  for (guint i = 0; i < arrays->len; i++)
    if (((EsFileArray *) g_ptr_array_index (arrays, i))->reason != ES_FILE_ARRAY_NAMED_ONLY)
      return i;
  if (arrays->len == 0)
    return 0;
  for (guint i = 1; i < arrays->len; i++)
    if (goes_before (g_ptr_array_index (arrays, i), g_ptr_array_index (arrays, chosen)))
      chosen = i;
  best = g_ptr_array_index (arrays, chosen);
  for (guint i = 0; i < arrays->len; i++)
    larger = larger || count_samples (g_ptr_array_index (arrays, i)) > count_samples (best);
  best->reason = arrays->len == 1 ? ES_FILE_ARRAY_ONLY : larger ? ES_FILE_ARRAY_WAVELENGTHS : ES_FILE_ARRAY_LARGEST;
  return chosen;
}

int
es_file_arrays_find (GPtrArray *arrays, const char *name)
{
  const gsize tail = strlen (name);

  for (guint i = 0; i < arrays->len; i++)
    if (strcmp (((EsFileArray *) g_ptr_array_index (arrays, i))->name, name) == 0)
      return (int) i;
  for (guint i = 0; i < arrays->len && tail > 0; i++)
    {
      const char *own = ((EsFileArray *) g_ptr_array_index (arrays, i))->name;
      const gsize length = strlen (own);

      if (length > tail && strcmp (own + length - tail, name) == 0
          && strchr ("/:", own[length - tail - 1]) != NULL)
        return (int) i;
    }
  return -1;
}
