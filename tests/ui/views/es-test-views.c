/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-views.h"

#include <adwaita.h>

#include "widgets/es-settings.h"
#include "widgets/es-ui.h"

void
es_views_init (int *argc, char ***argv)
{
  g_autoptr (GtkCssProvider) style = NULL;

  g_setenv ("GSETTINGS_BACKEND", "memory", FALSE);
  g_setenv ("GTK_A11Y", "test", FALSE);
  gtk_test_init (argc, argv, NULL);
  adw_init ();
  es_ui_init ();
  /* As where the program runs: nobody else calls what is to be called here. */
  g_assert_true (g_main_context_acquire (NULL));
  style = gtk_css_provider_new ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  gtk_css_provider_load_from_resource (style, "/org/eigenscope/Eigenscope/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

/* ---- waiting and finding ---- */

static gboolean
on_timeout (gpointer data)
{
  g_error ("nothing happened for 20 seconds: %s", (const char *) data);
  return G_SOURCE_REMOVE;
}

static void
spin_frames (GtkWidget *widget, guint frames)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gint64 last = gdk_frame_clock_get_frame_counter (clock) + frames;
  guint timeout = g_timeout_add_seconds (20, on_timeout, (gpointer) "a frame");

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      gtk_widget_queue_draw (widget);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (timeout);
}

void
es_views_settle (Fixture *fixture)
{
  guint timeout = g_timeout_add_seconds (20, on_timeout, (gpointer) "loading");

  do
    {
      while (es_viewer_is_loading (fixture->viewer))
        g_main_context_iteration (NULL, TRUE);
      spin_frames (fixture->window, 2);
    }
  while (es_viewer_is_loading (fixture->viewer));
  g_source_remove (timeout);
}

GtkWidget *
es_views_find (GtkWidget *root, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = es_views_find (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

EsSection *
es_views_find_section (GtkWidget *root, const char *id)
{
  if (ES_IS_SECTION (root))
    return g_strcmp0 (es_section_get_id (ES_SECTION (root)), id) == 0 ? ES_SECTION (root) : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      EsSection *found = es_views_find_section (child, id);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gboolean
es_views_section_visible (Fixture *fixture, const char *id)
{
  EsSection *section = es_views_find_section (fixture->inspector, id);

  g_assert_nonnull (section);
  return gtk_widget_get_visible (GTK_WIDGET (section));
}

EsImageView *
es_views_image_of (Fixture *fixture)
{
  return ES_IMAGE_VIEW (es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_IMAGE_VIEW));
}

char *
es_views_get_status (Fixture *fixture)
{
  char *status;

  g_object_get (fixture->viewer, "status", &status, NULL);
  return status;
}

guint
es_views_get_plane (Fixture *fixture)
{
  guint plane;

  g_object_get (fixture->viewer, "plane", &plane, NULL);
  return plane;
}

void
es_views_activate (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->viewer), action, NULL));
}

/* ---- pictures of the window ---- */

void
es_views_screenshot (GtkWidget *window, const char *name)
{
  const char *folder = g_getenv ("ES_SCREENSHOTS");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *path = NULL;
  int width, height;

  if (folder == NULL)
    return;
  spin_frames (window, 3);
  paintable = gtk_widget_paintable_new (window);
  width = gtk_widget_get_width (window);
  height = gtk_widget_get_height (window);
  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, width, height));
  path = g_strdup_printf ("%s/%s.png", folder, name);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}

/* ---- the fixture ---- */

void
es_views_set_up_window (Fixture *fixture, int width, int height)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  fixture->viewer = ES_VIEWER (es_viewer_new ());
  fixture->inspector = es_viewer_get_inspector (fixture->viewer);
  gtk_paned_set_start_child (GTK_PANED (paned), GTK_WIDGET (fixture->viewer));
  gtk_paned_set_end_child (GTK_PANED (paned), fixture->inspector);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_size_request (fixture->inspector, 300, -1);
  fixture->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, height);
  gtk_window_set_child (GTK_WINDOW (fixture->window), paned);
  gtk_window_present (GTK_WINDOW (fixture->window));
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture->viewer)))
    g_main_context_iteration (NULL, TRUE);
}

void
es_views_set_up (Fixture *fixture, gconstpointer data)
{
  g_settings_reset (es_settings_get (), "folded-sections");
  fixture->test = es_test_cube_new ();
  es_views_set_up_window (fixture, 1100, 760);
}

void
es_views_tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = fixture->window;
  g_autoptr (EsTestCube) test = g_steal_pointer (&fixture->test);

  g_object_add_weak_pointer (G_OBJECT (fixture->viewer), (gpointer *) &fixture->viewer);
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  /* Nothing holds the views once their window has gone. */
  g_assert_null (fixture->viewer);
}

void
es_views_show_cube (Fixture *fixture)
{
  es_viewer_show_dataset (fixture->viewer, ES_DATASET (fixture->test->cube));
  es_views_settle (fixture);
}

void
es_views_assert_caption_says (Fixture *fixture, const char *part)
{
  g_autofree char *caption = gtk_test_accessible_check_property (GTK_ACCESSIBLE (es_views_image_of (fixture)),
                                                                 GTK_ACCESSIBLE_PROPERTY_LABEL, "");

  g_assert_nonnull (caption);
  g_test_message ("%s", caption);
  g_assert_nonnull (strstr (caption, part));
}
