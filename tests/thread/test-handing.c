/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Whether ThreadSanitizer sees what it should: numbers that GLib hands from thread to thread under a lock, by a pool, a
 * queue, a main context, a first use or the last reference are no race, and those that nothing hands over are one.
 */

#include <gio/gio.h>

#include <string.h>

#define ROUNDS 200

/* Written by one thread and read by another, each time anew. */
typedef struct
{
  GMutex       mutex;
  GRecMutex    rec_mutex;
  GRWLock      rw_lock;
  GCond        cond;
  GAsyncQueue *queue;
  GMainLoop   *loop;
  gboolean     ready;
  gint         count;
  guint        value;
  guint       *box;
} Shared;

static Shared *
shared_new (void)
{
  Shared *self = g_new0 (Shared, 1);

  g_mutex_init (&self->mutex);
  g_rec_mutex_init (&self->rec_mutex);
  g_rw_lock_init (&self->rw_lock);
  g_cond_init (&self->cond);
  self->queue = g_async_queue_new ();

  return self;
}

static void
shared_free (Shared *self)
{
  g_mutex_clear (&self->mutex);
  g_rec_mutex_clear (&self->rec_mutex);
  g_rw_lock_clear (&self->rw_lock);
  g_cond_clear (&self->cond);
  g_async_queue_unref (self->queue);
  g_free (self);
}

/* --- Handed over ------------------------------------------------------------------------------------------ */

static gpointer
add_locked (gpointer data)
{
  Shared *self = data;

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_mutex_lock (&self->mutex);
      self->value++;
      g_mutex_unlock (&self->mutex);
      if (g_mutex_trylock (&self->mutex))
        {
          self->value++;
          g_mutex_unlock (&self->mutex);
        }
      g_rec_mutex_lock (&self->rec_mutex);
      g_rec_mutex_lock (&self->rec_mutex);
      self->count++;
      g_rec_mutex_unlock (&self->rec_mutex);
      g_rec_mutex_unlock (&self->rec_mutex);
      g_rw_lock_reader_lock (&self->rw_lock);
      g_assert_true (self->ready || !self->ready);
      g_rw_lock_reader_unlock (&self->rw_lock);
      g_rw_lock_writer_lock (&self->rw_lock);
      self->ready = !self->ready;
      g_rw_lock_writer_unlock (&self->rw_lock);
    }

  return NULL;
}

static void
with_locks (void)
{
  Shared *self = shared_new ();
  GThread *threads[2];

  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    threads[t] = g_thread_new ("adds", add_locked, self);
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    g_thread_join (threads[t]);
  g_assert_cmpint (self->count, ==, 2 * ROUNDS);
  g_assert_cmpuint (self->value, >=, 2 * ROUNDS);
  shared_free (self);
}

static gpointer
answer (gpointer data)
{
  Shared *self = data;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < ROUNDS; i++)
    {
      while (!self->ready)
        g_cond_wait (&self->cond, &self->mutex);
      self->ready = FALSE;
      (*self->box)++;
      g_cond_signal (&self->cond);
    }
  g_mutex_unlock (&self->mutex);

  return NULL;
}

static void
with_condition (void)
{
  Shared *self = shared_new ();
  GThread *thread = g_thread_new ("answers", answer, self);
  guint sum = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      guint *box = g_new0 (guint, 1);

      *box = i;
      g_mutex_lock (&self->mutex);
      self->box = box;
      self->ready = TRUE;
      g_cond_signal (&self->cond);
      while (self->ready)
        g_cond_wait_until (&self->cond, &self->mutex, g_get_monotonic_time () + G_TIME_SPAN_MINUTE);
      g_mutex_unlock (&self->mutex);
      sum += *box;
      g_free (box);
    }
  g_thread_join (thread);
  g_assert_cmpuint (sum, ==, ROUNDS * (ROUNDS + 1) / 2);
  shared_free (self);
}

static void
double_item (gpointer item,
             gpointer data)
{
  guint *box = item;

  *box *= 2;
  g_async_queue_push (data, box);
}

