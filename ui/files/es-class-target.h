/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/* Adds the classes of a classification to the regions of an open cube of its size: of the only one, or of the one that
 * is chosen. Where there is none, that is told with the sizes. */
void es_class_target_choose (EsShell *shell, EsCube *classification);

G_END_DECLS
