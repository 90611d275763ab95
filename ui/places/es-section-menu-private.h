/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of the heading of a section: where it can stand, and how many columns there are. Transfer full. */
GMenuModel *_es_section_menu_new (void);

G_END_DECLS
