/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a probe takes while it runs: noted, and given back when it ends. */

#include "es-lab-cuda-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE (2ull << 20)
#define PIECE (16ull << 20)

int
lab_check (EskLab      *lab,
           cudaError_t  status,
           const char  *what)
{
  if (status == cudaSuccess)
    return ESK_LAB_OK;

  cudaGetLastError ();
  snprintf (lab->error, sizeof lab->error, "%s: %s (%s)", what, cudaGetErrorString (status), cudaGetErrorName (status));
  if (status == cudaErrorMemoryAllocation)
    return ESK_LAB_ERROR_MEMORY;

  return status == cudaErrorNotSupported ? ESK_LAB_ERROR_SUPPORT : ESK_LAB_ERROR_DEVICE;
}

int
lab_refuse (EskLab     *lab,
            int         code,
            const char *sentence)
{
  snprintf (lab->error, sizeof lab->error, "%s", sentence);
  return code;
}

int
lab_cancelled (EskLab *lab)
{
  return __atomic_load_n (&lab->cancelled, __ATOMIC_ACQUIRE) ? ESK_LAB_ERROR_CANCELLED : ESK_LAB_OK;
}

static cudaError_t
give (const LabTaken *taken)
{
  switch (taken->kind)
    {
    case LAB_TAKEN_DEVICE:
    case LAB_TAKEN_MANAGED:
      return cudaFree (taken->thing);
    case LAB_TAKEN_HOST:
      return cudaFreeHost (taken->thing);
    case LAB_TAKEN_MAPPING:
      return munmap (taken->thing, taken->number) == 0 ? cudaSuccess : cudaErrorInvalidValue;
    case LAB_TAKEN_REGISTRATION:
      return cudaHostUnregister (taken->thing);
    case LAB_TAKEN_STREAM:
      return cudaStreamDestroy ((cudaStream_t) taken->thing);
    case LAB_TAKEN_EVENT:
      return cudaEventDestroy ((cudaEvent_t) taken->thing);
    case LAB_TAKEN_GRAPH:
      return cudaGraphDestroy ((cudaGraph_t) taken->thing);
    case LAB_TAKEN_GRAPH_READY:
      return cudaGraphExecDestroy ((cudaGraphExec_t) taken->thing);
    case LAB_TAKEN_TEXTURE:
      return cudaDestroyTextureObject ((cudaTextureObject_t) taken->number);
    }

  return cudaErrorInvalidValue;
}

void *
lab_note (EskLab       *lab,
          LabTakenKind  kind,
          void         *thing,
          uint64_t      number,
          int          *code)
{
  const LabTaken taken = { kind, thing, number };

  if (lab->n_taken == LAB_MOST_TAKEN)
    {
      give (&taken);
      *code = lab_refuse (lab, ESK_LAB_ERROR_ARGUMENT, "A probe asked for more streams and memory than are kept");
      return NULL;
    }
  lab->taken[lab->n_taken++] = taken;

  return thing;
}

cudaError_t
lab_give_back (EskLab       *lab,
               void         *thing,
               LabTakenKind  kind)
{
  for (unsigned t = lab->n_taken; t-- > 0; )
    if (lab->taken[t].thing == thing && lab->taken[t].kind == kind)
      {
        const LabTaken taken = lab->taken[t];

        memmove (&lab->taken[t], &lab->taken[t + 1], (--lab->n_taken - t) * sizeof taken);
        return give (&taken);
      }

  return cudaErrorInvalidValue;
}

void
lab_give_all_back (EskLab *lab)
{
  if (lab->n_taken > 0)
    cudaDeviceSynchronize ();
  while (lab->n_taken > 0)
    give (&lab->taken[--lab->n_taken]);
  cudaGetLastError ();
}

void *
lab_device_memory (EskLab   *lab,
                   uint64_t  bytes,
                   int      *code)
{
  void *memory = NULL;

  *code = lab_check (lab, cudaMalloc (&memory, bytes > 0 ? bytes : 1), "cudaMalloc");
  return *code == ESK_LAB_OK ? lab_note (lab, LAB_TAKEN_DEVICE, memory, bytes, code) : NULL;
}

bool
lab_host_has (uint64_t bytes)
{
  FILE *file = fopen ("/proc/meminfo", "re");
  char line[128];
  unsigned long long kilobytes = 0;

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "MemAvailable: %llu kB", &kilobytes) == 1)
      break;
  if (file != NULL)
    fclose (file);

  return kilobytes == 0 || bytes / 1024 <= kilobytes / 2;
}

