/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The divider of the middle: its share of the height stays, whatever the height is. */

#include "es-sonar-view-private.h"

#include <math.h>

static gboolean
place (gpointer data)
{
  EsSonarView *self = data;

  self->divider_source = 0;
  self->divided = gtk_widget_get_height (self->paned);
  if (self->divider > 0 && self->divided > 0)
    gtk_paned_set_position (GTK_PANED (self->paned), (int) lround (self->divider * self->divided));
  return G_SOURCE_REMOVE;
}

/* Once it has its size: it is being given one. */
static void
place_later (EsSonarView *self)
{
  if (self->divider_source == 0)
    self->divider_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 5, place, self, NULL);
}

static void
on_size (EsSonarView *self)
{
  if (gtk_widget_get_height (self->paned) != self->divided)
    place_later (self);
}

/* Of the same height it is a person who moves it. */
static void
on_position (EsSonarView *self)
{
  const int height = gtk_widget_get_height (self->paned);
  gboolean set;

  g_object_get (self->paned, "position-set", &set, NULL);
  if (!set || height <= 0 || height != self->divided || self->divider_source != 0)
    return;
  self->divider = CLAMP (gtk_paned_get_position (GTK_PANED (self->paned)) / (double) height, 0.01, 0.99);
  g_signal_emit_by_name (self, "arranged");
}

void
_es_sonar_view_add_divider (EsSonarView *self)
{
  g_signal_connect_swapped (self->paned, "notify::max-position", G_CALLBACK (on_size), self);
  g_signal_connect_swapped (self->paned, "notify::position", G_CALLBACK (on_position), self);
}

void
_es_sonar_view_set_divider (EsSonarView *self, double share)
{
  self->divider = share;
  if (!(share > 0))
    {
      self->divided = 0;
      g_object_set (self->paned, "position-set", FALSE, NULL);
    }
  place_later (self);
}
