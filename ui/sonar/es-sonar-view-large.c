/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One display over the whole window, below a bar of its own: nothing else changes its place or its size, so that all is
 * as it was once it goes back. */

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>

#include "es-sonar-bar.h"

static gboolean
on_escape (GtkWidget *widget, GVariant *unused, gpointer data)
{
  return _es_sonar_view_shrink (data) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

void
_es_sonar_view_make_large (EsSonarView *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->large = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new ((GtkShortcutFunc) on_escape, self,
                                                                                   NULL)));
  gtk_widget_add_controller (self->large, keys);
  gtk_box_append (GTK_BOX (self->large), es_sonar_bar_new (self->display));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->large), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Sonar displays"), -1);
}

/* Out of the place that it keeps. */
static void
lift (EsSonarView *self, EsPaneFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (frame), *parent = gtk_widget_get_parent (widget);

  self->enlarged_after = parent == self->column ? gtk_widget_get_prev_sibling (widget) : NULL;
  if (GTK_IS_PANED (parent))
    gtk_paned_set_end_child (GTK_PANED (parent), NULL);
  else
    gtk_box_remove (GTK_BOX (parent), widget);
}

static void
lower (EsSonarView *self, EsPaneFrame *frame)
{
  GtkWidget *widget = GTK_WIDGET (frame);

  gtk_box_remove (GTK_BOX (self->large), widget);
  if (frame == self->middle[1])
    gtk_paned_set_end_child (GTK_PANED (self->paned), widget);
  else if (frame == self->middle[0])
    gtk_box_prepend (GTK_BOX (self->upper), widget);
  else if (frame == self->middle[ES_SONAR_BESIDE])
    gtk_box_append (GTK_BOX (self->upper), widget);
  else
    gtk_box_insert_child_after (GTK_BOX (self->column), widget, self->enlarged_after);
}

static gboolean
take_focus (gpointer data)
{
  GtkWidget *child = es_sonar_pane_get_child (es_pane_frame_get_pane (ES_PANE_FRAME (data)));

  if (gtk_widget_get_mapped (child) && !gtk_widget_grab_focus (child))
    gtk_widget_child_focus (child, GTK_DIR_TAB_FORWARD);
  return G_SOURCE_REMOVE;
}

static void
tell (EsSonarView *self, EsPaneFrame *frame)
{
  es_pane_frame_set_enlarged (frame, frame == self->enlarged);
  _es_sonar_view_update_visible (self);
  _es_sonar_view_sync_actions (self);
  g_signal_emit_by_name (self, "enlarged");
  /* Once it is where it is to be. */
  g_idle_add_full (G_PRIORITY_LOW, take_focus, g_object_ref (frame), g_object_unref);
}

void
_es_sonar_view_enlarge (EsSonarView *self, EsPaneFrame *frame)
{
  gboolean again = frame == self->enlarged;

  _es_sonar_view_shrink (self);
  if (again)
    return;
  self->enlarged = frame;
  lift (self, frame);
  gtk_box_append (GTK_BOX (self->large), GTK_WIDGET (frame));
  gtk_widget_set_visible (GTK_WIDGET (frame), TRUE);
  tell (self, frame);
}

gboolean
_es_sonar_view_shrink (EsSonarView *self)
{
  EsPaneFrame *frame = self->enlarged;

  if (frame == NULL)
    return FALSE;
  self->enlarged = NULL;
  lower (self, frame);
  tell (self, frame);
  return TRUE;
}

GtkWidget *
es_sonar_view_get_large (EsSonarView *self)
{
  g_return_val_if_fail (ES_IS_SONAR_VIEW (self), NULL);
  return self->enlarged != NULL ? self->large : NULL;
}
