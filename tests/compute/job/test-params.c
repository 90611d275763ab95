/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cube/es-region-param.h"
#include "es-test-scene.h"
#include "operations/es-operations.h"

#include <math.h>
#include <string.h>

static EsParams *
pca_params (void)
{
  return es_params_new (es_operation_find ("pca", NULL)->params);
}

static void
assert_refused (EsParams *params, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (es_params_parse (params, key, text, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_nonnull (strstr (error->message, key));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_parse (void)
{
  g_autoptr (EsParams) params = pca_params ();
  g_autoptr (GError) error = NULL;

  g_assert_true (es_params_parse (params, "threshold", "0.95", &error));
  g_assert_cmpfloat (es_params_get_float (params, "threshold"), ==, 0.95);
  g_assert_true (es_params_parse (params, "threshold", "99.9%", &error));
  g_assert_cmpfloat_with_epsilon (es_params_get_float (params, "threshold"), 0.999, 1e-12);
  g_assert_true (es_params_parse (params, "scaling", "correlation", &error));
  g_assert_cmpstr (es_params_get_choice_id (params, "scaling"), ==, "correlation");
  g_assert_true (es_params_parse (params, "center", "no", &error));
  g_assert_false (es_params_get_bool (params, "center"));
  g_assert_true (es_params_parse (params, "components", "7", &error));
  g_assert_cmpint (es_params_get_int (params, "components"), ==, 7);
  g_assert_no_error (error);

  assert_refused (params, "threshold", "0.2");
  assert_refused (params, "threshold", "1.1");
  assert_refused (params, "threshold", "nan");
  assert_refused (params, "threshold", "inf");
  assert_refused (params, "threshold", "");
  assert_refused (params, "threshold", "0.9x");
  assert_refused (params, "threshold", "0,9");
  assert_refused (params, "components", "2.5");
  assert_refused (params, "components", "-1");
  assert_refused (params, "components", "99999999999999999999");
  assert_refused (params, "scaling", "both");
  assert_refused (params, "center", "maybe");
  assert_refused (params, "no-such-key", "1");
  g_assert_cmpint (es_params_get_int (params, "components"), ==, 7);
}

/* Ranges are those of numbers: a choice goes to its last, and yes is 1. */
static double
largest (const EsParamSpec *spec)
{
  double n = 0;

  if (spec->type == ES_PARAM_BOOL)
    return 1;
  if (spec->type != ES_PARAM_CHOICE)
    return spec->maximum;
  while (spec->choices[(guint) n + 1].id != NULL)
    n++;
  return n;
}

static double
random_value (const EsParamSpec *spec, GRand *rand)
{
  const double most = largest (spec);

  if (spec->type == ES_PARAM_CHOICE || spec->type == ES_PARAM_BOOL)
    return g_rand_int_range (rand, 0, (int) most + 1);
  return most > spec->minimum ? g_rand_double_range (rand, spec->minimum, most) : most;
}

/* What is formatted reads back as the same value, for every row of every table and random values. */
static void
test_round_trip (void)
{
  const EsOperation * const *operations = es_operations_get ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint o = 0; operations[o] != NULL; o++)
    for (int i = 0; i < 200; i++)
      {
        g_autoptr (EsParams) params = es_params_new (operations[o]->params);
        g_autoptr (EsParams) read = es_params_new (operations[o]->params);

        for (const EsParamSpec *spec = operations[o]->params; spec->type != ES_PARAM_END; spec++)
          {
            g_autoptr (GError) error = NULL;
            if (spec->type == ES_PARAM_REGION)
              es_params_set_text (params, spec->key, "rectangle 3 4 20 10");
            else if (es_param_type_is_text (spec->type))
              {
                /* Text that is checked is left at its default where it says something else. */
                const char *some = "1-5, \xc3\xa9 = 8";
                es_params_set_text (params, spec->key, spec->check == NULL || spec->check (some, NULL) ? some : NULL);
              }
            else
              es_params_set_value (params, spec->key, random_value (spec, rand));
            g_autofree char *text = es_params_format (params, spec->key);
            g_assert_true (es_params_parse (read, spec->key, text, &error));
            g_assert_no_error (error);
          }
        g_assert_true (es_params_equal (params, read));
      }
}

static gboolean
check_vowels (const char *text, GError **error)
{
  if (strspn (text, "aeiou") == strlen (text))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "“%s” has other letters than vowels.", text);
  return FALSE;
}

static const EsParamChoice way_choices[] = {
  { .id = "one", .label = "One" },
  { .id = "two", .label = "Two" },
  { .id = "three", .label = "Three" },
  { .id = NULL }
};

static const EsParamSpec text_specs[] = {
  { .key = "way", .label = "Way", .help = "How.", .type = ES_PARAM_CHOICE,
    .choices = way_choices },
  { .key = "list", .label = "List", .help = "Which.", .type = ES_PARAM_TEXT, .zero_label = "all", .stage = 2,
    .visible_if = "way=two|three" },
  { .key = "file", .label = "File", .help = "From where.", .type = ES_PARAM_FILE, .stage = 1 },
  { .key = "region", .label = "Region", .help = "What part.", .type = ES_PARAM_REGION,
    .check = es_region_check, .describe = es_region_describe },
  { .key = "vowels", .label = "Vowels", .help = "What sounds.", .type = ES_PARAM_TEXT, .check = check_vowels,
    .default_text = "aeiou", .zero_label = "none" },
  { .type = ES_PARAM_END }
};

/* Garbage never gets in and never crashes. */
static void
test_fuzz (void)
{
  static const char alphabet[] = "0123456789.-+eE%xyno covariance8bit\xc3\xa9\n\t=";
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (EsParams) pca = pca_params (), texts = es_params_new (text_specs);

  for (int i = 0; i < 20000; i++)
    {
      EsParams *params = i % 2 == 0 ? pca : texts;
      const EsParamSpec *specs = es_params_get_specs (params);
      const EsParamSpec *spec = &specs[g_rand_int_range (rand, 0, es_param_specs_length (specs))];
      char text[12];
      int length = g_rand_int_range (rand, 0, sizeof text - 1);

      for (int j = 0; j < length; j++)
        text[j] = alphabet[g_rand_int_range (rand, 0, sizeof alphabet - 1)];
      text[length] = '\0';

      g_autoptr (GError) error = NULL;
      gboolean read = es_params_parse (params, spec->key, text, &error);
      g_assert_true (read == (error == NULL));
      if (es_param_type_is_text (spec->type))
        {
          g_assert_true (g_utf8_validate (es_params_get_text (params, spec->key), -1, NULL));
          continue;
        }
      double value = es_params_get_value (params, spec->key);
      g_assert_true (value >= spec->minimum && value <= largest (spec));
    }
}

static void
count_change (EsParams *params, const char *key, int *count)
{
  (*count)++;
}

static void
assert_for_people (EsParams *params, const char *key, const char *expected)
{
  g_autofree char *text = es_params_format_for_people (params, key);

  g_assert_cmpstr (text, ==, expected);
}

/* Text, files and regions: empty by default, copied, compared, said to people. */
static void
test_texts (void)
{
  g_autoptr (EsParams) params = es_params_new (text_specs);
  g_autoptr (GError) error = NULL;
  int changes = 0;

  g_assert_cmpstr (es_params_get_text (params, "list"), ==, "");
  g_assert_true (es_params_is_default (params));
  assert_for_people (params, "list", "all");
  assert_for_people (params, "file", "None");

  g_signal_connect (params, "changed", G_CALLBACK (count_change), &changes);
  g_assert_true (es_params_parse (params, "list", "1-5, 8", &error));
  es_params_set_text (params, "list", "1-5, 8");
  g_assert_cmpint (changes, ==, 1);
  g_assert_true (es_params_parse (params, "file", "/tmp/a folder/dark=1.img", &error));
  g_assert_true (es_params_parse (params, "region", "rectangle 5 7 12 30", &error));
  g_assert_no_error (error);
  assert_for_people (params, "list", "1-5, 8");
  assert_for_people (params, "file", "dark=1.img");
  assert_for_people (params, "region", "12 × 30 pixels at 5, 7");
  assert_refused (params, "list", "\xff");

  g_assert_false (es_params_parse (params, "region", "somewhere", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  g_assert_cmpstr (es_params_get_text (params, "region"), ==, "rectangle 5 7 12 30");

  g_autoptr (EsParams) copy = es_params_copy (params);
  g_assert_true (es_params_equal (params, copy));
  es_params_set_text (copy, "list", "1-4");
  g_assert_cmpuint (es_params_first_changed_stage (params, copy), ==, 2);
  g_assert_cmpstr (es_params_get_text (params, "list"), ==, "1-5, 8");
  es_params_set_text (copy, "file", NULL);
  g_assert_cmpuint (es_params_first_changed_stage (params, copy), ==, 1);
  g_assert_true (es_params_is_key_default (copy, "file"));
  es_params_reset (copy);
  g_assert_true (es_params_is_default (copy));

  /* One of several values makes a row visible. */
  g_assert_false (es_params_is_visible (params, "list"));
  es_params_set_value (params, "way", 2);
  g_assert_true (es_params_is_visible (params, "list"));
}

/* A text with a default of its own: nothing is the default, and so is the default written down. */
static void
test_default_text (void)
{
  g_autoptr (EsParams) params = es_params_new (text_specs), other = es_params_new (text_specs);
  g_autoptr (GError) error = NULL;
  int changes = 0;

  g_signal_connect (params, "changed::vowels", G_CALLBACK (count_change), &changes);
  g_assert_cmpstr (es_params_get_text (params, "vowels"), ==, "aeiou");
  assert_for_people (params, "vowels", "aeiou");
  g_autofree char *written = es_params_format (params, "vowels");
  g_assert_cmpstr (written, ==, "aeiou");
  g_assert_true (es_params_is_key_default (params, "vowels"));

  g_assert_true (es_params_parse (params, "vowels", "aeiou", &error));
  g_assert_true (es_params_parse (params, "vowels", "", &error));
  es_params_set_text (params, "vowels", NULL);
  g_assert_cmpint (changes, ==, 0);
  g_assert_true (es_params_is_default (params));

  g_assert_true (es_params_parse (params, "vowels", "ie", &error));
  g_assert_no_error (error);
  g_assert_cmpint (changes, ==, 1);
  g_assert_cmpstr (es_params_get_text (params, "vowels"), ==, "ie");
  g_assert_false (es_params_is_key_default (params, "vowels"));
  g_assert_false (es_params_equal (params, other));
  g_autoptr (EsParams) copy = es_params_copy (params);
  g_assert_true (es_params_equal (params, copy));

  /* What is wrong is refused, and leaves what was there. */
  g_assert_false (es_params_parse (params, "vowels", "by", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_cmpstr (es_params_get_text (params, "vowels"), ==, "ie");

  es_params_reset_key (params, "vowels");
  g_assert_cmpint (changes, ==, 2);
  g_assert_cmpstr (es_params_get_text (params, "vowels"), ==, "aeiou");
  g_assert_true (es_params_equal (params, other));
  es_params_set_text (copy, "vowels", "aeiou");
  g_assert_true (es_params_equal (copy, other));
}

static void
test_changed (void)
{
  g_autoptr (EsParams) params = pca_params ();
  int all = 0, threshold = 0;

  g_signal_connect (params, "changed", G_CALLBACK (count_change), &all);
  g_signal_connect (params, "changed::threshold", G_CALLBACK (count_change), &threshold);
  es_params_set_value (params, "threshold", 0.9);
  es_params_set_value (params, "threshold", 0.9);
  es_params_set_value (params, "components", 3);
  g_assert_cmpint (all, ==, 2);
  g_assert_cmpint (threshold, ==, 1);

  /* Clamped, never outside. */
  es_params_set_value (params, "threshold", 12);
  g_assert_cmpfloat (es_params_get_float (params, "threshold"), ==, 1);
  es_params_set_value (params, "threshold", NAN);
  g_assert_cmpfloat (es_params_get_float (params, "threshold"), ==, 1);

  /* A fixed number of components leaves the threshold without meaning. */
  g_assert_false (es_params_is_visible (params, "threshold"));
  es_params_set_value (params, "components", 0);
  g_assert_true (es_params_is_visible (params, "threshold"));

  es_params_reset (params);
  g_assert_true (es_params_is_default (params));
}

static void
test_stages (void)
{
  g_autoptr (EsParams) a = pca_params (), b = pca_params ();

  g_assert_cmpuint (es_params_first_changed_stage (a, b), ==, G_MAXUINT);
  es_params_set_value (b, "threshold", 0.9);
  g_assert_cmpuint (es_params_first_changed_stage (a, b), ==, 2);
  es_params_set_value (b, "scaling", 1);
  g_assert_cmpuint (es_params_first_changed_stage (a, b), ==, 1);
  es_params_set_value (b, "quantise", 1);
  g_assert_cmpuint (es_params_first_changed_stage (a, b), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/params/parse", test_parse);
  g_test_add_func ("/params/round-trip", test_round_trip);
  g_test_add_func ("/params/fuzz", test_fuzz);
  g_test_add_func ("/params/texts", test_texts);
  g_test_add_func ("/params/default-text", test_default_text);
  g_test_add_func ("/params/changed", test_changed);
  g_test_add_func ("/params/stages", test_stages);
  return g_test_run ();
}
