/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-metadata.h"

G_BEGIN_DECLS

/* The cube as the file beside it tells it, while it is opened and before anything else is noted of it; itself where
 * there is none. What is wrong with that file becomes a note. Blocking. Transfer full. */
EsCube *es_cube_read_metadata (EsCube *self);

G_END_DECLS
