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

/* What is read for a pane. */
typedef struct
{
  EsPlaneSource *source;
  EsCube        *cube;           /* nullable */
  guint          n, planes[3];
  EsProfileLine *line;
  EsProfileKind  kind;
  gboolean       all;            /* bands of the cube, instead of the planes */
} EsProfileRequest;

typedef struct
{
  EsProfile      *profile;
  EsProfileBands *bands;         /* nullable */
  GStrv           titles;        /* of the planes of the profile */
} EsProfileAnswer;

/* From so many metres on the axis counts kilometres. */
#define ES_PROFILE_LONG_LINE 10000

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

/* es-profile-read.c: an EsLatestWork of an EsProfileRequest, which makes an EsProfileAnswer. */
gpointer _es_profile_read             (gpointer request, GCancellable *cancellable, GError **error);
void _es_profile_request_free         (gpointer request);
void _es_profile_answer_free          (gpointer answer);
/* Whether some of the planes are borrowed from others: they may be of several units, and are no bands of one file. */
gboolean _es_profile_is_mixed         (EsPlaneSource *source, guint n, const guint *planes);

/* es-profile-draw.c: draws what was read. */
void _es_profile_pane_draw            (EsProfilePane *self);
/* Of the i-th place of the profile, in the unit of the axis. */
double _es_profile_pane_distance      (EsProfilePane *self, guint i);

/* es-profile-picture.c: the line in the picture, or none where the pane is not seen. */
void _es_profile_pane_draw_line       (EsProfilePane *self);
/* The cursor of the plot is where the pointer is in the picture. */
void _es_profile_pane_follow          (EsProfilePane *self);

/* es-profile-bands.c: of n bands, whose places on the axis ascend. Any thread. Transfer full. */
EsProfileBands *_es_profile_bands_new (const EsProfile *profile, guint n, const double *x);
void            _es_profile_bands_free (EsProfileBands *self);

/* es-profile-keep.c: actions "profile.save-csv" and "profile.copy-command" */
void _es_profile_pane_install_actions (GtkWidgetClass *klass);

/* es-profile-controls.c */
void _es_profile_pane_make_controls   (EsProfilePane *self);
void _es_profile_pane_update_controls (EsProfilePane *self);

G_END_DECLS
