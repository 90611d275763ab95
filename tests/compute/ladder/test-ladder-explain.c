/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is said of a rung follows from its numbers: made-up climbs, one rule at a time. */

#include <math.h>
#include <string.h>

#include "ladder/es-ladder-climb-internal.h"

#define ROOFS \
  "\"roofs\": {\"memory_bytes_per_second\": 1e11, \"cache_bytes_per_second\": 4e11, \"cache_bytes\": 1e6, " \
  "\"arithmetic\": [{\"type\": \"float32\", \"matrix\": false, \"operations_per_second\": 1e12}, " \
  "{\"type\": \"int8\", \"matrix\": true, \"operations_per_second\": 8e12}]}"

/* Of two rungs: what each has besides; the first takes 100 ms. */
static EsLadderClimb *
climb (const char *backend, const char *first, const char *second)
{
  g_autofree char *text = g_strdup_printf ("{\"kind\": \"covariance\", \"backend\": \"%s\", "
                                           "\"size\": {\"width\": 614, \"height\": 1087, \"bands\": 224}, "
                                           "\"least_bytes\": 1e9, \"least_operations\": 5e9, " ROOFS ", \"rungs\": ["
                                           "{\"id\": \"v0\", \"kind\": \"step\", \"state\": \"measured\", "
                                           "\"seconds\": [0.1], \"type\": \"float32\", %s}, "
                                           "{\"id\": \"v1\", \"below\": \"v0\", \"state\": \"measured\", %s}]}",
                                           backend, first, second);
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (GError) error = NULL;
  EsLadderClimb *self;

  g_assert_nonnull (node);
  self = es_ladder_climb_from_json (json_node_get_object (node), &error);
  g_assert_no_error (error);
  return self;
}

static void
says (EsLadderClimb *self, guint rung, const char *part)
{
  g_autofree char *text = es_ladder_explain (self, rung);

  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in: %s", part, text);
}

static void
does_not_say (EsLadderClimb *self, guint rung, const char *part)
{
  g_autofree char *text = es_ladder_explain (self, rung);

  if (strstr (text, part) != NULL)
    g_error ("“%s” is in: %s", part, text);
}

#define STEP "\"kind\": \"step\", \"type\": \"float32\", "

static void
test_change (void)
{
  g_autoptr (EsLadderClimb) self = climb ("cuda",
    "\"bytes\": 8e9, \"operations\": 1e10, \"local_bytes\": 36, \"launches\": 162, \"occupancy\": 0.25",
    STEP "\"seconds\": [0.01], \"bytes\": 8e8, \"operations\": 5e9, \"launches\": 3, \"occupancy\": 0.75");

  says (self, 1, "It is 10.00 times as fast as “A thread an entry”.");
  says (self, 1, "What lay in local memory, 36 bytes a thread, is in registers now.");
  says (self, 1, "It does 2.0 times less arithmetic.");
  says (self, 1, "It asks memory for 10.0 times fewer bytes.");
  says (self, 1, "162 launches have become 3.");
  says (self, 1, "Resident warps go from 25 % of what a multiprocessor holds to 75 %.");
  says (self, 0, "36 bytes a thread lie in local memory, off the chip.");
}

static void
test_roofs (void)
{
  g_autoptr (EsLadderClimb) memory = climb ("cuda", "\"bytes\": 9e9, \"operations\": 1e9",
    STEP "\"seconds\": [0.1], \"bytes\": 2e10, \"operations\": 1e9");
  g_autoptr (EsLadderClimb) arithmetic = climb ("cuda", "\"bytes\": 1e8, \"operations\": 8e10",
    "\"kind\": \"step\", \"type\": \"int8\", \"matrix\": true, \"seconds\": [0.01], \"bytes\": 1e8, "
    "\"operations\": 7.2e10");
  g_autoptr (EsLadderClimb) idle = climb ("cuda", "\"bytes\": 1e8, \"operations\": 1e9",
    STEP "\"seconds\": [0.1], \"bytes\": 1e8, \"operations\": 1e9");
  g_autoptr (EsLadderClimb) processor = climb ("cpu", "\"bytes\": 1e8, \"operations\": 1e9",
    STEP "\"seconds\": [0.2], \"bytes\": 1e8, \"operations\": 1e9");

  says (memory, 0, "It asks for 90 GB/s, 90 % of what memory gives: memory is what it waits for.");
  says (memory, 1, "It asks for 200 GB/s, which is 2.0 times what memory gives and 50 % of what the cache does");
  says (memory, 1, "It takes as long as “A thread an entry”");
  says (arithmetic, 0, "Its arithmetic reaches 80 % of what this device does in float32.");
  says (arithmetic, 1, "Its products reach 90 % of what this device does of them in int8.");
  says (idle, 1, "It keeps neither memory (1 %) nor arithmetic (1 %) busy: it waits for answers");
  says (processor, 1, "it waits for results");
  says (processor, 1, "It takes 2.00 times as long as “v0”.");
}

