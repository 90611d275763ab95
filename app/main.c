/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

#include "es-application.h"
#include "widgets/es-settings.h"

int
main (int argc, char **argv)
{
  const char *locale_dir = g_getenv ("ES_LOCALE_DIR");
  g_autoptr (EsApplication) application = NULL;

  setlocale (LC_ALL, "");
  /* From the build folder: translations that are not installed. */
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : ES_DEFAULT_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_application_name (_("Eigenscope"));
  if (es_settings_get () == NULL)
    {
      g_printerr (_("Eigenscope needs a folder that it can write to: "
                    "a runtime, temporary, cache or home directory.\n"));
      return 1;
    }
  application = es_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
