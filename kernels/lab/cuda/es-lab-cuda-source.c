/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-lab-cuda-source-private.h"

#define LAB_TEXT_TABLE
#include "es-lab-cuda-resources.h"

#include <stddef.h>
#include <string.h>

const char *
lab_source (const char *subject)
{
  if (subject == NULL)
    return NULL;
  for (size_t s = 0; s < sizeof lab_text_table / sizeof *lab_text_table; s++)
    if (strcmp (lab_text_table[s].name, subject) == 0)
      return lab_text_table[s].text;

  return NULL;
}
