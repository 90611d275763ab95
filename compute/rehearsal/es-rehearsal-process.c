/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The helper is started without a copy of this process, which has threads, and waited for at a pipe: what it says, and
 * the end of the pipe, which is its own end. Nothing of GLib's main loop takes part, so that any thread may wait.
 */

#include "es-rehearsal-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/es-installed.h"
#include "es-rehearsal.h"

#define PROGRAM "eigenscope-rehearse"
/* Processor time: the least, and the file that gets a second more. Of the clock, however slow the disk is. */
#define SECONDS           15u
#define BYTES_PER_SECOND  ((guint64) 16 << 20)
#define MOST_CLOCK        ((gint64) 600 * G_USEC_PER_SEC)
/* Address space: what any file may take, and how much more for every byte of it. A chunk is unpacked in several
 * copies, and one above 256 MiB holds a 64th of what it unpacks to (es-claim-hdf5.c). */
#define FREE_BYTES        ((guint64) 2 << 30)
#define BYTES_PER_BYTE    192u
/* An error is a sentence. */
#define MOST_SAID         65536u

/* $ES_REHEARSE: the path of another one. */
static char *
find_program (void)
{
  const char *wanted = g_getenv ("ES_REHEARSE");

  return wanted != NULL && *wanted != '\0' ? g_strdup (wanted) : es_installed_find_helper (PROGRAM);
}

static guint64
most_bytes (guint64 size)
{
  const long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  const guint64 memory = pages > 0 && page > 0 ? (guint64) pages * (guint64) page : FREE_BYTES;

  return FREE_BYTES + MIN (size > G_MAXUINT64 / BYTES_PER_BYTE ? G_MAXUINT64 : size * BYTES_PER_BYTE, memory / 5 * 4);
}

/* $ES_REHEARSE_SECONDS: of processor time, whatever the size. */
static guint64
most_seconds (guint64 size)
{
  const char *wanted = g_getenv ("ES_REHEARSE_SECONDS");
  guint64 seconds;

  return wanted != NULL && g_ascii_string_to_unsigned (wanted, 10, 1, G_MAXINT, &seconds, NULL)
           ? seconds : SECONDS + size / BYTES_PER_SECOND;
}

static char **
make_environment (void)
{
  char **environment = g_get_environ ();

  /* One thread is enough, and each of theirs takes address space. */
  environment = g_environ_setenv (environment, "OPENBLAS_NUM_THREADS", "1", TRUE);
  environment = g_environ_setenv (environment, "OMP_NUM_THREADS", "1", TRUE);
  /* What is used before it was filled, or after it was given back, is never by chance what would do. */
  environment = g_environ_setenv (environment, "MALLOC_PERTURB_", "165", TRUE);
  return environment;
}

/* 0, or an errno. Its end of the pipe is ES_REHEARSAL_DESCRIPTOR; it has no other file of ours. */
static int
start (char **arguments, int said, pid_t *pid)
{
  g_auto (GStrv) environment = make_environment ();
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int code;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&files);
  posix_spawn_file_actions_addopen (&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2 (&files, said, ES_REHEARSAL_DESCRIPTOR);
#if ES_HAS_SPAWN_CLOSEFROM
  posix_spawn_file_actions_addclosefrom_np (&files, ES_REHEARSAL_DESCRIPTOR + 1);
#endif
  /* A group of its own: Ctrl+C at a terminal is for us, who end it. */
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setpgroup (&attributes, 0);
  code = posix_spawn (pid, arguments[0], &files, &attributes, arguments, environment);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&files);
  return code;
}

/* Until the pipe ends: PASSED, for as far as that is known here. */
static EsRehearsalEnd
listen (int heard, GString *said, GCancellable *cancellable)
{
  const gint64 end = g_get_monotonic_time () + MOST_CLOCK;
  struct pollfd polled[2] = { { .fd = heard, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
  EsRehearsalEnd result = ES_REHEARSAL_PASSED;
  gboolean ended = FALSE;

  if (cancellable != NULL)
    polled[1].fd = g_cancellable_get_fd (cancellable);
  while (!ended && result == ES_REHEARSAL_PASSED)
    {
      const gint64 left = (end - g_get_monotonic_time ()) / 1000;
      char bytes[4096];
      ssize_t n;

      if (left <= 0)
        result = ES_REHEARSAL_ENDLESS;
      else if (g_cancellable_is_cancelled (cancellable))
        result = ES_REHEARSAL_CANCELLED;
      else if (poll (polled, 2, (int) left) > 0 && polled[0].revents != 0)
        {
          n = read (heard, bytes, sizeof bytes);
          if (n > 0 && said->len + (gsize) n <= MOST_SAID)
            g_string_append_len (said, bytes, n);
          else
            ended = n >= 0 || errno != EINTR;
        }
    }
  if (polled[1].fd >= 0)
    g_cancellable_release_fd (cancellable);
  return result;
}

static EsRehearsalEnd
judge (int status, const char *answer)
{
  if (WIFSIGNALED (status))
    return WTERMSIG (status) == SIGXCPU ? ES_REHEARSAL_ENDLESS : ES_REHEARSAL_CRASHED;
  if (WEXITSTATUS (status) == ES_REHEARSAL_EXIT_MEMORY)
    return ES_REHEARSAL_GREEDY;
  if (WEXITSTATUS (status) != 0 || *answer == '\0')
    return ES_REHEARSAL_CRASHED;
  return strcmp (answer, ES_REHEARSAL_DONE) == 0 ? ES_REHEARSAL_PASSED : ES_REHEARSAL_REFUSED;
}

EsRehearsalEnd
es_rehearsal_process (const char * const *arguments, guint64 size, GCancellable *cancellable, char **answer)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) said = g_string_new (NULL);
  EsRehearsalEnd result;
  int ends[2], code, status = 0;
  pid_t pid;

  *answer = NULL;
  g_ptr_array_add (all, find_program ());
  g_ptr_array_add (all, g_strdup (ES_VERSION));
  g_ptr_array_add (all, g_strdup_printf ("%ld", (long) getpid ()));
  g_ptr_array_add (all, g_strdup_printf ("%" G_GUINT64_FORMAT, most_seconds (size)));
  g_ptr_array_add (all, g_strdup_printf ("%" G_GUINT64_FORMAT, most_bytes (size)));
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (arguments[i]));
  g_ptr_array_add (all, NULL);

  if (pipe2 (ends, O_CLOEXEC) != 0)
    code = errno;
  else
    {
      /* A copy onto itself would stay closed. */
      const int high = fcntl (ends[1], F_DUPFD_CLOEXEC, ES_REHEARSAL_DESCRIPTOR + 1);

      code = high >= 0 ? start ((char **) all->pdata, high, &pid) : errno;
      close (ends[1]);
      if (high >= 0)
        close (high);
      if (code != 0)
        close (ends[0]);
    }
  if (code != 0)
    {
      *answer = g_strdup (g_strerror (code));
      return ES_REHEARSAL_UNUSABLE;
    }

  result = listen (ends[0], said, cancellable);
  close (ends[0]);
  /* Also one that has closed the pipe and goes on; of one that has come to an end it changes nothing. */
  kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (result != ES_REHEARSAL_PASSED)
    return result;
  /* Before it has said that it is there it has seen nothing of the file. */
  if (!g_str_has_prefix (said->str, ES_REHEARSAL_READY))
    return ES_REHEARSAL_UNUSABLE;
  *answer = g_strdup (said->str + strlen (ES_REHEARSAL_READY));
  return judge (status, *answer);
}
