/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-disk-bytes-private.h"

#include <string.h>

double
es_disk_bytes (void)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL))
    return -1;
  at = strstr (text, "\nread_bytes: ");
  return at != NULL ? g_ascii_strtod (at + strlen ("\nread_bytes: "), NULL) : -1;
}
