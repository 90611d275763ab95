/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-device-profile.h"
#include "result/es-stage-time.h"

G_BEGIN_DECLS

/* Where a figure comes from, the surest first. */
typedef enum
{
  ES_ROOF_MEASURED,            /* the kept profile of this very device */
  ES_ROOF_OF_KIND,             /* an installed profile of another one of its name */
  ES_ROOF_QUICK,               /* measured by the program in some milliseconds, on work of its own: no limit */
  ES_ROOF_ASSUMED,             /* by what processors of today do at most */
  ES_N_ROOF_SOURCES
} EsRoofSource;

/* The best that something can be done at; rate 0: not known. */
typedef struct
{
  double       rate;           /* a second: bytes, operations */
  EsRoofSource source;
} EsRoof;

/* Of the device that computes, and of the host where that is a card. Of several cards: of all together. */
typedef struct
{
  gboolean on_cpu;
  guint    threads, all_threads;             /* of the processor: that the run had, and there are */
  EsRoof   operations[ES_N_WORK_TYPES];      /* of all threads, or of the card */
  EsRoof   memory;             /* read from behind the caches */
  EsRoof   link_to, link_from; /* page-locked */
  EsRoof   link_pageable;      /* to the card, from pageable memory */
  EsRoof   launches;           /* one after the other in a stream */
  EsRoof   host_operations[ES_N_WORK_TYPES], host_memory;
  EsRoof   host_copy;          /* bytes copied within memory, counted once, all threads */
  EsRoof   one_thread, one_copy;             /* host memory read, and copied, by one thread */
} EsRoofs;

/* What one profile tells: of a processor's the host's figures too, for so many of its threads (0: all). Those that it
 * lacks are left as they are. Pure. */
void es_roofs_read   (EsRoofs *self, EsDeviceProfile *profile, EsRoofSource source, gboolean of_cpu, guint threads);
/* What is assumed of so many threads of a processor of today; of what is not known yet. Pure. */
void es_roofs_assume (EsRoofs *self, guint threads);
/* Of a processor that computes: what is its and what is the host's are the same. Pure. */
void es_roofs_settle (EsRoofs *self);

/* Of a device that is here: kept profiles, installed ones of its name, what was measured of it in passing, and for the
 * rest what is assumed. Nothing is measured for it. Any thread. */
void es_roofs_find   (EsDevice *device, guint threads, EsRoofs *roofs);
/* Looks for them on a thread of its own: taking profiles apart takes milliseconds, while the device computes. */
void es_roofs_prepare (EsDevice *device);

G_END_DECLS
