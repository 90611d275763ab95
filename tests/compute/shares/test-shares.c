/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Shares of processes by their speeds; what several of them do is in tests/mpi. */

#include <math.h>

#include "base/es-error.h"
#include "ranks/es-ranks.h"
#include "shares/es-shares-private.h"

typedef struct
{
  guint  n;
  double speeds[4], shares[4];
} Case;

static const Case cases[] = {
  { 1, { 3 }, { 3 } },
  { 2, { 1, 1 }, { 1, 1 } },
  /* Within a tenth of the fastest they are the same. */
  { 2, { 1, 0.92 }, { 0.96, 0.96 } },
  { 3, { 0.95, 1, 0.91 }, { 2.86 / 3, 2.86 / 3, 2.86 / 3 } },
  /* Those that are farther off are by themselves. */
  { 4, { 0.5, 1, 0.48, 0.98 }, { 0.49, 0.99, 0.49, 0.99 } },
  { 3, { 1, 2, 4 }, { 1, 2, 4 } },
  /* So slow that half a piece of 64 is too much: 1 / 127 of all is just enough. */
  { 2, { 1, 126 }, { 1, 126 } },
  { 2, { 1, 128 }, { 0, 128 } },
  { 3, { 1e-9, 1, 1 }, { 0, 1, 1 } },
  /* What cannot be is nothing. */
  { 3, { NAN, -1, 5 }, { 0, 0, 5 } },
  { 2, { 0, 0 }, { 0, 0 } },
};

static void
test_even_out (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double speeds[4];

      for (guint k = 0; k < 4; k++)
        speeds[k] = cases[i].speeds[k];
      es_shares_even_out (speeds, cases[i].n);
      for (guint k = 0; k < cases[i].n; k++)
        g_assert_cmpfloat_with_epsilon (speeds[k], cases[i].shares[k], 1e-12);
    }
}

/* Of more processes than there are pieces nobody is left out for it. */
static void
test_many (void)
{
  double speeds[100];

  for (guint i = 0; i < 100; i++)
    speeds[i] = 1;
  es_shares_even_out (speeds, 100);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpfloat (speeds[i], ==, 1);
}

/* One process has everything, whoever says what. */
static void
test_alone (void)
{
  const double told[] = { 1, 2 };
  const EsLimits limits = { 0 };
  g_autoptr (GError) error = NULL;

  for (EsSharesKind kind = ES_SHARES_AUTO; kind <= ES_SHARES_TOLD; kind++)
    {
      const EsShares shares = { kind, told, 2 };

      g_assert_true (es_shares_settle (&shares, es_device_get_cpu (), &limits, ES_DATASET_CUBE, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (es_ranks_get_weight (0), ==, 1);
    }
}

/* There is a speed of each kind of work on each kind of device, and it takes no longer than was said. */
static void
test_measure (void)
{
  const EsLimits one = { .threads = 1 }, all = { 0 };
  g_autoptr (GError) error = NULL;
  EsDevice *card = es_device_find ("cuda:0", &error), *both = es_device_find ("cuda:0,1", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      const EsDatasetKind takes = i == 0 ? ES_DATASET_CUBE : ES_DATASET_RECORDING;

      g_assert_cmpfloat (es_shares_measure (es_device_get_cpu (), &one, takes), >, 0);
      g_assert_cmpfloat (es_shares_measure (es_device_get_cpu (), &all, takes), >, 0);
      g_assert_cmpfloat (es_shares_measure (card, &all, takes), >, 0);
      g_assert_cmpfloat (es_shares_measure (both, &all, takes), >, es_shares_measure (card, &all, takes));
    }
  g_assert_cmpuint (es_shares_threads (&one), ==, 1);
  g_assert_cmpuint (es_shares_threads (&all), ==, es_device_get_lanes (es_device_get_cpu ()));
}

/* Several cards that are one device. */
static void
test_some_cards (void)
{
  static const char *const wrong[] = { "cuda:0,0", "cuda:0,9", "cuda:0,", "cuda:,", "cuda:all,0", "cpu,cuda:0", "0,1" };
  g_autoptr (GError) error = NULL;
  EsDevice *both = es_device_find ("cuda:1,0", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (es_device_get_id (both), ==, "cuda:1,0");
  g_assert_cmpuint (es_device_get_n_members (both), ==, 2);
  g_assert_true (es_device_get_member (both, 0) == es_device_find ("cuda:1", &error));
  g_assert_true (es_device_get_member (both, 1) == es_device_find ("cuda:0", &error));
  g_assert_true (both == es_device_find ("cuda:1,0", &error));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (es_device_find (wrong[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
      g_clear_error (&error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shares/even-out", test_even_out);
  g_test_add_func ("/shares/many", test_many);
  g_test_add_func ("/shares/alone", test_alone);
  g_test_add_func ("/shares/measure", test_measure);
  g_test_add_func ("/shares/some-cards", test_some_cards);
  return g_test_run ();
}
