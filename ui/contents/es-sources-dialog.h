/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/*
 * Asks whether a file may be opened that describes others (a VRT), and names these. Response "open": they may be read.
 * sources: NULL-terminated, as es_dataset_list_sources () tells them; copied. parent: nullable.
 */
GtkWidget *es_sources_dialog_new (GtkWindow *parent, GFile *file, const char * const *sources);

G_END_DECLS
