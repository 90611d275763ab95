/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Made-up values of every parameter of every operation: taken within the limits that it names, or refused in one
 * sentence; what is taken reads back as the same. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-params.h"
#include "operations/es-operations.h"

static const char *const values[] = {
  "", " ", "0", "-0", "1", "-1", "+1", "1.5", "1,5", "1e3", "1e308", "1e309", "-1e309", "1e-400", "nan", "-nan",
  "inf", "-Infinity", "0x10", "0x1p4", "1e", "1e+", ".", "-", "+", "1 2", "1\n", " 7", "7 ", "50%", "50 %",
  "50%%", "%", "%s%n%d", "99999999999999999999", "-99999999999999999999", "4294967296", "2147483648", "65536",
  "18446744073709551616", "yes", "YES", "no", "true", "on", "off", "maybe", "auto", "none", "all", "ä",
  "\xff\xfe", "\xc3", "\x1b[31m", "a\tb", "\u202e", "\xed\xa0\x80", "/", "/dev/null", "../..", "file:///",
  "://", "line:", "line:4,1.5", "line:-1,1", "line:1e9,1", "rectangle 0 0 1 1", "rectangle 0 0 -1 1",
  "rectangle 1e300 0 1 1", "polygon 0,0 1,0 1,1", "polygon 0,0", "runs", "runs 0:0-1", "runs 0:5-1",
  "runs 0:0-99999999999999999999", "1-5, 8", "5-1", "1-", "-", "1-99999999999", ",", ";", ",,,", "0:0", "1:2:3",
  ":", "1:", ":1", "1:nan", "-1:-2", "noise,1,2,3:4", "tone,,,", "noise", "noise;noise", "=", "a=b", "\"", "'",
  "`", "$(x)", "{", "[", "\\", "\\x00", "inf,far", "far", "100,200,far", "0,0", "1,1,1,1,1,1,1,1", "-180:180:0",
  "0:360:1e-300", "0:1e300:1", "0:180:0.0001",
};

static void
try (const EsOperation *operation, const EsParamSpec *spec, const char *text)
{
  g_autoptr (EsParams) params = es_params_new (operation->params), again = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;

  if (!es_params_parse (params, spec->key, text, &error))
    {
      g_assert_nonnull (error);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_cmpuint (strlen (error->message), >, 10);
      g_assert_true (es_params_equal (params, again));
      return;
    }
  g_assert_no_error (error);
  if (!es_param_type_is_text (spec->type) && spec->type != ES_PARAM_CHOICE && spec->type != ES_PARAM_BOOL)
    {
      const double value = es_params_get_value (params, spec->key);
      g_assert_true (isfinite (value) && value >= spec->minimum && value <= spec->maximum);
    }

  g_autofree char *written = es_params_format (params, spec->key);
  g_autofree char *shown = es_params_format_for_people (params, spec->key);
  g_assert_true (g_utf8_validate (written, -1, NULL) && g_utf8_validate (shown, -1, NULL));
  g_assert_true (es_params_parse (again, spec->key, written, &error));
  g_assert_no_error (error);
  g_assert_true (es_params_equal (params, again));
}

static void
test_values (void)
{
  const EsOperation *const *operations = es_operations_get ();
  g_autoptr (GRand) random = g_rand_new_with_seed (14);
  g_autofree char *longest = g_strnfill (100000, '9'), *commas = g_strnfill (10000, ',');
  guint tried = 0;

  for (guint i = 0; operations[i] != NULL; i++)
    for (const EsParamSpec *spec = operations[i]->params; spec->type != ES_PARAM_END; spec++)
      {
        for (guint k = 0; k < G_N_ELEMENTS (values); k++, tried++)
          {
            /* As it is, and with one byte changed. */
            g_autofree char *changed = g_strdup (values[k]);

            if (*changed != '\0')
              {
                const gint32 place = g_rand_int_range (random, 0, (gint32) strlen (changed));
                changed[place] = (char) g_rand_int_range (random, 1, 256);
              }
            try (operations[i], spec, values[k]);
            try (operations[i], spec, changed);
          }
        try (operations[i], spec, longest);
        try (operations[i], spec, commas);
      }
  g_assert_cmpuint (tried, >, 5648);
}

/* Keys that are none. */
static void
test_keys (void)
{
  const EsOperation *const *operations = es_operations_get ();

  for (guint i = 0; operations[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (values); k++)
      {
        g_autoptr (EsParams) params = es_params_new (operations[i]->params);
        g_autoptr (GError) error = NULL;

        if (es_param_specs_find (operations[i]->params, values[k]) != NULL)
          continue;
        g_assert_false (es_params_parse (params, values[k], "1", &error));
        g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
        g_assert_true (g_utf8_validate (error->message, -1, NULL));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/params-values/values", test_values);
  g_test_add_func ("/params-values/keys", test_keys);
  return g_test_run ();
}
