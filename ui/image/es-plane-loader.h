/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture/es-picture.h"
#include "es-plane-source.h"

G_BEGIN_DECLS

/* One plane or three of a source, as they are to be shown. */
typedef struct
{
  EsPlaneSource *source;
  guint          n_planes;
  guint          planes[3];
  guint          step;
  EsPlane       *ready[3];
  gboolean       complete;       /* the source was when it was read: the planes stay as they are */
  gboolean       glance;         /* a first look, of few rows: the planes themselves follow */
  guint64        serial;         /* the loader's own */
} EsPlaneSet;

/*
 * Loads planes off the UI thread, newest wins; the planes last seen are kept (256 MiB at most), so that going
 * back is immediate. Of planes that take long a smaller picture comes first.
 * Signals: "loaded" (const EsPlaneSet *), "failed" (GError *), and "notify::busy".
 */
#define ES_TYPE_PLANE_LOADER (es_plane_loader_get_type ())
G_DECLARE_FINAL_TYPE (EsPlaneLoader, es_plane_loader, ES, PLANE_LOADER, GObject)

EsPlaneLoader *es_plane_loader_new     (void);
/* What is under way for another source is dropped. "loaded" may come before this returns. */
void           es_plane_loader_load    (EsPlaneLoader *self, EsPlaneSource *source, guint n_planes,
                                        const guint *planes);
void           es_plane_loader_cancel  (EsPlaneLoader *self);
/* Planes of the source are read anew from now on: there is something better to be had. */
void           es_plane_loader_forget  (EsPlaneLoader *self, EsPlaneSource *source);
gboolean       es_plane_loader_is_busy (EsPlaneLoader *self);

G_END_DECLS
