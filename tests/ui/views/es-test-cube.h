/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"

G_BEGIN_DECLS

/* A simulated cube of 96 x 80 pixels and 60 bands in a folder of its own. NULL-safe to free with
 * es_test_cube_free (), which removes the folder. */
typedef struct
{
  char   *folder;
  EsCube *cube;
} EsTestCube;

EsTestCube *es_test_cube_new  (void);
void        es_test_cube_free (EsTestCube *self);
/* Its principal components, run here and now. Transfer full. */
EsResult   *es_test_cube_pca  (EsTestCube *self, double threshold, EsResult *previous);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestCube, es_test_cube_free)

G_END_DECLS
