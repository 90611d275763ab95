/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-write-png-internal.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

gboolean
es_write_png (GDALDatasetH picture, char **options, const EsOutput *output, GError **error)
{
  g_autofree char *packed = g_strdup_printf ("/vsimem/eigenscope-picture-%p.png", (void *) output);
  g_autofree char *side = g_strconcat (packed, ".aux.xml", NULL);
  GDALDriverH png = GDALGetDriverByName ("PNG");
  GDALDatasetH written;
  vsi_l_offset bytes = 0;
  const GByte *contents;
  gboolean done = FALSE;

  es_gdal_begin ();
  written = picture != NULL && png != NULL ? GDALCreateCopy (png, packed, picture, FALSE, options, NULL, NULL) : NULL;
  if (written != NULL)
    GDALClose (written);
  g_autofree char *message = es_gdal_end ();

  contents = written != NULL && message == NULL ? VSIGetMemFileBuffer (packed, &bytes, FALSE) : NULL;
  if (contents != NULL)
    done = es_file_write (output->fd, output->path, contents, bytes, error);
  else
    {
      g_autofree char *reason = es_gdal_reason (message, packed);

      es_file_set_reason (error, output->path, reason);
    }
  VSIUnlink (packed);
  /* GDAL may leave a side file behind. */
  VSIUnlink (side);
  return done;
}
