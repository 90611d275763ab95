/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The back ends of the laboratory are modules that nobody loads who does not measure. */

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-installed.h"
#include "es-probing-internal.h"

typedef struct
{
  const char        *variable, *built, *name;
  const EskLabTable *table;
  char              *why;
} Module;

static Module modules[] = {
  { "ES_LAB_MODULE", "../kernels/lab/cpu", "libeigenscope-lab.so", NULL, NULL },
  { "ES_LAB_CUDA_MODULE", "../kernels/lab/cuda", "libeigenscope-lab-cuda.so", NULL, NULL },
};

static void
load (Module *self)
{
  const char *wanted = g_getenv (self->variable);
  g_autofree char *path = wanted != NULL && *wanted != '\0' ? g_strdup (wanted)
                          : es_installed_find_module (self->built, self->name);
  GModule *module = path != NULL ? g_module_open (path, G_MODULE_BIND_LOCAL) : NULL;
  char reason[512] = "";
  gpointer entry;

  if (module == NULL)
    {
      self->why = g_strdup (path != NULL ? g_module_error () : _("it is not installed"));
      return;
    }
  if (!g_module_symbol (module, ESK_LAB_ENTRY, &entry))
    g_strlcpy (reason, g_module_error (), sizeof reason);
  else
    self->table = ((EskLabEntry) entry) (ESK_LAB_ABI, reason, sizeof reason);
  if (self->table != NULL && self->table->abi == ESK_LAB_ABI)
    {
      g_module_make_resident (module);
      return;
    }
  self->table = NULL;
  self->why = g_strdup (*reason != '\0' ? reason : _("no reason given"));
  g_module_close (module);
}

const EskLabTable *
es_lab_load (const char *id, GError **error)
{
  static GMutex lock;
  Module *module = &modules[strcmp (id, "cpu") != 0];

  g_mutex_lock (&lock);
  if (module->table == NULL && module->why == NULL)
    load (module);
  g_mutex_unlock (&lock);
  if (module->table == NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("The laboratory's module for “%s” cannot be used: "
                                                                     "%s."), id, module->why);
  return module->table;
}
