/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "base/es-json.h"
#include "es-fuzz.h"

/* The bytes are JSON. What is read is written as text, which is read again and comes to the same text. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL, again = NULL;

  es_fuzz_folder ();
  memcpy (text, data, size);
  text[size] = '\0';
  root = es_json_parse (text, size, "x.json", &error);
  if (root == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);

  g_autofree char *written = es_json_to_text (root);
  again = es_json_parse (written, strlen (written), "x.json", &error);
  g_assert_no_error (error);
  g_autofree char *twice = es_json_to_text (again);
  g_assert_cmpstr (written, ==, twice);
  return 0;
}
