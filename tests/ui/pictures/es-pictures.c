/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pictures.h"

#include <string.h>

#define WAIT_SECONDS 600
#define STILL_MS     400        /* in which nothing may begin again */

const char *es_pictures_samples, *es_pictures_output;

static gboolean
on_time (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
es_pictures_wait (EsTestCondition condition, gpointer data, const char *what)
{
  gboolean late = FALSE;
  guint source = g_timeout_add_seconds (WAIT_SECONDS, on_time, &late);

  while (!late && !condition (data))
    g_main_context_iteration (NULL, TRUE);
  if (late)
    g_error ("%s did not hold within %d s", what, WAIT_SECONDS);
  g_source_remove (source);
}

void
es_pictures_settle (EsWindow *window)
{
  gboolean still;

  do
    {
      gboolean passed = FALSE;

      ES_PICTURES_WAIT (es_test_is_idle, window);
      g_timeout_add (STILL_MS, on_time, &passed);
      still = TRUE;
      while (!passed)
        {
          still &= es_test_is_idle (window);
          g_main_context_iteration (NULL, TRUE);
        }
    }
  while (!still);
}

/* What is to be drawn has been. */
static void
draw_frames (GtkWidget *toplevel, guint n)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (toplevel);
  const gint64 last = gdk_frame_clock_get_frame_counter (clock) + n;

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      gtk_widget_queue_draw (toplevel);
      g_main_context_iteration (NULL, TRUE);
    }
}

void
es_pictures_take (GtkWidget *toplevel, const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.png", es_pictures_output, name);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (toplevel);
  /* With the frame that a window has where nothing draws shadows. */
  const int width = gdk_paintable_get_intrinsic_width (paintable);
  const int height = gdk_paintable_get_intrinsic_height (paintable);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  draw_frames (toplevel, 3);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (toplevel)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (!gdk_texture_save_to_png (texture, path))
    g_error ("%s cannot be written", path);
  g_print ("%s: %d x %d\n", path, width, height);
}

void
es_pictures_open (EsWindow *window, const char *name)
{
  g_autofree char *path = g_path_is_absolute (name) ? g_strdup (name)
                                                    : g_build_filename (es_pictures_samples, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  es_pictures_settle (window);
}

EsAnalysePanel *
es_pictures_choose (EsWindow *window, const char *operation, const char *values)
{
  EsAnalysePanel *panel = ES_ANALYSE_PANEL (es_pictures_find (window, ES_TYPE_ANALYSE_PANEL, NULL));
  g_auto (GStrv) pairs = g_strsplit (values != NULL ? values : "", " ", -1);

  if (!es_analyse_panel_set_operation (panel, operation))
    g_error ("there is no %s for what is shown", operation);
  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
      g_autoptr (GError) error = NULL;

      if (!es_params_parse (es_analyse_panel_get_params (panel), pair[0], pair[1], &error))
        g_error ("%s: %s", pairs[i], error != NULL ? error->message : "no such parameter");
    }
  return panel;
}

void
es_pictures_run (EsWindow *window, const char *operation, const char *values)
{
  es_pictures_choose (window, operation, values);
  es_test_activate (window, "run");
  es_pictures_settle (window);
}

void
es_pictures_activate (GtkWidget *widget, const char *action, const char *target)
{
  if (!gtk_widget_activate_action (widget, action, target != NULL ? "s" : NULL, target))
    g_error ("there is no action %s", action);
}

GtkWidget *
es_pictures_find (gpointer root, GType type, const char *text)
{
  GtkWidget *found = es_test_find (root, type, text);

  if (found == NULL)
    g_error ("there is no %s %s", g_type_name (type), text != NULL ? text : "");
  return found;
}

void
es_pictures_scroll (GtkWidget *widget)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (widget, scroller, &bounds))
    g_error ("what is to be seen is not laid out");
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + bounds.origin.y);
}
