/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-fuzz.h"
#include "products/es-product-internal.h"
#include "products/es-vrt-internal.h"

/* The bytes are the text beside the image of a product of six bands, which need not be there, and a description of
 * other files, none of which is opened for it. */

#define BANDS 6u

static void
check_product (const EsProduct *product)
{
  g_assert_cmpuint (product->n, ==, BANDS);
  for (guint b = 0; b < BANDS; b++)
    {
      g_assert_true (isfinite (product->scale[b]) && isfinite (product->offset[b]));
      g_assert_false (isinf (product->wavelengths[b]) || isinf (product->fwhm[b]));
      g_assert_true (product->good == NULL || product->good[b] == TRUE || product->good[b] == FALSE);
    }
  g_assert_true (product->has_background == !isnan (product->background));
  g_assert_true (g_utf8_validate (product->sensor, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char * const images[] = {
    "ENMAP-L2A-SPECTRAL_IMAGE.TIF", "ENMAP-L2A-SPECTRAL_IMAGE_VNIR.TIF", "ENMAP-L2A-SPECTRAL_IMAGE_SWIR.TIF",
  };
  g_autofree char *text = es_fuzz_write ("ENMAP-L2A-METADATA.XML", data, size);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) sources = es_vrt_list_sources (text, NULL, &error);

  if (error != NULL)
    es_fuzz_check_error (error);
  for (guint i = 0; sources != NULL && sources[i] != NULL; i++)
    g_assert_true (*sources[i] != '\0' && g_utf8_validate (sources[i], -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (images); i++)
    {
      g_autofree char *image = g_build_filename (es_fuzz_folder (), images[i], NULL);
      g_autoptr (GError) failure = NULL;
      g_autoptr (EsProduct) product = es_product_read (image, BANDS, &failure);

      if (product != NULL)
        check_product (product);
      else
        es_fuzz_check_error (failure);
    }
  return 0;
}
