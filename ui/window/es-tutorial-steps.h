/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-tutorial.h"

G_BEGIN_DECLS

/* A page of the tutorial: what it says, and what its button does. */
typedef struct
{
  const char *title;           /* N_() */
  const char *todo;            /* N_(): what to click */
  const char *see;             /* N_(): what to see, and what it means */
  const char *action;          /* of the window, without "win."; NULL: nothing can do it for the person */
  const char *target;          /* string of the action; nullable */
  const char *button;          /* N_() */
} EsTutorialStep;

/* n steps of a path, one at least. */
const EsTutorialStep *es_tutorial_get_steps (EsTutorialPath path, guint *n);

G_END_DECLS
