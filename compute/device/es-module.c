/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The back end for GPUs is a module: it alone links the CUDA Toolkit, so that a program on a machine without a card
 * neither needs it nor waits for it.
 */

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <stdio.h>
#include <string.h>

#include "base/es-installed.h"
#include "es-device-private.h"

#define DRIVER "libcuda.so.1"
#define MODULE "libeigenscope-cuda.so"

/* Sentences that the module says, word for word. */
static const char *const known_reasons[] = {
  N_("No NVIDIA driver is installed"),
  N_("The NVIDIA driver does not tell its version"),
  N_("No NVIDIA card was found"),
};

char *
es_module_explain (const char *frame, const char *why)
{
  int major, minor, needed;

  for (guint i = 0; i < G_N_ELEMENTS (known_reasons); i++)
    if (strcmp (known_reasons[i], why) == 0)
      return g_strdup (g_dgettext (GETTEXT_PACKAGE, why));
  if (sscanf (why, "The NVIDIA driver is too old: it supports CUDA %d.%d, and CUDA %d", &major, &minor, &needed) == 3)
    return g_strdup_printf (_("The NVIDIA driver is too old: it supports CUDA %d.%d, and CUDA %d.0 is needed"), major,
                            minor, needed);
  return g_strdup_printf ("%s: %s", frame, *why != '\0' ? why : _("no reason given"));
}

static const EskHotspots *
open_module (const char *path, char **why)
{
  char reason[512] = "";
  GModule *module = g_module_open (path, G_MODULE_BIND_LOCAL);
  gpointer entry;
  const EskHotspots *hotspots = NULL;

  if (module == NULL)
    {
      *why = es_module_explain (_("The GPU module cannot be loaded"), g_module_error ());
      return NULL;
    }

  if (!g_module_symbol (module, ESK_MODULE_ENTRY, &entry))
    g_snprintf (reason, sizeof reason, "%s", g_module_error ());
  else
    hotspots = ((EskModuleEntry) entry) (ESK_HOTSPOTS_ABI, reason, sizeof reason);
  if (hotspots != NULL && hotspots->abi != ESK_HOTSPOTS_ABI)
    {
      g_snprintf (reason, sizeof reason, "it has interface %u, the program %u", hotspots->abi, ESK_HOTSPOTS_ABI);
      hotspots = NULL;
    }

  if (hotspots == NULL)
    {
      *why = es_module_explain (_("The GPU module cannot be used"), reason);
      g_module_close (module);
      return NULL;
    }
  g_module_make_resident (module);
  return hotspots;
}

/* It stays open for the module. */
static gboolean
has_driver (void)
{
  return g_module_open (DRIVER, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL) != NULL;
}

gboolean
es_module_is_worth_a_look (void)
{
  const char *wanted = g_getenv ("ES_CUDA_MODULE");

  return wanted != NULL && *wanted != '\0' ? strcmp (wanted, "none") != 0 : has_driver ();
}

/* $ES_CUDA_MODULE: the path of another module, or "none". */
const EskHotspots *
es_module_load (void (*before) (void), char **why)
{
  const char *wanted = g_getenv ("ES_CUDA_MODULE");
  g_autofree char *path = NULL;

  *why = NULL;
  if (wanted != NULL && *wanted != '\0')
    {
      if (strcmp (wanted, "none") != 0)
        {
          before ();
          return open_module (wanted, why);
        }
      *why = g_strdup (_("GPUs are turned off (ES_CUDA_MODULE is “none”)"));
      return NULL;
    }

  /* The driver first: without one the toolkit's libraries would be read for nothing. */
  if (!has_driver ())
    {
      *why = g_strdup (_("No NVIDIA driver is installed"));
      return NULL;
    }
  path = es_installed_find_module ("../kernels/cuda", MODULE);
  if (path == NULL)
    {
      *why = g_strdup (_("This build has no GPU support"));
      return NULL;
    }
  before ();
  return open_module (path, why);
}
