/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Its output to the end of "kept". */
static gboolean
wait_until_kept (int out)
{
  g_autoptr (GString) line = g_string_new (NULL);
  char byte;

  while (read (out, &byte, 1) == 1)
    {
      if (byte != '\n')
        {
          g_string_append_c (line, byte);
          continue;
        }
      if (g_str_equal (line->str, "kept"))
        return TRUE;
      g_test_message ("%s", line->str);
      g_string_truncate (line, 0);
    }
  return FALSE;
}

void
es_test_kill_once_kept (const char *const *arguments, const char *what)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  GPid child;
  int out;

  g_ptr_array_add (line, program);
  for (guint i = 0; i == 0 || arguments[i - 1] != NULL; i++)
    g_ptr_array_add (line, (gpointer) arguments[i]);
  g_spawn_async_with_pipes (NULL, (char **) line->pdata, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &child, NULL,
                            &out, NULL, &error);
  g_assert_no_error (error);
  if (!wait_until_kept (out))
    g_error ("“%s” was not done", what);
  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  close (out);
}

int
es_test_wait_to_be_killed (void)
{
  if (write (STDOUT_FILENO, "kept\n", 5) != 5)
    return 1;
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}
