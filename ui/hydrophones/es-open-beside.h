/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* Asks for a file, in the recording's folder at first, and calls `chosen` with it; not where somebody has chosen none.
 * *chooser: NULL, or one that is open already, and then nothing is done; NULL again at the end. data is the owner, a
 * GObject, of both. */
typedef void (*EsFileChosen) (gpointer data, GFile *file);
void es_open_beside (GtkNativeDialog **chooser, GtkWindow *parent, const char *title, EsRecording *recording,
                     EsFileChosen chosen, gpointer data);

G_END_DECLS
