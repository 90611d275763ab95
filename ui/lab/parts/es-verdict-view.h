/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-verdict.h"

G_BEGIN_DECLS

/* The sentences of a verdict, each with an icon of its state and, folded below it, the numbers that it rests on and the
 * rule. meaning: those that say what it means for this program, else those that say what was found. NULL: there are
 * none. */
GtkWidget *es_verdict_view_new (EsVerdict *verdict, gboolean meaning);

G_END_DECLS
