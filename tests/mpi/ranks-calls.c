/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What processes tell each other, held by each of them against what all of them must have: started by a launcher, by
 * test-ranks.sh. Exit status 0: all is right in this process. */

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-groups-internal.h"
#include "ranks/es-ranks-internal.h"

/* More than one message of the engine. */
#define LONG ((gsize) 70 << 20)

static guint rank, size, wrong;

static void
hold (gboolean right, const char *what, const GError *error)
{
  if (right)
    return;
  wrong++;
  fprintf (stderr, "process %u of %u: %s: %s\n", rank, size, what,
           error != NULL ? error->message : "not as it must be");
}

/* ---- numbers ---- */

static void
test_sums (void)
{
  g_autoptr (GError) error = NULL;
  gint64 integers[] = { rank + 1, G_GINT64_CONSTANT (1) << 40 };
  __int128 wide[] = { (__int128) 1 << 90, -(__int128) rank };
  double values[] = { 0, 0, 0 }, least = rank, greatest = rank;
  const gint64 all = size * (size + 1) / 2;

  hold (es_ranks_sum_integers (integers, 2, &error) && integers[0] == all
        && integers[1] == (gint64) size << 40, "sums of integers", error);
  hold (es_ranks_sum_wide (wide, 2, &error) && wide[0] == ((__int128) 1 << 90) * size && wide[1] == -(all - size),
        "sums of 128 bits", error);
  values[rank % 3] = 0.1 * (rank + 1);
  hold (es_ranks_sum_doubles (values, 3, &error) && (size > 3 || values[size - 1] == 0.1 * size),
        "numbers that one process has", error);
  hold (es_ranks_least (&least, 1, &error) && least == 0 && es_ranks_greatest (&greatest, 1, &error)
        && greatest == size - 1, "least and greatest", error);
  hold (es_ranks_sum_integers (integers, 0, &error), "sums of nothing", error);
}

static void
test_long (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = g_malloc (LONG);
  gboolean right = TRUE;

  for (gsize i = 0; i < LONG; i++)
    bytes[i] = rank == 0 ? i * 7 : 0;
  hold (es_ranks_broadcast (bytes, LONG, &error), "many bytes", error);
  for (gsize i = 0; i < LONG; i++)
    right &= bytes[i] == (guint8) (i * 7);
  hold (right, "many bytes are those of the first", NULL);
}

/* Shares of n things follow each other, are all there is, and leave nobody out who has a weight. */
static void
hold_shares (guint64 n, const double *weights)
{
  guint64 next = 0, first, end;
  guint working = 0;
  double all = 0;

  for (guint i = 0; i < size; i++)
    {
      all += weights != NULL ? weights[i] : 1;
      working += weights == NULL || weights[i] > 0;
    }
  for (guint i = 0; i < size; i++)
    {
      const double weight = weights != NULL ? weights[i] : 1;

      es_ranks_share_of (i, n, &first, &end);
      hold (first == next && end >= first && end <= n, "shares follow each other", NULL);
      hold (weight > 0 || end == first, "who has no weight has no share", NULL);
      hold (n < working || weight == 0 || end > first, "everybody has a share where there are enough", NULL);
      /* But for whole things, one each of the others, and a millionth of the greatest weight. */
      hold (fabs ((double) (end - first) - n * (weight / all)) <= 1 + size + n * (1.01e-6 * size),
            "a share is as large as its weight", NULL);
      next = end;
    }
  hold (next == n, "shares are all there is", NULL);
}

/* Equal ones, as they are cut without weights. */
static void
hold_equal_shares (guint64 n)
{
  guint64 first, end;

  for (guint i = 0; i < size; i++)
    {
      es_ranks_share_of (i, n, &first, &end);
      hold (first == n / size * i + n % size * i / size && end == n / size * (i + 1) + n % size * (i + 1) / size,
            "equal shares", NULL);
    }
}

