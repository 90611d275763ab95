/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-image-view.h"

G_BEGIN_DECLS

/* For views that show several pictures as one. */

/* The picture lies as that of the other view does; FALSE: one of them has none yet. */
gboolean _es_image_view_follow      (EsImageView *self, EsImageView *from);
/* The pixel under the pointer, or what is taken for it; FALSE: none. */
void     _es_image_view_set_hovered (EsImageView *self, gboolean inside, guint x, guint y);
gboolean _es_image_view_get_hovered (EsImageView *self, guint *x, guint *y);
/* Whether its tools, where it has some, are there to be seen. */
void     _es_image_view_show_tools  (EsImageView *self, gboolean visible);

G_END_DECLS
