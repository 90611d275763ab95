/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-private.h"

#include <math.h>

#include "writers/es-envi-text-internal.h"
#include "base/es-text-internal.h"

guint
es_simulation_nearest_band (const EsSimulation *self, double nanometres)
{
  guint best = 0;

  for (guint b = 1; b < self->bands; b++)
    if (fabs (self->wavelength[b] - nanometres) < fabs (self->wavelength[best] - nanometres))
      best = b;
  return best;
}

static void
append_list (GString *header, const char *key, guint n, const double *values)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (header, "%s = {", key);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (header, i == 0 ? "" : ",");
      g_string_append (header, i % 10 == 0 ? "\n " : " ");
      g_string_append (header, g_ascii_formatd (buffer, sizeof buffer, "%.3f", values[i]));
    }
  g_string_append (header, "}\n");
}

static void
append_shape (GString *header, const EsSimulation *self, guint bands, int code, const char *interleave,
              gboolean big)
{
  g_string_append_printf (header,
                          "samples = %" G_GUINT64_FORMAT "\nlines = %" G_GUINT64_FORMAT "\nbands = %u\n"
                          "header offset = 0\nfile type = ENVI Standard\ndata type = %d\ninterleave = %s\n"
                          "byte order = %d\n",
                          self->width, self->height, bands, code, interleave, big ? 1 : 0);
}

/* Written out, so that the header does not depend on a data base of coordinate systems. */
static void
append_place (GString *header, EsParams *params)
{
  g_autoptr (GString) size = g_string_new (NULL);

  if (!es_params_get_bool (params, "georeference"))
    return;
  es_text_append_number (size, es_params_get_float (params, "pixel-size"));
  g_string_append_printf (header,
                          "map info = {UTM, 1, 1, 372000, 5808000, %s, %s, 33, North, WGS-84, units=Meters}\n"
                          "coordinate system string = {PROJCS[\"WGS_1984_UTM_Zone_33N\","
                          "GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\","
                          "SPHEROID[\"WGS_1984\",6378137.0,298.257223563]],"
                          "PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],"
                          "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],"
                          "PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",15.0],"
                          "PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],"
                          "UNIT[\"Meter\",1.0]]}\n",
                          size->str, size->str);
}

GString *
es_simulation_cube_header (const EsSimulation *self, EsParams *params)
{
  GString *header = g_string_new ("ENVI\n");
  g_autofree double *fwhm = g_new (double, self->bands);
  double spacing = self->bands > 1 ? 2100.0 / (self->bands - 1) : 10;

  g_string_append_printf (header, "description = {Simulated scene, seed %" G_GUINT64_FORMAT "%s}\n",
                          self->seed, self->scene.independent ? ", independent sources" : "");
  append_shape (header, self, self->bands, self->storage->envi_code,
                es_params_get_choice_id (params, "interleave"),
                es_params_get_choice (params, "byte-order") == 1);
  if (es_params_get_float (params, "no-data") > 0)
    g_string_append_printf (header, "data ignore value = %d\n", (int) self->storage->no_data);
  if (self->storage->scale != 1)
    g_string_append_printf (header, "reflectance scale factor = %d\n", (int) self->storage->scale);
  g_string_append_printf (header, "default bands = {%u, %u, %u}\n", es_simulation_nearest_band (self, 640) + 1,
                          es_simulation_nearest_band (self, 550) + 1,
                          es_simulation_nearest_band (self, 460) + 1);
  append_place (header, params);

  for (guint b = 0; b < self->bands; b++)
    fwhm[b] = 1.1 * spacing;
  g_string_append (header, "wavelength units = Nanometers\n");
  append_list (header, "wavelength", self->bands, self->wavelength);
  append_list (header, "fwhm", self->bands, fwhm);
  g_string_append (header, "bbl = {");
  for (guint b = 0; b < self->bands; b++)
    g_string_append_printf (header, "%s%s%d", b == 0 ? "" : ",", b % 40 == 0 ? "\n " : " ",
                            self->good[b] ? 1 : 0);
  g_string_append (header, "}\n");
  return header;
}

GString *
es_simulation_truth_header (const EsSimulation *self, EsParams *params)
{
  GString *header = g_string_new ("ENVI\n");
  const char *names[ES_N_MATERIALS];

  for (guint k = 0; k < ES_N_MATERIALS; k++)
    names[k] = es_material_name (k);
  g_string_append_printf (header, "description = {Abundances of a simulated scene, seed %" G_GUINT64_FORMAT
                                  "%s}\n", self->seed, self->scene.independent ? ", independent sources" : "");
  append_shape (header, self, ES_N_MATERIALS, 4, "bsq", G_BYTE_ORDER == G_BIG_ENDIAN);
  es_envi_append_names (header, "band names", names, ES_N_MATERIALS);
  append_place (header, params);
  return header;
}

GString *
es_simulation_endmembers (const EsSimulation *self)
{
  GString *text = g_string_new ("Wavelength (nm)");

  for (guint k = 0; k < ES_N_MATERIALS; k++)
    {
      g_string_append_c (text, ',');
      es_text_append_field (text, es_material_name (k));
    }
  g_string_append (text, "\r\n");
  for (guint b = 0; b < self->bands; b++)
    {
      es_text_append_number (text, self->wavelength[b]);
      for (guint k = 0; k < ES_N_MATERIALS; k++)
        {
          g_string_append_c (text, ',');
          es_text_append_number (text, es_material_reflectance (k, self->wavelength[b]));
        }
      g_string_append (text, "\r\n");
    }
  return text;
}