/* To the workers by the pool, back by the queue, in memory that both have had before. */
static void
with_pool (void)
{
  Shared *self = shared_new ();
  GThreadPool *pool = g_thread_pool_new (double_item, self->queue, 2, FALSE, NULL);
  guint sum = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      guint *box = g_memdup2 (&i, sizeof i);

      g_assert_true (g_thread_pool_push (pool, box, NULL));
    }
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autofree guint *box = g_async_queue_pop (self->queue);

      sum += *box;
    }
  g_assert_cmpuint (sum, ==, ROUNDS * (ROUNDS - 1));
  g_thread_pool_free (pool, FALSE, TRUE);
  shared_free (self);
}

static gboolean
take_value (gpointer data)
{
  Shared *self = data;

  self->value += *self->box;
  g_main_loop_quit (self->loop);

  return G_SOURCE_REMOVE;
}

static gpointer
call_back (gpointer data)
{
  Shared *self = data;

  *self->box = 7;
  g_idle_add (take_value, self);

  return NULL;
}

static void
half_task (GTask       *task,
           gpointer     source,
           gpointer     data,
           GCancellable *cancellable)
{
  guint *box = data;

  g_task_return_pointer (task, g_memdup2 (box, sizeof *box), g_free);
}

static void
task_done (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree guint *box = g_task_propagate_pointer (G_TASK (result), NULL);
  Shared *self = data;

  self->value += *box;
  g_main_loop_quit (self->loop);
}

static void
with_main_context (void)
{
  Shared *self = shared_new ();

  self->loop = g_main_loop_new (NULL, FALSE);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, task_done, self);
      g_autofree guint *box = g_new0 (guint, 1);
      GThread *thread;

      self->box = box;
      thread = g_thread_new ("calls", call_back, self);
      g_main_loop_run (self->loop);
      g_thread_join (thread);
      g_task_set_task_data (task, g_memdup2 (box, sizeof *box), g_free);
      g_task_run_in_thread (task, half_task);
      g_main_loop_run (self->loop);
    }
  g_assert_cmpuint (self->value, ==, 20 * 14);
  g_main_loop_unref (self->loop);
  shared_free (self);
}

static guint *
first_use (void)
{
  static gsize made;
  static guint *box;

  if (g_once_init_enter (&made))
    {
      box = g_new0 (guint, 1);
      *box = 3;
      g_once_init_leave (&made, 1);
    }

  return box;
}

static gpointer
use (gpointer data)
{
  return GUINT_TO_POINTER (*first_use ());
}

/* What an object's last reference takes with it, whoever gives it back. */
static void
let_go (gpointer data)
{
  guint *box = data;

  (*box)++;
  g_free (box);
}

static gpointer
unref (gpointer data)
{
  guint *box = g_object_get_data (data, "box");

  if (box != NULL)
    *box += 1;
  g_object_unref (data);

  return NULL;
}

static gpointer
release (gpointer data)
{
  guint *box = data;
  guint before = *box;

  g_assert_cmpuint (before, ==, 5);
  g_atomic_rc_box_release (box);

  return NULL;
}

static void
with_references (void)
{
  GThread *threads[2];

  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    threads[t] = g_thread_new ("uses", use, NULL);
  for (guint t = 0; t < G_N_ELEMENTS (threads); t++)
    g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (threads[t])), ==, 3);

  for (guint i = 0; i < 20; i++)
    {
      GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
      guint *box = g_atomic_rc_box_new (guint);
      GThread *thread;

      g_object_set_data_full (object, "box", g_new0 (guint, 1), let_go);
      thread = g_thread_new ("unrefs", unref, g_object_ref (object));
      g_object_unref (object);
      g_thread_join (thread);

      *box = 5;
      thread = g_thread_new ("releases", release, g_atomic_rc_box_acquire (box));
      g_atomic_rc_box_release (box);
      g_thread_join (thread);
    }
}

/* --- Not handed over -------------------------------------------------------------------------------------- */

