/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of clusters and shapes: what is understood of them, and the sentence where they are refused. */

#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube.h"
#include "plan/es-cluster.h"
#include "plan/es-planned-data.h"
#include "recording/es-recording.h"

#define HEAD "\"format\": \"eigenscope-cluster\", \"version\": 1"
#define PROCESSOR "\"processor\": { \"float32_per_second\": 1e12, \"float64_per_second\": 5e11, " \
                  "\"memory_bytes_per_second\": 1e11 }"
#define NODE "\"node\": { \"threads\": 8, \"memory_bytes\": 64e9, " PROCESSOR " }"
#define NETWORK "\"network\": { \"latency_seconds\": 2e-6, \"bytes_per_second\": 1e10 }"

static EsCluster *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  EsCluster *cluster = es_cluster_parse (text, "cluster.json", NULL, &error);

  g_assert_no_error (error);
  return cluster;
}

static void
test_least (void)
{
  g_autoptr (EsCluster) cluster = parse ("{" HEAD "," NODE "," NETWORK "}");

  g_assert_cmpstr (cluster->name, ==, "cluster.json");
  g_assert_cmpuint (cluster->nodes, ==, 1000);
  g_assert_cmpuint (cluster->processes, ==, 1);
  g_assert_cmpuint (cluster->threads, ==, 8);
  g_assert_cmpuint (cluster->cards, ==, 0);
  g_assert_false (cluster->has_disk);
  /* What was not told of integers is what float32 does; copies read and write. */
  g_assert_cmpfloat (cluster->host.operations[ES_WORK_INT16], ==, 1e12);
  g_assert_cmpfloat (cluster->host.copy, ==, 5e10);
  g_assert_cmpfloat (cluster->start, ==, 0);
}

static void
test_disk (void)
{
  g_autoptr (EsCluster) cluster = parse ("{" HEAD "," NODE "," NETWORK ", \"nodes\": 12, \"name\": \"ours\","
                                         "\"disk\": { \"read_bytes_per_second\": 8e9, "
                                         "\"node_read_bytes_per_second\": 2e9 },"
                                         "\"start\": { \"seconds\": 0.5 } }");

  g_assert_cmpstr (cluster->name, ==, "ours");
  g_assert_cmpuint (cluster->nodes, ==, 12);
  g_assert_true (cluster->has_disk);
  g_assert_cmpfloat (cluster->write, ==, 8e9);
  g_assert_cmpfloat (cluster->node_write, ==, 2e9);
  g_assert_cmpfloat (cluster->start, ==, 0.5);
}

/* Figures of installed profiles: of all threads of a node, and of a card. */
static void
test_profiles (void)
{
  static const char text[] = "{" HEAD "," NETWORK ", \"node\": { \"threads\": %u, \"memory_bytes\": 64e9, "
                             "\"processor\": \"Intel(R) Xeon(R) Processor\"%s } }";
  g_autofree char *some = g_strdup_printf (text, 4, ""), *many = g_strdup_printf (text, 32, "");
  g_autofree char *cards = g_strdup_printf (text, 16, ", \"cards\": { \"count\": 4, \"profile\": "
                                                      "\"NVIDIA H100 80GB HBM3\" }");
  g_autoptr (EsCluster) few = parse (some), more = parse (many), with_cards = parse (cards);

  /* The profile is of 16 threads, and its rate of float32 1.003e12. */
  g_assert_cmpfloat_with_epsilon (few->host.operations[ES_WORK_FLOAT32], 1003347695207.3464 / 4, 1);
  g_assert_cmpfloat_with_epsilon (more->host.operations[ES_WORK_FLOAT32], 1003347695207.3464 * 2, 1);
  g_assert_cmpuint (with_cards->cards, ==, 4);
  g_assert_cmpuint (with_cards->processes, ==, 4);
  g_assert_cmpfloat (with_cards->card_memory, ==, 85017493504.0);
  g_assert_cmpfloat_with_epsilon (with_cards->card.operations[ES_WORK_FLOAT64], 62669604882859.164, 1);
  g_assert_cmpfloat (with_cards->card.link_to, >, 4e10);
}

