/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-operation.h"

char *
es_plan_hedge (const EsPlan *plan, const char *seconds)
{
  if (plan->guessed == 0)
    return g_strdup (seconds);
  /* TRANSLATORS: how long a run will take, "11 s", and how many iterations that counts on, for nobody knows */
  return g_strdup_printf (ngettext ("%s if %u iteration does", "%s if %u iterations do", plan->guessed), seconds,
                          plan->guessed);
}
