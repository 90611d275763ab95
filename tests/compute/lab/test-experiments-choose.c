/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Host memory that is chosen on the recorded card: table 4.5. */

#include <math.h>
#include <string.h>

#include "es-test-lab.h"
#include "recorded-k20c.h"

static const char pca[] = "149501632:1:0, 200704:0:1, 200704:1:0, 72081144:0:1";

/* Columns of the table of arrays. */
enum { MEMORY = 2, PREDICTED, MEASURED, ADVICE };

/* The row of an array in a kind of memory. */
static guint
row_of (EsTable *arrays, guint array, const char *memory)
{
  for (guint r = 0; r < es_table_get_n_rows (arrays); r++)
    if (es_table_get_value (arrays, r, 0) == array && g_str_equal (es_table_get_text (arrays, r, MEMORY), memory))
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
  es_test_lab_says (result, ES_VERDICT_TELLS, "Of these 4 arrays 2 are better locked.");
  g_assert_nonnull (strstr (es_table_get_text (arrays, row_of (arrays, 1, "Registered"), ADVICE), "advised"));
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

  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, image, MEASURED), 33.959, 0.02);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, components, MEASURED), 15.907, 0.02);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, covariance, MEASURED), 0.109, 0.001);
  /* Predicted from figures that were measured around the sizes, by fitted formulas. */
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, image, PREDICTED), 33.959, 0.03 * 33.959);
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, components, PREDICTED), 15.907, 0.03 * 15.907);
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

  g_assert_cmpfloat (es_table_get_value (arrays, row, PREDICTED), >, 0.5 * es_table_get_value (arrays, row, MEASURED));
  g_assert_cmpfloat (es_table_get_value (arrays, row, PREDICTED), <, 2 * es_table_get_value (arrays, row, MEASURED));
}

/* What the processor goes through counts in what is measured as in what is predicted. 41.06 GB/s by table 4.4. */
static void
test_touched (void)
{
  g_autoptr (EsResult) left_alone = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0", "allocation", "no", NULL);
  g_autoptr (EsResult) touched = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0:10", "allocation", "no", NULL);
  EsTable *without = es_test_lab_table (left_alone, "arrays"), *with = es_test_lab_table (touched, "arrays");
  const double milliseconds = 10 * 33554432 / (41.06 * GIGABYTE) * 1e3;

  for (guint column = PREDICTED; column <= MEASURED; column++)
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

  g_assert_false (isnan (es_table_get_value (arrays, row_of (arrays, 1, "Pageable"), MEASURED)));
  g_assert_true (isnan (es_table_get_value (arrays, row_of (arrays, 2, "Pageable"), MEASURED)));
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
    "", "1000", "1000:1", "1000:1:1:1:1:1", "-1:1:1", "1000:0:0", "0:1:1", "1e6:1:1", "1000:1:x", "99999999999999:1:1",
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

/* Managed memory is one array that moves. Its sums are those of the curves, and its plans are run. */
static void
test_managed (void)
{
  g_setenv ("ES_RECORDED_LAB", "managed", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays",
                                                 "33554432:3:1, 33554432:0:2, 33554432:1:0:4:10", "allocation", "no",
                                                 NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");
  const double bytes = 33554432, read = bytes / (41.06 * GIGABYTE), used = bytes / 145e9;
  const EskLabMemory kinds[] = { ESK_MEMORY_MANAGED, ESK_MEMORY_MANAGED_AHEAD };
  const char *const names[] = { "Managed", "Managed, prefetched" };

  es_test_lab_says (result, ES_VERDICT_TELLS, "Managed memory moves by pages");
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      const double there = k20c_move (kinds[k], 0, bytes), back = k20c_move (kinds[k], 1, bytes);
      const double sums[] = { 3 * there + 2 * back, there + 2 * back, there + 4 * read + 10 * used };

      for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
        {
          const guint row = row_of (arrays, i + 1, names[k]);

          g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, row, MEASURED), 1e3 * sums[i], 0.005e3 * sums[i]);
          g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, row, PREDICTED), 1e3 * sums[i], 0.03e3 * sums[i]);
        }
    }
  es_test_lab_says (result, ES_VERDICT_YES, "The advised plan takes");
  g_unsetenv ("ES_RECORDED_LAB");
}

/* What is smaller than the least that the card can go through is no reason to know nothing of it. */
static void
test_small_used (void)
{
  g_setenv ("ES_RECORDED_LAB", "managed", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "64:1:1:0:1000", "allocation", "no",
                                                 NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");
  const guint row = row_of (arrays, 1, "Pageable");
  const double measured = es_table_get_value (arrays, row, MEASURED);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 1: “Pageable” is advised");
  es_test_lab_says (result, ES_VERDICT_YES, "The advised plan takes");
  g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, row, PREDICTED), measured, 0.03 * measured);
  g_unsetenv ("ES_RECORDED_LAB");
}

