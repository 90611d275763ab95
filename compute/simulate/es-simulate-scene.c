/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-private.h"

#include <math.h>
#include <stdlib.h>

#include "base/es-order.h"

/* Each field of noise has a number of its own. */
enum { WARP_X, WARP_Y, ELEVATION, MOISTURE, ALTERATION, TEXTURE, RIVER, PARCEL, CROP, BANKS, EDGE };

/* Distance of one river to the next, in hills. */
#define RIVER_SPACING 5.0

guint64
es_random_mix (guint64 key)
{
  key += 0x9e3779b97f4a7c15u;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
  key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
  return key ^ (key >> 31);
}

/* The hot spot of the simulation: 32-bit arithmetic and no branch, so that it becomes vector code. */
ES_VECTORISE
void
es_random_add_normal (float *values, gsize n, guint64 key, guint64 first, float scale)
{
  const guint64 mixed = es_random_mix (key);
  const guint32 add = (guint32) mixed + (guint32) first * 0x9e3779b1u;
  const guint32 multiply = (guint32) (mixed >> 32) | 1;
  /* Four bytes: mean 510, variance 4 * (256^2 - 1) / 12. */
  const float unit = scale / 147.80053f;

  for (guint32 i = 0; i < (guint32) n; i++)
    {
      guint32 h = i * 0x9e3779b1u + add;
      h ^= h >> 16;
      h *= multiply;
      h ^= h >> 15;
      h *= 0x846ca68bu;
      h ^= h >> 16;
      h = (h & 0x00ff00ffu) + ((h >> 8) & 0x00ff00ffu);
      h = (h & 0xffffu) + (h >> 16);
      values[i] += unit * (float) ((gint32) h - 510);
    }
}

/* ---- noise on a lattice ---- */

static inline double
lattice (guint64 key, gint64 x, gint64 y)
{
  guint64 h = (guint64) x * 0x9e3779b97f4a7c15u ^ ((guint64) y * 0xc2b2ae3d27d4eb4fu + key);

  h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
  h ^= h >> 32;
  return (double) (h & 0xffffff) * (2.0 / 0xffffff) - 1;
}

