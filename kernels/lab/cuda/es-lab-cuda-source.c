/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-lab-cuda-source-private.h"

#include "es-lab-cuda-sources.h"

#include <stddef.h>
#include <string.h>

const char *
lab_source (const char *subject)
{
  if (subject == NULL)
    return NULL;
  for (size_t s = 0; s < sizeof lab_sources / sizeof *lab_sources; s++)
    if (strcmp (lab_sources[s].subject, subject) == 0)
      return lab_sources[s].text;

  return NULL;
}