static void
test_shares (void)
{
  const guint64 many[] = { 64, 1000, 4096, 1000003, G_GUINT64_CONSTANT (1) << 40, G_MAXUINT64 / 3 };
  const double lots[][3] = { { 1, 1, 1 }, { 1, 2, 3 }, { 5, 1, 1 }, { 1e-9, 1, 1 }, { 0, 1, 1 }, { 1, 0, 0 },
                             { 1e9, 1, 1e-9 }, { 0.9, 1.05, 1 }, { 1, 1e6, 0 } };
  g_autofree double *weights = g_new (double, size);

  for (guint64 n = 0; n < 40 + G_N_ELEMENTS (many); n++)
    {
      const guint64 things = n < 40 ? n : many[n - 40];

      es_ranks_set_weights (NULL);
      hold_shares (things, NULL);
      hold_equal_shares (things);
      for (guint k = 0; k < G_N_ELEMENTS (lots); k++)
        {
          gboolean any = FALSE;

          for (guint i = 0; i < size; i++)
            {
              weights[i] = lots[k][(i + k) % 3];
              any |= weights[i] > 0;
            }
          es_ranks_set_weights (weights);
          hold_shares (things, any ? weights : NULL);
        }
      for (guint i = 0; i < size; i++)
        weights[i] = 0.37;
      es_ranks_set_weights (weights);
      hold_equal_shares (things);
    }
  for (guint i = 0; i < size; i++)
    weights[i] = i + 1;
  es_ranks_set_weights (weights);
  hold (fabs (es_ranks_get_weight (size - 1) - 2.0 / (size + 1)) < 1e-5, "the weight of a process", NULL);
  es_ranks_set_alone (TRUE);
  hold (es_ranks_get_weight (0) == 1, "alone it has all", NULL);
  es_ranks_set_alone (FALSE);
  es_ranks_set_weights (NULL);
  hold (es_ranks_get_weight (0) == 1.0 / size, "without weights all have as much", NULL);
}

static void
test_under_way (void)
{
  g_autoptr (GError) error = NULL;
  double values[100];
  gboolean right = TRUE;

  for (guint i = 0; i < 100; i++)
    values[i] = i;
  EsRanksSum *sum = es_ranks_sum_begin (values, 100, &error);
  hold (sum != NULL && es_ranks_sum_finish (sum, &error), "a sum under way", error);
  for (guint i = 0; i < 100; i++)
    right &= values[i] == (double) i * size;
  hold (right, "a sum under way is the sum", NULL);
}

/* ---- texts ---- */

static void
test_texts (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *mine = g_strnfill (rank * 3, 'a' + rank), *told = rank == 0 ? g_strdup ("früh") : g_strdup ("x");
  g_autofree char *none = rank == 0 ? NULL : g_strdup ("x");
  g_auto (GStrv) all = es_ranks_gather (mine, &error);

  hold (all != NULL && g_strv_length (all) == size, "texts of all", error);
  for (guint i = 0; all != NULL && i < size; i++)
    hold (strlen (all[i]) == i * 3 && (i == 0 || all[i][0] == 'a' + (char) i), "texts in order", NULL);
  hold (es_ranks_broadcast_text (&told, &error) && strcmp (told, "früh") == 0, "a text of the first", error);
  hold (es_ranks_broadcast_text (&none, &error) && none == NULL, "no text of the first", error);
  hold (es_ranks_get_n_hosts () == 1 && es_ranks_get_host_size () == size && es_ranks_get_host_rank () == rank
        && es_ranks_get_host (size - 1) != NULL && es_ranks_get_host (size) == NULL, "the host", NULL);
}

/* ---- in turn ---- */

static gboolean
make_squares (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  for (guint64 i = 0; i < n; i++)
    ((guint64 *) out)[i] = (first + i) * (first + i);
  *(guint64 *) data += n;
  return TRUE;
}

