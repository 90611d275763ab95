/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-start-trace.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <time.h>

/* Those of a start; a window that is open for long is not traced any further. */
#define MOST_STAMPS 400

static FILE *
get_file (void)
{
  static FILE *file;
  static gboolean tried;
  const char *path = tried ? NULL : g_getenv ("ES_TRACE_START");

  tried = TRUE;
  if (path != NULL && *path != '\0')
    file = g_fopen (path, "ae");
  return file;
}

void
es_start_trace (const char *what)
{
  static guint n;
  FILE *file = get_file ();
  struct timespec busy;

  if (file == NULL || n++ >= MOST_STAMPS)
    return;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &busy);
  fprintf (file, "%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", what, g_get_monotonic_time (),
           (gint64) busy.tv_sec * G_USEC_PER_SEC + busy.tv_nsec / 1000);
  fflush (file);
}

/* A frame is told of when whatever was drawn has reached the display, not when it was handed over. */
static void
on_after_paint (GtkWidget *window)
{
  gdk_display_sync (gtk_widget_get_display (window));
  es_start_trace ("frame");
}

static void
on_map (GtkWidget *window)
{
  es_start_trace ("mapped");
  g_signal_connect_object (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_after_paint), window,
                           G_CONNECT_SWAPPED);
}

void
es_start_trace_frames (GtkWidget *window)
{
  if (get_file () != NULL)
    g_signal_connect (window, "map", G_CALLBACK (on_map), NULL);
}