typedef struct
{
  const char *text, *says;
} Refused;

/* One sentence each, which names the field, what was found and what was expected. */
static void
test_refused (void)
{
  static const Refused refused[] = {
    { "[]", "“{}” is a list; expected an object." },
    { "{}", "“format” is nothing; expected it to be there." },
    { "{ \"format\": \"other\" }", "“format” is “other”; expected “eigenscope-cluster”." },
    { "{ \"format\": \"eigenscope-cluster\", \"version\": 2 }", "“version” is 2; expected 1." },
    { "{" HEAD "}", "“node” is nothing; expected it to be there." },
    { "{" HEAD "," NODE "}", "“network” is nothing; expected it to be there." },
    { "{" HEAD "," NODE "," NETWORK ", \"disc\": {} }",
      "“disc” is unknown; expected one of format, version, name, nodes, node, network, disk, start there." },
    { "{" HEAD "," NODE "," NETWORK ", \"nodes\": 0 }", "“nodes” is 0; expected a number from 1 to 1000." },
    { "{" HEAD "," NODE "," NETWORK ", \"nodes\": 1.5 }", "“nodes” is 1.5; expected a whole number." },
    { "{" HEAD "," NODE "," NETWORK ", \"nodes\": \"two\" }",
      "“nodes” is “two”; expected a number from 1 to 1000." },
    { "{" HEAD "," NODE "," NETWORK ", \"name\": 5 }", "“name” is 5; expected a text." },
    { "{" HEAD ", \"node\": { \"memory_bytes\": 1e9, " PROCESSOR " }," NETWORK "}",
      "“node.threads” is nothing; expected it to be there." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": -1, " PROCESSOR " }," NETWORK "}",
      "“node.memory_bytes” is -1; expected a number from 1e+06 to 1e+18." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": { } }," NETWORK "}",
      "“node.processor.float32_per_second” is nothing; expected it to be there." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": { \"float32_per_second\": 1e9, "
      "\"float64_per_second\": 1e9, \"memory_bytes_per_second\": 1e9, \"speeds\": { \"matrix\": { "
      "\"values_per_second\": -1 } } } }," NETWORK "}",
      "“node.processor.speeds.matrix.values_per_second” is -1; expected a number from 1 to 1e+21." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": { \"float32_per_second\": 1e9, "
      "\"float64_per_second\": 1e9, \"memory_bytes_per_second\": 1e9, \"speeds\": { \"sorting\": { } } } }," NETWORK
      "}", "“node.processor.speeds.sorting” is unknown; expected one of reading, writing, " },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": \"Abacus\" }," NETWORK "}",
      "“node.processor” is “Abacus”; expected a device whose profile is installed (" },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": \"a\\nb\" }," NETWORK "}",
      "; expected a device whose profile is installed (" },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, \"processor\": \"Tesla K20c\" }," NETWORK "}",
      "“node.processor” is “Tesla K20c”; expected a processor, not a card." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, " PROCESSOR ", \"cards\": { \"profile\": "
      "\"Intel(R) Xeon(R) Processor\" } }," NETWORK "}",
      "“node.cards.profile” is “Intel(R) Xeon(R) Processor”; expected a card, not a processor." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, " PROCESSOR ", \"processes\": 5 }," NETWORK "}",
      "“node.processes” is 5; expected no more processes than threads." },
    { "{" HEAD ", \"node\": { \"threads\": 4, \"memory_bytes\": 1e9, " PROCESSOR ", \"processes\": 3, \"cards\": { "
      "\"count\": 2, \"profile\": \"NVIDIA H100 80GB HBM3\" } }," NETWORK "}",
      "“node.processes” is 3; expected one process a card." },
    { "{" HEAD "," NODE ", \"network\": { \"latency_seconds\": 1e-6, \"bytes_per_second\": 0 } }",
      "“network.bytes_per_second” is 0; expected a number from 1 to 1e+21." },
    { "{" HEAD "," NODE "," NETWORK ", \"disk\": { \"write_bytes_per_second\": 1e9 } }",
      "“disk.read_bytes_per_second” is nothing; expected it to be there." },
    { "{" HEAD "," NODE "," NETWORK ", \"disk\": [1, 2] }", "“disk” is a list; expected an object." },
    { "{" HEAD "," NODE "," NETWORK ", \"start\": { \"seconds\": true } }",
      "“start.seconds” is true; expected a number from 0 to 100000." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;
      EsCluster *cluster = es_cluster_parse (refused[i].text, "cluster.json", NULL, &error);

      g_assert_null (cluster);
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_test_message ("%s", error->message);
      g_assert_true (g_str_has_prefix (error->message, "“cluster.json” does not describe a cluster: "));
      g_assert_nonnull (strstr (error->message, refused[i].says));
      g_assert_true (g_str_has_suffix (error->message, "."));
      g_assert_null (strchr (error->message, '\n'));
    }
}

