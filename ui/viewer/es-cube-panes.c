/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* F6 goes round the panes: the focus to the next one that is on the screen and takes it, where it was in it before. And
 * the window beside them, with the cube in three dimensions. */

#include "es-cube-workspace-private.h"
#include "es-viewer-private.h"
#include "faces/es-faces-window.h"

static void
last_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* What had the focus when a pane was left. */
static void
remember (GtkWidget *pane, GtkWidget *focus)
{
  GWeakRef *last = g_object_get_data (G_OBJECT (pane), "es-pane-focus");

  if (last == NULL)
    {
      last = g_new0 (GWeakRef, 1);
      g_weak_ref_init (last, focus);
      g_object_set_data_full (G_OBJECT (pane), "es-pane-focus", last, last_free);
      return;
    }
  g_weak_ref_set (last, focus);
}

static gboolean
is_within (GtkWidget *widget, GtkWidget *pane)
{
  return widget != NULL && (widget == pane || gtk_widget_is_ancestor (widget, pane));
}

static gboolean
enter (GtkWidget *pane)
{
  GWeakRef *last = g_object_get_data (G_OBJECT (pane), "es-pane-focus");
  g_autoptr (GtkWidget) before = last != NULL ? g_weak_ref_get (last) : NULL;

  if (!gtk_widget_get_mapped (pane))
    return FALSE;
  if (is_within (before, pane) && gtk_widget_get_mapped (before) && gtk_widget_grab_focus (before))
    return TRUE;
  if (gtk_widget_get_focusable (pane) && gtk_widget_grab_focus (pane))
    return TRUE;
  return gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD);
}

/* From nowhere to the first. */
static void
go_round (GtkWidget * const *panes, guint n, gboolean backward)
{
  GtkRoot *root = n > 0 ? gtk_widget_get_root (panes[0]) : NULL;
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  guint at = n;

  for (guint i = 0; i < n; i++)
    if (is_within (focus, panes[i]))
      at = i;
  if (at < n)
    remember (panes[at], focus);
  for (guint i = 1; i <= n; i++)
    {
      const guint next = at == n ? (backward ? n - i : i - 1) : backward ? (at + n - i) % n : (at + i) % n;

      if (enter (panes[next]))
        {
          if (GTK_IS_WINDOW (root))
            gtk_window_set_focus_visible (GTK_WINDOW (root), TRUE);
          return;
        }
    }
}

/* Data and analysis, the picture (or what stands in its place), the strip, the collected spectra, the inspector. */
void
_es_cube_workspace_go_round (EsCubeWorkspace *self, gboolean backward)
{
  EsViewer *viewer = self->viewer;
  EsAnalysePanel *analyse = es_shell_get_analyse (es_workspace_get_shell (ES_WORKSPACE (self)));
  GtkWidget *page = gtk_stack_get_visible_child (GTK_STACK (viewer->pages));
  GtkWidget *panes[5];
  guint n = 0;

  if (analyse != NULL)
    panes[n++] = gtk_widget_get_parent (GTK_WIDGET (analyse));
  panes[n++] = page == GTK_WIDGET (viewer->compare) && gtk_widget_get_mapped (GTK_WIDGET (viewer->left.view))
               ? GTK_WIDGET (viewer->left.view) : page;
  panes[n++] = GTK_WIDGET (viewer->strip);
  if (viewer->spectra != NULL && viewer->spectra_window == NULL)
    panes[n++] = GTK_WIDGET (viewer->spectra);
  panes[n++] = GTK_WIDGET (viewer->inspector);
  go_round (panes, n, backward);
}

/* ---- in three dimensions ---- */

void
_es_cube_workspace_update_faces (EsCubeWorkspace *self)
{
  EsDataset *dataset = es_viewer_get_dataset (self->viewer);

  if (self->faces != NULL)
    es_faces_window_set_cube (ES_FACES_WINDOW (self->faces), ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL);
}

void
_es_cube_workspace_show_faces (EsCubeWorkspace *self)
{
  GtkWindow *window = es_shell_get_window (es_workspace_get_shell (ES_WORKSPACE (self)));

  if (self->faces == NULL && window != NULL)
    {
      g_set_weak_pointer (&self->faces, es_faces_window_new (self->viewer->left.display, self->viewer->left.picture));
      gtk_window_set_application (GTK_WINDOW (self->faces), gtk_window_get_application (window));
      _es_cube_workspace_update_faces (self);
    }
  if (self->faces != NULL)
    gtk_window_present (GTK_WINDOW (self->faces));
}
