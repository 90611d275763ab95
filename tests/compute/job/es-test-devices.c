/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "es-test-devices.h"

#include <string.h>

static void
set_variable (const char *name, const char *value)
{
  if (value != NULL)
    g_setenv (name, value, TRUE);
  else
    g_unsetenv (name);
}

/* What the process was started with for its test, a line each: NAME=VALUE, or NAME alone for one that is not set. */
#define VARIABLES "ES_TEST_VARIABLES"

/* Before anything looks at them. */
static void __attribute__ ((constructor))
take_variables (void)
{
  g_auto (GStrv) lines = g_strsplit (g_getenv (VARIABLES) != NULL ? g_getenv (VARIABLES) : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      char *value = strchr (lines[i], '=');

      if (value != NULL)
        *value++ = '\0';
      set_variable (lines[i], value);
    }
  g_unsetenv (VARIABLES);
}

/* The variables themselves stay as they are here: what earlier tests have left to be done in the background would go by
 * them. */
gboolean
es_test_in_own_process (const char *name, ...)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  va_list arguments;

  if (g_test_subprocess ())
    return TRUE;

  va_start (arguments, name);
  for (; name != NULL; name = va_arg (arguments, const char *))
    {
      const char *value = va_arg (arguments, const char *);

      g_string_append_printf (lines, "%s%s%s%s", lines->len > 0 ? "\n" : "", name, value != NULL ? "=" : "",
                              value != NULL ? value : "");
    }
  va_end (arguments);
  g_setenv (VARIABLES, lines->str, TRUE);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv (VARIABLES);
  g_test_trap_assert_passed ();
  return FALSE;
}