/* Eigenvectors that one rung is given and another does without belong to the comparison; plans do not. */
static void
test_prepared (void)
{
  g_autoptr (EsLadderClimb) self = climb ("cuda", "\"preparation_seconds\": 0.05",
    STEP "\"seconds\": [0.12], \"setup_seconds\": 1.0");

  g_assert_cmpint (es_ladder_climb_find_fastest (self), ==, 1);
  g_assert_cmpuint (es_ladder_climb_find_rival (self, 0), ==, 1);
  g_assert_cmpfloat_with_epsilon (self->rungs[0].whole, 0.15, 1e-12);
  g_assert_cmpfloat_with_epsilon (self->rungs[1].whole, 0.12, 1e-12);
  says (self, 0, "What it needs first takes 50 ms, once for the data");
  does_not_say (self, 0, "once for a size");
  says (self, 1, "Its plans and tables take 1 s, once for a size.");
  does_not_say (self, 1, "What it needs first");
}

/* Of V1 10.66 times was published. */
static void
test_published (void)
{
  g_autoptr (EsLadderClimb) holds = climb ("cuda", "\"bytes\": 1e9", STEP "\"seconds\": [0.012], \"bytes\": 1e9");
  g_autoptr (EsLadderClimb) part = climb ("cuda", "\"bytes\": 1e9", STEP "\"seconds\": [0.03], \"bytes\": 1e9");
  g_autoptr (EsLadderClimb) none = climb ("cuda", "\"bytes\": 3e10", STEP "\"seconds\": [0.09], \"bytes\": 1e9");
  g_autoptr (EsLadderClimb) another = climb ("cpu", "\"bytes\": 1e9", STEP "\"seconds\": [0.09], \"bytes\": 1e9");

  g_assert_cmpint (es_ladder_judge (holds, 1), ==, ES_VERDICT_YES);
  g_assert_cmpint (es_ladder_judge (part, 1), ==, ES_VERDICT_UNSURE);
  g_assert_cmpint (es_ladder_judge (none, 1), ==, ES_VERDICT_NO);
  g_assert_cmpint (es_ladder_judge (another, 1), ==, ES_VERDICT_TELLS);
  g_assert_cmpint (es_ladder_judge (none, 0), ==, ES_VERDICT_TELLS);
  says (holds, 1, "10.66 times was published of this step: it holds here.");
  says (part, 1, "only part of it holds here.");
  /* 300 GB/s of the 100 that memory gives. */
  says (none, 1, "The rung below already gets from caches what it asks for, 3.0 times what memory gives.");
  does_not_say (part, 1, "The rung below already gets from caches");
  does_not_say (another, 1, "published");
}

/* Of what the program does: how far from what nobody can do without, here 10 ms of memory and 5 of arithmetic. */
static void
test_bound (void)
{
  g_autoptr (EsLadderClimb) own = climb ("cuda", "\"bytes\": 1e9",
    "\"kind\": \"production\", \"type\": \"float32\", \"seconds\": [0.025], \"bytes\": 1e9, \"operations\": 5e9");
  g_autoptr (EsLadderClimb) quick = climb ("cuda", "\"bytes\": 1e9",
    "\"kind\": \"library\", \"type\": \"float32\", \"seconds\": [0.005], \"bytes\": 1e10, \"operations\": 5e9");
  gboolean by_memory = FALSE;

  g_assert_cmpfloat_with_epsilon (es_ladder_climb_get_bound (own, 1, &by_memory), 0.01, 1e-9);
  g_assert_true (by_memory);
  says (own, 1, "Reading what comes in and writing what goes out takes 10 ms by itself here: it takes 2.50 times "
                "that.");
  says (quick, 1, "It is quicker than 10 ms, which reading and writing memory once alone would take");
  /* How often the program and libraries load is not known. */
  does_not_say (quick, 1, "as many bytes");
}

/* A mean is no median. */
static void
test_definitions (void)
{
  g_autoptr (EsLadderClimb) self = climb ("cuda", "\"bytes\": 1e9, \"definition\": 1",
                                          STEP "\"seconds\": [0.01], \"bytes\": 1e9");

  says (self, 1, "It computes something else than that.");
  g_assert_cmpuint (es_ladder_climb_find_rival (self, 0), ==, 0);
  self->rungs[0].definition = 0;
  g_assert_cmpuint (es_ladder_climb_find_rival (self, 0), ==, 1);
}

static void
test_refusals (void)
{
  static const struct { guint why; const char *says; } cases[] = {
    { 0, "The device failed: AVX2." }, { 1, "It needs AVX2, which is not here." },
    { 2, "It needs 128 KiB of shared memory a block, and there are 64 KiB." },
    { 3, "It needs 128 KiB of constant memory, and there are 64 KiB." },
    { 4, "It needs 131072 threads a block, and 65536 are possible." },
    { 5, "It needs 128 KiB of memory, and 64 KiB are free." },
    { 6, "A single run would take 1.31e+05 s, and 6.55e+04 s are granted." },
    { 7, "It cannot do work of this size: AVX2." }, { 8, "“AVX2” cannot be loaded." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      EsLadderRung rung = { .state = ES_RUNG_REFUSED, .why = cases[i].why, .amount = 131072, .limit = 65536,
                            .needs = (char *) "AVX2" };
      g_autofree char *told = es_ladder_rung_tell_why (&rung);

      g_assert_cmpstr (told, ==, cases[i].says);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ladder-explain/change", test_change);
  g_test_add_func ("/ladder-explain/roofs", test_roofs);
  g_test_add_func ("/ladder-explain/prepared", test_prepared);
  g_test_add_func ("/ladder-explain/published", test_published);
  g_test_add_func ("/ladder-explain/bound", test_bound);
  g_test_add_func ("/ladder-explain/definitions", test_definitions);
  g_test_add_func ("/ladder-explain/refusals", test_refusals);
  return g_test_run ();
}
