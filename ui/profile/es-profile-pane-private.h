/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-profile-pane.h"

#include "widgets/es-latest.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean any;
  guint    x, y;
} EsProfilePixel;

/* All bands along a line: a picture whose rows go from `to` down to `from` of the axis of bands; colours from `low` to
 * `high`. */
typedef struct
{
  cairo_surface_t *image;
  double           from, to, low, high;
} EsProfileBands;

struct _EsProfilePane
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *controls;
  GtkWidget     *kind_choice, *unit_choice, *sampling_choice, *width_spin, *all_toggle, *entry;
  GtkWidget     *hint, *foot, *colors, *command, *save;
  GtkWidget     *view;

  EsPlot        *plot;
  EsDisplay     *display;
  EsImageView   *image;          /* a weak pointer */
  EsCube        *cube;           /* nullable */
  EsLatest      *reader;
  EsProfilePixel selected, hovered;
  EsProfileKind  kind;
  EsProfileLine *line;           /* nullable: none has been drawn */
  EsProfileSampling sampling;
  guint          width;
  gboolean       all;            /* bands, as a picture, instead of what is shown */
  gboolean       metres;         /* as the unit of the axis, where they are known */

  EsProfile     *profile;        /* that is drawn; nullable */
  EsProfileBands *bands;         /* of all of them; else NULL */
  GStrv          titles;         /* of the planes of the profile */
  EsProfileLine *of;             /* what that was read along */
  gboolean       has_metres;     /* of the last one */
  gboolean       in_metres;      /* the axis is, */
  double         unit;           /* of so many */
  gboolean       updating;
};

/* es-profile-pane.c: reads again, where it is on the screen, and says so. */
void _es_profile_pane_update          (EsProfilePane *self);
/* Draws what was read. */
void _es_profile_pane_draw            (EsProfilePane *self);
/* Whether some of the planes are borrowed from others: they may be of several units, and are no bands of one file. */
gboolean _es_profile_is_mixed         (EsPlaneSource *source, guint n, const guint *planes);

/* es-profile-bands.c: of n bands, whose places on the axis ascend. Any thread. Transfer full. */
EsProfileBands *_es_profile_bands_new (const EsProfile *profile, guint n, const double *x);
void            _es_profile_bands_free (EsProfileBands *self);

/* es-profile-keep.c: actions "profile.save-csv" and "profile.copy-command" */
void _es_profile_pane_install_actions (GtkWidgetClass *klass);

/* es-profile-controls.c */
void _es_profile_pane_make_controls   (EsProfilePane *self);
void _es_profile_pane_update_controls (EsProfilePane *self);

G_END_DECLS
