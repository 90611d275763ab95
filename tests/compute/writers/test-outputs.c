/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Several files at once, when the process that saves them is killed at any moment or any step fails. */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "saving/es-durable.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "saving/es-part-internal.h"
#include "saving/es-output-internal.h"
#include "es-test-folder.h"

#define KILLS 200

/* ---- a result, and another over it ---- */

static const char * const old_files[] = { "a.hdr", "a.img", "b.csv", "gone.csv", "result.json", NULL };
static const char * const new_files[] = { "a.hdr", "a.img", "b.csv", "c.csv", "result.json", NULL };

static void
make_old (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "c.csv", NULL);

  for (guint i = 0; old_files[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (folder, old_files[i], NULL);
      int fd = open (file, O_WRONLY | O_CREAT | O_TRUNC, 0666);

      g_assert_cmpint (fd, >=, 0);
      g_assert_cmpint (write (fd, "old", 3), ==, 3);
      close (fd);
    }
  g_unlink (path);
}

static gboolean
save_new (const char *folder)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *gone = g_build_filename (folder, "gone.csv", NULL);

  es_outputs_remove (outputs, gone);
  for (guint i = 0; new_files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, new_files[i], NULL);
      const EsOutput *output = es_outputs_add (outputs, path, FALSE, NULL);

      if (output == NULL || !es_file_write (output->fd, path, "new", 3, NULL))
        return FALSE;
      /* As if another library had written it. */
      if (i == 1)
        es_outputs_hand_over (outputs, output);
    }
  return es_outputs_commit (outputs, NULL);
}

static gboolean
holds (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strcmp (content, text) == 0;
}

static gboolean
holds_all (const char *folder, const char * const *names, const char *text, const char *not)
{
  g_autofree char *other = g_build_filename (folder, not, NULL);
  gboolean all = !g_file_test (other, G_FILE_TEST_EXISTS);

  for (guint i = 0; all && names[i] != NULL; i++)
    all = holds (folder, names[i], text);
  return all;
}

/* As whoever opens the result finds it: TRUE where it is the new one, and a failure where it is neither. */
static gboolean
is_new (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_outputs_settle (path, &error));
  g_assert_no_error (error);
  if (holds_all (folder, new_files, "new", "gone.csv"))
    return TRUE;
  if (!holds_all (folder, old_files, "old", "c.csv"))
    {
      g_autofree char *names = es_test_folder_list (folder);
      g_error ("neither the old nor the new one: %s", names);
    }
  return FALSE;
}

/* ---- a process that saves, call by call ---- */

/* A file system without links. */
static void
forbid_links (void)
{
  struct sock_filter steps[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (steps), steps };

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit (3);
}

/* A child that waits before it saves; 0 where processes may not be traced. */
static pid_t
begin_saving (const char *folder, gboolean links)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      if (!links)
        forbid_links ();
      if (ptrace (PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit (2);
      raise (SIGSTOP);
      _exit (save_new (folder) ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFSTOPPED (status))
    return child;
  return 0;
}

/* Goes on until it enters or leaves the next call of the system. FALSE: it has come to its end. */
static gboolean
step (pid_t child, int *status)
{
  g_assert_cmpint (ptrace (PTRACE_SYSCALL, child, NULL, NULL), ==, 0);
  g_assert_cmpint (waitpid (child, status, 0), ==, child);
  return WIFSTOPPED (*status);
}

static void
end (pid_t child)
{
  int status;

  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
}

static guint
count_steps (const char *folder, gboolean links)
{
  pid_t child = begin_saving (folder, links);
  guint n = 0;
  int status = 0;

  while (child != 0 && step (child, &status))
    n++;
  g_assert_true (child == 0 || (WIFEXITED (status) && WEXITSTATUS (status) == 0));
  return n;
}

static void
test_killed (gconstpointer data)
{
  const gboolean links = GPOINTER_TO_INT (data);
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GRand) random = g_rand_new_with_seed (14);
  const guint n_kills = links ? KILLS : KILLS / 4;
  guint n, n_old = 0, n_new = 0, n_left = 0;

  make_old (folder);
  n = count_steps (folder, links);
  if (n == 0)
    {
      g_test_skip ("processes may not be traced here");
      return;
    }
  g_assert_true (is_new (folder));

  for (guint i = 0; i < n_kills; i++)
    {
      const guint at = (guint) g_rand_int_range (random, 0, (gint32) n);
      g_autofree char *names = NULL, *kept = NULL;
      pid_t child;
      int status = 0;

      make_old (folder);
      child = begin_saving (folder, links);
      /* The names that are found in the folder make it some steps more or less. */
      for (guint k = 0; k < at && (k == 0 || WIFSTOPPED (status)); k++)
        step (child, &status);
      if (at == 0 || WIFSTOPPED (status))
        end (child);
      if (is_new (folder))
        n_new++;
      else
        n_old++;

      names = es_test_folder_list (folder);
      n_left += strstr (names, ".part-") != NULL || strstr (names, ".old-") != NULL;
      /* The next save leaves nothing of it. */
      g_assert_true (save_new (folder));
      g_assert_true (is_new (folder));
      kept = es_test_folder_list (folder);
      g_assert_cmpstr (kept, ==, "a.hdr a.img b.csv c.csv result.json");
    }
  g_test_message ("%u steps; %u times the old one, %u times the new one, %u times with parts", n, n_old, n_new, n_left);
  g_assert_cmpuint (n_old, >, n_kills / 10);
  g_assert_cmpuint (n_new, >, 0);
  g_assert_cmpuint (n_left, >, n_kills / 10);
}

