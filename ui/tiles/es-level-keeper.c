/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-level-keeper.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/es-task.h"
#include "es-tile-pool.h"
#include "pyramid/es-kept-levels.h"

/* ms that planes have to be looked at; ES_LEVELS_AFTER says otherwise, for tests. */
#define AFTER 3000
#define NICE  15

typedef struct
{
  EsPlaneSource *source;
  guint          n, planes[3], last;
} Wanted;

struct _EsLevelKeeper
{
  GObject       parent_instance;

  Wanted        wanted;        /* source NULL: nothing */
  guint         later;
  EsCube       *cube;          /* of what is being made; nullable */
  GCancellable *cancellable;
  gboolean      told;
};

enum { KEPT, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsLevelKeeper, es_level_keeper, G_TYPE_OBJECT)

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_object_unref (wanted->source);
  g_free (wanted);
}

static gboolean
others_read (gpointer unused)
{
  return es_tile_pool_count () > 0;
}

/* A thread of its own: the threads of tasks are wanted at their usual priority. */
static gpointer
make (gpointer data)
{
  g_autoptr (GTask) task = data;
  const Wanted *wanted = g_task_get_task_data (task);
  EsCube *cube = es_plane_source_get_cube (wanted->source);
  GError *error = NULL;
  gboolean missing = FALSE;

  /* Of this thread alone, as Linux has it. */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICE);
  for (guint i = 0; i < wanted->n; i++)
    missing = missing || !es_kept_levels_have (cube, wanted->planes[i], wanted->last);
  if (!missing)
    g_task_return_boolean (task, FALSE);
  else if (es_kept_levels_build (cube, wanted->n, wanted->planes, wanted->last, ES_KEPT_LEVELS_BUDGET, others_read,
                                 NULL, g_task_get_cancellable (task), &error))
    g_task_return_boolean (task, es_kept_levels_have (cube, wanted->planes[0], wanted->last));
  else
    g_task_return_error (task, error);
  return NULL;
}

static void start (EsLevelKeeper *self);

static void
on_made (GObject *object, GAsyncResult *result, gpointer user_data)
{
  EsLevelKeeper *self = ES_LEVEL_KEEPER (object);
  const Wanted *made = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean kept = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_object (&self->cube);
  g_clear_object (&self->cancellable);
  if (kept)
    g_signal_emit (self, signals[KEPT], 0, made->source);
  else if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && !self->told)
    {
      self->told = TRUE;
      g_signal_emit (self, signals[FAILED], 0, error);
    }
  if (self->later == 0 && self->wanted.source != NULL)
    start (self);
}

static void
start (EsLevelKeeper *self)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GThread) thread = NULL;

  /* The disk that was full, or the folder that cannot be written, is so for the next one. */
  if (self->cancellable != NULL || self->told)
    return;
  self->cancellable = g_cancellable_new ();
  self->cube = g_object_ref (es_plane_source_get_cube (self->wanted.source));
  task = g_task_new (self, self->cancellable, on_made, NULL);
  g_task_set_task_data (task, g_memdup2 (&self->wanted, sizeof self->wanted), wanted_free);
  self->wanted.source = NULL;
  es_task_end_here (task);
  thread = g_thread_new ("levels", make, g_steal_pointer (&task));
}

static gboolean
on_later (gpointer data)
{
  EsLevelKeeper *self = data;

  self->later = 0;
  if (self->wanted.source != NULL)
    start (self);
  return G_SOURCE_REMOVE;
}

void
es_level_keeper_want (EsLevelKeeper *self, EsPlaneSource *source, guint n, const guint *planes, guint last)
{
  const char *after = g_getenv ("ES_LEVELS_AFTER");
  EsCube *cube;

  g_return_if_fail (ES_IS_LEVEL_KEEPER (self) && ES_IS_PLANE_SOURCE (source) && n <= 3);

  cube = es_plane_source_get_cube (source);
  if (cube == NULL || last == 0)
    return;
  /* What is made of another cube is given up; of this one it is a matter of time. */
  if (self->cancellable != NULL && self->cube != cube)
    g_cancellable_cancel (self->cancellable);
  g_set_object (&self->wanted.source, source);
  self->wanted.n = n;
  memcpy (self->wanted.planes, planes, n * sizeof *planes);
  self->wanted.last = last;
  g_clear_handle_id (&self->later, g_source_remove);
  self->later = g_timeout_add (after != NULL ? (guint) g_ascii_strtoull (after, NULL, 10) : AFTER, on_later, self);
}

void
es_level_keeper_drop (EsLevelKeeper *self, EsPlaneSource *source)
{
  g_return_if_fail (ES_IS_LEVEL_KEEPER (self) && ES_IS_PLANE_SOURCE (source));

  if (self->wanted.source != NULL
      && es_plane_source_get_data (self->wanted.source) == es_plane_source_get_data (source))
    {
      g_clear_handle_id (&self->later, g_source_remove);
      g_clear_object (&self->wanted.source);
    }
  if (self->cancellable != NULL && self->cube == es_plane_source_get_cube (source))
    g_cancellable_cancel (self->cancellable);
}

gboolean
es_level_keeper_is_busy (EsLevelKeeper *self)
{
  g_return_val_if_fail (ES_IS_LEVEL_KEEPER (self), FALSE);
  return self->cancellable != NULL || self->wanted.source != NULL;
}

EsLevelKeeper *
es_level_keeper_get (void)
{
  static EsLevelKeeper *keeper;

  if (keeper == NULL)
    keeper = g_object_new (ES_TYPE_LEVEL_KEEPER, NULL);
  return keeper;
}

static void
es_level_keeper_finalize (GObject *object)
{
  EsLevelKeeper *self = ES_LEVEL_KEEPER (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_object (&self->wanted.source);
  g_clear_object (&self->cube);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (es_level_keeper_parent_class)->finalize (object);
}

static void
es_level_keeper_class_init (EsLevelKeeperClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_level_keeper_finalize;
  signals[KEPT] = g_signal_new ("kept", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_POINTER);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
es_level_keeper_init (EsLevelKeeper *self)
{
}
