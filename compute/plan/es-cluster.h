/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "result/es-stage-time.h"

G_BEGIN_DECLS

#define ES_CLUSTER_MOST_NODES 1000

/* The best that a processor or a card does, a second: operations, bytes. 0: not known, or it has none. */
typedef struct
{
  double operations[ES_N_WORK_TYPES];
  double memory;               /* bytes of its own memory, read */
  double copy;                 /* a processor: bytes copied within memory, counted once */
  double link_to, link_from;   /* a card: bytes from the host's memory, and to it */
  double launches;             /* a card: kernels one after the other */
} EsClusterRates;

/*
 * A cluster as a person tells it, in a file (JSON; docs/cluster-planning.md): nodes that are all the same, what joins
 * them and where their files are. Immutable once it is read.
 */
typedef struct
{
  char          *name;
  guint          nodes;        /* that there are, 1..ES_CLUSTER_MOST_NODES */
  guint          processes;    /* a node */
  guint          threads;      /* a node, of all its processes together */
  double         memory;       /* bytes a node */
  char          *processor;    /* the name of its profile; nullable: its figures were typed */
  EsClusterRates host;         /* of all threads of a node */
  guint          cards;        /* a node; 0: none */
  char          *card_profile; /* nullable */
  EsClusterRates card;         /* of one */
  double         card_memory;  /* bytes of one */
  double         latency;      /* seconds of a message of nothing between two nodes */
  double         bandwidth;    /* bytes a second between two nodes */
  gboolean       has_disk;     /* FALSE: files are in the memory of nodes already, and are left there */
  double         read, write;  /* bytes a second of all nodes together */
  double         node_read, node_write;   /* of one node */
  double         start, start_process;    /* seconds a run, and more for each process */
} EsCluster;

/* ES_DATA_ERROR_FORMAT: one sentence that names the file, the field, what was found and what was expected. Profiles are
 * looked for among the installed ones, then as files beside it. */
EsCluster *es_cluster_load  (GFile *file, GError **error);
EsCluster *es_cluster_parse (const char *text, const char *name, GFile *folder, GError **error);   /* folder nullable */
void       es_cluster_free  (EsCluster *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCluster, es_cluster_free)

G_END_DECLS