#ifdef __x86_64__
/* Lets the call that a child has just entered fail, where it is one that changes files. */
static gboolean
fail_call (pid_t child, int *status)
{
  static const int calls[] = { SYS_openat, SYS_fsync, SYS_linkat, SYS_renameat, SYS_renameat2, SYS_rename, SYS_unlink,
                               SYS_unlinkat, SYS_write, SYS_pwrite64 };
  struct user_regs_struct registers;
  gboolean found = FALSE;

  g_assert_cmpint (ptrace (PTRACE_GETREGS, child, NULL, &registers), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    found |= (int) registers.orig_rax == calls[i];
  if (!found)
    return FALSE;
  registers.orig_rax = (unsigned long long) -1;
  g_assert_cmpint (ptrace (PTRACE_SETREGS, child, NULL, &registers), ==, 0);
  if (!step (child, status))
    g_error ("a call did not return");
  g_assert_cmpint (ptrace (PTRACE_GETREGS, child, NULL, &registers), ==, 0);
  registers.rax = (unsigned long long) -EIO;
  g_assert_cmpint (ptrace (PTRACE_SETREGS, child, NULL, &registers), ==, 0);
  return TRUE;
}

/* Whichever call fails: what the save says is true, and all files are of one kind. */
static void
test_failing (gconstpointer data)
{
  const gboolean links = GPOINTER_TO_INT (data);
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  guint n, failed = 0, refused = 0;

  make_old (folder);
  n = count_steps (folder, links);
  if (n == 0)
    {
      g_test_skip ("processes may not be traced here");
      return;
    }
  for (guint at = 0; at < n; at += 2)
    {
      pid_t child;
      int status = 0;

      make_old (folder);
      child = begin_saving (folder, links);
      /* Calls are entered and left by turns. */
      for (guint k = 0; k <= at && step (child, &status); k++)
        ;
      if (!WIFSTOPPED (status) || !fail_call (child, &status))
        {
          if (WIFSTOPPED (status))
            end (child);
          continue;
        }
      failed++;
      while (step (child, &status))
        ;
      g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) <= 1);
      refused += WEXITSTATUS (status) == 1;
      g_assert_true (is_new (folder) == (WEXITSTATUS (status) == 0));
    }
  g_test_message ("%u calls failed, and the save with %u of them", failed, refused);
  g_assert_cmpuint (refused, >, 20);
  g_assert_true (save_new (folder) && is_new (folder));
  es_test_assert_unchanged (folder, "a.hdr a.img b.csv c.csv result.json");
}
#endif

/* ---- what is left behind ---- */

static void
touch (const char *path)
{
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
}

