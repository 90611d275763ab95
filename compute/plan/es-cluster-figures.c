/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-figures.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MOST_THREADS 65536
#define MOST_PROCESSES 1024
#define MOST_CARDS 64
#define GIGA 1e9
#define MICRO 1e-6
/* Of a disk that the cluster's file does not tell of. */
#define USUAL_DISK 1.0

/* Their defaults are a cluster's. */
static const EsParamSpec rows[] = {
  { .key = "nodes", .label = N_("Nodes"), .help = N_("How many the cluster has. Up to 1000 are planned in any case."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = ES_CLUSTER_MOST_NODES },
  { .key = "processes", .label = N_("Processes a node"),
    .help = N_("They share its threads and its memory. With cards it is one a card."), .type = ES_PARAM_INT,
    .minimum = 1, .maximum = MOST_PROCESSES },
  { .key = "threads", .label = N_("Threads a node"),
    .help = N_("Of all its processes together. More of them are as many more units and memory channels."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = MOST_THREADS },
  { .key = "speed", .label = N_("Speed of a thread"),
    .help = N_("Against the processor that the cluster's file tells of: arithmetic, memory and copies."), .unit = "×",
    .type = ES_PARAM_FLOAT, .minimum = 0.01, .maximum = 100, .step = 0.1, .digits = 2, .default_value = 1 },
  { .key = "memory", .label = N_("Memory a node"), .help = N_("Half of it keeps files that have been read."),
    .unit = "GB", .type = ES_PARAM_INT, .minimum = 1, .maximum = 1e5 },
  { .key = "cards", .label = N_("Cards a node"), .help = N_("All of them of one kind; 0: processors compute."),
    .type = ES_PARAM_INT, .minimum = 0, .maximum = MOST_CARDS, .zero_label = N_("none") },
  { .key = "latency", .label = N_("Latency"), .help = N_("Of a message of nothing between two nodes."), .unit = "µs",
    .type = ES_PARAM_FLOAT, .minimum = 0.01, .maximum = 1e5, .digits = 2 },
  { .key = "bandwidth", .label = N_("Bandwidth"), .help = N_("Between two nodes, one way."), .unit = "GB/s",
    .type = ES_PARAM_FLOAT, .minimum = 0.001, .maximum = 1e4, .digits = 3 },
  { .key = "disk", .label = N_("Files on a shared disk"),
    .help = N_("Otherwise they are in the memory of the nodes already, and results stay there."),
    .type = ES_PARAM_BOOL },
  { .key = "read", .label = N_("All nodes read"), .help = N_("Together, from the disk."), .unit = "GB/s",
    .type = ES_PARAM_FLOAT, .minimum = 0.001, .maximum = 1e5, .digits = 3, .visible_if = "disk=yes" },
  { .key = "node-read", .label = N_("One node reads"), .help = N_("However few of them read."), .unit = "GB/s",
    .type = ES_PARAM_FLOAT, .minimum = 0.001, .maximum = 1e5, .digits = 3, .visible_if = "disk=yes" },
  { .key = "write", .label = N_("All nodes write"), .help = N_("Together, to the disk."), .unit = "GB/s",
    .type = ES_PARAM_FLOAT, .minimum = 0.001, .maximum = 1e5, .digits = 3, .visible_if = "disk=yes" },
  { .key = "node-write", .label = N_("One node writes"), .help = N_("However few of them write."), .unit = "GB/s",
    .type = ES_PARAM_FLOAT, .minimum = 0.001, .maximum = 1e5, .digits = 3, .visible_if = "disk=yes" },
  { .key = "start", .label = N_("Starting a run"), .help = N_("Whatever the number of processes."), .unit = "s",
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1000, .step = 0.1, .digits = 3, .zero_label = N_("none") },
  { .key = "start-process", .label = N_("For each process"), .help = N_("So much more, for each of all processes."),
    .unit = "s", .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 100, .step = 0.001, .digits = 4,
    .zero_label = N_("none") },
  { .type = ES_PARAM_END }
};

static double
usual (double rate)
{
  return rate > 0 ? rate / GIGA : USUAL_DISK;
}

/* What a row says of a cluster. */
static double
find_value (const EsCluster *cluster, const EsParamSpec *spec)
{
  const struct { const char *key; double value; } values[] = {
    { "nodes", cluster->nodes }, { "processes", cluster->processes }, { "threads", cluster->threads }, { "speed", 1 },
    { "memory", cluster->memory / GIGA }, { "cards", cluster->cards }, { "latency", cluster->latency / MICRO },
    { "bandwidth", cluster->bandwidth / GIGA }, { "disk", cluster->has_disk }, { "read", usual (cluster->read) },
    { "node-read", usual (cluster->node_read) }, { "write", usual (cluster->write) },
    { "node-write", usual (cluster->node_write) }, { "start", cluster->start },
    { "start-process", cluster->start_process },
  };
  double value = spec->default_value;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (values[i].key, spec->key) == 0)
      value = values[i].value;
  value = spec->type == ES_PARAM_INT ? floor (value + 0.5) : value;
  return spec->type == ES_PARAM_BOOL ? value : CLAMP (value, spec->minimum, spec->maximum);
}

EsParams *
es_cluster_figures_new (const EsCluster *cluster)
{
  EsParamSpec *specs = g_new0 (EsParamSpec, G_N_ELEMENTS (rows));
  EsParams *figures;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      /* What cards there would be nobody knows. */
      if (rows[i].key != NULL && strcmp (rows[i].key, "cards") == 0 && cluster->cards == 0)
        continue;
      specs[n] = rows[i];
      if (cluster->cards > 0 && rows[i].key != NULL && strcmp (rows[i].key, "processes") == 0)
        specs[n].visible_if = "cards=0";
      if (rows[i].type != ES_PARAM_END)
        specs[n].default_value = find_value (cluster, &rows[i]);
      n++;
    }
  figures = es_params_new (specs);
  g_object_set_data_full (G_OBJECT (figures), "es-cluster-figures", specs, g_free);
  return figures;
}

