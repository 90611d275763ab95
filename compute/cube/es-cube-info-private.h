/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-internal.h"

G_BEGIN_DECLS

/* ES_DATA_ERROR_SIZE; file: nullable, for the message. */
gboolean es_cube_info_check_size    (const EsCubeInfo *info, GFile *file, GError **error);
/* A header's -3.40282e+38 and the sample's own bits have to be the same number. */
void     es_cube_info_round_no_data (EsCubeInfo *info);
/* What is no scale or offset becomes 1 or 0. */
void     es_cube_info_settle_scale  (EsCubeInfo *info);

G_END_DECLS
