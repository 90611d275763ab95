/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Which display stands where: two places above each other in the middle, the upper one for two displays side by side
 * where they belong together, and the column on the right; and the divider between the two, whose share of the height
 * stays whatever the height is.
 */

#include "es-sonar-view-private.h"

#include <math.h>

/* Displays of the same of different beams go everywhere together. */
static const char *const pairs[][2] = { { "btr", "btr-adaptive" }, { "fraz", "fraz-adaptive" } };

EsPaneFrame *
_es_sonar_view_find_frame (EsSonarView *self, const char *id)
{
  for (guint i = 0; i < self->n_frames; i++)
    if (g_strcmp0 (es_sonar_pane_get_id (es_pane_frame_get_pane (self->frames[i])), id) == 0)
      return self->frames[i];
  return NULL;
}

/* The other one of a pair, where this one is its first (of 0) or second (of 1); NULL: it is not. */
static EsPaneFrame *
find_other (EsSonarView *self, EsPaneFrame *frame, guint of)
{
  const char *id = es_sonar_pane_get_id (es_pane_frame_get_pane (frame));

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (g_str_equal (id, pairs[i][of]))
      return _es_sonar_view_find_frame (self, pairs[i][1 - of]);
  return NULL;
}

EsPaneFrame *
_es_sonar_view_get_second (EsSonarView *self, EsPaneFrame *frame)
{
  return find_other (self, frame, 0);
}

gboolean
_es_sonar_view_is_second (EsSonarView *self, EsPaneFrame *frame)
{
  return find_other (self, frame, 1) != NULL;
}

/* ---- in and out ---- */

void
_es_sonar_view_take_out (EsSonarView *self, EsPaneFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (frame), *parent = gtk_widget_get_parent (widget);

  if (parent == NULL)
    return;
  if (GTK_IS_BOX (parent))
    gtk_box_remove (GTK_BOX (parent), widget);
  else
    gtk_paned_set_end_child (GTK_PANED (parent), NULL);
  for (guint i = 0; i < ES_SONAR_N_MIDDLE; i++)
    if (self->middle[i] == frame)
      self->middle[i] = NULL;
}

void
_es_sonar_view_put_in_middle (EsSonarView *self, EsPaneFrame *frame, guint place)
{
  self->middle[place] = frame;
  es_pane_frame_set_in_middle (frame, TRUE);
  if (place == 0)
    gtk_box_prepend (GTK_BOX (self->upper), GTK_WIDGET (frame));
  else if (place == ES_SONAR_BESIDE)
    gtk_box_append (GTK_BOX (self->upper), GTK_WIDGET (frame));
  else
    gtk_paned_set_end_child (GTK_PANED (self->paned), GTK_WIDGET (frame));
}

static void
put_in_column (EsSonarView *self, EsPaneFrame *frame, GtkWidget *before)
{
  es_pane_frame_set_in_middle (frame, FALSE);
  es_pane_frame_set_expanded (frame, TRUE);
  gtk_box_insert_child_after (GTK_BOX (self->column), GTK_WIDGET (frame), before);
}

/* Which display a place is for: the first is that of a field, where that is all there is to see. */
static EsPaneFrame *
home_of (EsSonarView *self, guint place)
{
  if (place == 0 && self->chosen != NULL && _es_sonar_view_can_be_filled (self, self->chosen))
    return self->chosen;
  return place == 0 && _es_sonar_view_can_be_filled (self, self->field_frame)
         && !_es_sonar_view_can_be_filled (self, self->frames[0]) ? self->field_frame : self->frames[place];
}

gboolean
_es_sonar_view_is_home (EsSonarView *self)
{
  return self->middle[0] == home_of (self, 0) && self->middle[1] == home_of (self, 1);
}

/* What cannot be filled is hidden; the middle is never empty. */
void
_es_sonar_view_update_visible (EsSonarView *self)
{
  gboolean any = FALSE, filled = FALSE, upper = FALSE;

  for (guint i = 0; i < ES_SONAR_N_MIDDLE; i++)
    filled = filled || (self->middle[i] != NULL && _es_sonar_view_can_be_filled (self, self->middle[i]));
  if (self->enlarged != NULL && !_es_sonar_view_can_be_filled (self, self->enlarged))
    _es_sonar_view_shrink (self);
  if (self->maximised != NULL && filled && !_es_sonar_view_can_be_filled (self, self->maximised))
    self->maximised = NULL;
  for (guint i = 0; i < self->n_frames; i++)
    {
      EsPaneFrame *frame = self->frames[i];
      gboolean visible = _es_sonar_view_can_be_filled (self, frame);

      if (frame == self->enlarged)
        continue;
      if (es_pane_frame_get_in_middle (frame))
        {
          visible = self->maximised != NULL ? frame == self->maximised
                    : visible || (!filled && frame != self->middle[ES_SONAR_BESIDE]);
          es_pane_frame_set_maximised (frame, frame == self->maximised);
          upper = upper || (visible && frame != self->middle[1]);
        }
      else
        any = any || visible;
      gtk_widget_set_visible (GTK_WIDGET (frame), visible);
    }
  gtk_widget_set_visible (self->upper, upper);
  gtk_widget_set_visible (self->beside, _es_sonar_view_has_pairs (self));
  gtk_widget_set_visible (self->inspector, any);
}

