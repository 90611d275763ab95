/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the runtime's own files (device, stream, eigen) know of a device; the kernels do not look. */

#include <pthread.h>

#include "es-cuda-hotspots-private.h"
#include "es-cuda-nvml-private.h"

/* Streams given back that a device keeps, so that the next operation finds its scratch memory. */
#define ESK_CUDA_SPARE_STREAMS 4

struct _EskCudaDevice {
  /* Set once, when the devices are counted. */
  int               ordinal;             /* CUDA's own number; EskStream.index */
  char              name[128];
  char              uuid[64];
  char              bus[32];             /* "0000:1b:00.0" */
  uint64_t          memory;
  EskCudaProperties properties;

  bool              lost;                /* atomic */
  bool              warm;                /* atomic: its context is there */

  pthread_mutex_t   lock;                /* all below */
  char              lost_reason[256];
  EskNvmlDevice     nvml;
  bool              nvml_asked;
  EskStream        *spare[ESK_CUDA_SPARE_STREAMS];
  int               n_spare;

  pthread_mutex_t   solver_lock;         /* held while the handles work */
  void             *solver;              /* cusolverDnHandle_t, made at first use */
  void             *blas;                /* cublasHandle_t, likewise */
};

/* The device of public number `index` (0 .. device_count () - 1); NULL: there is none. */
EskCudaDevice *esk_cuda_device          (int index);
/* Current on the calling thread. ESK_OK, ESK_ERROR_LOST, ESK_ERROR_MEMORY or ESK_ERROR_DEVICE. */
int            esk_cuda_device_enter    (EskCudaDevice *device);
/* The first reason given is kept. */
void           esk_cuda_device_set_lost (EskCudaDevice *device, const char *reason);
/* A device that may be used, one with a context if there is any: for what belongs to no device. NULL: none. */
EskCudaDevice *esk_cuda_device_any      (void);

/* Gives the memory that spare streams hold back to the device. True: there was some. */
bool           esk_cuda_device_drain    (EskCudaDevice *device);

/* After device_leave (): contexts are gone, or about to go, and all that was in them; a call would make them anew. */
bool esk_cuda_has_left       (void);

/* Without keeping it. */
void esk_cuda_stream_destroy (EskStream *stream);

/* The device's cusolverDnHandle_t, set to work on the stream; its solver_lock is held. */
int  esk_cuda_solver         (EskStream *stream, void **handle);
/* Solves a small problem, so that the libraries are loaded. */
int  esk_cuda_eigen_warm_up  (EskStream *stream);

/*
 * For tests: a counter that the environment arms. "5": the fifth call and all after it; "5!": only the fifth. A new
 * value, or none in between, starts the count again.
 */
typedef struct {
  const char      *variable;
  pthread_mutex_t  lock;
  char             value[24];
  long             calls;
} EskCudaFault;

bool esk_cuda_fault (EskCudaFault *fault);
