/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture/es-picture.h"
#include "es-plane-group.h"
#include "es-plane-source.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What is shown of a source and how: three planes as red, green and blue or one in a colour map, and the
 * stretch. The controls change it, the viewer follows it. It is remembered with the cube or stack it belongs
 * to, so that coming back to a data set finds it as it was left. Main context only.
 * A composite may borrow planes of other sources of the same scene: they count as planes behind the source's own.
 * Signals: "source-changed", "planes-changed" (other planes are to be shown), "look-changed" (colour map,
 * stretch), "stretched" (by hand), "others-changed" (what can be borrowed), "taken-back" (char *: a sentence; what
 * channels borrowed is gone).
 */
/* Which values a stretch is worked out from. */
typedef enum { ES_STRETCH_OF_IMAGE, ES_STRETCH_OF_VIEW, ES_STRETCH_OF_SELECTION, ES_N_STRETCH_BASES } EsStretchBasis;

#define ES_TYPE_DISPLAY (es_display_get_type ())
G_DECLARE_FINAL_TYPE (EsDisplay, es_display, ES, DISPLAY, GObject)

EsDisplay     *es_display_new           (void);
/* One that keeps to itself how it shows its source, for a second picture beside the first. */
EsDisplay     *es_display_new_detached  (void);
/* replaces: what was shown of this source is taken over (nullable). source NULL: nothing is shown. */
void           es_display_set_source    (EsDisplay *self, EsPlaneSource *source, GObject *replaces);
/* With what the channels borrow behind its own planes (es_plane_source_new_borrowing ()). */
EsPlaneSource *es_display_get_source    (EsDisplay *self);                 /* nullable */
/* Without it: for whoever keeps it. */
EsPlaneSource *es_display_get_own_source (EsDisplay *self);                /* nullable */

gboolean       es_display_can_composite (EsDisplay *self);                 /* of more than one plane */
void           es_display_set_composite (EsDisplay *self, gboolean composite);
gboolean       es_display_get_composite (EsDisplay *self);
void           es_display_set_rgb       (EsDisplay *self, guint channel, guint plane);
guint          es_display_get_rgb       (EsDisplay *self, guint channel);
/* Three planes as red, green and blue, whatever was shown before; planes that are not there are ignored. */
void           es_display_show_rgb      (EsDisplay *self, const guint planes[3]);
/* ---- planes of other sources (es-display-channels.c) ---- */

/* A GListModel of EsPlaneGroup, the display's own source among them: the planes of one scene, whose changes are
 * followed. Nullable. */
void           es_display_set_others    (EsDisplay *self, GListModel *groups);
GListModel    *es_display_get_others    (EsDisplay *self);                 /* nullable */
/* A channel shows a plane of any of those. */
void           es_display_set_other     (EsDisplay *self, guint channel, EsPlaneGroup *group, guint plane);
/* What a channel borrows; NULL: nothing. */
EsPlaneGroup  *es_display_get_other     (EsDisplay *self, guint channel, guint *plane);
/* Where one plane is shown alone: the composite that was shown last comes back, with this plane in it. */
void           es_display_take_channel  (EsDisplay *self, guint channel, guint plane);
/* Property "held": a composite stays when another source of the same scene is set. */
void           es_display_set_held      (EsDisplay *self, gboolean held);
gboolean       es_display_get_held      (EsDisplay *self);

void           es_display_set_plane     (EsDisplay *self, guint plane);
guint          es_display_get_plane     (EsDisplay *self);
/* That one alone, in a colour map, whatever was shown before. */
void           es_display_show_plane    (EsDisplay *self, guint plane);
/* The planes on the screen: 3 or 1; 0 without a source. */
guint          es_display_get_planes    (EsDisplay *self, guint planes[3]);

void           es_display_set_colormap  (EsDisplay *self, EsColormap colormap);
EsColormap     es_display_get_colormap  (EsDisplay *self);
/* Cut at both ends, as a fraction: 0.02. Forgets the stretches set by hand. */
void           es_display_set_cut       (EsDisplay *self, double cut);
double         es_display_get_cut       (EsDisplay *self);
/* Instead: so many standard deviations either way of the mean; 0: by the cut. Forgets those set by hand, too. */
void           es_display_set_deviations (EsDisplay *self, double deviations);
double         es_display_get_deviations (EsDisplay *self);
/* How values are spread between both ends. */
void           es_display_set_curve     (EsDisplay *self, EsStretch curve);
EsStretch      es_display_get_curve     (EsDisplay *self);
/* Red, green and blue of a composite have one stretch, the widest of theirs. */
void           es_display_set_linked    (EsDisplay *self, gboolean linked);
gboolean       es_display_get_linked    (EsDisplay *self);
/* Of which values cut, deviations and curves are; es_picture_set_basis () is up to who knows them. */
void           es_display_set_basis     (EsDisplay *self, EsStretchBasis basis);
EsStretchBasis es_display_get_basis     (EsDisplay *self);
void           es_display_set_symmetric (EsDisplay *self, gboolean symmetric);
gboolean       es_display_get_symmetric (EsDisplay *self);

/* A stretch set by hand, kept for each plane. "look-changed" is not emitted: who sets it has already drawn it. */
void           es_display_set_stretch   (EsDisplay *self, guint plane, double low, double high);
gboolean       es_display_get_stretch   (EsDisplay *self, guint plane, double *low, double *high);
/* Of a plane that is shown: the cut is not what is seen, until it is set again. */
gboolean       es_display_is_stretched_by_hand (EsDisplay *self);
/* Back to a cut of 2 %. */
void           es_display_reset_stretch (EsDisplay *self);
/* Whether a stretch was changed that can be what it was before; one dragging is one change. */
gboolean       es_display_can_undo      (EsDisplay *self);
void           es_display_undo          (EsDisplay *self);
/* Gives the picture, once it has the planes of this display, its colour map and stretches. */
void           es_display_apply_look    (EsDisplay *self, EsPicture *picture);

/* How a cube or stack is shown, which outlives the program: planes, colour map, stretches. NULL: it never was shown.
 * Transfer full. Taken (nullable) before it is shown for the first time; what it does not have is left out. */
JsonNode      *es_display_tell          (GObject *data);
void           es_display_take          (GObject *data, JsonNode *told);
/* The same of what one shows just now; NULL without a source. */
JsonNode      *es_display_tell_now      (EsDisplay *self);
void           es_display_take_now      (EsDisplay *self, JsonNode *told);

/* "R 640.2 nm, G 549.1 nm, B 463.7 nm · cut 2 %": what a picture says it shows. step: how many pixels a side what it
 * shows of them are means of (1: none). Transfer full. */
char          *es_display_make_caption  (EsDisplay *self, guint step);

G_END_DECLS
