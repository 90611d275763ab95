/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where sections stand is not lost: by closing the window, or by kill -9. */

#include <string.h>

#include "es-test-child.h"
#include "es-test-kept.h"
#include "inspector/es-inspector-private.h"
#include "keeping/es-session-store.h"
#include "widgets/es-settings.h"

static EsInspector *
inspector_of (EsWindow *window)
{
  return ES_INSPECTOR (es_viewer_get_inspector (es_test_viewer (window)));
}

static EsSectionPlaces *
places_of (EsWindow *window)
{
  return es_inspector_get_places (inspector_of (window));
}

static EsSection *
section_of (EsWindow *window, const char *id)
{
  return es_inspector_get_section (inspector_of (window), id);
}

static void
arrange (EsWindow *window)
{
  es_section_places_put (places_of (window), section_of (window, "histogram"), ES_SECTION_LARGE);
  es_section_places_put (places_of (window), section_of (window, "scatter"), ES_SECTION_IN_WINDOW);
  es_section_columns_move (inspector_of (window)->columns, section_of (window, "spectrum"), "down");
  g_settings_set_double (es_settings_get (), "cube-large-share", 0.3);
}

static void
check (EsWindow *window)
{
  g_assert_cmpint (es_section_places_get (places_of (window), section_of (window, "histogram")), ==, ES_SECTION_LARGE);
  g_assert_cmpint (es_section_places_get (places_of (window), section_of (window, "scatter")), ==,
                   ES_SECTION_IN_WINDOW);
  g_assert_true (GTK_IS_WINDOW (gtk_widget_get_root (GTK_WIDGET (inspector_of (window)->scatter))));
  g_assert_true (gtk_widget_get_root (GTK_WIDGET (inspector_of (window)->scatter)) != GTK_ROOT (window));
  g_assert_true (gtk_widget_get_next_sibling (GTK_WIDGET (section_of (window, "histogram")))
                 == GTK_WIDGET (section_of (window, "spectrum")));
  g_assert_cmpfloat (g_settings_get_double (es_settings_get (), "cube-large-share"), ==, 0.3);
}

/* As another computer has it: the settings know nothing of it. */
static void
forget_settings (void)
{
  static const char *const keys[] = { ES_SECTION_PLACES_SETTINGS };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (es_settings_get (), keys[i]);
}

static void
open_and_arrange (EsWindow *window, GFile *file)
{
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_restored, window);
  arrange (window);
  ES_TEST_WAIT (es_test_is_kept, window);
}

static void
forget_all (void)
{
  es_test_kept_forget ();
  forget_settings ();
}

/* ---- tests ---- */

static void
test_closed (void)
{
  g_autoptr (GFile) file = es_test_cube ("placed.img", 3);
  EsWindow *window = es_test_kept_window (TRUE);

  open_and_arrange (window, file);
  es_test_kept_close (window);

  /* From the settings; and, where these know nothing of it, from the session. */
  window = es_test_window_with (file);
  check (window);
  es_test_close (window);
  forget_settings ();
  {
    g_autoptr (GPtrArray) list = es_session_store_list ();
    g_autofree char *uri = g_file_get_uri (((EsLeftSession *) g_ptr_array_index (list, 0))->file);

    window = es_test_kept_continue (uri);
  }
  ES_TEST_WAIT (es_test_is_restored, window);
  check (window);
  es_test_kept_close (window);
  forget_all ();
}

static int
be_killed (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  open_and_arrange (es_test_kept_window (TRUE), file);
  return es_test_wait_to_be_killed ();
}

static void
test_killed (void)
{
  g_autoptr (GFile) file = es_test_cube ("killed.img", 4);
  EsWindow *window;

  es_test_kept_kill (file);
  window = es_test_kept_window (FALSE);
  ES_TEST_WAIT (es_test_is_restored, window);
  ES_TEST_WAIT (es_test_is_kept, window);
  check (window);
  es_test_kept_close (window);
  forget_all ();
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], ES_TEST_KEPT_CHILD))
    {
      gtk_init ();
      return be_killed (argv[2]);
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/session/closed", test_closed);
  g_test_add_func ("/layout/session/killed", test_killed);
  return g_test_run ();
}
