/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Work on a thread, under the signals: the first one cancels, or stops what can be gone on with, where it is one of
 * those that queues send; the second one ends the program whatever it does. */

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "es-batch-tool.h"
#include "ranks/es-ranks.h"

static atomic_int signals;
static int wake[2] = { -1, -1 };
static EsBatchStop stop;                 /* NULL: there is nothing to go on with */
static gpointer stop_data;
static atomic_int stops;                 /* the same for the handler */
static gboolean launched;       /* as one of several processes */

/* Safe wherever it interrupts: a counter, and a byte that wakes the main loop where that runs. Whoever calls again does
 * not want to wait until something is put in order. */
static void
on_signal (int number)
{
  const int before = errno;
  const int earlier = atomic_fetch_add (&signals, 1);
  const gboolean ends = number == SIGTERM || number == SIGUSR1;

  /* A launcher ends its processes after whatever somebody has sent one of them, and then waits a little. */
  if (earlier > 0 && !(ends && launched && earlier < 3))
    _exit (ES_EXIT_CANCELLED);
  if (ends && atomic_load (&stops))
    es_ranks_pause (number == SIGTERM);
  else
    es_ranks_cancel (ends);
  while (write (wake[1], "", 1) < 0 && errno == EINTR)
    ;
  errno = before;
}

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };

void
es_batch_ignore_signals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (caught); i++)
    signal (caught[i], SIG_IGN);
}

gboolean
es_batch_catch_signals (void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;

  guint rank, size;

  launched = es_ranks_are_launched (&rank, &size) && size > 1;
  if (pipe2 (wake, O_CLOEXEC | O_NONBLOCK) != 0)
    {
      g_printerr ("eigenscope-batch: %s\n", g_strerror (errno));
      return FALSE;
    }
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (caught); i++)
    /* What nohup turns off stays off; what a shell does to those in its background is for its own sake. */
    if (caught[i] != SIGHUP || (sigaction (caught[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN))
      sigaction (caught[i], &action, NULL);
  return TRUE;
}

typedef struct
{
  EsBatchWork   work;
  gpointer      data;
  GCancellable *cancellable;
  GMainLoop    *loop;
  GError       *error;
  gboolean      done;
} Work;

static gboolean
quit_loop (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static gpointer
work_thread (gpointer data)
{
  Work *work = data;

  work->done = work->work (work->data, work->cancellable, &work->error);
  g_idle_add_full (G_PRIORITY_DEFAULT, quit_loop, work->loop, NULL);
  return NULL;
}

static gboolean
on_wake (int fd, GIOCondition condition, gpointer cancellable)
{
  char bytes[8];

  while (read (fd, bytes, sizeof bytes) > 0)
    ;
  if (es_ranks_is_paused () && stop != NULL)
    stop (stop_data, cancellable);
  else
    g_cancellable_cancel (cancellable);
  return G_SOURCE_CONTINUE;
}

/* Of another process. */
static void
pause_work (gpointer cancellable)
{
  if (stop != NULL)
    stop (stop_data, cancellable);
}

void
es_batch_on_stop (EsBatchStop function, gpointer data)
{
  stop = function;
  stop_data = data;
  atomic_store (&stops, function != NULL);
}

static void
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

gboolean
es_batch_work (EsBatchWork function, gpointer data, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) thread_error = NULL;
  Work work = { function, data, cancellable, loop, NULL, FALSE };
  GThread *thread;
  guint source;

  /* Before there was anything to cancel, or between two files. */
  if (atomic_load (&signals) > 0)
    {
      g_cancellable_cancel (cancellable);
      return !g_cancellable_set_error_if_cancelled (cancellable, error);
    }
  thread = g_thread_try_new ("es-batch", work_thread, &work, &thread_error);
  if (thread == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("The work cannot begin: %s."),
                   thread_error->message);
      return FALSE;
    }
  es_ranks_on_cancel (cancel, cancellable);
  es_ranks_on_pause (pause_work, cancellable);
  source = g_unix_fd_add_full (G_PRIORITY_HIGH, wake[0], G_IO_IN, on_wake, cancellable, NULL);
  g_main_loop_run (loop);
  g_thread_join (thread);
  g_source_remove (source);
  es_ranks_on_cancel (NULL, NULL);
  es_ranks_on_pause (NULL, NULL);
  /* Notifications on their way hold the job, and through it files that nobody has saved: they would stay hidden in the
   * folder of the result. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  if (work.error != NULL)
    g_propagate_error (error, work.error);
  return work.done;
}
