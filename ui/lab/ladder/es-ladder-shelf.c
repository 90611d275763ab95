/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-shelf.h"

#include "base/es-task.h"
#include "es-ladder-fill.h"
#include "ladder/es-ladder-stored.h"
#include "session/es-result-load.h"

typedef struct
{
  const EsLadder *ladder;
  EsMachine      *machine;
  gboolean        wants_own;

  EsLadderSheet  *own;               /* nullable */
  char           *why;               /* nullable */
  GPtrArray      *others;
} Reading;

static void
free_reading (gpointer data)
{
  Reading *self = data;

  g_object_unref (self->machine);
  es_ladder_sheet_unref (self->own);
  g_free (self->why);
  g_ptr_array_unref (self->others);
  g_free (self);
}

static void
free_sheet (gpointer data)
{
  es_ladder_sheet_unref (data);
}

/* Of one machine and day once. */
static void
add (Reading *self, EsLadderSheet *sheet)
{
  for (guint i = 0; sheet != NULL && i < self->others->len; i++)
    if (g_str_equal (es_ladder_sheet_get_label (g_ptr_array_index (self->others, i)),
                     es_ladder_sheet_get_label (sheet)))
      g_clear_pointer (&sheet, es_ladder_sheet_unref);
  if (sheet != NULL)
    g_ptr_array_add (self->others, sheet);
}

/* What cannot be read is as if it were not there. */
static void
add_stored (Reading *self, GFile *file, GCancellable *cancellable)
{
  g_autoptr (EsResult) result = es_result_load (file, cancellable, NULL);
  g_autoptr (EsLadderClimb) climb = result != NULL ? es_ladder_climb_new_from (result, NULL) : NULL;

  if (climb == NULL)
    return;
  add (self, es_ladder_sheet_new_from (climb));
  add (self, es_ladder_sheet_new_published (climb));
}

static void
read_all (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsLadderClimb) climb = NULL;
  g_autoptr (GPtrArray) stored = es_ladder_stored_list ();

  if (self->wants_own)
    climb = es_ladder_climb_new_unmeasured (self->ladder, es_machine_get_id (self->machine),
                                            es_dataset_get_name (ES_DATASET (self->machine)), &error);
  if (climb != NULL)
    self->own = es_ladder_sheet_new_from (climb);
  else if (error != NULL)
    self->why = g_strdup (error->message);
  for (guint i = 0; i < stored->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      const EsLadderStored *at = g_ptr_array_index (stored, i);

      if (at->ladder == self->ladder)
        add_stored (self, at->file, cancellable);
    }
  if (climb != NULL)
    add (self, es_ladder_sheet_new_published (climb));
  g_task_return_boolean (task, TRUE);
}

void
es_ladder_shelf_read_async (const EsLadder *ladder, EsMachine *machine, gboolean own, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Reading *self = g_new0 (Reading, 1);

  self->ladder = ladder;
  self->machine = g_object_ref (machine);
  self->wants_own = own;
  self->others = g_ptr_array_new_with_free_func (free_sheet);
  g_task_set_source_tag (task, es_ladder_shelf_read_async);
  g_task_set_task_data (task, self, free_reading);
  es_task_run_in_thread (task, read_all);
}

GPtrArray *
es_ladder_shelf_read_finish (GAsyncResult *result, EsLadderSheet **own, char **why)
{
  Reading *self = g_task_get_task_data (G_TASK (result));

  *own = NULL;
  *why = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return NULL;
  *own = g_steal_pointer (&self->own);
  *why = g_steal_pointer (&self->why);
  return g_ptr_array_ref (self->others);
}
