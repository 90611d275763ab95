/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-linear-model-internal.h"
#include "es-operation.h"
#include "es-result-internal.h"

G_BEGIN_DECLS

struct _EsResult
{
  GObject            parent_instance;

  /* Provenance */
  const EsOperation *operation;
  EsDataset         *dataset;
  char              *identity, *shape;         /* of the data set then: a recording may have grown since */
  EsParams          *params;
  EsDevice          *device;
  char              *device_id, *device_name;
  gboolean           automatic;
  char              *reason;
  guint              threads;
  GArray            *stages;         /* EsStageTime */
  double             total_ms;

  /* What was found */
  char              *title;
  GListStore        *layers;
  JsonObject        *values;
  GPtrArray         *warnings;       /* NULL-terminated */
  EsLinearModel     *model;

  /* For a later run */
  gpointer           state;
  GDestroyNotify     state_destroy;

  GObject           *judgement;      /* what is thought of it: the session's */
  int                saved;          /* atomic */
  gboolean           absent;

  char              *name;           /* atomic: what a person calls it; nullable */
  GPtrArray         *names;          /* all that it has had: workers may still read one */
};

G_END_DECLS
