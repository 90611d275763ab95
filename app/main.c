/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "advice/es-stage-advice.h"
#include "base/es-standard-files.h"
#include "device/es-device.h"
#include "es-application.h"
#include "lab/es-kept-profiles.h"
#include "ranks/es-ranks.h"
#include "widgets/es-settings.h"
#include "workspace/es-start-trace.h"

/* GLib takes "a:b.img" for a URI, and "./a:b.img" for the file that it is. */
static char **
name_files (int argc, char **argv)
{
  char **named = g_new0 (char *, argc + 1);

  for (int i = 0; i < argc; i++)
    {
      const gboolean file = i > 0 && strchr (argv[i], ':') != NULL && !g_path_is_absolute (argv[i])
                            && g_file_test (argv[i], G_FILE_TEST_EXISTS);
      named[i] = file ? g_build_filename (".", argv[i], NULL) : g_strdup (argv[i]);
    }
  return named;
}

int
main (int argc, char **argv)
{
  es_standard_files_hold ();

  g_auto (GStrv) named = name_files (argc, argv);
  const char *locale_dir = g_getenv ("ES_LOCALE_DIR");
  g_autoptr (EsApplication) application = NULL;
  guint rank, processes;

  es_start_trace ("main");
  /* A limit of the size of files is an error of the write. */
  signal (SIGXFSZ, SIG_IGN);
  setlocale (LC_ALL, "");
  /* From the build folder: translations that are not installed. */
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : ES_DEFAULT_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_application_name (_("Eigenscope"));
  if (es_ranks_are_launched (&rank, &processes) && processes > 1)
    {
      if (rank == 0)
        g_printerr (_("Eigenscope has one window: several processes compute together by “eigenscope-batch run”, and "
                      "what they write is opened here.\n"));
      return 2;
    }
  if (es_settings_get () == NULL)
    {
      g_printerr (_("Eigenscope needs a folder that it can write to: "
                    "a runtime, temporary, cache or home directory.\n"));
      return 1;
    }
  es_kept_profiles_use ();
  es_stage_advice_use ();
  application = es_application_new ();
  int status = g_application_run (G_APPLICATION (application), argc, named);

  if (status == 0)
    status = es_application_get_status (application);
  if (!es_devices_stop ())
    {
      fflush (NULL);
      _exit (status);
    }
  return status;
}
