/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Channels of a composite that show planes of other sources of the same scene. A state remembers them without keeping
 * them: what is shown has them as planes behind the source's own. */

#include "es-display-state-private.h"

#include <glib/gi18n-lib.h>

/* ---- what is borrowed ---- */

void
_es_display_other_free (EsDisplayOther *other)
{
  g_weak_ref_clear (&other->data);
  g_free (other->reference);
  g_free (other->kind);
  g_free (other);
}

static EsDisplayOther *
other_new (GObject *data, guint plane, const char *reference, const char *kind)
{
  EsDisplayOther *other = g_new0 (EsDisplayOther, 1);

  g_weak_ref_init (&other->data, data);
  other->plane = plane;
  other->reference = g_strdup (reference);
  other->kind = g_strdup (kind);
  return other;
}

EsDisplayOther *
_es_display_other_copy (const EsDisplayOther *other)
{
  if (other == NULL)
    return NULL;
  g_autoptr (GObject) data = g_weak_ref_get ((GWeakRef *) &other->data);

  return other_new (data, other->plane, other->reference, other->kind);
}

EsDisplayOther *
_es_display_other_told (const char *reference, guint plane)
{
  return other_new (NULL, plane, reference, NULL);
}

static EsDisplayOther *
other_new_of (EsPlaneGroup *group, guint plane)
{
  return other_new (es_plane_group_get_data (group), plane, es_plane_group_get_reference (group),
                    es_plane_group_get_kind (group));
}

/* The group of what is remembered, where that is there. Borrowed. */
static EsPlaneGroup *
find_group (EsDisplay *self, EsDisplayOther *other)
{
  g_autoptr (GObject) data = other != NULL ? g_weak_ref_get (&other->data) : NULL;
  EsPlaneGroup *group;

  if (other == NULL)
    return NULL;
  if (data != NULL)
    return es_plane_groups_find (self->groups, data);
  group = es_plane_groups_find_again (self->groups, other->reference);
  if (group != NULL)
    {
      g_weak_ref_set (&other->data, es_plane_group_get_data (group));
      g_free (other->kind);
      other->kind = g_strdup (es_plane_group_get_kind (group));
    }
  return group;
}

/* ---- the source with them ---- */

static gboolean
borrows (EsDisplay *self, guint channel, EsPlaneSource *wanted, guint plane)
{
  const guint at = es_plane_source_get_n_planes (self->source) + channel;
  guint its;

  if (!es_plane_source_has_plane (self->source, at))
    return wanted == NULL;
  return es_plane_source_resolve (self->source, at, &its) == wanted && its == plane;
}

