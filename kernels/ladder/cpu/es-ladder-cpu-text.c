/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What people read of a rung is what was compiled. */

#include <stddef.h>
#include <string.h>

#define LADDER_TEXT_TABLE
#include "es-ladder-cpu-resources.h"

const char *ladder_text (const char *name);

const char *
ladder_text (const char *name)
{
  for (size_t t = 0; t < sizeof ladder_text_table / sizeof *ladder_text_table; t++)
    if (strcmp (ladder_text_table[t].name, name) == 0)
      return ladder_text_table[t].text;

  return NULL;
}
