/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Files that make a library crash, loop or fill the memory: a sentence is all that comes of them. hostile/ has what
 * chance made of small files; HDF5 1.10.8, netCDF 4.9.0 and HDF4 4.2.15 crashed on them.
 */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
#define ROUNDS 10
#define IS_SANITIZED TRUE
#else
#define ROUNDS 40
#define IS_SANITIZED FALSE
#endif

static const char *seeds;
static char *helper;           /* the real one */

/* A copy, which nothing is known of yet. */
static char *
copy_seed (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (seeds, name, NULL), *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  return es_test_write (folder, name, bytes, length);
}

static void
use_helper (const char *path)
{
  g_setenv ("ES_REHEARSE", path, TRUE);
}

/* A helper that is there, and then does as the lines of a shell say. $6 is the file. */
static void
use_script (const char *folder, const char *lines)
{
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\nprintf 'ready %s\\n' >&3\n%s\n", ES_VERSION, lines);
  g_autofree char *path = es_test_write_text (folder, "helper.sh", text);

  g_assert_cmpint (chmod (path, 0700), ==, 0);
  use_helper (path);
}

static EsDataset *
open_file (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_dataset_open (file, NULL, cancellable, error);
}

static void
test_crash (void)
{
  static const char * const names[] = { "global-heap.nc", "freed-text.nc", "group-info.mat", "stack.hdf" };
  g_autoptr (TestFolder) folder = es_test_folder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = copy_seed (folder, names[i]);

      for (guint k = 0; k < 2; k++)
        es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, names[i], "crashed", "a process of its own", NULL);
    }
}

static void
test_greedy (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "greedy.nc");

  if (IS_SANITIZED)
    g_test_skip ("the sanitizers bring their own memory");
  else
    es_test_refused (path, NULL, ES_DATA_ERROR_SIZE, "greedy.nc", "more memory", "a process of its own", NULL);
}

static void
test_endless (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "endless.nc");

  g_setenv ("ES_REHEARSE_SECONDS", "1", TRUE);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "endless.nc", "come to an end", "a process of its own", NULL);
  g_unsetenv ("ES_REHEARSE_SECONDS");
}

static void
test_sound (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "sound.nc"), *again = NULL;
  g_autoptr (EsCube) cube = es_test_open (path);
  const EsOpenOptions missing = { .variable = "radiance" };

  g_assert_cmpuint (es_cube_get_bands (cube), ==, 6);
  g_assert_null (es_dataset_get_notes (ES_DATASET (cube)));
  /* What was told reaches the helper, and its error is the one that there always was. */
  es_test_refused (path, &missing, ES_DATA_ERROR_FORMAT, "sound.nc", "has no cube “radiance”", "/reflectance", NULL);
}

/* Taken for the mask of an image that nothing is wrong with. */
static void
test_beside (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *hostile = copy_seed (folder, "global-heap.nc");
  g_autofree char *text = g_strdup ("P5 2 2 255\nabcd"), *path = es_test_write_text (folder, "plain.pgm", text);
  g_autofree char *mask = g_strconcat (path, ".msk", NULL);

  g_assert_cmpint (g_rename (hostile, mask), ==, 0);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "plain.pgm", "crashed", NULL);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (100000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "sound.nc"), *number = g_build_filename (folder, "pid", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autofree char *lines = g_strdup_printf ("echo $$ > '%s'\nexec sleep 60", number);
  gint64 begun;

  use_script (folder, lines);
  begun = g_get_monotonic_time ();
  dataset = open_file (path, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 10 * G_USEC_PER_SEC);
  g_thread_join (thread);
  /* It is gone, and was waited for. */
  if (g_file_get_contents (number, &text, NULL, NULL) && *text != '\0')
    g_assert_cmpint (kill ((pid_t) g_ascii_strtoll (text, NULL, 10), 0), !=, 0);
  use_helper (helper);
}

static void
test_missing (void)
{
  static const char * const helpers[] = { "/nonexistent/eigenscope-rehearse", "/bin/false" };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "sound.nc");

  for (guint i = 0; i < G_N_ELEMENTS (helpers); i++)
    {
      g_autoptr (EsCube) cube = NULL;

      use_helper (helpers[i]);
      cube = es_test_open (path);
      g_assert_true (es_test_has_note (cube, "the installation is incomplete"));
    }
  use_helper (helper);
}

