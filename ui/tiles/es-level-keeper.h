/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-plane-source.h"

G_BEGIN_DECLS

/*
 * Has the levels of the planes that somebody looks at kept (es-kept-levels.h), in one thread of low priority for the
 * whole program, which waits while tiles are read: of what was wanted last, once it has been looked at for some
 * seconds.
 * Main context only.
 * Signals: "kept" (EsPlaneSource *): levels of it have been made, "failed" (GError *): they cannot be kept; told once.
 */
#define ES_TYPE_LEVEL_KEEPER (es_level_keeper_get_type ())
G_DECLARE_FINAL_TYPE (EsLevelKeeper, es_level_keeper, ES, LEVEL_KEEPER, GObject)

/* The one of the program. Borrowed. */
EsLevelKeeper *es_level_keeper_get  (void);
/* last: the level of the whole picture. Of stacks nothing is kept. */
void           es_level_keeper_want (EsLevelKeeper *self, EsPlaneSource *source, guint n, const guint *planes,
                                     guint last);
/* Nobody looks at it any more. */
void           es_level_keeper_drop (EsLevelKeeper *self, EsPlaneSource *source);
/* Whether it is making some. */
gboolean       es_level_keeper_is_busy (EsLevelKeeper *self);

G_END_DECLS
