/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

G_DEFINE_BOXED_TYPE (EsArray, es_array, es_array_ref, es_array_unref)

EsArray *
es_array_ref (EsArray *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
es_array_unref (EsArray *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint k = 0; k < self->n; k++)
    g_free (self->elements[k].name);
  g_free (self->elements);
  g_ptr_array_unref (self->notes);
  g_free (self->doubt);
  g_free (self);
}

/* ---- making ---- */

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElement *elements = data, *p = &elements[*(const guint *) a], *q = &elements[*(const guint *) b];
  const double place[3] = { p->x - q->x, p->y - q->y, p->z - q->z };

  for (guint j = 0; j < 3; j++)
    if (place[j] != 0)
      return place[j] > 0 ? 1 : -1;
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

static int
compare_channels (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElement *elements = data, *p = &elements[*(const guint *) a], *q = &elements[*(const guint *) b];

  if (p->channel != q->channel)
    return p->channel > q->channel ? 1 : -1;
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* "12 (“Hydrophone 11”)" */
static char *
name_element (const EsElement *elements, guint k)
{
  return elements[k].name != NULL ? g_strdup_printf (_("%u (“%s”)"), k + 1, elements[k].name)
                                  : g_strdup_printf ("%u", k + 1);
}

static gboolean
check_doubles (const EsElement *elements, guint n, GError **error)
{
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  guint alive = 0;

  for (guint k = 0; k < n; k++)
    if (!elements[k].dead)
      order[alive++] = k;
  g_qsort_with_data (order, alive, sizeof (guint), compare_places, (gpointer) elements);
  for (guint i = 0; i + 1 < alive; i++)
    {
      const EsElement *a = &elements[order[i]], *b = &elements[order[i + 1]];
      if (a->x != b->x || a->y != b->y || a->z != b->z)
        continue;
      g_autofree char *first = name_element (elements, order[i]), *second = name_element (elements, order[i + 1]);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("Elements %s and %s are at one place (%g, %g, %g m): each needs its own, or to be marked dead."),
                   first, second, a->x, a->y, a->z);
      return FALSE;
    }
  g_qsort_with_data (order, alive, sizeof (guint), compare_channels, (gpointer) elements);
  for (guint i = 0; i + 1 < alive; i++)
    if (elements[order[i]].channel == elements[order[i + 1]].channel)
      {
        g_autofree char *first = name_element (elements, order[i]), *second = name_element (elements, order[i + 1]);
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Elements %s and %s both have channel %u: each needs its own, or to be marked dead."),
                     first, second, elements[order[i]].channel);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_elements (const EsElement *elements, guint n, GError **error)
{
  if (n == 0 || n > ES_ARRAY_MOST_ELEMENTS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("An array of %u elements cannot be used: expected 1 to 1,000,000."), n);
      return FALSE;
    }
  for (guint k = 0; k < n; k++)
    {
      const EsElement *e = &elements[k];
      /* Written so that what is not a number fails too. */
      const gboolean placed = fabs (e->x) <= ES_ARRAY_MOST_METRES && fabs (e->y) <= ES_ARRAY_MOST_METRES
                              && fabs (e->z) <= ES_ARRAY_MOST_METRES;
      if (placed && isfinite (e->gain))
        continue;
      g_autofree char *name = name_element (elements, k);
      if (!placed)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Element %s is at (%g, %g, %g): expected finite numbers of metres."), name, e->x, e->y, e->z);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Element %s has the gain %g: expected a finite number."), name, e->gain);
      return FALSE;
    }
  return check_doubles (elements, n, error);
}

static EsArray *
copy_elements (const EsElement *elements, guint n)
{
  EsArray *self = g_new0 (EsArray, 1);

  g_atomic_ref_count_init (&self->refs);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->sound_speed = ES_ARRAY_SOUND_SPEED;
  self->n = n;
  self->elements = g_memdup2 (elements, sizeof (EsElement) * n);
  for (guint k = 0; k < n; k++)
    {
      self->elements[k].name = g_strdup (elements[k].name);
      self->elements[k].dead = elements[k].dead != FALSE;
      self->n_alive += !elements[k].dead;
    }
  return self;
}

EsArray *
es_array_new (const EsElement *elements, guint n, GError **error)
{
  if (!check_elements (elements, n, error))
    return NULL;

  EsArray *self = copy_elements (elements, n);
  es_array_measure (self);
  return self;
}

