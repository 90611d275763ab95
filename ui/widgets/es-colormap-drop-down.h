/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A drop-down of the colour maps, each shown: position k is colour map k. It is tied to nothing. */
GtkWidget *es_colormap_drop_down_new (void);

G_END_DECLS
