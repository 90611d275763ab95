/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Parts of a piece of work, several at a time. */

#include "es-manifold-private.h"

typedef struct
{
  gsize    next;               /* atomic */
  gsize    parts;
  void   (*work) (gsize part, gpointer data);
  gpointer data;
} Parts;

static gpointer
parts_main (gpointer data)
{
  Parts *self = data;
  gsize part;

  while ((part = __atomic_fetch_add (&self->next, 1, __ATOMIC_RELAXED)) < self->parts)
    self->work (part, self->data);
  return NULL;
}

void
es_manifold_run_parts (guint threads, gsize parts, void (*work) (gsize part, gpointer data), gpointer data)
{
  Parts self = { .parts = parts, .work = work, .data = data };
  g_autoptr (GPtrArray) others = g_ptr_array_new ();

  for (gsize i = 1; i < MIN (threads, parts); i++)
    {
      GThread *thread = g_thread_try_new ("es-manifold", parts_main, &self, NULL);
      if (thread != NULL)
        g_ptr_array_add (others, thread);
    }
  parts_main (&self);
  for (guint i = 0; i < others->len; i++)
    g_thread_join (g_ptr_array_index (others, i));
}
