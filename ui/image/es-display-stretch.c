/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The stretches of a display: how they are worked out, set by hand, and taken back. */

#include "es-display-state-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Changes by hand that follow each other faster are one, µs. */
#define ONE_CHANGE 700000
#define MOST_CHANGES 64

/* What the stretches are becomes what they were. */
static void
remember (EsDisplay *self, gboolean by_hand)
{
  const gint64 now = g_get_monotonic_time ();

  if (!by_hand || now - self->changed > ONE_CHANGE)
    g_ptr_array_add (self->changes, _es_display_state_tell (self->state));
  if (self->changes->len > MOST_CHANGES)
    g_ptr_array_remove_index (self->changes, 0);
  self->changed = by_hand ? now : 0;
}

gboolean
es_display_can_undo (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->state != NULL && self->changes->len > 0;
}

void
es_display_undo (EsDisplay *self)
{
  EsDisplayState before;

  g_return_if_fail (ES_IS_DISPLAY (self));

  if (!es_display_can_undo (self))
    return;
  before = *self->state;
  g_hash_table_remove_all (self->state->stretches);
  memset (self->state->others, 0, sizeof self->state->others);
  _es_display_state_take (self->state, g_ptr_array_index (self->changes, self->changes->len - 1),
                          es_plane_source_get_n_planes (self->source));
  /* Which planes there are is no stretch. */
  for (guint i = 0; i < 3; i++)
    {
      g_clear_pointer (&self->state->others[i], _es_display_other_free);
      self->state->others[i] = before.others[i];
    }
  self->state->composite = before.composite;
  memcpy (self->state->rgb, before.rgb, sizeof before.rgb);
  self->state->plane = before.plane;
  self->state->colormap = before.colormap;
  g_ptr_array_remove_index (self->changes, self->changes->len - 1);
  self->changed = 0;
  _es_display_look_changed (self);
}

void
es_display_set_deviations (EsDisplay *self, double deviations)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (deviations >= 0);

  if (self->state == NULL)
    return;
  remember (self, FALSE);
  self->state->deviations = deviations;
  g_hash_table_remove_all (self->state->stretches);
  _es_display_look_changed (self);
}

double
es_display_get_deviations (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), 0);
  return self->state != NULL ? self->state->deviations : 0;
}

void
es_display_set_curve (EsDisplay *self, EsStretch curve)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (curve < ES_N_STRETCHES);

  if (self->state == NULL || self->state->curve == curve)
    return;
  remember (self, FALSE);
  self->state->curve = curve;
  _es_display_look_changed (self);
}

EsStretch
es_display_get_curve (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), ES_STRETCH_LINEAR);
  return self->state != NULL ? self->state->curve : ES_STRETCH_LINEAR;
}

void
es_display_set_linked (EsDisplay *self, gboolean linked)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL || self->state->linked == !!linked)
    return;
  remember (self, FALSE);
  self->state->linked = !!linked;
  _es_display_look_changed (self);
}

gboolean
es_display_get_linked (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->state != NULL && self->state->linked;
}

void
es_display_set_basis (EsDisplay *self, EsStretchBasis basis)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (basis < ES_N_STRETCH_BASES);

  if (self->state == NULL || self->state->basis == basis)
    return;
  remember (self, FALSE);
  self->state->basis = basis;
  _es_display_look_changed (self);
}

EsStretchBasis
es_display_get_basis (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), ES_STRETCH_OF_IMAGE);
  return self->state != NULL ? self->state->basis : ES_STRETCH_OF_IMAGE;
}

void
es_display_set_cut (EsDisplay *self, double cut)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (cut >= 0 && cut < 0.5);

  if (self->state == NULL)
    return;
  remember (self, FALSE);
  self->state->cut = cut;
  self->state->deviations = 0;
  g_hash_table_remove_all (self->state->stretches);
  _es_display_look_changed (self);
}

double
es_display_get_cut (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), ES_DISPLAY_DEFAULT_CUT);
  return self->state != NULL ? self->state->cut : ES_DISPLAY_DEFAULT_CUT;
}

void
es_display_set_symmetric (EsDisplay *self, gboolean symmetric)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL || self->state->symmetric == !!symmetric)
    return;
  remember (self, FALSE);
  self->state->symmetric = !!symmetric;
  g_hash_table_remove_all (self->state->stretches);
  _es_display_look_changed (self);
}

gboolean
es_display_get_symmetric (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->state != NULL && self->state->symmetric;
}

void
es_display_set_stretch (EsDisplay *self, guint plane, double low, double high)
{
  guint planes[3] = { plane }, n;
  double *stretch;

  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->state == NULL)
    return;
  remember (self, TRUE);
  n = self->state->composite && self->state->linked ? es_display_get_planes (self, planes) : 1;
  for (guint i = 0; i < n; i++)
    {
      stretch = g_new (double, 2);
      stretch[0] = low;
      stretch[1] = high;
      g_hash_table_replace (self->state->stretches, GUINT_TO_POINTER (planes[i]), stretch);
    }
  _es_display_stretched (self);
}

