/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "classes/es-class-table.h"
#include "es-cube.h"

G_BEGIN_DECLS

/* What the samples of a classification mean, which is a cube of one band. NULL: they are measured. Borrowed. */
EsClassTable *es_cube_get_classes (EsCube *self);

G_END_DECLS
