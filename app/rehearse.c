/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The helper that a program starts to try a file before it reads the file itself (compute/rehearsal): a library that
 * crashes, loops or fills the memory does so here, and the program has a sentence to say instead of coming to an end.
 * Nobody calls it by hand.
 */

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "es-rehearse-memory.h"
#include "rehearsal/es-rehearsal.h"
#include "session/es-rehearse.h"

/* A thread of the program, which reads the file later, may have less than what a process begins with. */
#define STACK_BYTES ((rlim_t) 4 << 20)

/* Address space of libraries that are loaded when the file needs them (compute/libraries); GDAL's take 310 MB. */
#define LIBRARY_BYTES ((guint64) 512 << 20)

enum { PROGRAM, VERSION, PARENT, SECONDS, BYTES, WORDS };

static void
say (const char *text)
{
  gsize length = strlen (text);

  while (length > 0)
    {
      const ssize_t n = write (ES_REHEARSAL_DESCRIPTOR, text, length);

      if (n <= 0)
        return;
      text += n;
      length -= (gsize) n;
    }
}

static void
limit (int what, rlim_t most)
{
  struct rlimit now;

  if (getrlimit (what, &now) == 0 && (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most))
    {
      now.rlim_cur = most;
      setrlimit (what, &now);
    }
}

static guint64
own_bytes (void)
{
  unsigned long long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "re");

  if (file != NULL)
    {
      if (fscanf (file, "%llu", &pages) != 1)
        pages = 0;
      fclose (file);
    }
  return (guint64) pages * (guint64) sysconf (_SC_PAGESIZE);
}

/* FALSE: these are no bounds. */
static gboolean
set_bounds (char **argv)
{
  guint64 parent, seconds, bytes;

  if (!g_ascii_string_to_unsigned (argv[PARENT], 10, 1, G_MAXINT, &parent, NULL) ||
      !g_ascii_string_to_unsigned (argv[SECONDS], 10, 1, G_MAXINT, &seconds, NULL) ||
      !g_ascii_string_to_unsigned (argv[BYTES], 10, 1, G_MAXINT64, &bytes, NULL))
    return FALSE;
  /* Nobody waits any more: the end of the thread that does ends this, and one that was over before is seen here. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if ((guint64) getppid () != parent)
    return FALSE;
  limit (RLIMIT_CORE, 0);
  limit (RLIMIT_CPU, seconds);
  limit (RLIMIT_STACK, STACK_BYTES);
  if (es_rehearse_memory_is_watched ())
    limit (RLIMIT_AS, own_bytes () + LIBRARY_BYTES + bytes);
  return TRUE;
}

int
main (int argc, char **argv)
{
  const char *locale_dir = g_getenv ("ES_LOCALE_DIR");
  GError *error = NULL;
  gboolean understood;

  if (argc <= WORDS || strcmp (argv[VERSION], ES_VERSION) != 0 || !set_bounds (argv))
    return ES_REHEARSAL_EXIT_USAGE;
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : ES_DEFAULT_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  say (ES_REHEARSAL_READY);
  if (es_rehearse ((const char * const *) argv + WORDS, &understood, &error))
    say (ES_REHEARSAL_DONE);
  else if (!understood)
    return ES_REHEARSAL_EXIT_USAGE;
  else
    {
      g_autofree char *answer = g_strdup_printf ("%s\n%d\n%s\n", g_quark_to_string (error->domain), error->code,
                                                 error->message);
      say (answer);
    }
  /* Libraries that are taken down could still fall. */
  _exit (0);
}