static gboolean
take_squares (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  for (guint64 i = 0; i < n; i++)
    hold (((const guint64 *) in)[i] == (first + i) * (first + i), "things in turn come in order", NULL);
  ((guint64 *) data)[1] += n;
  return TRUE;
}

static void
test_in_turn (void)
{
  for (guint64 n = 0; n < 23; n++)
    {
      g_autoptr (GError) error = NULL;
      guint64 counts[2] = { 0, 0 };
      gint64 made;

      hold (es_ranks_in_turn (n, sizeof (guint64), 3, make_squares, take_squares, counts, &error), "in turn", error);
      made = (gint64) counts[0];
      hold (es_ranks_sum_integers (&made, 1, &error) && made == (gint64) n, "each thing is made once", error);
      hold (counts[1] == n, "all take all", NULL);
    }
}

/* ---- pieces ---- */

static void
test_pieces (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree int *lengths = g_new (int, size), *out_lengths = g_new (int, size), *in_lengths = g_new (int, size);
  g_autoptr (GByteArray) own = g_byte_array_new (), out = g_byte_array_new ();
  g_autofree guint8 *all = g_malloc0 (size * size + 1), *in = g_malloc0 (3 * size * size + 1);
  const guint8 *at = all;
  gboolean right = TRUE;

  for (guint i = 0; i < size; i++)
    {
      const guint8 told = 16 * rank + i;

      lengths[i] = i;
      if (i < rank)
        g_byte_array_append (own, &(guint8) { 7 * rank + i }, 1);
      /* As many as the two of them make. */
      out_lengths[i] = in_lengths[i] = (rank + i) % 3;
      for (guint k = 0; k < (rank + i) % 3; k++)
        g_byte_array_append (out, &told, 1);
    }
  hold (es_ranks_gather_bytes (own->data, all, lengths, &error), "bytes of all", error);
  for (guint i = 0; i < size; i++)
    for (guint k = 0; k < i; k++)
      right &= *at++ == 7 * i + k;
  hold (right && *at == 0, "bytes of all in order", NULL);
  hold (es_ranks_exchange (out->data, out_lengths, in, in_lengths, &error), "bytes for each", error);
  at = in;
  for (guint i = 0; i < size; i++)
    for (guint k = 0; k < (rank + i) % 3; k++)
      right &= *at++ == 16 * i + rank;
  hold (right && *at == 0, "bytes for each in order", NULL);
}

/* ---- groups ---- */

static double
value_of (guint64 thing, gsize i)
{
  /* Of many sizes, so that no two orders have the same sum. */
  return ((thing * 7919 + i * 104729) % 1000003 - 5e5) * ((thing + i) % 3 == 0 ? 1e-7 : (thing + i) % 3 == 1 ? 1 : 1e7);
}

/* One number by the definition: things to groups, groups to eights, and these. */
static double
sum_of (guint64 n, gsize i)
{
  const guint groups = es_ranks_groups_count (n);
  double all = 0;

  for (guint eight = 0; eight < groups; eight += 8)
    {
      double sum = 0;

      for (guint group = eight; group < MIN (eight + 8, groups); group++)
        {
          const guint64 end = es_ranks_groups_get_first (n, group + 1);
          double one = 0;

          for (guint64 thing = es_ranks_groups_get_first (n, group); thing < end; thing++)
            one += value_of (thing, i);
          sum += one;
        }
      all += sum;
    }
  return all;
}

static void
hold_groups (guint64 n, gsize n_values, const guint *begins)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRanksGroups) groups = es_ranks_groups_new (n, n_values, begins);
  const guint64 end = es_ranks_groups_get_first (n, begins[rank + 1]);
  g_autofree double *all = NULL;
  gboolean right = TRUE;

  for (guint64 thing = es_ranks_groups_get_first (n, begins[rank]); thing < end; thing++)
    {
      double *sums = es_ranks_groups_get (groups, thing);

      for (gsize i = 0; i < n_values; i++)
        sums[i] += value_of (thing, i);
    }
  all = es_ranks_groups_finish (groups, &error);
  hold (all != NULL, "sums by groups", error);
  for (gsize i = 0; all != NULL && i < n_values; i += MAX (n_values / 100, 1))
    {
      const double expected = sum_of (n, i);

      right &= memcmp (&all[i], &expected, sizeof expected) == 0;
    }
  hold (right, "sums by groups are those of one process", NULL);
}

