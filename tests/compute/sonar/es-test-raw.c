/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-raw.h"

#include "readers/es-open.h"

EsRecording *
es_test_raw_write (const char *path, const char *type, guint bytes, gboolean big_endian, guint channels,
                   guint64 frames)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const gsize length = frames * channels * bytes;
  g_autofree char *contents = g_malloc (length + 1);
  const EsOpenOptions options = { .samples = { .channels = channels, .type = type, .rate = 1000,
                                               .big_endian = big_endian } };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < length; i++)
    contents[i] = (char) (i * 131 + i / 251 + 17);
  g_assert_true (g_file_set_contents (path, contents, (gssize) length, &error));
  EsDataset *recording = es_dataset_open (file, &options, NULL, &error);
  g_assert_no_error (error);
  return ES_RECORDING (recording);
}
