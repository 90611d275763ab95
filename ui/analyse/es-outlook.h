/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* What a run with these parameters would be: where, why there, what it would cost, and how that device is now. Making
 * one may wait for GPUs, which is nothing for the UI thread. */
typedef struct
{
  EsDevice *device;              /* borrowed */
  gboolean  automatic;           /* chosen by es_device_choose () */
  char     *reason;              /* translated; NULL where chosen by hand */
  gboolean  has_plan;            /* FALSE without data */
  EsPlan    plan;
  char     *detail;              /* lines about the device, translated */
} EsOutlook;

/* wanted NULL: automatic. operation, dataset and params: all of them or none. Any thread; transfer full. */
EsOutlook *es_outlook_new         (EsDevice *wanted, const EsOperation *operation, EsDataset *dataset,
                                   EsParams *params);
void       es_outlook_free        (EsOutlook *self);

/* "GPU 0 – NVIDIA H200", "All GPUs (2)", "CPU – AMD EPYC". Any thread; transfer full. */
char      *es_outlook_name_device (EsDevice *device);
/* A GPU's state in lines: memory, capability and link, whether the cube (nullable) lies there. May take some
 * milliseconds. Transfer full. */
char      *es_outlook_describe_device (EsDevice *device, EsDataset *dataset);

/* Around other work on a worker that asks GPUs. */
void       es_outlook_enter        (void);
void       es_outlook_leave        (void);
/* At the end of the program: waits until no outlook is being made, for drivers do not bear it. */
void       es_outlook_wait        (void);

G_END_DECLS
