/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-private.h"

#include <math.h>

/* An absorption: depth relative to the continuum, centre and width (one sigma) in nm. */
typedef struct
{
  double depth, centre, width;
} Feature;

static double
gauss (double x, double centre, double width)
{
  double t = (x - centre) / width;

  return exp (-0.5 * t * t);
}

static double
step (double x, double centre, double width)
{
  return 1 / (1 + exp (-(x - centre) / width));
}

static double
absorb (double continuum, const Feature *features, gsize n, double nanometres)
{
  for (gsize i = 0; i < n; i++)
    continuum *= 1 - features[i].depth * gauss (nanometres, features[i].centre, features[i].width);
  return continuum;
}

const char *
es_material_name (EsMaterial material)
{
  static const char *const names[ES_N_MATERIALS] = {
    "Vegetation", "Soil", "Water", "Kaolinite", "Iron oxide",
  };

  g_return_val_if_fail (material < ES_N_MATERIALS, NULL);
  return names[material];
}

/* Pigments in the visible, the red edge at 718 nm, the plateau of the cells, the water of the leaf. */
static double
vegetation (double w)
{
  static const Feature water[] = {
    { 0.06, 975, 28 }, { 0.14, 1195, 40 }, { 0.72, 1455, 62 }, { 0.86, 1945, 80 }, { 0.55, 2520, 150 },
    { 0.10, 1780, 40 }, { 0.06, 2100, 40 }, { 0.08, 2300, 45 },
  };
  double visible = 0.032 + 0.072 * gauss (w, 552, 34) + 0.02 * gauss (w, 615, 34)
                   - 0.008 * gauss (w, 672, 14);
  double structure = 0.49 - 0.17 * step (w, 1420, 90) - 0.13 * step (w, 2000, 110);
  double edge = step (w, 718, 13);

  return visible * (1 - edge) + edge * absorb (structure, water, G_N_ELEMENTS (water), w);
}

/* A moist loam: rises through the visible, hydroxyl and clay in the short-wave infrared. */
static double
soil (double w)
{
  static const Feature features[] = {
    { 0.05, 480, 45 }, { 0.05, 880, 70 }, { 0.12, 1415, 26 }, { 0.22, 1920, 40 }, { 0.10, 2207, 26 },
  };
  double continuum = 0.035 + 0.36 * (1 - exp (-(w - 395) / 560)) - 0.05 * step (w, 2250, 120);

  return absorb (continuum, features, G_N_ELEMENTS (features), w);
}

/* A river with some sediment: next to nothing beyond the red. */
static double
water (double w)
{
  return 0.004 + (0.030 * gauss (w, 560, 55) + 0.040 * gauss (w, 470, 70)) * (1 - step (w, 715, 18))
         + 0.006 * gauss (w, 810, 25);
}

/* Bright, with the doublets of the hydroxyl overtone (1,395/1,413 nm) and of Al-OH (2,165/2,206 nm). */
static double
kaolinite (double w)
{
  static const Feature features[] = {
    { 0.18, 1395, 9 }, { 0.27, 1413, 11 }, { 0.08, 1915, 30 }, { 0.25, 2165, 14 }, { 0.42, 2206, 17 },
    { 0.12, 2312, 16 }, { 0.22, 2380, 20 }, { 0.05, 960, 30 },
  };
  double continuum = 0.26 + 0.27 * (1 - exp (-(w - 380) / 260)) - 0.06 * step (w, 2350, 90);

  return absorb (continuum, features, G_N_ELEMENTS (features), w);
}

/* Goethite: the charge-transfer edge near 572 nm and the crystal-field band at 880 nm. Alunite: 1,480, 1,762
 * and 2,168 nm. */
static double
iron_oxide (double w)
{
  static const Feature features[] = {
    { 0.12, 660, 38 }, { 0.34, 880, 75 }, { 0.18, 1480, 24 }, { 0.14, 1762, 17 }, { 0.10, 1930, 32 },
    { 0.34, 2168, 32 }, { 0.12, 2320, 22 },
  };
  double continuum = 0.055 + 0.33 * step (w, 572, 24) + 0.17 * step (w, 1050, 130)
                     - 0.05 * step (w, 2300, 90);

  return absorb (continuum, features, G_N_ELEMENTS (features), w);
}

double
es_material_reflectance (EsMaterial material, double nanometres)
{
  static double (*const spectra[ES_N_MATERIALS]) (double) = {
    vegetation, soil, water, kaolinite, iron_oxide,
  };

  g_return_val_if_fail (material < ES_N_MATERIALS, 0);
  return spectra[material] (nanometres);
}

double
es_sensor_noise (double nanometres)
{
  return 1 + 2.2 * exp (-(nanometres - 400) / 55) + 1.8 * exp (-(2500 - nanometres) / 110)
         + 7 * gauss (nanometres, 1385, 24) + 9 * gauss (nanometres, 1890, 36)
         + 0.6 * gauss (nanometres, 1130, 18) + 0.8 * gauss (nanometres, 940, 14);
}