/* Whatever a helper says or does, it is not believed too much. */
static void
test_answers (void)
{
  static const struct { const char *lines; int code; const char *word; } cases[] = {
    { "kill -SEGV $$", ES_DATA_ERROR_FORMAT, "crashed" },
    { "exit 0", ES_DATA_ERROR_FORMAT, "crashed" },
    { "echo done >&3; exit 1", ES_DATA_ERROR_FORMAT, "crashed" },
    { "echo nonsense >&3", ES_DATA_ERROR_FORMAT, "crashed" },
    { "yes >&3", ES_DATA_ERROR_FORMAT, "crashed" },
    { "exit 3", ES_DATA_ERROR_SIZE, "more memory" },
    { "kill -XCPU $$", ES_DATA_ERROR_FORMAT, "come to an end" },
    { "printf 'es-data-error-quark\\n4\\n“sound.nc” is complex\\n' >&3", ES_DATA_ERROR_UNSUPPORTED, "complex" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = copy_seed (folder, "sound.nc");

      use_script (folder, cases[i].lines);
      es_test_refused (path, NULL, cases[i].code, "sound.nc", cases[i].word, NULL);
    }
  use_helper (helper);
}

static guint
count_lines (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "log", NULL), *text = NULL;
  guint n = 0;

  if (g_file_get_contents (path, &text, NULL, NULL))
    for (const char *at = text; *at != '\0'; at++)
      n += *at == '\n';
  return n;
}

static void
test_once (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "sound.nc"), *lines = NULL, *again = NULL;
  const EsOpenOptions options = { .variable = "reflectance" };

  lines = g_strdup_printf ("echo x >> '%s/log'; echo done >&3", folder);
  use_script (folder, lines);
  for (guint i = 0; i < 3; i++)
    g_object_unref (es_test_open (path));
  g_assert_cmpuint (count_lines (folder), ==, 1);
  g_object_unref (es_test_open_with (path, &options));
  g_assert_cmpuint (count_lines (folder), ==, 2);
  again = copy_seed (folder, "sound.nc");
  g_object_unref (es_test_open (path));
  g_assert_cmpuint (count_lines (folder), ==, 3);
  use_helper (helper);
}

static void
test_changed (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "sound.nc");

  use_script (folder, "echo x >> \"$6\"; echo done >&3");
  es_test_refused (path, NULL, ES_DATA_ERROR_OPEN, "sound.nc", "was changed", NULL);
  use_helper (helper);
}

/* Who waits is killed: the helper does not go on by itself. */
static void
test_orphan (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = copy_seed (folder, "endless.nc"), *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) waiting = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, program, "--open",
                                                      path, NULL);
  guint seen = 0, left = 1;

  g_assert_no_error (error);
  for (guint i = 0; i < 1000 && left > 0; i++)
    {
      const char *name;
      g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);

      left = 0;
      while ((name = g_dir_read_name (processes)) != NULL)
        {
          g_autofree char *line = g_build_filename ("/proc", name, "cmdline", NULL), *words = NULL;
          gsize length;

          if (g_ascii_isdigit (*name) && g_file_get_contents (line, &words, &length, NULL) &&
              memmem (words, length, folder, strlen (folder)) != NULL && strstr (words, "rehearse") != NULL)
            left++;
        }
      if (left > 0 && seen++ == 0)
        g_subprocess_send_signal (waiting, SIGKILL);
      left += seen == 0;
      g_usleep (10000);
    }
  g_assert_cmpuint (seen, >, 0);
  g_assert_cmpuint (left, ==, 0);
  g_subprocess_wait (waiting, NULL, NULL);
}

