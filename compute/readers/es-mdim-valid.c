/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What attributes of netCDF say of an array's numbers: which of them are data at all, and that they have no sign
 * (NetCDF Users' Guide, appendix A). */

#include <cpl_conv.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-mdim-private.h"

gboolean
es_mdim_is_unsigned (GDALMDArrayH array)
{
  GDALAttributeH attribute = GDALMDArrayGetAttribute (array, "_Unsigned");
  const char *text = attribute != NULL ? GDALAttributeReadAsString (attribute) : NULL;
  const gboolean is = text != NULL && g_ascii_strcasecmp (text, "true") == 0;

  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  return is;
}

/* The k-th of the n numbers of an attribute; FALSE: there is no such attribute. */
static gboolean
read_limit (GDALMDArrayH array, const char *name, size_t k, size_t n, double *limit)
{
  GDALAttributeH attribute = GDALMDArrayGetAttribute (array, name);
  size_t found = 0;
  double *values = attribute != NULL ? GDALAttributeReadAsDoubleArray (attribute, &found) : NULL;
  const gboolean ok = values != NULL && found == n && !isnan (values[k]);

  if (ok)
    *limit = values[k];
  CPLFree (values);
  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  return ok;
}

void
es_mdim_read_valid (EsReaderInput *input, GDALMDArrayH array, EskType type, EsMdimValid *valid)
{
  /* Of numbers without a sign the limits are stored with one, as the numbers are. */
  const double turn = type == ESK_U8 || type == ESK_U16 || type == ESK_U32 || type == ESK_U64
                      ? ldexp (1, 8 * (int) esk_type_size (type)) : 0;

  *valid = (EsMdimValid) { .low = -INFINITY, .high = INFINITY };
  if (!read_limit (array, "valid_range", 0, 2, &valid->low) || !read_limit (array, "valid_range", 1, 2, &valid->high))
    {
      read_limit (array, "valid_min", 0, 1, &valid->low);
      read_limit (array, "valid_max", 0, 1, &valid->high);
    }
  if (isfinite (valid->low) && valid->low < 0)
    valid->low += turn;
  if (isfinite (valid->high) && valid->high < 0)
    valid->high += turn;
  if (isfinite (valid->low) && isfinite (valid->high))
    es_reader_note (input, _("Samples that are not from %g to %g are missing, as the file says."), valid->low,
                    valid->high);
  else if (isfinite (valid->low))
    es_reader_note (input, _("Samples below %g are missing, as the file says."), valid->low);
  else if (isfinite (valid->high))
    es_reader_note (input, _("Samples above %g are missing, as the file says."), valid->high);
}

gboolean
es_mdim_valid_is_any (const EsMdimValid *valid)
{
  return valid->low > -INFINITY || valid->high < INFINITY;
}

void
es_mdim_mask_invalid (const EsMdimValid *valid, const EskTile *tile, guint8 *mask)
{
  for (size_t y = 0; y < tile->height; y++)
    for (size_t x = 0; x < tile->width; x++)
      {
        double value;

        /* What is no number is missing already. */
        if (esk_convert_pixel (tile, x, y, &value) == ESK_OK && (value < valid->low || value > valid->high))
          mask[y * tile->width + x] = 0;
      }
}