void
_es_display_link_source (EsDisplay *self)
{
  EsPlaneSource *others[3] = { NULL };
  const char *titles[3] = { NULL };
  guint planes[3] = { 0 };
  gboolean any = FALSE, same = TRUE;

  if (self->base == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    {
      EsPlaneGroup *group = find_group (self, self->state->others[i]);

      if (group == NULL)
        continue;
      others[i] = es_plane_group_get_source (group);
      planes[i] = MIN (self->state->others[i]->plane, es_plane_source_get_n_planes (others[i]) - 1);
      titles[i] = es_plane_group_get_title (group);
      any = TRUE;
    }
  for (guint i = 0; i < 3; i++)
    same = same && borrows (self, i, others[i], planes[i]);
  if (same)
    return;
  g_autoptr (EsPlaneSource) linked = any ? es_plane_source_new_borrowing (self->base, others, planes, titles)
                                         : g_object_ref (self->base);
  g_set_object (&self->source, linked);
}

/* What was stretched by hand was the plane that was there before. */
static void
forget_stretch (EsDisplay *self, guint channel)
{
  g_hash_table_remove (self->state->stretches,
                       GUINT_TO_POINTER (es_plane_source_get_n_planes (self->base) + channel));
  g_ptr_array_set_size (self->changes, 0);
}

void
_es_display_give_back (EsDisplay *self, guint channel)
{
  if (self->state->others[channel] == NULL)
    return;
  g_clear_pointer (&self->state->others[channel], _es_display_other_free);
  forget_stretch (self, channel);
  _es_display_link_source (self);
}

static void
borrow (EsDisplay *self, guint channel, EsPlaneGroup *group, guint plane)
{
  g_clear_pointer (&self->state->others[channel], _es_display_other_free);
  forget_stretch (self, channel);
  if (es_plane_group_get_data (group) == es_plane_source_get_data (self->base))
    self->state->rgb[channel] = plane;
  else
    self->state->others[channel] = other_new_of (group, plane);
}

void
es_display_set_other (EsDisplay *self, guint channel, EsPlaneGroup *group, guint plane)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (channel < 3);
  g_return_if_fail (ES_IS_PLANE_GROUP (group));

  if (self->state == NULL || plane >= es_plane_source_get_n_planes (es_plane_group_get_source (group)))
    return;
  if (es_plane_group_get_data (group) == es_plane_source_get_data (self->base))
    {
      es_display_set_rgb (self, channel, plane);
      return;
    }
  if (borrows (self, channel, es_plane_group_get_source (group), plane))
    return;
  borrow (self, channel, group, plane);
  _es_display_link_source (self);
  _es_display_planes_changed (self);
}

EsPlaneGroup *
es_display_get_other (EsDisplay *self, guint channel, guint *plane)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);
  g_return_val_if_fail (channel < 3, NULL);

  if (self->state == NULL || self->state->others[channel] == NULL)
    return NULL;
  if (plane != NULL)
    *plane = self->state->others[channel]->plane;
  return find_group (self, self->state->others[channel]);
}

/* ---- the composite that was shown last ---- */

void
_es_display_note_composite (EsDisplay *self)
{
  if (!es_display_get_composite (self))
    return;
  for (guint i = 0; i < 3; i++)
    {
      guint its;
      EsPlaneSource *of = es_plane_source_resolve (self->source, es_display_get_rgb (self, i), &its);

      g_clear_pointer (&self->last[i], _es_display_other_free);
      self->last[i] = other_new (es_plane_source_get_data (of), its, NULL, NULL);
    }
}

/* All of it that is there. */
static void
bring_back (EsDisplay *self)
{
  for (guint i = 0; i < 3; i++)
    {
      EsPlaneGroup *group = find_group (self, self->last[i]);

      if (group != NULL)
        borrow (self, i, group, self->last[i]->plane);
    }
}

void
es_display_take_channel (EsDisplay *self, guint channel, guint plane)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (channel < 3);

  if (self->state == NULL || plane >= es_plane_source_get_n_planes (self->base))
    return;
  if (self->state->composite)
    {
      es_display_set_rgb (self, channel, plane);
      return;
    }
  bring_back (self);
  _es_display_give_back (self, channel);
  self->state->rgb[channel] = plane;
  self->state->composite = TRUE;
  _es_display_link_source (self);
  _es_display_planes_changed (self);
}

void
_es_display_hand_over (EsDisplay *self)
{
  if (!self->held || es_plane_groups_find (self->groups, es_plane_source_get_data (self->base)) == NULL)
    return;
  for (guint i = 0; i < 3; i++)
    if (find_group (self, self->last[i]) == NULL)
      return;
  bring_back (self);
  self->state->composite = TRUE;
}

void
es_display_set_held (EsDisplay *self, gboolean held)
{
  g_return_if_fail (ES_IS_DISPLAY (self));

  if (self->held == !!held)
    return;
  self->held = !!held;
  g_object_notify (G_OBJECT (self), "held");
}

gboolean
es_display_get_held (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), FALSE);
  return self->held;
}

/* ---- what there is ---- */

