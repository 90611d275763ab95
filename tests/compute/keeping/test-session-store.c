/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sessions that are saved by themselves: whose they are, and what a process that was killed leaves. */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../job/es-test-scene.h"
#include "keeping/es-session-file.h"
#include "keeping/es-session-store.h"
#include "saving/es-durable.h"

static char *directory;

#define TEXT "{\"eigenscope_session\":1,\"datasets\":[{\"name\":\"%s\",\"input\":{\"path\":\"/x\"}}]}"

static void
write_as (EsSessionStore *store, const char *name)
{
  g_autofree char *text = g_strdup_printf (TEXT, name);

  g_assert_true (es_durable_write_text (es_session_store_get_file (store), text, NULL));
}

static EsSessionStore *
make (const char *name)
{
  g_autoptr (GError) error = NULL;
  EsSessionStore *store = es_session_store_new (&error);

  g_assert_no_error (error);
  if (name != NULL)
    write_as (store, name);
  return store;
}

/* NULL: it is not among what was left. Transfer full. */
static GFile *
find (const char *name, gboolean *crashed, gboolean *tried)
{
  g_autoptr (GPtrArray) list = es_session_store_list ();

  for (guint i = 0; i < list->len; i++)
    {
      EsLeftSession *left = g_ptr_array_index (list, i);

      if (strcmp (left->description, name) != 0)
        continue;
      *crashed = left->crashed;
      *tried = left->tried;
      return g_object_ref (left->file);
    }
  return NULL;
}

static void
test_closed (void)
{
  EsSessionStore *store = make ("one.img"), *empty = make (NULL), *again;
  gboolean crashed = TRUE, tried = TRUE;

  /* While it is open it is nobody else's. */
  g_assert_null (find ("one.img", &crashed, &tried));
  g_assert_null (es_session_store_take (es_session_store_get_file (store)));
  es_session_store_end (empty, FALSE);
  es_session_store_end (store, TRUE);
  g_autoptr (GFile) file = find ("one.img", &crashed, &tried);
  g_assert_nonnull (file);
  g_assert_false (crashed);
  g_assert_false (tried);

  again = es_session_store_take (file);
  g_assert_nonnull (again);
  g_assert_null (es_session_store_take (file));
  es_session_store_end (again, FALSE);
  g_assert_null (find ("one.img", &crashed, &tried));
  g_assert_null (es_session_store_take (file));
}

/* In a process of its own, which is killed. */
static void
test_killed (void)
{
  int ready[2];
  char byte;
  gboolean crashed = FALSE, tried = FALSE;
  pid_t child;

  g_assert_cmpint (pipe (ready), ==, 0);
  child = fork ();
  if (child == 0)
    {
      EsSessionStore *store = make ("killed.img");

      es_session_store_mark (store, TRUE);
      make (NULL);
      if (write (ready[1], "x", 1) == 1)
        pause ();
      _exit (0);
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  g_assert_null (find ("killed.img", &crashed, &tried));
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);

  g_autoptr (GFile) file = find ("killed.img", &crashed, &tried);
  g_assert_nonnull (file);
  g_assert_true (crashed);
  g_assert_true (tried);
  EsSessionStore *store = es_session_store_take (file);
  g_assert_nonnull (store);
  es_session_store_mark (store, FALSE);
  es_session_store_end (store, TRUE);
  g_autoptr (GFile) closed = find ("killed.img", &crashed, &tried);
  g_assert_nonnull (closed);
  g_assert_false (crashed);
  g_assert_false (tried);
  es_session_store_forget (closed);
  g_assert_null (find ("killed.img", &crashed, &tried));
}

/* What cannot be read, and what a later version wrote, stays where it is and is not offered. */
static void
test_left_alone (void)
{
  EsSessionStore *damaged = make (NULL), *later = make (NULL);
  g_autoptr (GFile) one = g_object_ref (es_session_store_get_file (damaged));
  g_autoptr (GFile) other = g_object_ref (es_session_store_get_file (later));
  gboolean crashed, tried;

  g_assert_true (es_durable_write_text (one, "{\"eigenscope_session\":1,", NULL));
  g_assert_true (es_durable_write_text (other, "{\"eigenscope_session\":9,\"datasets\":[{\"name\":\"later.img\"}]}",
                                        NULL));
  es_session_store_end (damaged, TRUE);
  es_session_store_end (later, TRUE);
  g_assert_null (find ("later.img", &crashed, &tried));
  g_assert_true (g_file_query_exists (one, NULL));
  g_assert_true (g_file_query_exists (other, NULL));
}

/* Files of a person are never taken. */
static void
test_others (void)
{
  g_autofree char *path = g_build_filename (directory, "mine" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) mine = g_file_new_for_path (path), none = g_file_new_for_uri ("off");

  g_assert_true (es_durable_write_text (mine, "{\"eigenscope_session\":1,\"datasets\":[]}", NULL));
  g_assert_null (es_session_store_take (mine));
  g_assert_null (es_session_store_take (none));
  es_session_store_forget (mine);
  g_assert_true (g_file_query_exists (mine, NULL));
}

static void
test_many (void)
{
  g_autoptr (GPtrArray) list = NULL;

  for (guint i = 0; i < 14; i++)
    {
      g_autofree char *name = g_strdup_printf ("many-%u", i);

      es_session_store_end (make (name), TRUE);
    }
  list = es_session_store_list ();
  g_assert_cmpuint (list->len, ==, 10);
}

static void
test_no_folder (void)
{
  g_autofree char *folder = g_build_filename (directory, "eigenscope", "sessions", NULL);
  g_autofree char *aside = g_strconcat (folder, "-aside", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_rename (folder, aside), ==, 0);
  g_assert_true (g_file_set_contents (folder, "a file", -1, NULL));
  g_assert_null (es_session_store_new (&error));
  g_assert_nonnull (error);
  g_autoptr (GPtrArray) list = es_session_store_list ();
  g_assert_cmpuint (list->len, ==, 0);
  g_unlink (folder);
  g_assert_cmpint (g_rename (aside, folder), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  directory = es_test_directory ();
  g_setenv ("XDG_STATE_HOME", directory, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/keeping/store/closed", test_closed);
  g_test_add_func ("/compute/keeping/store/killed", test_killed);
  g_test_add_func ("/compute/keeping/store/left-alone", test_left_alone);
  g_test_add_func ("/compute/keeping/store/others", test_others);
  g_test_add_func ("/compute/keeping/store/many", test_many);
  g_test_add_func ("/compute/keeping/store/no-folder", test_no_folder);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
