/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-reader-private.h"

GFile *
es_reader_find_sidecar (EsRecording *recording)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) sidecar = file != NULL ? es_array_sidecar_of (file) : NULL;

  return sidecar != NULL && g_file_query_exists (sidecar, NULL) ? g_steal_pointer (&sidecar) : NULL;
}

void
es_reader_take_sidecar (EsRecording *recording)
{
  g_autoptr (GFile) sidecar = es_reader_find_sidecar (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = NULL;

  if (sidecar == NULL)
    return;
  array = es_array_load (sidecar, NULL, &error);
  if (array == NULL)
    {
      g_autofree char *sentence = g_strdup_printf (_("The array described beside it was not taken: %s"),
                                                   error->message);
      _es_recording_refuse_array (recording, sentence);
      return;
    }
  es_dataset_hold_file (ES_DATASET (recording), sidecar);
  /* Of the first of several mono files: it describes all of them together. */
  if (es_recording_get_n_channels (recording) == 1 && es_array_get_n_elements (array) > 1)
    return;
  /* A person's own description goes before the file's. */
  es_recording_set_array (recording, array);
}