static void
test_groups (void)
{
  static const guint64 counts[] = { 1, 2, 3, 7, 8, 9, 20, 40, 63, 64, 65, 100, 128, 500, 1999 };
  g_autofree guint *begins = g_new (guint, size + 1);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const guint n = es_ranks_groups_count (counts[i]);
      guint64 next = 0;

      hold (n == MIN (counts[i], ES_RANKS_GROUPS), "as many groups", NULL);
      for (guint group = 0; group < n; group++)
        {
          hold (es_ranks_groups_get_first (counts[i], group) == next, "groups follow each other", NULL);
          next = es_ranks_groups_get_first (counts[i], group + 1);
          hold (next > es_ranks_groups_get_first (counts[i], group), "groups have something", NULL);
        }
      hold (next == counts[i], "groups are all there is", NULL);
      /* Equal shares, what is left to the last, and all to one. */
      for (guint kind = 0; kind < 3; kind++)
        {
          for (guint k = 0; k <= size; k++)
            begins[k] = k == size ? n : kind == 0 ? n * k / size : kind == 1 ? MIN (k * 3, n) : k > size / 2 ? n : 0;
          hold_groups (counts[i], 1 + i * 5, begins);
        }
    }
  /* Several messages. */
  for (guint k = 0; k <= size; k++)
    begins[k] = 24 * k / size;
  hold_groups (24, size > 3 ? 1000 : 1000003, begins);
}

static void
test_in_shares (void)
{
  g_autofree double *weights = g_new (double, size);

  for (guint i = 0; i < size; i++)
    weights[i] = i % 2 == 0 ? 1 : 3.5;
  es_ranks_set_weights (weights);
  for (guint64 n = 0; n < 12; n++)
    {
      g_autoptr (GError) error = NULL;
      guint64 counts[2] = { 0, 0 };
      gint64 made;

      hold (es_ranks_in_shares (n, sizeof (guint64), make_squares, take_squares, counts, &error), "in shares", error);
      made = (gint64) counts[0];
      hold (es_ranks_sum_integers (&made, 1, &error) && made == (gint64) n, "each thing is made once", error);
      hold (counts[1] == n, "all take all", NULL);
    }
  es_ranks_set_weights (NULL);
}

/* ---- steps ---- */

/* Of n numbers of this process and twice as many of the next one. */
static gboolean
hold_steps (gsize n, guint steps, GError **error)
{
  g_autoptr (EsRanksSteps) self = es_ranks_steps_begin (n * (rank + 1), error);
  gboolean right = TRUE;

  for (guint k = 0; self != NULL && k < steps; k++)
    {
      for (gsize i = 0; i < n * (rank + 1); i++)
        es_ranks_steps_own (self)[i] = k + rank * 1000.0 + i * 0.5;
      if (!es_ranks_steps_next (self, error))
        return es_ranks_steps_end (self, FALSE, error);
      for (guint r = 0; r < size; r++)
        {
          gsize told;
          const double *of = es_ranks_steps_of (self, r, &told);

          right &= told == n * (r + 1);
          for (gsize i = 0; i < told; i++)
            right &= of[i] == k + r * 1000.0 + i * 0.5;
        }
    }
  hold (right, "what all bring to a step", NULL);
  return self != NULL && es_ranks_steps_end (self, TRUE, error);
}

