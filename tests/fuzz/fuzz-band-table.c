/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"
#include "metadata/es-band-table.h"

/* The bytes are a text of wavelengths. What loads is of as many bands as were asked for, and can be told of a cube. */

#define BANDS 4

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = es_fuzz_write ("x.txt", data, size);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  gboolean guessed;
  g_autoptr (EsMetadata) metadata = es_band_table_load (file, BANDS, &guessed, &error);

  if (metadata == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);
  g_assert_nonnull (es_metadata_get_facts (metadata)->wavelengths);
  g_assert_nonnull (es_metadata_get_facts (metadata)->wavelength_unit);
  g_assert_true (es_metadata_check (es_metadata_get_facts (metadata), BANDS, NULL));
  return 0;
}
