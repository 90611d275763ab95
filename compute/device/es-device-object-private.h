/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-private.h"

G_BEGIN_DECLS

/* For the device's own files. */
struct _EsDevice
{
  GObject             parent_instance;

  /* Fixed once made */
  EsDeviceKind        kind;
  char               *id, *name, *backend;
  char               *uuid;          /* nullable, or empty: not known */
  const EskHotspots  *hotspots;
  int                 index;         /* of the back end's own devices; -1: all of them */
  guint               lanes;
  guint64             memory;
  GPtrArray          *members;       /* all GPUs together; else NULL */
  EsDevice           *all;           /* which it is a member of; nullable */

  int                 lost;          /* atomic */
  int                 started;       /* atomic */
  GMutex              start_lock;

  GMutex              lock;
  const char         *detail;        /* interned */
  gint64              detail_made;
  guint64             first_budget, wanted_budget;
  gboolean            has_first_budget;

  gsize               measured;      /* g_once */
  int                 measure_asked; /* atomic */
  double              flops, bandwidth;        /* an estimate until then */
};

G_END_DECLS
