/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-picture.h"

G_BEGIN_DECLS

/* What the tests of pictures share: contexts, samples that are the same on every machine, views and their pixels. */

/* A realized context of the default display; NULL and *reason (nullable; static or the display's) without one. */
GdkGLContext *es_test_make_context (char **reason);
/* width x height floats; holes: with missing, infinite and negative ones. */
GBytes       *es_test_make_plane   (guint width, guint height, guint seed, gboolean holes);
/* 1 or 3 such planes, each the step-th part of a full picture that is a little smaller than step times them. */
EsPicture    *es_test_make_picture (guint n_planes, guint width, guint height, guint step, gboolean holes);
guint         es_test_full_size    (guint size, guint step);
/* width x height x 4 bytes. */
guint8       *es_test_download     (GdkTexture *texture);
/* The same of a view, through the uploader that is asked for: any other fails the test. NULL: whichever comes. */
guint8       *es_test_render       (EsPicture *picture, GdkGLContext *context, const char *uploader, int width,
                                    int height, const EsViewport *viewport);
/* Fails where two views differ, and says where and which. */
void          es_test_compare      (const guint8 *expected, const guint8 *found, int width, int height,
                                    const char *what, guint viewport);

/* Far and near, whole and crooked, beside the picture and inside. */
#define ES_TEST_N_VIEWPORTS 14
extern const EsViewport es_test_viewports[ES_TEST_N_VIEWPORTS];

G_END_DECLS
