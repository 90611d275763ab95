/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cluster.h"

G_BEGIN_DECLS

#define ES_CLUSTER_FORMAT "eigenscope-cluster"
#define ES_CLUSTER_VERSION 1

/* What rates of arithmetic are called in files. */
extern const char *const _es_cluster_work_names[ES_N_WORK_TYPES];

/* And the three speeds of a kind of work. */
extern const char *const _es_cluster_speed_names[3];

/* Members of a cluster's file: what is wrong is one sentence, and once something was, all else answers NULL or 0. */
typedef struct
{
  const char *file;            /* as messages call it */
  GError    **error;
  gboolean    failed;
} EsClusterReader;

/* found: in words; path: "node.cards.count". Always FALSE. */
gboolean    _es_cluster_refuse       (EsClusterReader *self, const char *path, const char *found, const char *expected);
gboolean    _es_cluster_refuse_node  (EsClusterReader *self, const char *path, JsonNode *found, const char *expected);
/* path: of the object itself, "" at the top; known: all members it may have, separated by blanks. */
JsonObject *_es_cluster_read_object  (EsClusterReader *self, JsonNode *node, const char *path, const char *known);
/* The member of an object at a path; NULL where it is missing, which is an error where it is needed. */
JsonNode   *_es_cluster_read_member  (EsClusterReader *self, JsonObject *object, const char *path, const char *name,
                                      gboolean needed);
/* A text that is not empty; borrowed. */
const char *_es_cluster_read_text    (EsClusterReader *self, JsonObject *object, const char *path, const char *name,
                                      gboolean needed);
/* from least to most; otherwise: where it is missing; NAN: it may not be. */
double      _es_cluster_read_number  (EsClusterReader *self, JsonObject *object, const char *path, const char *name,
                                      double least, double most, double otherwise);
guint       _es_cluster_read_count   (EsClusterReader *self, JsonObject *object, const char *path, const char *name,
                                      guint least, guint most, guint otherwise);

G_END_DECLS
