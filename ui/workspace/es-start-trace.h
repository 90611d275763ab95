/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Stamps of the start, for tests/ui/window/perf-start: only where ES_TRACE_START names a file, which gets a line of
 * each, "WHAT TIME BUSY", in microseconds: by the clock of g_get_monotonic_time (), and what the main thread has had of
 * a processor since the program was executed. The main thread's alone.
 */
void es_start_trace        (const char *what);
/* A stamp "frame" whenever the window has been drawn and the display server has taken it, and one when it is first
 * mapped. */
void es_start_trace_frames (GtkWidget *window);

G_END_DECLS
