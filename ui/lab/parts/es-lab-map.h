/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-field.h"

G_BEGIN_DECLS

/* What an experiment found over two axes, as a map with a colour scale. A field that cannot be read says why. */
GtkWidget *es_lab_map_new (EsField *field, int natural_height);

G_END_DECLS
