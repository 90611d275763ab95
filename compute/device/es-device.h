/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  ES_DEVICE_CPU,
  ES_DEVICE_GPU,
  ES_DEVICE_ALL_GPUS,          /* splits the pixels among GPUs, its members: all, or those that its id names */
} EsDeviceKind;

/* Who computes: the CPU, a GPU, or all GPUs together. Lives as long as the program. Property "lost" is notified in the
 * main context. */
#define ES_TYPE_DEVICE (es_device_get_type ())
G_DECLARE_FINAL_TYPE (EsDevice, es_device, ES, DEVICE, GObject)

const char *es_device_get_id      (EsDevice *self);   /* "cpu", "cuda:0", "cuda:0,2", "cuda:all" */
const char *es_device_get_name    (EsDevice *self);   /* "AMD EPYC", "NVIDIA H200" */
const char *es_device_get_backend (EsDevice *self);   /* "cpu", "cuda" */
/* "2 threads, AVX2, 23.4 GB": one line for the device row. */
const char *es_device_get_detail  (EsDevice *self);
EsDeviceKind es_device_get_kind   (EsDevice *self);
gboolean    es_device_is_cpu      (EsDevice *self);
guint       es_device_get_lanes   (EsDevice *self);   /* tiles in flight at once; CPU: its threads */
guint64     es_device_get_memory  (EsDevice *self);   /* bytes, total; of all members together */
/* A GPU as it is at this moment; false for others. What is unknown is negative (busy, temperature) or 0. */
typedef struct
{
  guint64 memory, memory_free; /* bytes; of every process */
  guint64 used_here;           /* by this program's buffers */
  double  busy;                /* share of the last second, 0..1 */
  int     temperature;         /* degrees Celsius */
  int     major, minor;        /* compute capability */
  int     pcie_generation, pcie_width;
  int     driver;              /* CUDA version of the driver, 13000 = 13.0 */
} EsDeviceStatus;
gboolean    es_device_get_status  (EsDevice *self, EsDeviceStatus *status);
/* 1 but for all GPUs; a GPU and the CPU are their own member. Borrowed. */
guint       es_device_get_n_members (EsDevice *self);
EsDevice   *es_device_get_member  (EsDevice *self, guint i);
/* It failed in a way that it will not recover from in this process; jobs on it fail at once. */
gboolean    es_device_is_lost     (EsDevice *self);
/* What this program may use of its memory: a share of what was free at first, or what the user allows. 0: the CPU. All
 * GPUs: of all members together, each an equal share. */
guint64     es_device_get_budget  (EsDevice *self);
void        es_device_set_budget  (EsDevice *self, guint64 bytes);               /* 0: the default again */

/* Devices in order of preference, GPUs first, all of them together where there are several, the CPU last; a GListModel
 * of EsDevice that belongs to the library. The first call looks for GPUs: about 0.2 ms without a driver. After
 * es_devices_start () it does not wait: the list has the CPU alone at first, belongs to the main context's thread, and
 * "items-changed" is emitted when the search is over (with nothing changed where there is no GPU). */
GListModel *es_devices_get        (void);
/* For a program that does one thing and ends: cards start 50 ms sooner, and work on less at once. First of all, while
 * there is one thread. */
void        es_devices_prefer_quick_start (void);
/* For a program with a main loop, when it starts: looks for GPUs on a thread, then starts and measures the first. */
void        es_devices_start      (void);
/* The same in two steps, for a program whose window is still to come: nothing is looked for before es_devices_go (),
 * and other threads that need to know wait until then. Loading a driver and the libraries of a card takes 0.2 s and
 * more, and whatever else has to be loaded meanwhile waits for it: OpenGL, pictures, the types of templates. */
void        es_devices_announce   (void);
void        es_devices_go         (void);
/* Before such a program ends: waits until nothing of that is under way, for drivers do not bear it. FALSE: a solver
 * that a cancelled job has left behind is still inside a library of the CPU's, whose end it does not bear either;
 * waiting for it may take minutes, so that the program has to leave by _exit (). */
gboolean    es_devices_stop       (void);
/* For a program that ends by _exit () when its files are on the disk: nothing is asked of any card any more, and what
 * they still have to be freed of is freed on a thread, which nobody waits for. */
void        es_devices_leave      (void);
/* Borrowed; any thread; waits for the search but for "cpu". Several cards, "cuda:0,2", are one device that is in no
 * list. ES_COMPUTE_ERROR_DEVICE, with the ids there are, or that
 * it is lost. */
EsDevice   *es_device_find        (const char *id, GError **error);
EsDevice   *es_device_get_cpu     (void);
/* Why there is no GPU ("This build has no GPU support"; on the main loop's thread also that they are being looked
 * for), translated, without a full stop; NULL where there is one. */
const char *es_devices_why_no_gpu (void);

/* Measured once, lazily, in about 20 ms, and kept: what plans divide by. A GPU is started for it, which takes 0.3 s the
 * first time; after es_devices_start () the main loop's thread gets an estimate meanwhile. */
double      es_device_get_flops   (EsDevice *self);   /* float32 multiply-adds * 2 a second, all lanes */
/* Bytes a second: CPU: through one pass over a tile; GPU: from page-locked memory to the card. All GPUs: their sum. */
double      es_device_get_bandwidth (EsDevice *self);

G_END_DECLS
