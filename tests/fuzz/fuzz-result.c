/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "es-fuzz.h"
#include "result/es-result.h"
#include "session/es-result-load.h"

/*
 * The bytes are the files of a saved result, each behind a line with its name ("=== pca-eigenvalues.csv"); result.json
 * is the first and has no such line. In it @ stands for the folder, where cube.img and recording.wav are.
 */
#define MOST_FILES 20

static void
write_part (const EsFuzzPart *part, char **written)
{
  g_autoptr (GString) text = g_string_new_len (part->bytes, (gssize) part->length);

  if (part->name[0] == '\0')
    g_string_replace (text, "@", es_fuzz_folder (), 0);
  *written = es_fuzz_write (part->name[0] != '\0' ? part->name : "result.json", text->str, text->len);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char * const inputs[] = { "cube.img", "cube.hdr", "recording.wav", NULL };
  const char *at = (const char *) data, *end = at + size;
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_free);
  EsFuzzPart part;

  es_fuzz_cube ();
  es_fuzz_recording ();
  while (written->len < MOST_FILES && es_fuzz_next_part (&at, end, &part))
    if (!g_strv_contains (inputs, part.name))
      {
        g_ptr_array_add (written, NULL);
        write_part (&part, (char **) &written->pdata[written->len - 1]);
      }

  g_autofree char *path = g_build_filename (es_fuzz_folder (), "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_result_load (file, NULL, &error);

  if (result == NULL)
    es_fuzz_check_error (error);
  else
    g_assert_no_error (error);
  for (guint i = 0; i < written->len; i++)
    g_unlink (g_ptr_array_index (written, i));
  return 0;
}
