/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "es-fuzz.h"
#include "es-fuzz-mutate.h"

/*
 * Runs a target without libFuzzer: over every file of the folders given, and over what chance makes of them, the same
 * every time. Before each run its input is written to ES_FUZZ_INPUT, so that it is there after a crash. ES_FUZZ_ROUNDS:
 * how many are made by chance.
 */
static guint rounds = 150;
static const char *input_path;
static GPtrArray *seeds;       /* of GBytes */
static GPtrArray *names;       /* of char * */

static void
run (const guint8 *bytes, gsize length)
{
  /* Of exactly that length: the sanitizers see what is read behind it. */
  g_autofree guint8 *copy = length > 0 ? g_memdup2 (bytes, length) : g_malloc (1);

  if (input_path != NULL)
    g_file_set_contents_full (input_path, (const char *) bytes, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
  LLVMFuzzerTestOneInput (copy, length);
}

static void
test_seeds (void)
{
  for (guint i = 0; i < seeds->len; i++)
    {
      gsize length;
      const guint8 *bytes = g_bytes_get_data (g_ptr_array_index (seeds, i), &length);

      g_test_message ("%s", (const char *) g_ptr_array_index (names, i));
      run (bytes, length);
    }
  run ((const guint8 *) "", 0);
}

static void
test_chance (void)
{
  GRand *rand = g_rand_new_with_seed (20190920);

  for (guint i = 0; i < rounds && seeds->len > 0; i++)
    {
      GBytes *seed = g_ptr_array_index (seeds, i % seeds->len);
      GBytes *other = g_ptr_array_index (seeds, (guint) g_rand_int_range (rand, 0, (gint32) seeds->len));
      g_autoptr (GByteArray) bytes = es_fuzz_mutate (seed, other, rand);

      run (bytes->data, bytes->len);
    }
  g_rand_free (rand);
}

static void
add_file (const char *path)
{
  char *content;
  gsize length;

  if (!g_file_get_contents (path, &content, &length, NULL))
    g_error ("%s cannot be read", path);
  g_ptr_array_add (seeds, g_bytes_new_take (content, length));
  g_ptr_array_add (names, g_strdup (path));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char * const *) a, *(char * const *) b);
}

static void
add_folder (const char *path)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    g_ptr_array_add (paths, g_build_filename (path, name, NULL));
  /* A folder has no order, chance has. */
  g_ptr_array_sort (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    add_file (g_ptr_array_index (paths, i));
}

int
main (int argc, char **argv)
{
  const char *more = g_getenv ("ES_FUZZ_ROUNDS");
  int status;

  g_test_init (&argc, &argv, NULL);
  input_path = g_getenv ("ES_FUZZ_INPUT");
  if (more != NULL)
    rounds = (guint) MIN (g_ascii_strtoull (more, NULL, 10), 100000000);
  seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  names = g_ptr_array_new_with_free_func (g_free);
  for (int i = 1; i < argc; i++)
    if (g_file_test (argv[i], G_FILE_TEST_IS_DIR))
      add_folder (argv[i]);
    else
      add_file (argv[i]);
  if (seeds->len == 0)
    g_error ("Usage: %s FILE|FOLDER ...", argv[0]);

  g_test_add_func ("/fuzz/seeds", test_seeds);
  g_test_add_func ("/fuzz/chance", test_chance);
  status = g_test_run ();
  g_ptr_array_unref (seeds);
  g_ptr_array_unref (names);
  if (status == 0 && input_path != NULL)
    g_unlink (input_path);
  return status;
}