static void
change (guint8 *bytes, gsize length, GRand *rand)
{
  const int n = g_rand_int_range (rand, 1, 5);

  for (int i = 0; i < n; i++)
    {
      const gsize at = (gsize) g_rand_int_range (rand, 8, (gint32) length);

      switch (g_rand_int_range (rand, 0, 4))
        {
        case 0: bytes[at] ^= (guint8) (1u << g_rand_int_range (rand, 0, 8)); break;
        case 1: bytes[at] = (guint8) g_rand_int_range (rand, 0, 256); break;
        case 2: bytes[at] = g_rand_boolean (rand) ? 0 : 255; break;
        default:
          for (gsize k = at & ~(gsize) 7; k < length && k <= at; k++)
            bytes[k] = (guint8) g_rand_int_range (rand, 0, 256);
        }
    }
}

typedef struct
{
  const char *folder;
  int         crashed, opened;
} Chances;

/* One of them; each has a chance of its own, whichever thread it comes to. */
static void
try_chance (gpointer number, gpointer data)
{
  static const char * const names[] = {
    "sound.nc", "../../../fuzz/seeds/mat/v73-cube", "../../../fuzz/seeds/mat/v73-recording",
  };
  Chances *chances = data;
  const guint i = GPOINTER_TO_UINT (number);
  g_autofree char *seed = g_build_filename (seeds, names[i % G_N_ELEMENTS (names)], NULL), *bytes = NULL;
  g_autofree char *name = g_strdup_printf ("chance-%u", i), *path = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) error = NULL;
  GRand *rand = g_rand_new_with_seed (20221122 + i);
  gsize length;

  g_assert_true (g_file_get_contents (seed, &bytes, &length, NULL));
  change ((guint8 *) bytes, length, rand);
  g_rand_free (rand);
  path = es_test_write (chances->folder, name, bytes, length);
  dataset = open_file (path, NULL, &error);
  g_assert_true ((dataset == NULL) == (error != NULL));
  if (error != NULL)
    g_assert_nonnull (strstr (error->message, name));
  if (dataset != NULL)
    g_atomic_int_inc (&chances->opened);
  else if (strstr (error->message, "a process of its own") != NULL)
    g_atomic_int_inc (&chances->crashed);
}

/* Of what chance makes of sound files, some in a hundred crash the libraries. ES_FUZZ_ROUNDS: how many. */
static void
test_chance (void)
{
  const char *more = g_getenv ("ES_FUZZ_ROUNDS");
  const guint rounds = more != NULL ? (guint) g_ascii_strtoull (more, NULL, 10) : ROUNDS;
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  Chances chances = { .folder = folder };
  GThreadPool *threads;

  g_setenv ("ES_REHEARSE_SECONDS", "1", TRUE);
  threads = g_thread_pool_new (try_chance, &chances, (int) g_get_num_processors (), TRUE, NULL);
  for (guint i = 1; i <= rounds; i++)
    g_thread_pool_push (threads, GUINT_TO_POINTER (i), NULL);
  g_thread_pool_free (threads, FALSE, TRUE);
  g_unsetenv ("ES_REHEARSE_SECONDS");
  g_test_message ("%d opened, %d crashed a library", chances.opened, chances.crashed);
  g_assert_cmpint (chances.opened, >, 0);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--open") == 0)
    {
      g_autoptr (EsDataset) dataset = open_file (argv[2], NULL, NULL);

      return dataset != NULL ? 0 : 1;
    }
  g_test_init (&argc, &argv, NULL);
  helper = g_strdup (g_getenv ("ES_REHEARSE"));
  g_assert_nonnull (helper);
  g_assert_cmpint (argc, ==, 2);
  seeds = argv[1];
  g_test_add_func ("/rehearsal/crash", test_crash);
  g_test_add_func ("/rehearsal/greedy", test_greedy);
  g_test_add_func ("/rehearsal/endless", test_endless);
  g_test_add_func ("/rehearsal/sound", test_sound);
  g_test_add_func ("/rehearsal/beside", test_beside);
  g_test_add_func ("/rehearsal/cancel", test_cancel);
  g_test_add_func ("/rehearsal/missing", test_missing);
  g_test_add_func ("/rehearsal/answers", test_answers);
  g_test_add_func ("/rehearsal/once", test_once);
  g_test_add_func ("/rehearsal/changed", test_changed);
  g_test_add_func ("/rehearsal/orphan", test_orphan);
  g_test_add_func ("/rehearsal/chance", test_chance);
  return g_test_run ();
}
