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

struct _EsProfilePane
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *controls;
  GtkWidget     *kind_choice, *unit_choice, *sampling_choice, *width_spin, *entry;
  GtkWidget     *hint;
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
  gboolean       metres;         /* as the unit of the axis, where they are known */

  EsProfile     *profile;        /* that is drawn; nullable */
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

/* es-profile-controls.c */
void _es_profile_pane_make_controls   (EsProfilePane *self);
void _es_profile_pane_update_controls (EsProfilePane *self);

G_END_DECLS
