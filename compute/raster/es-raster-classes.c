/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a raster says of its values as classes: a table of colours, names of categories, a table of attributes. */

#include "es-raster-internal.h"

#include <math.h>
#include <string.h>

#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

static gboolean
is_whole (GDALDataType type)
{
  return type == GDT_Byte || type == GDT_UInt16 || type == GDT_Int16 || type == GDT_UInt32 || type == GDT_Int32
         || type == GDT_Int64 || type == GDT_UInt64;
}

static gboolean
is_used (char **names, int i)
{
  return names != NULL && i < CSLCount (names) && names[i] != NULL && *names[i] != '\0';
}

/* GDAL fills up tables of colours to 256 with black: what stands at their end, and has no name, is none. */
static int
count_colours (GDALColorTableH table, char **names)
{
  int n = GDALGetColorEntryCount (table);

  while (n > 0)
    {
      const GDALColorEntry *entry = GDALGetColorEntry (table, n - 1);

      if (entry->c1 != 0 || entry->c2 != 0 || entry->c3 != 0 || is_used (names, n - 1))
        break;
      n--;
    }
  return n;
}

static void
take_colours (EsClassTable *classes, GDALColorTableH table, char **names)
{
  const int n = count_colours (table, names);

  for (int i = 0; i < n; i++)
    {
      GDALColorEntry entry;
      guint32 colour;

      if (!GDALGetColorEntryAsRGB (table, i, &entry))
        continue;
      colour = (guint32) (CLAMP (entry.c1, 0, 255) << 16 | CLAMP (entry.c2, 0, 255) << 8 | CLAMP (entry.c3, 0, 255));
      es_class_table_set (classes, i, NULL, &colour);
    }
}

static int
find_column (GDALRasterAttributeTableH table, GDALRATFieldUsage usage)
{
  return GDALRATGetColOfUsage (table, usage);
}

/* Which value a row is of: its own column of them, or its place. */
static gboolean
value_of_row (GDALRasterAttributeTableH table, int row, gint64 *value)
{
  int column = find_column (table, GFU_MinMax);
  double size, first, number;

  if (column < 0)
    column = find_column (table, GFU_Min);
  if (column >= 0)
    number = GDALRATGetValueAsDouble (table, row, column);
  else if (GDALRATGetLinearBinning (table, &first, &size))
    number = first + row * size;
  else
    number = row;
  if (!(fabs (number) < 9e15) || number != floor (number))
    return FALSE;
  *value = (gint64) number;
  return TRUE;
}

/* Names as the columns say that they are; else the first one of texts. */
static int
find_names (GDALRasterAttributeTableH table)
{
  const int named = find_column (table, GFU_Name);

  for (int i = 0; named < 0 && i < GDALRATGetColumnCount (table); i++)
    if (GDALRATGetTypeOfCol (table, i) == GFT_String)
      return i;
  return named;
}

static void
take_attributes (EsClassTable *classes, GDALRasterAttributeTableH table)
{
  const int names = find_names (table), red = find_column (table, GFU_Red), green = find_column (table, GFU_Green);
  const int blue = find_column (table, GFU_Blue), n = MIN (GDALRATGetRowCount (table), ES_CLASS_TABLE_MOST);
  const gboolean coloured = red >= 0 && green >= 0 && blue >= 0;
  double most = 0;

  if (names < 0 && !coloured)
    return;
  /* Some write them from 0 to 1. */
  for (int row = 0; coloured && row < n; row++)
    most = MAX (most, GDALRATGetValueAsDouble (table, row, red) + GDALRATGetValueAsDouble (table, row, green)
                      + GDALRATGetValueAsDouble (table, row, blue));
  const double scale = most <= 3 && coloured && GDALRATGetTypeOfCol (table, red) == GFT_Real ? 255 : 1;

  for (int row = 0; row < n; row++)
    {
      g_autofree char *name = names >= 0 ? g_utf8_make_valid (GDALRATGetValueAsString (table, row, names), -1) : NULL;
      guint32 colour = 0;
      gint64 value;

      if (!value_of_row (table, row, &value))
        continue;
      if (coloured)
        colour = (guint32) CLAMP (GDALRATGetValueAsDouble (table, row, red) * scale, 0, 255) << 16
                 | (guint32) CLAMP (GDALRATGetValueAsDouble (table, row, green) * scale, 0, 255) << 8
                 | (guint32) CLAMP (GDALRATGetValueAsDouble (table, row, blue) * scale, 0, 255);
      es_class_table_set (classes, value, name, coloured ? &colour : NULL);
    }
}

EsClassTable *
es_raster_read_classes (GDALDatasetH handle, int band_number)
{
  GDALRasterBandH band = GDALGetRasterBand (handle, band_number);
  g_autoptr (EsClassTable) classes = es_class_table_new ();
  GDALRasterAttributeTableH attributes;
  GDALColorTableH colours;
  char **names;

  if (!is_whole (GDALGetRasterDataType (band)))
    return NULL;
  es_gdal_begin ();
  colours = GDALGetRasterColorTable (band);
  names = GDALGetRasterCategoryNames (band);
  attributes = GDALGetDefaultRAT (band);
  if (colours != NULL)
    take_colours (classes, colours, names);
  for (int i = 0; names != NULL && i < MIN (CSLCount (names), ES_CLASS_TABLE_MOST); i++)
    if (is_used (names, i))
      {
        g_autofree char *name = g_utf8_make_valid (names[i], -1);
        es_class_table_set (classes, i, name, NULL);
      }
  if (attributes != NULL)
    take_attributes (classes, attributes);
  g_free (es_gdal_end ());
  return es_class_table_get_n (classes) > 0 ? g_steal_pointer (&classes) : NULL;
}
