/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Actions as a table: each says what has to be so for it to make sense, as flags of whoever owns the table. */
typedef struct
{
  const char *name;
  const char *parameter;         /* its type; nullable */
  void      (*activate) (gpointer owner, const char *name, GVariant *parameter);
  guint       needs;
  const char *state;             /* which of its targets holds at first; NULL: it has no state */
} EsAction;

/* The table must stay where it is; an owner that is gone is not asked any more. */
void es_actions_add    (GActionMap *map, const EsAction *actions, guint n, GObject *owner);
/* Enables those whose needs are met. */
void es_actions_update (GActionMap *map, const EsAction *actions, guint n, guint met);

G_END_DECLS
