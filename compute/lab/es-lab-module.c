/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The back ends of the laboratory are modules that nobody loads who does not measure. */

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-installed.h"
#include "es-lab-module-internal.h"
#include "es-probing-internal.h"

typedef gconstpointer (*Entry) (unsigned abi, char *reason, size_t n);

/* What the table of every module begins with. */
typedef struct
{
  unsigned abi;
} Head;

gconstpointer
es_lab_module_load (const EsLabModule *self, char **why)
{
  const char *wanted = g_getenv (self->variable);
  g_autofree char *path = wanted != NULL && *wanted != '\0' ? g_strdup (wanted)
                          : es_installed_find_module (self->built, self->name);
  GModule *module = path != NULL ? g_module_open (path, G_MODULE_BIND_LOCAL) : NULL;
  char reason[512] = "";
  const Head *table = NULL;
  gpointer entry;

  if (module == NULL)
    {
      *why = g_strdup (path != NULL ? g_module_error () : _("it is not installed"));
      return NULL;
    }
  if (!g_module_symbol (module, self->entry, &entry))
    g_strlcpy (reason, g_module_error (), sizeof reason);
  else
    table = ((Entry) entry) (self->abi, reason, sizeof reason);
  if (table != NULL && table->abi == self->abi)
    {
      g_module_make_resident (module);
      return table;
    }
  *why = g_strdup (*reason != '\0' ? reason : _("no reason given"));
  g_module_close (module);
  return NULL;
}

const EskLabTable *
es_lab_load (const char *id, GError **error)
{
  static const EsLabModule modules[] = {
    { "ES_LAB_MODULE", "../kernels/lab/cpu", "libeigenscope-lab.so", ESK_LAB_ENTRY, ESK_LAB_ABI },
    { "ES_LAB_CUDA_MODULE", "../kernels/lab/cuda", "libeigenscope-lab-cuda.so", ESK_LAB_ENTRY, ESK_LAB_ABI },
  };
  static const EskLabTable *tables[G_N_ELEMENTS (modules)];
  static char *why[G_N_ELEMENTS (modules)];
  static GMutex lock;
  const guint i = strcmp (id, "cpu") != 0;

  g_mutex_lock (&lock);
  if (tables[i] == NULL && why[i] == NULL)
    tables[i] = es_lab_module_load (&modules[i], &why[i]);
  g_mutex_unlock (&lock);
  if (tables[i] == NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("The laboratory's module for “%s” cannot be used: "
                                                                     "%s."), id, why[i]);
  return tables[i];
}
