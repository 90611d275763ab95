/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where everything that the tool prints leaves it: shown safely, and missed where it could not be written. */

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "es-batch-tool.h"
#include "ranks/es-ranks.h"

/* Between two signs of progress. */
#define TERMINAL_US (100 * 1000)
#define LINES_US G_USEC_PER_SEC

static int failure;             /* errno of the first write to standard output that failed; 0: none did */
static gboolean ended, silent;
static gboolean has_progress = TRUE, in_lines;
static char *progress_of;

/* In UTF-8, or in what the terminal takes, question marks for what it lacks. */
static void
print_to (FILE *stream, const char *text)
{
  g_autofree char *shown = es_text_show_lines (text), *converted = NULL;
  const char *charset;

  if (!g_get_console_charset (&charset))
    converted = g_convert_with_fallback (shown, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  if ((fputs (converted != NULL ? converted : shown, stream) < 0 || fflush (stream) != 0) && stream == stdout
      && failure == 0)
    failure = errno;
}

void
es_batch_be_silent (void)
{
  silent = TRUE;
  has_progress = FALSE;
}

void
es_batch_be_heard (void)
{
  silent = FALSE;
}

void
es_batch_show_progress_of (const char *what)
{
  g_free (progress_of);
  progress_of = es_text_show (what);
}

static void
on_print (const char *text)
{
  if (failure == 0 && !silent)
    print_to (stdout, text);
}

static void
on_print_error (const char *text)
{
  if (!silent)
    print_to (stderr, text);
}

int
es_batch_output_end (int status)
{
  ended = TRUE;
  if (fclose (stdout) != 0 && failure == 0)
    failure = errno;
  /* Nobody reads on (“| head”): that is theirs to say. */
  if (failure == 0 || failure == EPIPE)
    return status;
  g_printerr ("eigenscope-batch: ");
  g_printerr (_("What was to be printed could not be written: %s."), g_strerror (failure));
  g_printerr ("\n");
  return status == ES_EXIT_DONE ? ES_EXIT_DATA : status;
}

/* GOption prints --help and leaves by itself. */
static void
on_exit_without_end (void)
{
  if (!ended && es_batch_output_end (ES_EXIT_DONE) != ES_EXIT_DONE)
    _exit (ES_EXIT_DATA);
}

void
es_batch_output_begin (void)
{
  g_set_print_handler (on_print);
  g_set_printerr_handler (on_print_error);
  atexit (on_exit_without_end);
}

void
es_batch_always_show_progress (void)
{
  in_lines = TRUE;
}

/* A launcher that has a terminal hands on what its processes say to it. */
static gboolean
has_terminal (void)
{
  g_autofree char *path = NULL, *target = NULL;
  guint rank, size;

  if (isatty (STDERR_FILENO))
    return TRUE;
  if (!es_ranks_are_launched (&rank, &size))
    return FALSE;
  path = g_strdup_printf ("/proc/%d/fd/%d", (int) getppid (), STDERR_FILENO);
  target = g_file_read_link (path, NULL);
  return target != NULL && (g_str_has_prefix (target, "/dev/pts/") || g_str_has_prefix (target, "/dev/tty"));
}

/* "Covariance  42 % (process 3 of 8: 17 %)": of several, the one that is least advanced. */
static char *
describe_progress (const char *stage, double fraction)
{
  g_autofree char *shown = es_text_show (stage);
  GString *line = g_string_new (NULL);
  double least;
  guint rank;

  if (progress_of != NULL)
    g_string_append_printf (line, "%s: ", progress_of);
  g_string_append_printf (line, "%s %3.0f %%", shown, 100 * fraction);
  if (es_ranks_get_least_progress (&least, &rank))
    /* TRANSLATORS: behind how far this process is; the least advanced one of all. Numbers from 0. */
    g_string_append_printf (line, _(" (%u processes; the last is process %u: %.0f %%)"), es_ranks_get_size (), rank,
                            100 * least);
  return g_string_free (line, FALSE);
}

void
es_batch_show_progress (const char *stage, double fraction, gboolean end)
{
  static gint64 last;
  static int terminal = -1;
  gint64 now = g_get_monotonic_time ();
  g_autofree char *line = NULL;

  if (!has_progress || (!end && now - last < (in_lines ? LINES_US : TERMINAL_US)))
    return;
  if (terminal < 0)
    terminal = has_terminal ();
  if (!terminal && (!in_lines || end))
    return;
  last = now;
  line = end ? NULL : describe_progress (stage, fraction);
  if (end)
    fputs ("\r\033[K", stderr);
  else
    fprintf (stderr, terminal ? "\r\033[K%s" : "%s\n", line);
  fflush (stderr);
}
