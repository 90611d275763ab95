/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-mdim-private.h"

G_BEGIN_DECLS

#define ES_PRISMA_DETECTORS 2

/* One cube of the two, with what the attributes say of it. */
typedef struct
{
  const char      *detector;     /* as attributes write it: "Vnir" */
  int              candidate;    /* -1: there is none */
  EsMdimShape      shape;
  guint            bands;
  double          *wavelengths;  /* nullable, as the next two */
  double          *fwhm;
  double          *flags;
  double           scale, offset;
  gboolean         counted;      /* the file tells those two */
} EsPrismaDetector;

typedef struct
{
  char             *swath;       /* "PRS_L2D_HCO" */
  gboolean          radiance, on_map;
  EsPrismaDetector  detectors[ES_PRISMA_DETECTORS];
} EsPrisma;

/* What the attributes of the file say of a detector whose bands are known: wavelengths, widths, flags, scale. Lists
 * that leave no band are ignored. Both are noted. */
void     es_prisma_read_lists  (EsReaderInput *input, GDALGroupH root, const EsPrisma *product,
                                EsPrismaDetector *detector);
/* Wavelengths of 0 stand for bands that were not measured. */
gboolean es_prisma_is_measured (const EsPrismaDetector *detector, guint band);
/* Where the cube lies, whose size info has: on its map, or pixel by pixel. */
void     es_prisma_read_map    (GDALGroupH root, EsCubeInfo *info);
void     es_prisma_read_places (EsReaderInput *input, GDALGroupH root, const EsPrisma *product, EsCubeInfo *info);

G_END_DECLS
