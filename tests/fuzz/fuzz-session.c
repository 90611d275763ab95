/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "es-fuzz.h"
#include "keeping/es-session-restore.h"

/*
 * The bytes are the file of a session, in which @ stands for the folder with cube.img and recording.wav. What opens of
 * it goes into a session, is told again and read again.
 */
static void
go_round (EsSession *session)
{
  g_autoptr (JsonNode) root = es_session_file_tell (session, NULL, NULL);
  g_autofree char *path = g_build_filename (es_fuzz_folder (), "again" ES_SESSION_ENDING, NULL);
  g_autofree char *described = es_session_file_describe (root);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) again = NULL;

  g_assert_true (g_utf8_validate (described, -1, NULL));
  es_session_file_write (root, file, &error);
  g_assert_no_error (error);
  again = es_session_file_read (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_session_file_count_datasets (again), ==,
                    g_list_model_get_n_items (es_session_get_datasets (session)));
  g_unlink (path);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static gboolean prepared = FALSE;
  g_autoptr (GString) text = g_string_new_len ((const char *) data, (gssize) size);
  g_autoptr (EsSession) session = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (!prepared)
    g_setenv ("XDG_CACHE_HOME", es_fuzz_folder (), TRUE);
  prepared = TRUE;
  es_fuzz_cube ();
  es_fuzz_recording ();
  g_string_replace (text, "@", es_fuzz_folder (), 0);
  path = es_fuzz_write ("fuzz" ES_SESSION_ENDING, text->str, text->len);

  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);
  if (restored == NULL)
    es_fuzz_check_error (error);
  else
    {
      session = es_session_new ();
      g_assert_no_error (error);
      for (guint i = 0; i < restored->datasets->len; i++)
        {
          EsRestored *one = g_ptr_array_index (restored->datasets, i);

          g_assert_true ((one->dataset == NULL) == (one->error != NULL));
          if (one->dataset == NULL)
            {
              es_fuzz_check_error (one->error);
              continue;
            }
          es_session_restore_add (session, one);
          es_session_restore_add_regions (one);
        }
      for (char **note = restored->notes; *note != NULL; note++)
        g_assert_true (g_utf8_validate (*note, -1, NULL));
      go_round (session);
    }
  /* Spectra of classes are computed in the background. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_unlink (path);
  return 0;
}