void *
lab_mapping (EskLab   *lab,
             uint64_t  bytes,
             bool      large,
             int      *code)
{
  const uint64_t page = large ? LARGE_PAGE : (uint64_t) sysconf (_SC_PAGESIZE);
  const uint64_t size = (bytes + page) / page * page;
  char *memory;

  *code = ESK_LAB_OK;
  if (!lab_host_has (bytes))
    {
      *code = lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "That is more than half of the memory that this machine has left");
      return NULL;
    }
  memory = (char *) mmap (NULL, large ? size + page : size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    {
      *code = lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "The system has no such memory left");
      return NULL;
    }
  if (large)
    {
      /* From a multiple of the page's size on, the rest given back. */
      char *aligned = (char *) (((uintptr_t) memory + page - 1) / page * page);

      if (aligned > memory)
        munmap (memory, (size_t) (aligned - memory));
      if (aligned < memory + page)
        munmap (aligned + size, (size_t) (memory + page - aligned));
      memory = aligned;
      madvise (memory, size, MADV_HUGEPAGE);
    }

  return lab_note (lab, LAB_TAKEN_MAPPING, memory, size, code);
}

int
lab_fill (EskLab   *lab,
          void     *memory,
          int       value,
          uint64_t  bytes)
{
  for (uint64_t at = 0; at < bytes; at += PIECE)
    {
      LAB_TRY (lab_cancelled (lab));
      memset ((char *) memory + at, value, bytes - at < PIECE ? bytes - at : PIECE);
    }

  return ESK_LAB_OK;
}

void *
lab_host_memory (EskLab       *lab,
                 EskLabMemory  memory,
                 uint64_t      bytes,
                 int          *code)
{
  void *host = NULL;

  *code = ESK_LAB_OK;
  if (memory == ESK_MEMORY_PAGEABLE || memory == ESK_MEMORY_LARGE_PAGES || memory == ESK_MEMORY_REGISTERED)
    {
      host = lab_mapping (lab, bytes, memory == ESK_MEMORY_LARGE_PAGES, code);
      if (host == NULL)
        return NULL;
      *code = lab_fill (lab, host, 1, bytes);
      if (*code != ESK_LAB_OK)
        return NULL;
      if (memory != ESK_MEMORY_REGISTERED)
        return host;
      *code = lab_check (lab, cudaHostRegister (host, bytes > 0 ? bytes : 1, cudaHostRegisterDefault),
                         "cudaHostRegister");
      return *code == ESK_LAB_OK ? lab_note (lab, LAB_TAKEN_REGISTRATION, host, bytes, code) : NULL;
    }
  if (!lab_host_has (bytes))
    {
      *code = lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "That is more than half of the memory that this machine has left");
      return NULL;
    }
  if (lab_is_managed (memory))
    host = lab_managed_memory (lab, bytes, code);
  else
    {
      const unsigned flags = memory == ESK_MEMORY_WRITE_COMBINED ? cudaHostAllocWriteCombined
                             : memory == ESK_MEMORY_MAPPED ? cudaHostAllocMapped : cudaHostAllocDefault;

      *code = lab_check (lab, cudaHostAlloc (&host, bytes > 0 ? bytes : 1, flags), "cudaHostAlloc");
      host = *code == ESK_LAB_OK ? lab_note (lab, LAB_TAKEN_HOST, host, bytes, code) : NULL;
    }
  if (host != NULL)
    *code = lab_fill (lab, host, 1, bytes);

  return *code == ESK_LAB_OK ? host : NULL;
}

cudaStream_t
lab_stream (EskLab *lab,
            int    *code)
{
  cudaStream_t stream = NULL;

  *code = lab_check (lab, cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  return *code == ESK_LAB_OK ? (cudaStream_t) lab_note (lab, LAB_TAKEN_STREAM, stream, 0, code) : NULL;
}

cudaEvent_t
lab_event (EskLab *lab,
           int    *code)
{
  cudaEvent_t event = NULL;

  *code = lab_check (lab, cudaEventCreate (&event), "cudaEventCreate");
  return *code == ESK_LAB_OK ? (cudaEvent_t) lab_note (lab, LAB_TAKEN_EVENT, event, 0, code) : NULL;
}

int
lab_two_events (EskLab      *lab,
                cudaEvent_t  events[2])
{
  int code;

  for (int e = 0; e < 2; e++)
    {
      events[e] = lab_event (lab, &code);
      if (events[e] == NULL)
        return code;
    }

  return ESK_LAB_OK;
}
