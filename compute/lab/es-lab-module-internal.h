/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Modules that nobody loads who does not measure: each exports an entry (unsigned abi, char *reason, size_t n) that
 * answers a table whose first member is its abi.
 */
typedef struct
{
  const char *variable;        /* of the environment: another file */
  const char *built, *name;    /* es_installed_find_module () */
  const char *entry;
  unsigned    abi;
} EsLabModule;

/* The table, which stays loaded; NULL: *why says why not, translated, without a full stop. Transfer full of *why. */
gconstpointer es_lab_module_load (const EsLabModule *self, char **why);

G_END_DECLS
