/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* Files of these endings (NULL-terminated) are offered, and all of them on demand. */
void es_open_add_filters (GtkFileChooser *chooser, const char *name, const char *const *suffixes);
extern const char *const es_open_positions_suffixes[];

/* Asks for a file of these endings, in the recording's folder at first, and calls `chosen` with it; not where somebody
 * has chosen none. *chooser: NULL, or one that is open already, and then nothing is done; NULL again at the end. data
 * is the owner, a GObject, of both. */
typedef void (*EsFileChosen) (gpointer data, GFile *file);
void es_open_beside (GtkNativeDialog **chooser, GtkWindow *parent, const char *title, EsRecording *recording,
                     const char *name, const char *const *suffixes, EsFileChosen chosen, gpointer data);

G_END_DECLS
