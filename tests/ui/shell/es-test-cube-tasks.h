/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-shell.h"

G_BEGIN_DECLS

/* One thing of a day's work, done in the window; check fails the test where it is not there. */
typedef struct
{
  const char *what;
  void      (*act)   (EsWindow *window);
  void      (*check) (EsWindow *window);
  guint       until;           /* the task that changes it again; 0: none does */
} EsTestCubeTask;

/* In order. */
extern const EsTestCubeTask es_test_cube_tasks[];
extern const guint          es_test_n_cube_tasks;
/* The file of the scene, in the folder that the tasks share: to be set first. */
extern const char          *es_test_cube_scene;

G_END_DECLS
