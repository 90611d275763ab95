/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/es-section.h"

G_BEGIN_DECLS

/*
 * What a section has, large: below a bar with its title and buttons, or in a window of its own (es-own-window.h)
 * without the bar. While the section has nothing to do with what is shown a sentence stands there instead.
 * Signal "place" (const char *where): "column", "window", or "fill": more room, or less of it again.
 */
#define ES_TYPE_LARGE_PANE (es_large_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsLargePane, es_large_pane, ES, LARGE_PANE, GtkWidget)

/* Takes the body of the section, which has it (es_section_take_body ()). */
GtkWidget *es_large_pane_new       (EsSection *section, gboolean bar);
EsSection *es_large_pane_get_section (EsLargePane *self);
/* What its button says: it has all of the room. */
void       es_large_pane_set_fills (EsLargePane *self, gboolean fills);
/* The section has its body again; the pane is of no use any more. */
void       es_large_pane_give_back (EsLargePane *self);

G_END_DECLS
