/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* take-pictures: lists the scenes, one a line, with the device that they want.
 * take-pictures SCENE SAMPLES OUTPUT [WIDTHxHEIGHT] [dark] [chinese]: takes the pictures of a scene, of files in the
 * folder SAMPLES, into the folder OUTPUT; as they are for the pages, or to look at otherwise. To be run by
 * tests/run-graphical.sh; docs/screenshots/take.py does, and makes the samples. */

#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "device/es-device.h"
#include "es-pictures.h"
#include "es-test-hands.h"

static const EsPictureScene *const all[] = {
  es_pictures_of_cubes, es_pictures_of_recordings, es_pictures_of_machines,
};

/* Of which there is one way that is for the pages. */
static EsPictureScene
change_scene (const EsPictureScene *scene, char **words)
{
  EsPictureScene changed = *scene;

  for (; *words != NULL; words++)
    if (g_str_equal (*words, "dark") || g_str_equal (*words, "chinese"))
      *(**words == 'd' ? &changed.dark : &changed.chinese) = TRUE;
    else if (sscanf (*words, "%dx%d", &changed.width, &changed.height) != 2)
      g_error ("%s is no size", *words);
  return changed;
}

static const EsPictureScene *
find_scene (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (const EsPictureScene *scene = all[i]; scene->name != NULL; scene++)
      if (name == NULL)
        g_print ("%s%s%s\n", scene->name, scene->device != NULL ? " " : "",
                 scene->device != NULL ? scene->device : "");
      else if (g_str_equal (scene->name, name))
        return scene;
  return NULL;
}

static void
set_language (const EsPictureScene *scene)
{
  const char *locale_dir = g_getenv ("ES_LOCALE_DIR");

  if (scene->chinese)
    g_setenv ("LC_ALL", "zh_CN.UTF-8", TRUE);
  if (setlocale (LC_ALL, "") == NULL)
    g_error ("the locale zh_CN.UTF-8 is not installed");
  if (locale_dir != NULL)
    bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

int
main (int argc, char **argv)
{
  const EsPictureScene *found = find_scene (argc >= 4 ? argv[1] : NULL), *scene = found;
  EsPictureScene changed;
  EsWindow *window;

  if (argc == 1)
    return 0;
  if (scene == NULL)
    {
      g_printerr ("usage: take-pictures [SCENE SAMPLES OUTPUT [WIDTHxHEIGHT] [dark] [chinese]]\n");
      return 2;
    }
  changed = change_scene (found, argv + 4);
  scene = &changed;
  set_language (scene);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  gtk_init ();
  es_test_application ();
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      scene->dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
  if (scene->device != NULL && es_device_find (scene->device, NULL) == NULL)
    {
      g_print ("%s: there is no %s here\n", scene->name, scene->device);
      return 77;
    }
  es_pictures_samples = argv[2];
  es_pictures_output = argv[3];
  window = ES_WINDOW (es_window_new (GTK_APPLICATION (es_test_application ())));
  es_window_get_session (window);
  gtk_window_set_default_size (GTK_WINDOW (window), scene->width, scene->height);
  gtk_window_present (GTK_WINDOW (window));
  es_pictures_settle (window);
  /* Nothing is pointed at but what a scene points at. */
  if (es_test_has_hands ())
    es_test_point (GTK_WIDGET (window), scene->width + 100, scene->height + 100);
  scene->take (window);
  es_test_close (window);
  return 0;
}
