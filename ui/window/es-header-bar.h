/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/* The bar at the top of the window: open, columns, title, copy, save, menu. Its buttons are actions of the window. */
#define ES_TYPE_HEADER_BAR (es_header_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsHeaderBar, es_header_bar, ES, HEADER_BAR, AdwBin)

void es_header_bar_set_title     (EsHeaderBar *self, const char *title, const char *subtitle);
/* What the save button offers. */
void es_header_bar_set_save_menu (EsHeaderBar *self, GMenuModel *menu);
/* Something is shown, with which so much can be done; has_side: there is a right column that can come and go. */
void es_header_bar_set_shown     (EsHeaderBar *self, gboolean shown, EsWorkspaceAbilities able, gboolean has_side);

G_END_DECLS
