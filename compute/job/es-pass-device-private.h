/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-pass-private.h"

#include "cube/es-resident-internal.h"

G_BEGIN_DECLS

/* One GPU's share of the pass. */
typedef struct
{
  EsDevice   *device;
  guint64     top, rows;
  EsResident *resident;          /* where the rows are, or are brought to; NULL: they pass by */
  gboolean    here;              /* they are there */
  /* of the present round */
  EsTiling    tiling;
  guint64     tiles, next;
  guint       lanes;
} EsPassMember;

typedef struct
{
  EsPassRun  run;
  guint      n_members;
  EsPassMember    *members;
  gboolean   load_only;          /* this round only brings the cube to the cards */
} EsPassDeviceRun;

typedef struct
{
  EsPassDeviceRun *owner;
  EsPassMember    *member;
  guint      index;
} EsPassLaneStart;

/* A thread: every tile that it gets hold of until there is none left. data: EsPassLaneStart. */
gpointer es_pass_device_lane (gpointer data);

G_END_DECLS