/* What moves is not locked. */
static void
test_managed_is_not_locked (void)
{
  g_setenv ("ES_RECORDED_LAB", "managed", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0, 33554432:0:1", NULL);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Array 2: “Managed, prefetched” is advised");
  es_test_lab_says (result, ES_VERDICT_TELLS, "Of these 2 arrays 1 are better locked.");
  g_unsetenv ("ES_RECORDED_LAB");
}

/* With allocating: 20 us, 0.25 s a gigabyte that the processor touches first, 0.05 s one that the card does, 40 us. */
static void
test_managed_own (void)
{
  g_setenv ("ES_RECORDED_LAB", "managed", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "33554432:1:0, 33554432:0:1", NULL);
  EsTable *arrays = es_test_lab_table (result, "arrays");

  for (guint k = 0; k < 2; k++)
    for (guint way = 0; way < 2; way++)
      {
        const double sum = 60e-6 + (way == 0 ? 0.25 : 0.05) / 32
                           + k20c_move (k == 0 ? ESK_MEMORY_MANAGED : ESK_MEMORY_MANAGED_AHEAD, way, 33554432);
        const guint row = row_of (arrays, way + 1, k == 0 ? "Managed" : "Managed, prefetched");

        g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, row, MEASURED), 1e3 * sum, 0.005e3 * sum);
        g_assert_cmpfloat_with_epsilon (es_table_get_value (arrays, row, PREDICTED), 1e3 * sum, 0.03e3 * sum);
      }
  g_unsetenv ("ES_RECORDED_LAB");
}

static gboolean
has_row (EsResult *result, const char *memory)
{
  EsTable *arrays = es_test_lab_table (result, "arrays");

  for (guint r = 0; r < es_table_get_n_rows (arrays); r++)
    if (g_str_equal (es_table_get_text (arrays, r, MEMORY), memory))
      return TRUE;
  return FALSE;
}

/* A card that moves all of it when a kernel starts has nothing to ask beforehand for; one that has none, or only seems
 * to have some, has no plan of it, and not one that costs nothing. */
static void
test_managed_whole (void)
{
  static const struct { const char *words, *sentence; EsVerdictState state; gboolean managed; } cards[] = {
    { "whole", "Managed memory moves as a whole", ES_VERDICT_TELLS, TRUE },
    { "denied", "What managed memory costs is not known here", ES_VERDICT_UNSURE, FALSE },
    { "nothing of the kind", "What managed memory costs is not known here", ES_VERDICT_UNSURE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    {
      g_setenv ("ES_RECORDED_LAB", cards[i].words, TRUE);
      g_autoptr (EsResult) result = es_test_lab_run ("lab-choose", "arrays", "16777216:1:0", NULL);

      es_test_lab_says (result, cards[i].state, cards[i].sentence);
      es_test_lab_says (result, ES_VERDICT_YES, "The advised plan takes");
      g_assert_cmpint (has_row (result, "Managed"), ==, cards[i].managed);
      g_assert_false (has_row (result, "Managed, prefetched"));
      g_assert_true (has_row (result, "Registered"));
    }
  g_unsetenv ("ES_RECORDED_LAB");
}

/* The link's page has its curves from a page on, in doublings. */
static void
test_managed_link (void)
{
  const double bytes = 4 * MEGA;

  g_setenv ("ES_RECORDED_LAB", "managed", TRUE);
  g_autoptr (EsResult) result = es_test_lab_run ("lab-link", "largest", "16", NULL);

  es_test_lab_says (result, ES_VERDICT_TELLS, "Managed memory moves to the card at");
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "to", "Managed", bytes),
                                  bytes / k20c_move (ESK_MEMORY_MANAGED, 0, bytes), 1e6);
  g_assert_cmpfloat_with_epsilon (es_test_lab_figure (result, "from", "Managed, prefetched", bytes),
                                  bytes / k20c_move (ESK_MEMORY_MANAGED_AHEAD, 1, bytes), 1e6);
  g_assert_true (isnan (es_test_lab_figure (result, "to", "Managed", 1024)));
  g_unsetenv ("ES_RECORDED_LAB");
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
  g_test_add_func ("/experiments-choose/managed", test_managed);
  g_test_add_func ("/experiments-choose/small-used", test_small_used);
  g_test_add_func ("/experiments-choose/managed-own", test_managed_own);
  g_test_add_func ("/experiments-choose/managed-is-not-locked", test_managed_is_not_locked);
  g_test_add_func ("/experiments-choose/managed-whole", test_managed_whole);
  g_test_add_func ("/experiments-choose/managed-link", test_managed_link);
  return g_test_run ();
}
