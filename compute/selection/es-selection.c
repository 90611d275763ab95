/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-selection.h"

#include <string.h>

struct _EsSelection
{
  gatomicrefcount   references;
  char             *bands, *excluded;
  EsSelectionWindow window;
  GPtrArray        *sets;              /* of EsPixelSet */
  EsSelectionSource source;
};

G_DEFINE_BOXED_TYPE (EsSelection, es_selection, es_selection_ref, es_selection_unref)

/* ---- sets of pixels ---- */

EsPixelSet *
es_pixel_set_new (gboolean outside, const char *name, const char *region)
{
  EsPixelSet *self = g_new0 (EsPixelSet, 1);

  self->outside = outside;
  self->name = g_strdup (name);
  self->region = g_strdup (region);
  return self;
}

EsPixelSet *
es_pixel_set_copy (const EsPixelSet *self)
{
  EsPixelSet *copy = es_pixel_set_new (self->outside, self->name, self->region);

  copy->file = g_strdup (self->file);
  copy->identity = g_strdup (self->identity);
  return copy;
}

void
es_pixel_set_free (EsPixelSet *self)
{
  g_free (self->name);
  g_free (self->region);
  g_free (self->file);
  g_free (self->identity);
  g_free (self);
}

/* ---- making ---- */

static char *
dup_told (const char *text)
{
  char *copy = text != NULL ? g_strstrip (g_strdup (text)) : NULL;

  if (copy != NULL && *copy == '\0')
    g_clear_pointer (&copy, g_free);
  return copy;
}

EsSelection *
es_selection_new (const char *bands, const char *excluded, const EsSelectionWindow *window, EsPixelSet * const *sets,
                  guint n)
{
  EsSelection *self = g_new0 (EsSelection, 1);

  g_atomic_ref_count_init (&self->references);
  self->bands = dup_told (bands);
  self->excluded = dup_told (excluded);
  if (window != NULL && window->width > 0 && window->height > 0)
    self->window = *window;
  self->sets = g_ptr_array_new_with_free_func ((GDestroyNotify) es_pixel_set_free);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->sets, es_pixel_set_copy (sets[i]));
  self->source = ES_SELECTION_BY_HAND;
  return self;
}

EsSelection *
es_selection_ref (EsSelection *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_selection_unref (EsSelection *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->bands);
  g_free (self->excluded);
  g_ptr_array_unref (self->sets);
  g_free (self);
}

static EsSelection *
make (const char *bands, const char *excluded, const EsSelectionWindow *window, GPtrArray *sets)
{
  return es_selection_new (bands, excluded, window, sets != NULL ? (EsPixelSet * const *) sets->pdata : NULL,
                           sets != NULL ? sets->len : 0);
}

EsSelection *
es_selection_with_bands (EsSelection *self, const char *bands, const char *excluded)
{
  return make (bands, excluded, self != NULL ? &self->window : NULL, self != NULL ? self->sets : NULL);
}

EsSelection *
es_selection_with_window (EsSelection *self, const EsSelectionWindow *window)
{
  return self != NULL ? make (self->bands, self->excluded, window, self->sets) : make (NULL, NULL, window, NULL);
}

EsSelection *
es_selection_with_sets (EsSelection *self, EsPixelSet * const *sets, guint n)
{
  return self != NULL ? es_selection_new (self->bands, self->excluded, &self->window, sets, n)
                      : es_selection_new (NULL, NULL, NULL, sets, n);
}

EsSelection *
es_selection_with_source (EsSelection *self, EsSelectionSource source)
{
  EsSelection *copy = make (self->bands, self->excluded, &self->window, self->sets);

  copy->source = source;
  return copy;
}

/* ---- what it says ---- */

const char *
es_selection_get_bands (EsSelection *self)
{
  return self->bands;
}

const char *
es_selection_get_excluded (EsSelection *self)
{
  return self->excluded;
}

EsSelectionWindow
es_selection_get_window (EsSelection *self)
{
  return self->window;
}

EsPixelSet * const *
es_selection_get_sets (EsSelection *self, guint *n)
{
  *n = self->sets->len;
  return (EsPixelSet * const *) self->sets->pdata;
}

EsSelectionSource
es_selection_get_source (EsSelection *self)
{
  return self->source;
}

gboolean
es_selection_is_everything (EsSelection *self)
{
  return self == NULL
         || (self->bands == NULL && self->excluded == NULL && self->window.width == 0 && self->sets->len == 0);
}

static gboolean
same_sets (GPtrArray *sets, GPtrArray *others)
{
  if (sets->len != others->len)
    return FALSE;
  for (guint i = 0; i < sets->len; i++)
    {
      const EsPixelSet *set = g_ptr_array_index (sets, i), *other = g_ptr_array_index (others, i);

      if (set->outside != other->outside || g_strcmp0 (set->region, other->region) != 0
          || g_strcmp0 (set->name, other->name) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
es_selection_equal (EsSelection *self, EsSelection *other)
{
  if (self == other)
    return TRUE;
  if (self == NULL || other == NULL)
    return es_selection_is_everything (self) && es_selection_is_everything (other);
  return g_strcmp0 (self->bands, other->bands) == 0 && g_strcmp0 (self->excluded, other->excluded) == 0
         && memcmp (&self->window, &other->window, sizeof self->window) == 0 && same_sets (self->sets, other->sets);
}
