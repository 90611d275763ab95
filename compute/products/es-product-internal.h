/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Products of EnMAP and DESIS: a folder with ...-METADATA.XML, ...-SPECTRAL_IMAGE.TIF (for EnMAP's L1B one with _VNIR
 * and one with _SWIR) and pictures of the quality. Nothing outside of that folder is looked at, whatever the XML says.
 */

/* The image of a product: of the folder that holds one, or of its ...METADATA.XML. NULL without an error: the path is
 * neither. NULL with an error, ES_DATA_ERROR_OPEN: it holds none, or several; name: as messages call the path.
 * Transfer full. */
char *es_product_find_image (const char *path, const char *name, GError **error);
/* The same for who only wants to know whether such a folder is one, by its names. */
gboolean es_product_is_folder (const char *path);

/* What the text beside an image says of its bands. Lists have n entries. */
typedef struct
{
  char     *metadata;            /* path of the text */
  char     *sensor;              /* "EnMAP L2A" */
  const char *unit;              /* of radiances; NULL: reflectances */
  guint     n;
  double   *wavelengths, *fwhm;  /* nm; NAN where one is missing */
  double   *scale, *offset;
  gboolean  uncounted;           /* those are 1 and 0, as what the text says for some bands is none */
  gboolean *good;                /* NULL: all of them */
  gboolean  has_background;
  double    background;          /* what stands for a missing sample */
} EsProduct;

/* NULL without an error: the path is no image of a product, or no text lies beside it. With one: the text is there and
 * cannot be understood. bands: of the image, which decide what of the list is about it where the product has two.
 * Transfer full. */
EsProduct *es_product_read (const char *image, guint bands, GError **error);
void       es_product_free (EsProduct *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsProduct, es_product_free)

G_END_DECLS