EsArray *
es_array_new_line (guint n, double spacing, double azimuth, GError **error)
{
  if (!(spacing > 0) || !isfinite (spacing) || !isfinite (azimuth))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("A line of elements cannot be %g m apart at an azimuth of %g°: expected a distance above 0 and an "
                     "angle."), spacing, azimuth);
      return NULL;
    }
  if (n == 0 || n > ES_ARRAY_MOST_ELEMENTS)
    return es_array_new (NULL, n, error);

  g_autofree EsElement *elements = g_new0 (EsElement, n);
  const gint64 middle = (n - 1) / 2;
  /* Right angles are exact. */
  const double turn = fmod (azimuth, 360), quarter = fmod (turn + 360, 90) == 0;
  const double c = quarter ? rint (cos (turn * G_PI / 180)) : cos (turn * G_PI / 180);
  const double s = quarter ? rint (sin (turn * G_PI / 180)) : sin (turn * G_PI / 180);
  for (guint k = 0; k < n; k++)
    {
      const double along = ((gint64) k - middle) * spacing;
      elements[k] = (EsElement) { .x = along * c + 0.0, .y = along * s + 0.0, .channel = k, .gain = 1 };
    }
  return es_array_new (elements, n, error);
}

void
es_array_add_note (EsArray *self, char *note)
{
  if (self->notes->len > 0)
    g_ptr_array_remove_index (self->notes, self->notes->len - 1);
  g_ptr_array_add (self->notes, es_text_show (note));
  g_ptr_array_add (self->notes, NULL);
  g_free (note);
}

void
es_array_set_doubt (EsArray *self, char *doubt, guint certain)
{
  self->certain = certain;
  g_free (self->doubt);
  self->doubt = es_text_show (doubt);
  g_free (doubt);
}

void
es_array_set_sound_speed (EsArray *self, double sound_speed)
{
  self->sound_speed = sound_speed;
  self->speed_told = TRUE;
}

EsArray *
es_array_copy (EsArray *self)
{
  EsArray *copy = copy_elements (self->elements, self->n);

  copy->sound_speed = self->sound_speed;
  copy->speed_told = self->speed_told;
  copy->origin = self->origin;
  es_array_set_doubt (copy, g_strdup (self->doubt), self->certain);
  for (guint i = 0; i + 1 < self->notes->len; i++)
    es_array_add_note (copy, g_strdup (g_ptr_array_index (self->notes, i)));
  es_array_measure (copy);
  return copy;
}

EsArray *
es_array_with_sound_speed (EsArray *self, double sound_speed)
{
  EsArray *copy = es_array_copy (self);

  g_return_val_if_fail (sound_speed > 0 && isfinite (sound_speed), copy);
  es_array_set_sound_speed (copy, sound_speed);
  return copy;
}

EsArray *
es_array_with_dead (EsArray *self, guint element, gboolean dead)
{
  EsArray *copy = es_array_copy (self);

  if (element < copy->n && copy->elements[element].dead != (dead != FALSE))
    {
      copy->elements[element].dead = dead != FALSE;
      copy->n_alive += dead ? -1 : 1;
      es_array_measure (copy);
    }
  return copy;
}

EsArray *
es_array_with_gain (EsArray *self, guint element, double gain)
{
  EsArray *copy = es_array_copy (self);

  if (element < copy->n)
    copy->elements[element].gain = gain;
  return copy;
}

/* ---- questions ---- */

guint
es_array_get_n_elements (EsArray *self)
{
  return self->n;
}

const EsElement *
es_array_get_elements (EsArray *self)
{
  return self->elements;
}

guint
es_array_get_n_alive (EsArray *self)
{
  return self->n_alive;
}

double
es_array_get_sound_speed (EsArray *self)
{
  return self->sound_speed;
}

gboolean
es_array_is_sound_speed_told (EsArray *self)
{
  return self->speed_told;
}

const char * const *
es_array_get_notes (EsArray *self)
{
  return self->notes->len > 0 ? (const char * const *) self->notes->pdata : NULL;
}

const char *
es_array_get_doubt (EsArray *self, guint n_channels)
{
  return self->certain == 0 || n_channels > self->certain ? self->doubt : NULL;
}

gboolean
es_array_equal (EsArray *self, EsArray *other)
{
  if (self == other)
    return TRUE;
  if (self == NULL || other == NULL || self->n != other->n || self->sound_speed != other->sound_speed
      || !es_origin_equal (&self->origin, &other->origin))
    return FALSE;
  for (guint k = 0; k < self->n; k++)
    {
      const EsElement *a = &self->elements[k], *b = &other->elements[k];
      if (a->x != b->x || a->y != b->y || a->z != b->z || a->channel != b->channel || a->gain != b->gain
          || a->dead != b->dead || g_strcmp0 (a->name, b->name) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
es_array_is_line (EsArray *self)
{
  return self->line;
}

gboolean
es_array_is_uniform (EsArray *self)
{
  return self->uniform;
}

double
es_array_get_spacing (EsArray *self)
{
  return self->spacing;
}

double
es_array_get_length (EsArray *self)
{
  return self->length;
}

void
es_array_get_axis (EsArray *self, double axis[3])
{
  memcpy (axis, self->axis, sizeof self->axis);
}