gboolean
es_display_is_stretched_by_hand (EsDisplay *self)
{
  guint planes[3], n;
  double low, high;

  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);

  n = es_display_get_planes (self, planes);
  for (guint i = 0; i < n; i++)
    if (es_display_get_stretch (self, planes[i], &low, &high))
      return TRUE;
  return FALSE;
}

gboolean
es_display_get_stretch (EsDisplay *self, guint plane, double *low, double *high)
{
  const double *stretch;

  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);

  if (self->state == NULL)
    return FALSE;
  stretch = g_hash_table_lookup (self->state->stretches, GUINT_TO_POINTER (plane));
  if (stretch == NULL)
    return FALSE;
  *low = stretch[0];
  *high = stretch[1];
  return TRUE;
}

void
es_display_reset_stretch (EsDisplay *self)
{
  es_display_set_cut (self, ES_DISPLAY_DEFAULT_CUT);
}

/* From the darkest of the three to the brightest. */
static void
link_channels (EsPicture *picture)
{
  double low = INFINITY, high = -INFINITY, ends[2];

  for (guint i = 0; i < 3; i++)
    {
      es_picture_get_stretch (picture, i, &ends[0], &ends[1]);
      low = MIN (low, ends[0]);
      high = MAX (high, ends[1]);
    }
  for (guint i = 0; i < 3; i++)
    es_picture_set_stretch (picture, i, low, high);
}

/* Classes have colours of their own, and no stretch. */
static void
apply_classes (EsDisplay *self, EsPicture *picture)
{
  EsClassTable *classes = es_plane_source_get_classes (self->source);
  g_autofree guint8 *entries = NULL;
  gint64 first = 0;
  guint n = 0;

  if (classes != NULL)
    entries = es_class_table_make_palette (classes, &first, &n);
  es_picture_set_palette (picture, entries, n, (double) first);
}

void
es_display_apply_look (EsDisplay *self, EsPicture *picture)
{
  guint planes[3], n;
  double low, high;

  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (ES_IS_PICTURE (picture));

  n = es_display_get_planes (self, planes);
  if (es_picture_is_empty (picture) || n != es_picture_get_n_planes (picture))
    return;
  apply_classes (self, picture);
  es_picture_set_colormap (picture, self->state->colormap);
  es_picture_set_curve (picture, self->state->curve);
  if (self->state->deviations > 0)
    es_picture_stretch_deviations (picture, self->state->deviations);
  else
    es_picture_stretch_percent (picture, self->state->cut, n == 1 && self->state->symmetric);
  if (n == 3 && self->state->linked)
    link_channels (picture);
  for (guint i = 0; i < n; i++)
    {
      if (es_display_get_stretch (self, planes[i], &low, &high))
        {
          es_picture_set_stretch (picture, i, low, high);
          continue;
        }
      /* Errors are read against none. */
      es_picture_get_stretch (picture, i, &low, &high);
      if (n == 1 && self->state->hint == ES_IMAGE_HINT_SEQUENTIAL && !self->state->symmetric && low > 0 && high > 0)
        es_picture_set_stretch (picture, i, 0, high);
    }
}

/* "square root", "of the view": what is not usual. */
static void
append_curve (EsDisplay *self, GString *caption)
{
  static const char *const bases[ES_N_STRETCH_BASES] = { NULL, N_("of what is in view"), N_("of the selection") };

  if (self->state->curve != ES_STRETCH_LINEAR)
    {
      g_autofree char *title = g_utf8_strdown (g_dgettext (GETTEXT_PACKAGE, es_stretch_title (self->state->curve)), -1);

      g_string_append_printf (caption, ", %s", title);
    }
  if (self->state->basis != ES_STRETCH_OF_IMAGE)
    g_string_append_printf (caption, ", %s", g_dgettext (GETTEXT_PACKAGE, bases[self->state->basis]));
}

static char *
describe_ends (EsDisplay *self, guint n_planes, const guint *planes)
{
  g_autofree char *percent = NULL;
  double low, high;

  for (guint i = 0; i < n_planes; i++)
    if (es_display_get_stretch (self, planes[i], &low, &high))
      return g_strdup (_("stretched by hand"));

  if (self->state->deviations > 0)
    /* Translators: how far the stretch reaches either way of the mean, in standard deviations. */
    percent = g_strdup_printf (_("mean ± %g σ"), self->state->deviations);
  else if (self->state->cut == 0)
    percent = g_strdup (_("full range"));
  else
    /* Translators: how much of the histogram is cut off at both ends, "cut 2 %". */
    percent = g_strdup_printf (_("cut %g %%"), self->state->cut * 100);
  if (n_planes == 1 && self->state->symmetric)
    return g_strdup_printf (_("%s, symmetric"), percent);
  return g_steal_pointer (&percent);
}

char *
_es_display_describe_stretch (EsDisplay *self, guint n_planes, const guint *planes)
{
  g_autofree char *ends = describe_ends (self, n_planes, planes);
  GString *words = g_string_new (ends);

  append_curve (self, words);
  return g_string_free (words, FALSE);
}
