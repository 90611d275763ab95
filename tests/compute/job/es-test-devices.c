/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-test-devices.h"

static void
set_variable (const char *name, const char *value)
{
  if (value != NULL)
    g_setenv (name, value, TRUE);
  else
    g_unsetenv (name);
}

gboolean
es_test_in_own_process (const char *name, ...)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);
  va_list arguments;

  if (g_test_subprocess ())
    return TRUE;

  va_start (arguments, name);
  for (; name != NULL; name = va_arg (arguments, const char *))
    {
      g_ptr_array_add (names, (gpointer) name);
      g_ptr_array_add (before, g_strdup (g_getenv (name)));
      set_variable (name, va_arg (arguments, const char *));
    }
  va_end (arguments);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
  for (guint i = 0; i < names->len; i++)
    set_variable (g_ptr_array_index (names, i), g_ptr_array_index (before, i));
  g_test_trap_assert_passed ();
  return FALSE;
}
