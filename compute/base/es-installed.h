/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A module of this program: built, from the program's folder, where it runs from its build folder and was built with
 * it, else where modules are installed. NULL: in neither. Transfer full. */
char *es_installed_find_module (const char *built, const char *name);

G_END_DECLS