/* ---- changing places ---- */

/* A display of the column, and the one that belongs to it, take the place of those in the middle, which go where they
 * were. */
static void
exchange (EsSonarView *self, EsPaneFrame *frame, guint place)
{
  EsPaneFrame *first = _es_sonar_view_is_second (self, frame) ? find_other (self, frame, 1) : frame;
  EsPaneFrame *second = place == 0 ? find_other (self, first, 0) : NULL;
  EsPaneFrame *old = self->middle[place], *beside = place == 0 ? self->middle[ES_SONAR_BESIDE] : NULL;
  GtkWidget *before;

  if (first == old || es_pane_frame_get_in_middle (first))
    return;
  _es_sonar_view_shrink (self);
  self->maximised = NULL;
  if (second != NULL)
    _es_sonar_view_take_out (self, second);
  before = gtk_widget_get_prev_sibling (GTK_WIDGET (first));
  _es_sonar_view_take_out (self, first);
  if (beside != NULL)
    {
      _es_sonar_view_take_out (self, beside);
      put_in_column (self, beside, before);
    }
  _es_sonar_view_take_out (self, old);
  put_in_column (self, old, before);
  _es_sonar_view_put_in_middle (self, first, place);
  if (second != NULL)
    _es_sonar_view_put_in_middle (self, second, ES_SONAR_BESIDE);
  _es_sonar_view_update_visible (self);
  _es_sonar_view_sync_actions (self);
}

void
_es_sonar_view_swap (EsSonarView *self, EsPaneFrame *frame)
{
  exchange (self, frame, 0);
}

void
_es_sonar_view_maximise (EsSonarView *self, EsPaneFrame *frame)
{
  if (!es_pane_frame_get_in_middle (frame))
    _es_sonar_view_swap (self, frame);
  self->maximised = self->maximised == frame ? NULL : frame;
  _es_sonar_view_update_visible (self);
  _es_sonar_view_sync_actions (self);
}

gboolean
_es_sonar_view_restore (EsSonarView *self)
{
  if (self->maximised == NULL)
    return FALSE;
  self->maximised = NULL;
  _es_sonar_view_update_visible (self);
  _es_sonar_view_sync_actions (self);
  return TRUE;
}

gboolean
_es_sonar_view_go_home (EsSonarView *self)
{
  gboolean changed = self->maximised != NULL;
  GtkWidget *last = NULL;

  self->maximised = NULL;
  for (guint i = 0; i < ES_SONAR_BESIDE; i++)
    if (self->middle[i] != home_of (self, i))
      {
        changed = TRUE;
        exchange (self, home_of (self, i), i);
      }
  /* The column in its first order, too. */
  for (guint i = 0; i < self->n_frames; i++)
    if (gtk_widget_get_parent (GTK_WIDGET (self->frames[i])) == self->column)
      {
        gtk_box_reorder_child_after (GTK_BOX (self->column), GTK_WIDGET (self->frames[i]), last);
        last = GTK_WIDGET (self->frames[i]);
      }
  _es_sonar_view_update_visible (self);
  _es_sonar_view_sync_actions (self);
  return changed;
}

void
_es_sonar_view_reset (EsSonarView *self)
{
  self->chosen = self->frames[0];
  _es_sonar_view_go_home (self);
  for (guint i = 0; i < self->n_frames; i++)
    {
      EsSonarPane *pane = es_pane_frame_get_pane (self->frames[i]);

      es_pane_frame_set_expanded (self->frames[i], self->first_expanded[i]);
      if (es_sonar_pane_get_chooser (pane) != NULL)
        es_sonar_pane_set_kind (pane, self->first_kinds[i]);
    }
  _es_sonar_view_set_divider (self, 0);
  g_signal_emit_by_name (self, "arranged");
}

EsPaneFrame *
_es_sonar_view_get_current (EsSonarView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *frame = focus != NULL ? gtk_widget_get_ancestor (focus, ES_TYPE_PANE_FRAME) : NULL;

  for (guint i = 0; i < self->n_frames; i++)
    if (frame == GTK_WIDGET (self->frames[i]))
      return self->frames[i];
  return self->enlarged != NULL ? self->enlarged : self->maximised != NULL ? self->maximised : self->middle[0];
}

/* ---- the divider ---- */

static gboolean
place_divider (gpointer data)
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
place_divider_later (EsSonarView *self)
{
  if (self->divider_source == 0)
    self->divider_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 5, place_divider, self, NULL);
}

static void
on_size (EsSonarView *self)
{
  if (gtk_widget_get_height (self->paned) != self->divided)
    place_divider_later (self);
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
  place_divider_later (self);
}