/* Parts of the dead go with the next save, those of the living and whatever is not certainly ours stay. */
static void
test_parts (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *target = g_build_filename (folder, "t.csv", NULL), *dead = NULL, *living = NULL, *names = NULL;
  g_autofree char *alike = g_build_filename (folder, ".t.csv.part-0123456789abcdef01234567", NULL);
  g_autofree char *foreign = g_build_filename (folder, ".t.csv.part-3fa08c", NULL), *copy = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (target);
  g_autoptr (GError) error = NULL;
  int held;

  close (es_part_open (target, &dead, &error));
  held = es_part_open (target, &living, &error);
  g_assert_no_error (error);
  touch (alike);
  touch (foreign);
  /* One of ours that somebody has renamed. */
  copy = g_strdup (dead);
  copy[strlen (folder) + 2] = 'u';
  touch (copy);

  /* Others are there: it is not for anybody to take. */
  g_autofree char *begun = g_build_filename (folder, "begun", NULL), *inside = g_build_filename (begun, "t.csv", NULL);
  g_autofree char *left = NULL;
  g_assert_cmpint (g_mkdir (begun, 0700), ==, 0);
  g_assert_false (es_durable_tidy_folder (begun));
  close (es_part_open (inside, &left, &error));
  g_assert_true (es_durable_tidy_folder (begun));
  g_assert_cmpint (g_rmdir (begun), ==, 0);
  g_assert_false (es_durable_tidy_folder (begun));

  es_durable_write_text (file, "text", &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (dead, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (living, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (alike, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (foreign, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (copy, G_FILE_TEST_EXISTS));
  g_assert_cmpint (write (held, "new", 3), ==, 3);
  close (held);
}

static gpointer
make_later (gpointer path)
{
  g_usleep (G_USEC_PER_SEC / 5);
  touch (path);
  return NULL;
}

/* What another process has made may be seen later than it was told of; what cannot be opened is not waited for. */
static void
test_joined (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *part = g_build_filename (folder, ".t.img.part-later", NULL);
  g_autofree char *link = g_build_filename (folder, ".t.img.part-link", NULL);
  g_autoptr (GError) error = NULL;
  const gint64 start = g_get_monotonic_time ();
  GThread *maker = g_thread_new ("maker", make_later, part);
  char found = '-';
  const int fd = es_part_join (part, "t.img", &error);

  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, G_USEC_PER_SEC / 10);
  g_assert_cmpint (pread (fd, &found, 1, 0), ==, 1);
  g_assert_cmpint (found, ==, 'x');
  close (fd);
  g_thread_join (maker);
  g_assert_cmpint (symlink (part, link), ==, 0);
  g_assert_cmpint (es_part_join (link, "t.img", &error), ==, -1);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "t.img"));
}

static void
test_parts_of_others (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *target = g_build_filename (folder, "t.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (target);
  int ready[2];
  char byte;
  pid_t child;

  g_assert_cmpint (pipe (ready), ==, 0);
  child = fork ();
  if (child == 0)
    {
      char *part = NULL;
      int fd = es_part_open (target, &part, NULL);

      if (fd < 0 || write (ready[1], "x", 1) != 1)
        _exit (1);
      pause ();
      _exit (0);
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  g_assert_true (es_durable_write_text (file, "text", NULL));
  g_autofree char *during = es_test_folder_list (folder);
  g_assert_nonnull (strstr (during, ".part-"));
  end (child);
  g_assert_true (es_durable_write_text (file, "text", NULL));
  es_test_assert_unchanged (folder, "t.csv");
  close (ready[0]);
  close (ready[1]);
}

/* A journal that somebody else wrote changes nothing. */
static void
test_forged (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "photo.png", NULL);
  g_autofree char *aside = NULL, *name = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  struct stat status;

  es_test_write_text (folder, "photo.png", "a photo");
  close (es_part_open (path, &aside, &error));
  name = g_path_get_basename (aside);
  g_assert_cmpint (stat (path, &status), ==, 0);
  text = g_strdup_printf ("Eigenscope save 1 00000000\n"
                          "photo.png - %s 1 2 3 4\n"
                          "photo.png %s - 0 %" G_GUINT64_FORMAT " 3 4\n"
                          "..%%2fphoto.png - - 0 0 0 0\nall\n", name, name, (guint64) status.st_ino);
  es_test_write_text (folder, ".eigenscope-saving", text);
  g_assert_true (es_outputs_settle (path, &error));
  g_assert_no_error (error);
  es_test_assert_text (folder, "photo.png", "a photo");
}

/* One file that cannot be put back is told, others of the folder are not concerned. */
static void
test_read_only (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *json = g_build_filename (folder, "result.json", NULL);
  g_autofree char *other = g_build_filename (folder, "other.img", NULL);
  g_autoptr (GError) error = NULL;
  pid_t child;
  int status;

  if (geteuid () == 0)
    {
      /* Nothing is read-only for root: as somebody else. */
      if (fork () == 0)
        _exit (setuid (65534) == 0 ? 0 : 1);
      g_assert_cmpint (wait (&status), >, 0);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
        {
          g_test_skip ("root cannot become anybody else here");
          return;
        }
    }
  make_old (folder);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  /* As far as the first rename. */
  child = begin_saving (folder, TRUE);
  if (child == 0)
    {
      g_test_skip ("processes may not be traced here");
      return;
    }
  while (!holds (folder, "a.hdr", "new"))
    g_assert_true (step (child, &status));
  end (child);

  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  child = fork ();
  if (child == 0)
    {
      if (geteuid () == 0 && setuid (65534) != 0)
        _exit (2);
      if (es_outputs_settle (json, &error) || !g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN)
          || strstr (error->message, "result.json") == NULL)
        _exit (3);
      _exit (es_outputs_settle (other, NULL) ? 0 : 4);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
  g_assert_false (is_new (folder));
}

/* The name of the journal is a folder's, a link's or a pipe's: a sentence at once, and all stays as it is. */
static void
test_journal_is_no_file (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (EsTestFolder) folder = es_test_folder_make ();
      g_autofree char *journal = g_build_filename (folder, ".eigenscope-saving", NULL);
      const char *const names[] = { "a.csv", "b.csv" };
      g_autoptr (EsOutputs) outputs = es_outputs_new ();
      g_autoptr (GError) error = NULL;
      const gint64 start = g_get_monotonic_time ();

      g_assert_cmpint (kind == 0 ? g_mkdir (journal, 0700) : kind == 1 ? symlink ("elsewhere", journal)
                                                                       : mkfifo (journal, 0600), ==, 0);
      for (guint i = 0; i < 2; i++)
        {
          g_autofree char *path = g_build_filename (folder, names[i], NULL);
          const EsOutput *output;

          es_test_write_text (folder, names[i], "old");
          output = es_outputs_add (outputs, path, FALSE, &error);
          g_assert_no_error (error);
          g_assert_true (es_file_write (output->fd, path, "new", 3, NULL));
        }
      g_assert_false (es_outputs_commit (outputs, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
      g_assert_nonnull (strstr (error->message, ".eigenscope-saving"));
      g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
      for (guint i = 0; i < 2; i++)
        es_test_assert_text (folder, names[i], "old");
    }
}

int
main (int argc, char **argv)
{
  /* Thousands of files are brought to the disk: where that costs nothing. */
  if (access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  g_test_init (&argc, &argv, NULL);
  /* Once for all children. */
  g_object_unref (g_file_new_for_path ("/"));
  g_test_add_data_func ("/outputs/killed", GINT_TO_POINTER (TRUE), test_killed);
  g_test_add_data_func ("/outputs/killed-without-links", GINT_TO_POINTER (FALSE), test_killed);
#ifdef __x86_64__
  g_test_add_data_func ("/outputs/failing", GINT_TO_POINTER (TRUE), test_failing);
  g_test_add_data_func ("/outputs/failing-without-links", GINT_TO_POINTER (FALSE), test_failing);
#endif
  g_test_add_func ("/outputs/journal-is-no-file", test_journal_is_no_file);
  g_test_add_func ("/outputs/parts", test_parts);
  g_test_add_func ("/outputs/joined", test_joined);
  g_test_add_func ("/outputs/parts-of-others", test_parts_of_others);
  g_test_add_func ("/outputs/forged", test_forged);
  g_test_add_func ("/outputs/read-only", test_read_only);
  return g_test_run ();
}
