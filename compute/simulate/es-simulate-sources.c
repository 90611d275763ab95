/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Maps of materials that know nothing of each other: each is a mosaic of cells of its own, whose values are drawn from
 * a distribution of its own that is far from normal. With many cells in a picture the maps' sample correlations are
 * small, and a linear mixture of them is what independent component analysis takes for granted.
 */

#include "es-simulate-private.h"

#include <math.h>

/* Cells along the geometric mean of the sides, as far as that leaves them some pixels: 40 x 40 of them. */
#define CELLS 40.0
/* Fields of es_scene_render () are numbered from 0, these follow. */
#define FIRST_FIELD 32
/* Full cover by one material leaves room for others, so that 8-bit samples do not overflow. Water is dark: it takes no
 * room, and less of it would drown in the noise. */
static const double most[ES_N_MATERIALS] = {
  [ES_MATERIAL_VEGETATION] = 0.5, [ES_MATERIAL_SOIL] = 0.5, [ES_MATERIAL_WATER] = 1, [ES_MATERIAL_KAOLINITE] = 0.5,
  [ES_MATERIAL_IRON_OXIDE] = 0.5,
};

static double
uniform (guint64 key, gint64 i, gint64 j)
{
  guint64 h = es_random_mix (key + (guint64) i * 0x9e3779b97f4a7c15u + (guint64) j * 0xc2b2ae3d27d4eb4fu);

  return (double) (h >> 11) * 0x1p-53;
}

/* The cell whose point is the nearest: one point in every square of a lattice, anywhere in it. */
static void
find_cell (guint64 key, double u, double v, gint64 *cell_i, gint64 *cell_j)
{
  const gint64 i0 = (gint64) floor (u), j0 = (gint64) floor (v);
  double nearest = G_MAXDOUBLE;

  for (gint64 j = j0 - 1; j <= j0 + 1; j++)
    for (gint64 i = i0 - 1; i <= i0 + 1; i++)
      {
        double du = i + uniform (key + 1, i, j) - u, dv = j + uniform (key + 2, i, j) - v;
        double distance = du * du + dv * dv;

        if (distance < nearest)
          {
            nearest = distance;
            *cell_i = i;
            *cell_j = j;
          }
      }
}

/* 0..1 from a uniform number; in the order of EsMaterial. */
static double
distribute (guint material, double t)
{
  switch (material)
    {
    case ES_MATERIAL_VEGETATION:
      return t;                                     /* flat */
    case ES_MATERIAL_SOIL:
      return t < 0.5 ? 0.3 * t : 0.7 + 0.3 * t;     /* two modes */
    case ES_MATERIAL_WATER:
      return t < 0.87 ? 0 : t;                      /* rare and full */
    case ES_MATERIAL_KAOLINITE:
      return MIN (-0.2 * log (1 - t), 1.0);         /* exponential */
    case ES_MATERIAL_IRON_OXIDE:
    default:
      return t * t * t * t * t * t;                 /* mostly next to nothing */
    }
}

void
es_sources_render (const EsScene *scene, guint64 x, guint64 y, gsize width, gsize height, float *abundances)
{
  const double side = CLAMP (sqrt ((double) scene->width * scene->height) / CELLS, 3.0, 64.0);

  for (guint k = 0; k < ES_N_MATERIALS; k++)
    {
      const guint64 key = es_random_mix (scene->seed * 64 + FIRST_FIELD + k);
      /* Cells of each material have another size and direction, so that borders do not meet. */
      const double scale = 1 / (side * (0.85 + 0.08 * k)), angle = 0.3 + 0.61 * k;
      const double c = cos (angle) * scale, s = sin (angle) * scale;
      float *out = abundances + k * width * height;

      for (gsize j = 0; j < height; j++)
        for (gsize i = 0; i < width; i++)
          {
            const double px = x + i + 0.5, py = y + j + 0.5;
            gint64 cell_i = 0, cell_j = 0;

            find_cell (key, c * px + s * py, c * py - s * px, &cell_i, &cell_j);
            /* Nothing in nature is as even as a cell. */
            double grain = 0.85 + 0.15 * uniform (key + 4, (gint64) (x + i), (gint64) (y + j));
            out[j * width + i] = most[k] * grain * distribute (k, uniform (key + 3, cell_i, cell_j));
          }
    }
}
