/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"
#include "classes/es-class-table.h"
#include "layer/es-device-plane.h"

G_BEGIN_DECLS

/*
 * Planes to be looked at, wherever they come from: the bands of a cube or the planes of an image stack.
 * Immutable and usable from any thread; read () blocks and belongs on a worker.
 */
#define ES_TYPE_PLANE_SOURCE (es_plane_source_get_type ())
G_DECLARE_FINAL_TYPE (EsPlaneSource, es_plane_source, ES, PLANE_SOURCE, GObject)

EsPlaneSource *es_plane_source_new_for_cube    (EsCube *cube);
EsPlaneSource *es_plane_source_new_for_stack   (EsImageStack *stack);

/* As one of the two, and behind its own planes three that it borrows: plane n_planes + i is planes[i] of others[i],
 * which has the same size and borrows none; NULL: there is none. Whatever takes a plane below takes those, too;
 * es_plane_source_get_n_planes () does not count them. titles (nullable, each): which others they are of. */
EsPlaneSource *es_plane_source_new_borrowing   (EsPlaneSource *base, EsPlaneSource *const others[3],
                                                const guint planes[3], const char *const titles[3]);
/* Whose a plane is, and which of its planes: itself, or what it is borrowed from. Borrowed. */
EsPlaneSource *es_plane_source_resolve         (EsPlaneSource *self, guint plane, guint *its);
gboolean       es_plane_source_has_plane       (EsPlaneSource *self, guint plane);

EsCube        *es_plane_source_get_cube        (EsPlaneSource *self);    /* nullable */
EsImageStack  *es_plane_source_get_stack       (EsPlaneSource *self);    /* nullable */
/* The cube or the stack. */
GObject       *es_plane_source_get_data        (EsPlaneSource *self);
guint          es_plane_source_get_width       (EsPlaneSource *self);
guint          es_plane_source_get_height      (EsPlaneSource *self);
guint          es_plane_source_get_n_planes    (EsPlaneSource *self);
gboolean       es_plane_source_get_signed      (EsPlaneSource *self);
/* How a view should show it by default; none for a cube. */
EsImageHint    es_plane_source_get_hint        (EsPlaneSource *self);
const char    *es_plane_source_get_unit        (EsPlaneSource *self);    /* nullable */
/* "640.2 nm", "PC 1". Transfer full. */
char          *es_plane_source_get_plane_title (EsPlaneSource *self, guint plane);
/* What its numbers mean, of a classification; NULL: they are measured. Borrowed. */
EsClassTable  *es_plane_source_get_classes     (EsPlaneSource *self);
/* The same of a borrowed one with what it is of: "PC 1 (PCA 27 of 210)". Transfer full. */
char          *es_plane_source_get_plane_label (EsPlaneSource *self, guint plane);
const char    *es_plane_source_get_plane_unit  (EsPlaneSource *self, guint plane);    /* nullable */
/* 0..1; NAN where a plane has none. */
double         es_plane_source_get_plane_share (EsPlaneSource *self, guint plane);
gboolean       es_plane_source_is_bad          (EsPlaneSource *self, guint plane);

/* FALSE for a stack that a job is filling: what is read now may be read again and differ. */
gboolean       es_plane_source_is_complete     (EsPlaneSource *self);

/* By how much the picture of a first look is smaller than the one that comes after it. */
#define ES_PLANE_SOURCE_GLANCE 8
/* How much a plane is decimated to be shown: at most 16 Mi pixels and 8192 a side; a power of two. */
guint          es_plane_source_get_step        (EsPlaneSource *self);
/* The step at which neither side is longer than `side`. */
guint          es_plane_source_get_step_for    (EsPlaneSource *self, guint side);

/* ceil (width / step) x ceil (height / step) floats: means over what is valid of step x step pixels. The
 * plane itself, uncopied, where a stack is in memory and step 1. */
GBytes        *es_plane_source_read            (EsPlaneSource *self, guint plane, guint step,
                                                GCancellable *cancellable, GError **error);
/* The same in a hurry, of a few rows: for a first look at what takes long (es_plane_source_is_slow ()). */
GBytes        *es_plane_source_glance          (EsPlaneSource *self, guint plane, guint step,
                                                GCancellable *cancellable, GError **error);
/* Whether read () of these planes at the source's step takes long. Blocking, but not for long. */
gboolean       es_plane_source_is_slow         (EsPlaneSource *self, guint n, const guint *planes);
/* A square of side x side samples (fewer at the right and lower edge) from (x, y) on, of a level: each the mean of the
 * valid ones of 2^level x 2^level pixels. Floats. */
GBytes        *es_plane_source_read_tile       (EsPlaneSource *self, guint plane, guint level, guint64 x, guint64 y,
                                                guint side, GCancellable *cancellable, GError **error);
/* As read (), but NULL where the samples would not be the stack's own. Any thread; on a GPU that costs a copy to the
 * host the first time. */
GBytes        *es_plane_source_peek            (EsPlaneSource *self, guint plane, guint step);
/* The plane where it (also) lies on a GPU and step is 1, else NULL. Transfer full. Cheap; any thread. */
EsDevicePlane *es_plane_source_get_device_plane (EsPlaneSource *self, guint plane, guint step);

G_END_DECLS
