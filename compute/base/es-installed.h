/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * What was built with this program: built, from the program's folder, where it runs from its build folder; else beside
 * it, else where such things are installed, also when all of that was moved since.
 */

/* A module; NULL: there is none. Transfer full. */
char *es_installed_find_module (const char *built, const char *name);
/* A program of ours that others start; where it should be, if it is nowhere. Transfer full. */
char *es_installed_find_helper (const char *name);

/* A folder of data that is installed along: "profiles"; $ES_DATA_DIR: where such folders are, instead. Transfer full;
 * NULL: there is none. */
char *es_installed_find_data   (const char *name);

G_END_DECLS
