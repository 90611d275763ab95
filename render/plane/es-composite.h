/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plane.h"
#include "es-stretch.h"

G_BEGIN_DECLS

/* Wavelengths that make a known picture. */
typedef struct
{
  const char *id;              /* "true-colour" */
  const char *title;           /* N_(), msgid */
  double      nanometres[3];   /* red, green, blue */
} EsCompositePreset;

const EsCompositePreset *es_composite_get_presets (guint *n);
const EsCompositePreset *es_composite_find_preset (const char *id);    /* nullable */
/* "true-colour, cir, swir". Transfer full. */
char                    *es_composite_list_presets (void);

/* Three planes as red, green and blue where there is no window: the pixels that one would save. */
typedef struct
{
  double    cut;               /* as a fraction, at both ends */
  double    deviations;        /* > 0: instead */
  EsStretch curve;
  gboolean  linked;            /* all three have the widest of their stretches */
  gboolean  limited[3];        /* limits are told: low, high */
  double    limits[3][2];
} EsCompositeLook;

/* The values shown darkest and brightest, of each. */
void    es_composite_find_ends (EsPlane *const planes[3], const EsCompositeLook *look, double ends[6]);
/* RGBA rows, one pixel a sample, transparent where one of the three is missing; planes of one size, decimated by step
 * from full_width x full_height. Any thread. Transfer full. NULL: memory. */
GBytes *es_composite_paint     (EsPlane *const planes[3], const EsCompositeLook *look, guint step, guint full_width,
                                guint full_height);
/* How much a plane is decimated to be shown and saved: at most 16 Mi pixels and 8192 a side. */
guint   es_composite_pick_step (guint64 width, guint64 height);

G_END_DECLS
