/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a name of an image ends with, NULL: it is none. */
const char *es_product_image_ending  (const char *name);
/* The text that belongs to an image, in its folder. NULL: there is none. Transfer full. */
char       *es_product_find_metadata (const char *image);

G_END_DECLS
