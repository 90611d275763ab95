/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Host memory that is chosen on the recorded card: table 4.5. */

#include <math.h>
#include <string.h>

#include "es-test-lab.h"
#include "recorded-k20c.h"

static const char pca[] = "149501632:1:0, 200704:0:1, 200704:1:0, 72081144:0:1";

/* The row of an array in a kind of memory. */
static guint
row_of (EsTable *arrays, guint array, const char *memory)
{
  for (guint r = 0; r < es_table_get_n_rows (arrays); r++)
    if (es_table_get_value (arrays, r, 0) == array && g_str_equal (es_table_get_text (arrays, r, 5), memory))
      return r;
  g_error ("no array %u in %s", array, memory);
}

static void
test_as_published (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", pca, NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays"), *plans = es_test_lab_table (result, "plans-table");

  /* The image and the result registered, the two small matrices pageable. */
  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 1: “Registered” is advised");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 2: “Pageable” is advised");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 3: “Pageable” is advised");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 4: “Registered” is advised");
  es_test_lab_says (result, ES_VERDICT_YES, "The advised plan takes");
  g_assert_nonnull (strstr (es_table_get_text (arrays, row_of (arrays, 1, "Registered"), 8), "advised"));
  g_assert_cmpuint (es_table_get_n_rows (plans), ==, 5);
}

/* Without allocating, as published: 33.959, 0.109 and 15.907 ms by the formulas. */
static void
test_without_allocating (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", pca, "allocation", "no", NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");
  const guint image = row_of (arrays, 1, "Registered"), components = row_of (arrays, 4, "Registered");
  const guint covariance = row_of (arrays, 2, "Pageable");

  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, image, 7), 33.959, 0.02);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, components, 7), 15.907, 0.02);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, covariance, 7), 0.109, 0.001);
  /* Predicted from figures that were measured around the sizes, by fitted formulas. */
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, image, 6), 33.959, 0.03 * 33.959);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, components, 6), 15.907, 0.03 * 15.907);
}

/* Many transfers pay for memory that is dear to have. */
static void
test_many_transfers (void)
{
  g_autoptr (EsResult) once = es_test_lab_run ("lab-choose", "arrays", "16777216:1:0", NULL);
  g_autoptr (EsResult) often = es_test_lab_run ("lab-choose", "arrays", "524288:10:10:1", NULL);

  es_test_lab_says (once, ES_VERDICT_TELLS, "Array 1: “Registered” is advised");
  es_test_lab_says (often, ES_VERDICT_TELLS, "Array 1: “Registered” is advised");
}

/* Down to a byte. Page-locked memory costs in proportion to its size here, as only one size was published. */
static void
test_small (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "1:1:0, 4096:0:1", NULL);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 1: “Pageable” is advised");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 2: “Page-locked” is advised");
}

/* A copy of a few bytes takes as long as one of a few thousand: 7.5 us by (4.1), not its share of them. */
static void
test_few_bytes (void)
{
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "16:1:0, 16777216:1:0", "allocation", "no",
                                                 NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");
  const guint row = row_of (arrays, 1, "Pageable");

  g_assert_cmpfloat (es_table_get_value (arrays, row, 6), >, 0.5 * es_table_get_value (arrays, row, 7));
  g_assert_cmpfloat (es_table_get_value (arrays, row, 6), <, 2 * es_table_get_value (arrays, row, 7));
}

/* What the processor goes through counts in what is measured as in what is predicted. 41.06 GB/s by table 4.4. */
static void
test_touched (void)
{
  g_autoptr (EsResult) left_alone = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0", "allocation", "no", NULL);
  g_autoptr (EsResult) touched = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0:10", "allocation", "no", NULL);
  EsTable *without = es_test_lab_table (left_alone, "arrays"), *with = es_test_lab_table (touched, "arrays");
  const double milliseconds = 10 * 33554432 / (41.06 * GIGABYTE) * 1e3;

  for (guint column = 6; column <= 7; column++)
    {
      g_assert_cmpfloat_with_epsilon (es_table_get_value (with, row_of (with, 1, "Pageable"), column)
                                      - es_table_get_value (without, row_of (without, 1, "Pageable"), column),
                                      milliseconds, 0.01 * milliseconds);
      g_assert_cmpfloat_with_epsilon (es_table_get_value (with, row_of (with, 1, "Registered"), column)
                                      - es_table_get_value (without, row_of (without, 1, "Registered"), column),
                                      milliseconds, 0.01 * milliseconds);
    }
}

/* What an array costs to have is not told without the part of it for which there was no memory. */
static void
test_too_little_memory (void)
{
  g_setenv ("ES_RECORDED_LAB", "scarce", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0, 134217728:1:0", NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");

  g_assert_false (isnan (es_table_get_value (arrays, row_of (arrays, 1, "Pageable"), 7)));
  g_assert_true (isnan (es_table_get_value (arrays, row_of (arrays, 2, "Pageable"), 7)));
  g_assert_nonnull (es_result_get_warnings (result)[0]);
  g_unsetenv ("ES_RECORDED_LAB");
}

/* Advice that is not good is told to be so. */
static void
test_bad_advice (void)
{
  g_setenv ("ES_RECORDED_LAB", "lying", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", pca, "allocation", "no", NULL);
  es_test_lab_says (result, ES_VERDICT_NO, "The advised plan takes");
  g_unsetenv ("ES_RECORDED_LAB");
}

static void
test_refused (void)
{
  static const char *const wrong[] = {
    "", "1000", "1000:1", "1000:1:1:1:1", "-1:1:1", "1000:0:0", "0:1:1", "1e6:1:1", "1000:1:x", "99999999999999:1:1",
    "1000:1:1,,1000:1:1", "1000:1:1001",
  };
  const EsOperation *operation = es_operation_find ("lab-choose", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      if (*wrong[i] == '\0')
        continue;
      g_assert_false (es_params_parse (params, "arrays", wrong[i], &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_RECORDED_LAB");
  g_test_add_func ("/experiments-choose/as-published", test_as_published);
  g_test_add_func ("/experiments-choose/without-allocating", test_without_allocating);
  g_test_add_func ("/experiments-choose/many-transfers", test_many_transfers);
  g_test_add_func ("/experiments-choose/small", test_small);
  g_test_add_func ("/experiments-choose/few-bytes", test_few_bytes);
  g_test_add_func ("/experiments-choose/touched", test_touched);
  g_test_add_func ("/experiments-choose/too-little-memory", test_too_little_memory);
  g_test_add_func ("/experiments-choose/bad-advice", test_bad_advice);
  g_test_add_func ("/experiments-choose/refused", test_refused);
  return g_test_run ();
}
