/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where everything that the tool prints leaves it: shown safely, and missed where it could not be written. */

#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "es-batch.h"

static int failure;             /* errno of the first write to standard output that failed; 0: none did */
static gboolean ended, silent;
static gboolean has_progress = TRUE;
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
es_batch_show_progress (const char *stage, double fraction, gboolean end)
{
  static gint64 last;
  gint64 now = g_get_monotonic_time ();
  g_autofree char *shown = es_text_show (stage);

  if (!has_progress || !isatty (STDERR_FILENO) || (!end && now - last < 100000))
    return;
  last = now;
  if (end)
    fputs ("\r\033[K", stderr);
  else
    fprintf (stderr, "\r\033[K%s%s%s %3.0f %%", progress_of != NULL ? progress_of : "", progress_of != NULL ? ": " : "",
             shown, 100 * fraction);
  fflush (stderr);
}