/* What was not changed is as exact as the cluster has it. */
static void
take (EsParams *figures, const char *key, double unit, double *value)
{
  if (!es_params_is_key_default (figures, key))
    *value = es_params_get_value (figures, key) * unit;
}

static void
take_disk (EsParams *figures, EsCluster *made)
{
  const gboolean told = made->has_disk;
  const struct { const char *key; double *value; } rates[] = {
    { "read", &made->read }, { "write", &made->write }, { "node-read", &made->node_read },
    { "node-write", &made->node_write },
  };

  made->has_disk = es_params_get_bool (figures, "disk");
  for (guint i = 0; made->has_disk && i < G_N_ELEMENTS (rates); i++)
    if (told)
      take (figures, rates[i].key, GIGA, rates[i].value);
    else
      *rates[i].value = es_params_get_float (figures, rates[i].key) * GIGA;
}

EsCluster *
es_cluster_figures_apply (EsParams *figures, const EsCluster *cluster)
{
  EsCluster *made = es_cluster_copy (cluster);
  const guint threads = (guint) es_params_get_int (figures, "threads");

  made->nodes = (guint) es_params_get_int (figures, "nodes");
  made->threads = threads;
  if (cluster->cards > 0)
    made->cards = (guint) es_params_get_int (figures, "cards");
  made->processes = made->cards > 0 ? made->cards : (guint) es_params_get_int (figures, "processes");
  es_cluster_rates_multiply (&made->host, es_params_get_float (figures, "speed") * threads / cluster->threads);
  take (figures, "memory", GIGA, &made->memory);
  take (figures, "latency", MICRO, &made->latency);
  take (figures, "bandwidth", GIGA, &made->bandwidth);
  take (figures, "start", 1, &made->start);
  take (figures, "start-process", 1, &made->start_process);
  take_disk (figures, made);
  return made;
}
