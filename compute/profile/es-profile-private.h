/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-profile.h"

G_BEGIN_DECLS

/* Brings window samples of all planes, n_planes x height x width. */
typedef gboolean (*EsProfileRead) (gpointer source, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
                                   GCancellable *cancellable, GError **error);

/* es-profile.c: window after window along the line. `metres` are not filled. */
EsProfile *_es_profile_take   (const EsProfileLine *line, guint n_planes, guint64 width, guint64 height,
                               EsProfileRead read, gpointer source, GCancellable *cancellable, GError **error);

G_END_DECLS