/* A result that is computed again takes the place of the one before: its stack comes as that goes. */
static EsPlaneGroup *
find_successor (EsDisplay *self, EsDisplayOther *other, guint position, guint added)
{
  for (guint i = position; i < position + added && other->kind != NULL; i++)
    {
      g_autoptr (EsPlaneGroup) group = g_list_model_get_item (self->groups, i);

      if (g_strcmp0 (es_plane_group_get_kind (group), other->kind) == 0)
        return group;
    }
  return NULL;
}

static void
say_taken_back (EsDisplay *self, GString *sentences, guint channel, const char *gone)
{
  g_autofree char *now = es_plane_source_get_plane_label (self->source, es_display_get_rgb (self, channel));

  if (sentences->len > 0)
    g_string_append_c (sentences, ' ');
  if (channel == 0)
    g_string_append_printf (sentences, _("“%s” is gone: red shows “%s”."), gone, now);
  else if (channel == 1)
    g_string_append_printf (sentences, _("“%s” is gone: green shows “%s”."), gone, now);
  else
    g_string_append_printf (sentences, _("“%s” is gone: blue shows “%s”."), gone, now);
}

static void
on_groups_changed (EsDisplay *self, guint position, guint removed, guint added)
{
  const guint n = self->base != NULL ? es_plane_source_get_n_planes (self->base) : 0;
  g_autoptr (EsPlaneSource) before = NULL;
  g_autoptr (GString) sentences = g_string_new (NULL);
  EsPlaneGroup *own = self->base != NULL
    ? es_plane_groups_find (self->groups, es_plane_source_get_data (self->base)) : NULL;
  char *gone[3] = { NULL };

  g_set_object (&before, self->source);
  /* Where what is shown is none of them, its scene is being closed, or another one has just been opened: nothing is
   * missed, then. */
  for (guint i = 0; own != NULL && i < 3; i++)
    {
      EsDisplayOther *other = self->state->others[i];
      EsPlaneGroup *next;

      /* What was not there cannot be gone. */
      if (other == NULL || !es_plane_source_has_plane (self->source, n + i) || find_group (self, other) != NULL)
        continue;
      next = find_successor (self, other, position, added);
      if (next != NULL)
        {
          borrow (self, i, next, MIN (other->plane,
                                      es_plane_source_get_n_planes (es_plane_group_get_source (next)) - 1));
          continue;
        }
      gone[i] = es_plane_source_get_plane_label (self->source, n + i);
      g_clear_pointer (&self->state->others[i], _es_display_other_free);
      forget_stretch (self, i);
    }
  _es_display_link_source (self);
  g_signal_emit_by_name (self, "others-changed");
  if (before == self->source)
    return;
  _es_display_planes_changed (self);
  for (guint i = 0; i < 3; i++)
    if (gone[i] != NULL)
      {
        say_taken_back (self, sentences, i, gone[i]);
        g_free (gone[i]);
      }
  if (sentences->len > 0)
    g_signal_emit_by_name (self, "taken-back", sentences->str);
}

void
_es_display_drop_groups (EsDisplay *self)
{
  if (self->groups != NULL)
    g_signal_handlers_disconnect_by_func (self->groups, on_groups_changed, self);
  g_clear_object (&self->groups);
}

void
es_display_set_others (EsDisplay *self, GListModel *groups)
{
  g_return_if_fail (ES_IS_DISPLAY (self));
  g_return_if_fail (groups == NULL || G_IS_LIST_MODEL (groups));

  if (self->groups == groups)
    return;
  _es_display_drop_groups (self);
  g_set_object (&self->groups, groups);
  if (groups != NULL)
    g_signal_connect_object (groups, "items-changed", G_CALLBACK (on_groups_changed), self, G_CONNECT_SWAPPED);
  on_groups_changed (self, 0, 0, 0);
}

GListModel *
es_display_get_others (EsDisplay *self)
{
  g_return_val_if_fail (ES_IS_DISPLAY (self), NULL);
  return self->groups;
}
