/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-fuzz.h"
#include "matrix/es-sparse-matrix.h"

/* The bytes are a Matrix Market file, compressed or not; or behind "=" the name of a matrix that is made. */

/* A name may ask for as much as the machine has: all of its numbers have two digits at most here. */
static gboolean
is_small (const char *name)
{
  guint digits = 0;

  for (; *name != '\0'; name++)
    {
      digits = g_ascii_isdigit (*name) ? digits + 1 : 0;
      if (digits > 2 || *name == 'e' || *name == 'E')
        return FALSE;
    }
  return TRUE;
}

static void
make (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = NULL;

  if (!es_sparse_matrix_is_made_name (name) || !is_small (strchr (name, ':')))
    return;
  matrix = es_sparse_matrix_make (name, NULL, &error);
  if (matrix == NULL)
    es_fuzz_check_error (error);
  else
    es_fuzz_look (matrix);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 0 && data[0] == '=')
    {
      g_autofree char *name = g_strndup ((const char *) data + 1, size - 1);

      make (name);
    }
  if (!es_matrix_market_is_head (data, size))
    return 0;
  g_autofree char *path = es_fuzz_write ("x.mtx", data, size);
  es_fuzz_open (path, NULL);
  return 0;
}
