/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bytes in memory, else in a file: what fits where, what comes back, a disk that is full, and that nothing stays. */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "base/es-error.h"
#include "layer/es-store-internal.h"

static char *cache;            /* the cache directory of this test */

static guint
count_entries (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
assert_holds (EsStore *store, const guint8 *expected, gsize bytes)
{
  g_autofree guint8 *read = g_malloc (bytes);

  g_assert_true (es_store_read (store, read, bytes, 0, NULL));
  g_assert_cmpmem (read, bytes, expected, bytes);
}

/* The budget decides, and 0 is none. */
static void
test_budget (void)
{
  g_autoptr (EsStore) some = es_store_new ("test", 100), any = es_store_new ("test", 0);

  g_assert_true (es_store_fits (some, 100));
  g_assert_false (es_store_fits (some, 101));
  g_assert_true (es_store_fits (any, G_MAXUINT64));
  g_assert_null (es_store_get_memory (some));
  g_assert_false (es_store_is_in_file (some));
}

/* Small memory and memory of large pages: zeroed, written, read. */
static void
test_memory (void)
{
  const gsize sizes[] = { 1, 4096, ((gsize) 64 << 20) + 12345 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (EsStore) store = es_store_new ("test", 0);
      const char *memory;
      char last = 1;

      g_assert_true (es_store_allocate (store, sizes[i]));
      memory = es_store_get_memory (store);
      g_assert_nonnull (memory);
      g_assert_true (memory[0] == 0 && memory[sizes[i] / 2] == 0 && memory[sizes[i] - 1] == 0);
      g_assert_true (es_store_write (store, "x", 1, sizes[i] - 1, NULL));
      g_assert_true (es_store_read (store, &last, 1, sizes[i] - 1, NULL));
      g_assert_cmpint (last, ==, 'x');
      g_assert_false (es_store_is_in_file (store));
    }

  g_autoptr (EsStore) store = es_store_new ("test", 0);
  g_assert_false (es_store_allocate (store, G_MAXSSIZE));
  g_assert_null (es_store_get_memory (store));
}

/* What is appended moves to a file where the budget ends; the file has no name. */
static void
test_append (void)
{
  enum { BUDGET = 100000, PIECE = 777, PIECES = 300 };
  g_autoptr (EsStore) store = es_store_new ("test", BUDGET);
  g_autofree guint8 *bytes = g_malloc (PIECE * PIECES);

  for (guint i = 0; i < PIECE * PIECES; i++)
    bytes[i] = (guint8) (i * 31 >> 3);
  for (gsize i = 0; i < PIECES; i++)
    {
      g_assert_true (es_store_append (store, bytes + i * PIECE, PIECE, NULL));
      g_assert_true (es_store_is_in_file (store) == ((i + 1) * PIECE > BUDGET));
      g_assert_true ((es_store_get_memory (store) != NULL) == ((i + 1) * PIECE <= BUDGET));
      if (i % 40 == 0)
        assert_holds (store, bytes, (i + 1) * PIECE);
    }
  assert_holds (store, bytes, PIECE * PIECES);
  g_assert_cmpuint (count_entries (cache), ==, 0);

  es_store_empty (store);
  g_assert_false (es_store_is_in_file (store));
  g_assert_true (es_store_append (store, "again", 5, NULL));
  assert_holds (store, (const guint8 *) "again", 5);
}

/* Beside a path: removed with the store, unless somebody has taken it. */
static void
test_part (void)
{
  g_autofree char *directory = g_dir_make_tmp ("es-store-XXXXXX", NULL), *path = NULL;

  path = g_build_filename (directory, "layer.img", NULL);
  for (int taken = 0; taken < 2; taken++)
    {
      EsStore *store = es_store_new ("test", 0);
      g_autofree char *part = NULL;

      g_assert_true (es_store_allocate_file (store, path, 5000, NULL));
      part = g_strdup (es_store_get_part (store));
      g_assert_true (g_file_test (part, G_FILE_TEST_IS_REGULAR));
      g_assert_true (es_store_write (store, "five!", 5, 4995, NULL));
      if (taken)
        es_store_give_part (store);
      g_assert_true ((es_store_get_part (store) == NULL) == taken);
      es_store_free (store);
      g_assert_true (g_file_test (part, G_FILE_TEST_EXISTS) == taken);
      g_unlink (part);
    }
  g_rmdir (directory);
}

/* One sentence, and what was there before is still there. */
static void
test_full (void)
{
  struct rlimit before, small;
  guint8 piece[1000];
  g_autoptr (GError) error = NULL;
  EsStore *store = es_store_new ("test", 2500), *whole = es_store_new ("test", 1);
  const guint files = count_entries ("/proc/self/fd");

  memset (piece, 7, sizeof piece);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = (struct rlimit) { .rlim_cur = 1500, .rlim_max = before.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (es_store_append (store, piece, sizeof piece, NULL));
  g_assert_true (es_store_append (store, piece, sizeof piece, NULL));

  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  const gboolean appended = es_store_append (store, piece, sizeof piece, &error);
  const gboolean allocated = es_store_allocate_file (whole, NULL, 1 << 20, NULL);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

  g_assert_false (appended);
  g_assert_false (allocated);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_true (g_str_has_suffix (error->message, "."));
  g_assert_null (strchr (error->message, '\n'));
  g_assert_false (es_store_is_in_file (store));
  for (guint i = 0; i < 2; i++)
    {
      guint8 read[sizeof piece];
      g_assert_true (es_store_read (store, read, sizeof read, i * sizeof piece, NULL));
      g_assert_cmpmem (read, sizeof read, piece, sizeof piece);
    }
  /* There is room again. */
  g_assert_true (es_store_append (store, piece, sizeof piece, NULL));
  g_assert_true (es_store_is_in_file (store));

  es_store_free (store);
  es_store_free (whole);
  g_assert_cmpuint (count_entries ("/proc/self/fd"), ==, files);
  g_assert_cmpuint (count_entries (cache), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("es-store-cache-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  cache = g_build_filename (home, "eigenscope", NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/budget", test_budget);
  g_test_add_func ("/store/memory", test_memory);
  g_test_add_func ("/store/append", test_append);
  g_test_add_func ("/store/part", test_part);
  g_test_add_func ("/store/full", test_full);
  status = g_test_run ();
  g_rmdir (cache);
  g_rmdir (home);
  g_free (cache);
  return status;
}
