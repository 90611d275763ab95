/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "result/es-stage-time.h"

G_BEGIN_DECLS

#define ES_CLUSTER_MOST_NODES 1000

/*
 * Kinds of work of a processor, each of a hot spot's own: what a run takes for a piece of it is the sum of three
 * amounts, each at a speed of its own (EsClusterSpeed). In brackets what samples and values are.
 */
typedef enum
{
  ES_CLUSTER_NO_KIND,          /* by the best rates, and the share of them that a step reaches */
  ES_CLUSTER_READING,          /* out of the system's cache (samples that are looked at for missing ones; bytes) */
  ES_CLUSTER_WRITING,          /* to files (bytes: values) */
  ES_CLUSTER_COVARIANCE_INT8,  /* sums of products of samples as they are stored (samples) */
  ES_CLUSTER_COVARIANCE_INT16,
  ES_CLUSTER_COVARIANCE_FLOAT32,
  ES_CLUSTER_NOISE_INT16,      /* the same of differences of neighbours; of exact ones, and of floats (samples) */
  ES_CLUSTER_NOISE_FLOAT32,
  ES_CLUSTER_PROJECTION,       /* samples onto components (samples; values that come of it) */
  ES_CLUSTER_ROTATION,         /* the same of components that are in memory (values) */
  ES_CLUSTER_ITERATION,        /* a step of FastICA over all samples */
  ES_CLUSTER_MOMENTS,          /* fourth moments */
  ES_CLUSTER_EIGENPROBLEM,     /* symmetric, float64 (values of the matrix) */
  ES_CLUSTER_TRANSFORM,        /* short-time spectra of elements (values: bytes of samples) */
  ES_CLUSTER_BEAMS,            /* conventional ones (values: powers that come of it) */
  ES_CLUSTER_MATRIX,           /* Hermitian products of snapshots (values of the matrix) */
  ES_CLUSTER_FACTOR,           /* Cholesky's (values of the matrix) */
  ES_CLUSTER_EIGENVALUES,      /* Hermitian */
  ES_CLUSTER_SPECTRUM,         /* adaptive beams from factors (values: of the vectors that are solved for) */
  ES_CLUSTER_SNAPSHOTS,        /* snapshots times steering vectors (values: of these) */
  ES_CLUSTER_ADDING,           /* up what blocks have found (values: powers) */
  ES_CLUSTER_LINES,            /* transforms of LOFAR (values: of its rows) */
  ES_CLUSTER_ENVELOPE,         /* DEMON's (values) */
  ES_CLUSTER_LISTENING,        /* to a beam, delayed and added up */
  ES_N_CLUSTER_KINDS
} EsClusterKind;

/* A second. 0: such amounts cost nothing; all of them 0: nobody has measured that kind of work. */
typedef struct
{
  double operations, samples, values;
} EsClusterSpeed;

/* The best that a processor or a card does, a second: operations, bytes. 0: not known, or it has none. */
typedef struct
{
  double operations[ES_N_WORK_TYPES];
  double memory;               /* bytes of its own memory, read */
  double copy;                 /* a processor: bytes copied within memory, counted once */
  double link_to, link_from;   /* a card: bytes from the host's memory, and to it */
  double launches;             /* a card: kernels one after the other */
  EsClusterSpeed speeds[ES_N_CLUSTER_KINDS];   /* a processor: of work that was measured */
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
/* Transfer full. */
EsCluster *es_cluster_copy  (const EsCluster *self);
void       es_cluster_free  (EsCluster *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCluster, es_cluster_free)

/* What a file of it says, with all its figures in the place of profiles. Transfer full. */
JsonNode  *es_cluster_to_json (const EsCluster *self);
/* One that is installed, by the name of its file ("sixty-four"); NULL: there is none. Transfer full. */
GFile     *es_cluster_find_installed  (const char *name);
/* The names of all of them, in order. Transfer full, NULL-terminated. */
char     **es_cluster_list_installed  (void);

/* ---- this machine (es-cluster-here.c) ---- */

/* A node that is this machine: so many processes of so many threads each (threads 0: all), on its processor. Figures
 * are those of its kept profile, of an installed one of its name, or assumed; its network costs nothing. Any thread. */
EsCluster *es_cluster_new_here     (guint processes, guint threads);
/* How fast this machine is at each kind of work: runs small analyses of made data by one thread, once a process (some
 * seconds), and takes all threads to be as fast as that one. ES_COMPUTE_ERROR_DEVICE. */
gboolean   es_cluster_measure_speeds  (EsCluster *self, GError **error);
/* Whether a plan of it goes by speeds of kinds of work that were measured, and not by shares of rates: of nodes without
 * cards. */
gboolean   es_cluster_has_speeds      (const EsCluster *self);
/* All rates and speeds times that. */
void       es_cluster_rates_multiply  (EsClusterRates *self, double by);
/* "covariance-int16", as files call it. */
const char *es_cluster_kind_get_name  (EsClusterKind kind);
gboolean   es_cluster_speed_is_known  (const EsClusterSpeed *self);
/* How fast this machine tells itself something by TCP over the loopback: takes some tenths of a second. A network of
 * machines that are like it is not faster. ES_COMPUTE_ERROR_DEVICE. */
gboolean   es_cluster_measure_network (EsCluster *self, GError **error);

G_END_DECLS