static void
test_no_json (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (es_cluster_parse ("{ \"format\": ", "cluster.json", NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "cluster.json"));
}

static void
test_installed (void)
{
  static const char *const names[] = { "sixty-four", "sixteen-cards" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/clusters/%s.json", g_getenv ("ES_DATA_DIR"), names[i]);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsCluster) cluster = es_cluster_load (file, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (cluster->cards, ==, i == 0 ? 0 : 4);
    }
}

/* ---- shapes ---- */

static void
test_cube_shape (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_planned_data_new ("50000x40000x200:int16", &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_CUBE (dataset));
  g_assert_cmpuint (es_cube_get_width (ES_CUBE (dataset)), ==, 50000);
  g_assert_cmpuint (es_cube_get_height (ES_CUBE (dataset)), ==, 40000);
  g_assert_cmpuint (es_cube_get_bytes (ES_CUBE (dataset)), ==, G_GUINT64_CONSTANT (800000000000));
}

static void
test_recording_shapes (void)
{
  static const char *const shapes[] = { "64x3600s@4000:int16", "64x14400000@4000:int16", "64x3600.0s@4e3:int16" };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDataset) dataset = es_planned_data_new (shapes[i], &error);

      g_assert_no_error (error);
      g_assert_true (ES_IS_RECORDING (dataset));
      g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (dataset)), ==, 64);
      g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (dataset)), ==, 14400000);
      g_assert_cmpfloat (es_recording_get_rate (ES_RECORDING (dataset)), ==, 4000);
    }
}

static void
test_no_shapes (void)
{
  static const char *const shapes[] = {
    "", "614", "614x512:int16", "614x512x224", "614x512x224:int17", "0x512x224:int16", "-1x512x224:int16",
    "1.5x512x224:int16", "614x512x70000:int16", "1e300x512x224:int16", "64x3600s@0:int16", "64x@4000:int16",
    "64x3600s4000:int16", "70000x1s@1:int16", "64x1.5@4000:int16", "nanx1x1:uint8", "614x512x224:int16 "
  };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", shapes[i]);
      g_assert_null (es_planned_data_new (shapes[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster-file/least", test_least);
  g_test_add_func ("/cluster-file/disk", test_disk);
  g_test_add_func ("/cluster-file/profiles", test_profiles);
  g_test_add_func ("/cluster-file/refused", test_refused);
  g_test_add_func ("/cluster-file/no-json", test_no_json);
  g_test_add_func ("/cluster-file/installed", test_installed);
  g_test_add_func ("/planned-data/cube", test_cube_shape);
  g_test_add_func ("/planned-data/recordings", test_recording_shapes);
  g_test_add_func ("/planned-data/none", test_no_shapes);
  return g_test_run ();
}
