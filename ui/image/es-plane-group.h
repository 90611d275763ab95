/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plane-source.h"

G_BEGIN_DECLS

/*
 * The planes of a cube, or of a stack of one of its results, under the name that a person chooses them by. What a
 * display's others are (es_display_set_others ()). Immutable.
 */
#define ES_TYPE_PLANE_GROUP (es_plane_group_get_type ())
G_DECLARE_FINAL_TYPE (EsPlaneGroup, es_plane_group, ES, PLANE_GROUP, GObject)

/* title: "PCA 27 of 210 · Components". reference: what finds it again in another run of the program; nullable.
 * kind: the same for stacks that take each other's place when a result is computed again; nullable. */
EsPlaneGroup  *es_plane_group_new           (const char *title, EsPlaneSource *source, const char *reference,
                                             const char *kind);
const char    *es_plane_group_get_title     (EsPlaneGroup *self);
EsPlaneSource *es_plane_group_get_source    (EsPlaneGroup *self);
const char    *es_plane_group_get_reference (EsPlaneGroup *self);      /* nullable */
const char    *es_plane_group_get_kind      (EsPlaneGroup *self);      /* nullable */
/* The cube or the stack. */
GObject       *es_plane_group_get_data      (EsPlaneGroup *self);

/* Of a GListModel of EsPlaneGroup (nullable) the one with this data, or this reference. Borrowed; NULL: none. */
EsPlaneGroup  *es_plane_groups_find         (GListModel *groups, GObject *data);
EsPlaneGroup  *es_plane_groups_find_again   (GListModel *groups, const char *reference);

G_END_DECLS