static void
test_steps (void)
{
  g_autoptr (GError) error = NULL, failed = NULL, late = NULL, ways = NULL;
  g_autoptr (EsRanksSteps) steps = NULL, others = NULL, apart = NULL;
  gint64 one = 1;
  gboolean ok = TRUE;

  hold (hold_steps (0, 3, &error) && hold_steps (7, 5, &error) && hold_steps (1, 0, &error), "steps", error);
  /* More than goes at once. */
  hold (hold_steps (LONG / sizeof (double) / (size * (size + 1) / 2), 1, &error), "a long step", error);

  /* One fails between two steps; the others learn it in the next. */
  steps = es_ranks_steps_begin (rank == 0 ? 3 : 0, &error);
  for (guint k = 0; ok && k < 4; k++)
    if (k == 2 && rank == size - 1)
      {
        g_set_error (&failed, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, "A step is too large.");
        ok = FALSE;
      }
    else
      ok = es_ranks_steps_next (steps, &failed);
  hold (!ok && !es_ranks_steps_end (steps, ok, &failed) && g_error_matches (failed, ES_DATA_ERROR, ES_DATA_ERROR_SIZE)
        && g_str_has_suffix (failed->message, "A step is too large."), "one that fails between steps is named", failed);
  hold (!es_ranks_agree (FALSE, &failed), "and it is told once", failed);
  hold (es_ranks_sum_integers (&one, 1, &error) && one == size, "they go on after it", error);

  /* After the last one. */
  others = es_ranks_steps_begin (2, &error);
  ok = es_ranks_steps_next (others, &late);
  if (rank == 0)
    g_set_error (&late, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "Nothing came of it.");
  hold (ok && !es_ranks_steps_end (others, rank > 0, &late)
        && g_error_matches (late, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY), "one that fails after the last step", late);

  /* One is done when others are not. */
  apart = es_ranks_steps_begin (2, &error);
  hold (!(rank == 0 ? es_ranks_steps_end (apart, TRUE, &ways) : es_ranks_steps_next (apart, &ways))
        && g_error_matches (ways, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE), "different numbers of steps", ways);
}

static gboolean
refuse_squares (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  if (first + n < 12)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, "There is no room.");
  return FALSE;
}

static gboolean
fail_to_make (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  if (first + n < 12)
    return make_squares (first, n, out, data, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "There is no sample.");
  return FALSE;
}

static void
test_collecting (void)
{
  g_autoptr (GError) refused = NULL, failed = NULL;
  guint64 none[2] = { 0, 0 };

  for (guint64 n = 0; n < 40; n++)
    for (guint chunk = 1; chunk < 6; chunk += 2)
      {
        g_autoptr (GError) error = NULL;
        guint64 counts[2] = { 0, 0 };
        gint64 made;

        hold (es_ranks_collect (n, sizeof (guint64), chunk, make_squares, take_squares, counts, &error), "collecting",
              error);
        made = (gint64) counts[0];
        hold (es_ranks_sum_integers (&made, 1, &error) && made == (gint64) n, "each thing is made once", error);
        hold (counts[1] == (rank == 0 ? n : 0), "the first takes all, and the others nothing", NULL);
      }
  /* What the first process cannot take, and what another cannot make, ends all of them. */
  hold (!es_ranks_collect (30, sizeof (guint64), 2, make_squares, refuse_squares, none, &refused)
        && g_error_matches (refused, ES_DATA_ERROR, ES_DATA_ERROR_WRITE)
        && g_str_has_suffix (refused->message, "There is no room."), "one that cannot take ends all", refused);
  hold (!es_ranks_collect (30, sizeof (guint64), 2, fail_to_make, take_squares, none, &failed)
        && g_error_matches (failed, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT), "one that cannot make ends all", failed);
  for (guint64 n = 1; n < 200; n += 7)
    for (gsize bytes = 1; bytes < 5000; bytes *= 5)
      {
        const guint64 chunk = es_ranks_choose_chunk (n, bytes, 4000), in_round = chunk * size;

        hold (chunk >= 1 && (chunk == 1 || in_round * bytes <= 4000), "a round is no larger than it may be", NULL);
        hold (size == 1 || (n + in_round - 1) / in_round <= MAX ((n * bytes * size + 4000 - 1) / 4000 + 1, n),
              "there are no more rounds than it takes", NULL);
      }
}