/* Together at the start, so that neither is through before the other begins. */
static gpointer
add_unlocked (gpointer data)
{
  Shared *self = data;

  g_atomic_int_inc (&self->count);
  while (g_atomic_int_get (&self->count) < 2)
    g_thread_yield ();
  for (guint i = 0; i < ROUNDS; i++)
    self->value++;

  return NULL;
}

static void
without_lock (void)
{
  Shared *self = shared_new ();
  GThread *thread = g_thread_new ("adds", add_unlocked, self);

  add_unlocked (self);
  g_thread_join (thread);
  shared_free (self);
}

static void
forget_item (gpointer item,
             gpointer data)
{
  Shared *self = item;

  self->value++;
  g_atomic_int_inc (&self->count);
}

/* The item was given away: what is changed in it afterwards is a race with the worker. */
static void
after_pushing (void)
{
  Shared *self = shared_new ();
  GThreadPool *pool = g_thread_pool_new (forget_item, NULL, 1, FALSE, NULL);

  g_thread_pool_push (pool, self, NULL);
  self->value++;
  g_thread_pool_free (pool, FALSE, TRUE);
  shared_free (self);
}

/* Two locks that do not exclude each other. */
static gpointer
add_with_own_lock (gpointer data)
{
  Shared *self = data;
  GMutex own;

  g_mutex_init (&own);
  g_mutex_lock (&own);
  add_unlocked (self);
  g_mutex_unlock (&own);
  g_mutex_clear (&own);

  return NULL;
}

static void
with_other_lock (void)
{
  Shared *self = shared_new ();
  GThread *thread = g_thread_new ("adds", add_with_own_lock, self);

  add_with_own_lock (self);
  g_thread_join (thread);
  shared_free (self);
}

/* Each in the other's order. */
static void
crossed_locks (void)
{
  GMutex first, second;

  g_mutex_init (&first);
  g_mutex_init (&second);
  g_mutex_lock (&first);
  g_mutex_lock (&second);
  g_mutex_unlock (&second);
  g_mutex_unlock (&first);
  g_mutex_lock (&second);
  g_mutex_lock (&first);
  g_mutex_unlock (&first);
  g_mutex_unlock (&second);
  g_mutex_clear (&first);
  g_mutex_clear (&second);
}

/* A buffer is freed while another thread may still read it. */
static gpointer
read_box (gpointer data)
{
  Shared *self = data;

  self->value = *self->box;
  g_atomic_int_inc (&self->count);

  return NULL;
}

static void
freed_early (void)
{
  Shared *self = shared_new ();
  GThread *thread;

  self->box = g_new0 (guint, 1);
  thread = g_thread_new ("reads", read_box, self);
  /* Long enough to be read in memory that is still there, by a clock that hands nothing over. */
  g_usleep (50000);
  g_free (self->box);
  g_thread_join (thread);
  shared_free (self);
}

static const struct
{
  const char *name;
  void      (*run) (void);
  gboolean    race;
} cases[] = {
  { "locks", with_locks, FALSE },
  { "condition", with_condition, FALSE },
  { "pool-and-queue", with_pool, FALSE },
  { "main-context", with_main_context, FALSE },
  { "references", with_references, FALSE },
  { "without-lock", without_lock, TRUE },
  { "after-pushing", after_pushing, TRUE },
  { "other-lock", with_other_lock, TRUE },
  { "crossed-locks", crossed_locks, TRUE },
  { "freed-early", freed_early, TRUE },
};

/* Each in a process of its own: what ThreadSanitizer reports is its exit status and what it prints. */
static void
test_case (gconstpointer data)
{
  guint c = GPOINTER_TO_UINT (data);

  if (g_test_subprocess ())
    {
      cases[c].run ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  if (cases[c].race)
    {
      g_test_trap_assert_failed ();
      g_test_trap_assert_stderr ("*WARNING: ThreadSanitizer: *");
    }
  else
    {
      g_test_trap_assert_passed ();
      g_test_trap_assert_stderr_unmatched ("*ThreadSanitizer*");
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *path = g_strconcat ("/thread/", cases[c].race ? "reported/" : "silent/", cases[c].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (c), test_case);
    }

  return g_test_run ();
}