static inline double
fade (double t)
{
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Band-limited noise, -1..1. */
static double
noise (guint64 key, double x, double y)
{
  double left = floor (x), top = floor (y);
  gint64 i = (gint64) left, j = (gint64) top;
  double s = fade (x - left), t = fade (y - top);
  double a = lattice (key, i, j), b = lattice (key, i + 1, j);
  double c = lattice (key, i, j + 1), d = lattice (key, i + 1, j + 1);

  return a + s * (b - a) + t * (c - a + s * (a - b - c + d));
}

/* Octaves of it, each turned by 37 degrees so that the lattice does not show; about -1..1. */
static double
fractal (guint64 key, double x, double y, guint octaves)
{
  double sum = 0, amplitude = 0.5, total = 0;

  for (guint k = 0; k < octaves; k++)
    {
      sum += amplitude * noise (key + k * 0x632be59bd9b4e019u, x, y);
      total += amplitude;
      double turned = 0.8 * x - 0.6 * y;
      y = 2.03 * (0.6 * x + 0.8 * y) + 17.3;
      x = 2.03 * turned + 5.1;
      amplitude *= 0.5;
    }
  return sum / total;
}

static guint64
field_key (const EsScene *scene, guint field)
{
  return es_random_mix (scene->seed * 64 + field);
}

static double
ramp (double low, double high, double x)
{
  double t = (x - low) / (high - low);

  t = CLAMP (t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/* ---- the ground ---- */

typedef struct
{
  double u, v;                 /* position in hills, bent */
  double river;                /* signed distance to the nearest river, in hills */
} Place;

/* Where a river runs at v; it meanders. */
static double
river_course (const EsScene *scene, gint64 number, double v)
{
  guint64 key = field_key (scene, RIVER);

  return (number + 0.5) * RIVER_SPACING + 1.1 * noise (key, v * 0.45, number * 7.0)
         + 0.32 * noise (key + 1, v * 1.4, number * 7.0) + 0.06 * noise (key + 2, v * 5.0, number * 7.0);
}

static Place
find_place (const EsScene *scene, double x, double y)
{
  Place place;
  /* The first river crosses the left of a small scene, and lets the rest be land. */
  double u = x / scene->feature, v = y / scene->feature;
  double s = u + 0.25 * v + RIVER_SPACING * 0.5 - 1.0;
  gint64 number = (gint64) floor (s / RIVER_SPACING);

  place.river = s - river_course (scene, number, v);
  place.u = u + 0.15 * fractal (field_key (scene, WARP_X), u * 1.2, v * 1.2, 2);
  place.v = v + 0.15 * fractal (field_key (scene, WARP_Y), u * 1.2, v * 1.2, 2);
  return place;
}

/* Hills; valleys where the rivers are. */
static double
elevation_at (const EsScene *scene, const Place *place)
{
  double hills = 0.5 + 0.62 * fractal (field_key (scene, ELEVATION), place->u * 0.9, place->v * 0.9, 5);
  double valley = ramp (0.02, 1.25, fabs (place->river));

  return hills * (0.25 + 0.75 * valley);
}

/*
 * Parcels of farmland: rows of fields of different lengths, slightly turned. Gives how much of it is green,
 * -1 on the tracks between them.
 */
static double
crop_at (const EsScene *scene, double u, double v)
{
  double a = 5.2 * (0.94 * u + 0.34 * v), b = 8.5 * (0.94 * v - 0.34 * u);
  double row = floor (b);
  guint64 key = field_key (scene, PARCEL);
  double length = 0.8 + 0.5 * fabs (lattice (key, (gint64) row, 1));

  a = a * length + 9 * lattice (key, (gint64) row, 2);
  double column = floor (a);
  double margin = MIN (MIN (a - column, column + 1 - a) / length * 1.6, MIN (b - row, row + 1 - b));
  if (margin < 0.035)
    return -1;

  double kind = lattice (field_key (scene, CROP), (gint64) column, (gint64) row);
  /* Two in five are ploughed; the rest is between meadow and full crop, drilled in lines. */
  double green = kind < -0.2 ? 0.06 + 0.1 * (kind + 1) : 0.45 + 0.5 * kind;
  return green + 0.04 * sin (40 * a);
}

static void
find_abundances (const EsScene *scene, const Place *place, double elevation, double out[ES_N_MATERIALS])
{
  double u = place->u, v = place->v;
  double texture = fractal (field_key (scene, TEXTURE), u * 11, v * 11, 4);
  double moisture = fractal (field_key (scene, MOISTURE), u * 1.3, v * 1.3, 3) - 0.5 * elevation + 0.31;
  double alteration = fractal (field_key (scene, ALTERATION), u * 0.75, v * 0.75, 3) + 0.09 * texture;
  double bare = 1;             /* what is left of the ground for soil */

  /* Woods where it is moist, scrub elsewhere; farmland in the valleys. */
  double farm = ramp (0.50, 0.40, elevation + 0.05 * texture);
  double wood = 0.12 + 0.72 * ramp (-0.14, 0.16, moisture + 0.16 * texture) + 0.16 * texture;
  double crop = crop_at (scene, u, v);
  double green = farm * (crop < 0 ? 0.14 : crop + 0.05 * texture) + (1 - farm) * wood;
  double banks = ramp (0.16, 0.05, fabs (place->river));
  green += (0.80 - green) * banks;

  /* Rock on the heights: a kaolinised core with a rusty rim. */
  double rock = ramp (0.50, 0.64, elevation + 0.06 * texture);
  double core = ramp (0.10, 0.30, alteration), rim = ramp (-0.12, 0.05, alteration) - core;
  green = CLAMP (green, 0.02, 0.97) * (1 - 0.90 * rock * (core + rim));
  double kaolinite = 0.80 * rock * core * (0.9 + 0.1 * texture);
  double iron = 0.82 * rock * rim * (0.9 + 0.1 * texture);

  /* Rivers widen and narrow; still water in the lowest ground. */
  double half = 0.045 + 0.018 * noise (field_key (scene, BANKS), v * 2.0, 0.5);
  double pixel = 0.7 / scene->feature;
  double wet = ramp (half + pixel, MAX (half - pixel, 0.0), fabs (place->river));
  wet = MAX (wet, ramp (0.075, 0.055, elevation));

  out[ES_MATERIAL_WATER] = wet;
  bare -= wet;
  out[ES_MATERIAL_KAOLINITE] = bare * kaolinite;
  out[ES_MATERIAL_IRON_OXIDE] = bare * iron;
  bare -= out[ES_MATERIAL_KAOLINITE] + out[ES_MATERIAL_IRON_OXIDE];
  out[ES_MATERIAL_VEGETATION] = bare * green;
  out[ES_MATERIAL_SOIL] = bare - out[ES_MATERIAL_VEGETATION];
}

/* ---- what the sensor missed ---- */

/* Low in two opposite corners, as in a swath that was turned north, and in one ragged hole. */
static double
edge_at (const EsScene *scene, double x, double y)
{
  double u = x / scene->width, v = y / scene->height;
  double ragged = 0.05 * fractal (field_key (scene, EDGE), u * 9, v * 9, 4);
  double corners = MIN (0.35 * u + v, 0.35 * (1 - u) + 1 - v);
  double hole = 0.35 * hypot (u - 0.79, (v - 0.24) * 1.4) + 0.045;

  return MIN (corners, hole) + ragged;
}

/* The level below which the wanted share of the scene lies; large scenes are sampled. */
static double
find_level (const EsScene *scene, double share)
{
  const gsize columns = MIN (scene->width, 256), rows = MIN (scene->height, 256);
  g_autofree double *levels = g_new (double, columns * rows);

  for (gsize j = 0; j < rows; j++)
    for (gsize i = 0; i < columns; i++)
      levels[j * columns + i] = edge_at (scene, floor ((i + 0.5) * scene->width / columns),
                                         floor ((j + 0.5) * scene->height / rows));
  qsort (levels, columns * rows, sizeof (double), es_compare_doubles);
  return levels[MIN ((gsize) rint (share * columns * rows), columns * rows - 1)];
}

void
es_scene_init (EsScene *scene, guint64 width, guint64 height, guint64 seed, double relief,
               double missing_share)
{
  *scene = (EsScene) {
    .width = width,
    .height = height,
    .seed = seed,
    /* A small picture still shows a whole landscape, a large one more of it. */
    .feature = CLAMP (0.42 * sqrt ((double) width * height), 12.0, 170.0),
    .relief = relief,
    .missing_below = -G_MAXDOUBLE,
  };
  if (missing_share > 0)
    scene->missing_below = find_level (scene, missing_share);
}

static gboolean
is_missing (const EsScene *scene, guint64 x, guint64 y)
{
  return scene->missing_below > -G_MAXDOUBLE && edge_at (scene, x, y) < scene->missing_below;
}

static void
render_independent (const EsScene *scene, guint64 x, guint64 y, gsize width, gsize height, float *abundances,
                    float *illumination, guint8 *missing)
{
  es_sources_render (scene, x, y, width, height, abundances);
  for (gsize j = 0; j < height; j++)
    for (gsize i = 0; i < width; i++)
      {
        illumination[j * width + i] = 1;
        missing[j * width + i] = is_missing (scene, x + i, y + j);
      }
}

void
es_scene_render (const EsScene *scene, guint64 x, guint64 y, gsize width, gsize height, float *abundances,
                 float *illumination, guint8 *missing)
{
  const gsize pixels = width * height;
  /* One more to the right and below, for the slopes. */
  const gsize wide = width + 1;
  g_autofree double *heights = NULL;
  g_autofree Place *places = NULL;

  if (scene->independent)
    {
      render_independent (scene, x, y, width, height, abundances, illumination, missing);
      return;
    }

  heights = g_new (double, wide * (height + 1));
  places = g_new (Place, wide * (height + 1));
  for (gsize j = 0; j <= height; j++)
    for (gsize i = 0; i <= width; i++)
      {
        gsize p = j * wide + i;
        places[p] = find_place (scene, x + i + 0.5, y + j + 0.5);
        heights[p] = elevation_at (scene, &places[p]);
      }

  for (gsize j = 0; j < height; j++)
    for (gsize i = 0; i < width; i++)
      {
        gsize p = j * wide + i, out = j * width + i;
        double material[ES_N_MATERIALS];

        find_abundances (scene, &places[p], heights[p], material);
        for (guint k = 0; k < ES_N_MATERIALS; k++)
          abundances[k * pixels + out] = material[k];

        /* Light from the upper left; water is level. */
        double across = heights[p + 1] - heights[p], down = heights[p + wide] - heights[p];
        double slope = (across + 0.7 * down) * scene->feature;
        double shade = CLAMP (1 + 0.55 * scene->relief * slope, 1 - scene->relief, 1 + scene->relief);
        illumination[out] = 1 + (shade - 1) * (1 - material[ES_MATERIAL_WATER]);
        missing[out] = is_missing (scene, x + i, y + j);
      }
}