/* ---- failures ---- */

static void
test_agreeing (void)
{
  g_autoptr (GError) error = NULL, same = NULL, met = NULL;
  gint64 one = 1;

  hold (es_ranks_agree (TRUE, &error), "all is well", error);
  /* One fails, and says so. */
  if (rank == size - 1)
    g_set_error (&error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "The “cube” is empty.");
  hold (!es_ranks_agree (rank != size - 1, &error) && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY)
        && g_str_has_suffix (error->message, "The “cube” is empty.") && !g_str_has_prefix (error->message, "The"),
        "one that fails is named", error);
  /* It is known; nobody waits for anybody. */
  hold (!es_ranks_agree (FALSE, &error), "what is known is not told again", NULL);
  /* All say the same. */
  g_set_error (&same, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, "There is no memory.");
  hold (es_ranks_sum_integers (&one, 1, &met) && one == size, "and they go on", met);
  hold (!es_ranks_agree (FALSE, &same) && strcmp (same->message, "There is no memory.") == 0
        && g_error_matches (same, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY), "what all say is said once", same);
  /* One fails while the others are in a call. */
  g_clear_error (&met);
  one = 1;
  if (rank == 0)
    {
      g_set_error (&met, G_IO_ERROR, G_IO_ERROR_CANCELLED, "It was cancelled.");
      es_ranks_fail (&met);
      hold (met != NULL, "it fails", NULL);
    }
  else
    hold (!es_ranks_sum_integers (&one, 1, &met), "a call fails for all", NULL);
  hold (g_error_matches (met, G_IO_ERROR, G_IO_ERROR_CANCELLED), "with the error of the one", met);
}

static void
test_comparing (void)
{
  g_autoptr (GError) error = NULL, ways = NULL;
  double values[4] = { 0 };

  hold (es_ranks_compare ("The file", "abc", &error), "the same text", error);
  hold (!es_ranks_compare ("The file", rank == 1 ? "abd" : "abc", &error)
        && g_error_matches (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED) && strstr (error->message, "abd") != NULL,
        "another text is told", error);
  /* Calls that do not fit are an error, and no wait without an end. */
  hold (!es_ranks_sum_doubles (values, rank == 1 ? 3 : 4, &ways)
        && g_error_matches (ways, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE), "different ways", ways);
}

static void
test_alone (void)
{
  g_autoptr (GError) error = NULL;
  gint64 one = 1;
  int status = rank == 0 ? 3 : 0;
  gboolean all = rank != 1, each = TRUE;

  es_ranks_set_alone (TRUE);
  hold (es_ranks_get_size () == 1 && es_ranks_get_rank () == 0 && es_ranks_sum_integers (&one, 1, &error) && one == 1
        && es_ranks_agree (TRUE, &error), "alone", error);
  es_ranks_set_alone (FALSE);
  hold (es_ranks_tell_status (&status, &error) && status == 3, "the status of the first", error);
  hold (es_ranks_have_all (&all, &error) && !all && es_ranks_have_all (&each, &error) && each, "whether all have it",
        error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (!es_ranks_start (&error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  rank = es_ranks_get_rank ();
  size = es_ranks_get_size ();
  hold (size == (guint) g_ascii_strtoull (argc > 1 ? argv[1] : "1", NULL, 10), "so many processes", NULL);
  test_shares ();
  test_sums ();
  test_pieces ();
  test_groups ();
  test_collecting ();
  if (size > 1)
    {
      test_long ();
      test_under_way ();
      test_texts ();
      test_in_turn ();
      test_in_shares ();
      test_steps ();
      test_agreeing ();
      test_comparing ();
      test_alone ();
    }
  es_ranks_end ();
  return wrong > 0;
}
