/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The entry of the module, the card, its memory and libraries. */

#include "es-ladder-cuda-private.h"

#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <dlfcn.h>
#include <stdlib.h>

/* ---- errors and memory ---- */

int
ladder_check (EskLadder   *ladder,
              cudaError_t  status,
              const char  *what)
{
  if (status == cudaSuccess)
    return ESK_LADDER_OK;
  cudaGetLastError ();
  snprintf (ladder->error, sizeof ladder->error, "%s: %s", what, cudaGetErrorString (status));
  return status == cudaErrorMemoryAllocation ? ESK_LADDER_ERROR_MEMORY : ESK_LADDER_ERROR_DEVICE;
}

int
ladder_launched (EskLadder  *ladder,
                 const char *what)
{
  return ladder_check (ladder, cudaGetLastError (), what);
}

void *
ladder_memory (EskLadder *ladder,
               size_t     bytes,
               int       *code)
{
  void *memory = NULL;

  *code = ladder_check (ladder, cudaMalloc (&memory, bytes > 0 ? bytes : 1), "cudaMalloc");
  return *code == ESK_LADDER_OK ? memory : NULL;
}

void
ladder_free (void *memory)
{
  if (memory != NULL)
    cudaFree (memory);
}

void *
ladder_more (EskLadder     *ladder,
             size_t         bytes,
             EskRungResult *result,
             int           *code)
{
  void *memory = ladder_memory (ladder, bytes, code);
  size_t unused = 0, whole = 0;

  if (memory != NULL)
    result->more_memory += (double) bytes;
  else if (*code == ESK_LADDER_ERROR_MEMORY)
    {
      cudaMemGetInfo (&unused, &whole);
      *code = esk_ladder_refuse (result, ESK_WHY_MEMORY, (double) bytes, (double) unused, NULL);
    }

  return memory;
}

int
ladder_upload (EskLadder  *ladder,
               void       *to,
               const void *from,
               size_t      bytes)
{
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpyAsync (to, from, bytes, cudaMemcpyHostToDevice,
                                                         ladder_card (ladder)->stream), "cudaMemcpyAsync"));
  return ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "a copy to the card");
}

int
ladder_download (EskLadder  *ladder,
                 void       *to,
                 const void *from,
                 size_t      bytes)
{
  ESK_LADDER_TRY (ladder_check (ladder, cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToHost,
                                                         ladder_card (ladder)->stream), "cudaMemcpyAsync"));
  return ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "a copy from the card");
}

/* ---- what a kernel is ---- */

int
ladder_kernel (EskLadder     *ladder,
               EskRungResult *result,
               const void    *kernel,
               unsigned       threads,
               uint64_t       blocks,
               size_t         dynamic_shared)
{
  const LadderCard *card = ladder_card (ladder);
  struct cudaFuncAttributes facts;
  const char *what = "a kernel's attributes";
  int resident = 0;

  ESK_LADDER_TRY (ladder_check (ladder, cudaFuncGetAttributes (&facts, kernel), what));
  if (facts.sharedSizeBytes + dynamic_shared > card->shared_optin)
    return esk_ladder_refuse (result, ESK_WHY_SHARED, (double) (facts.sharedSizeBytes + dynamic_shared),
                              (double) card->shared_optin, NULL);
  if (threads > (unsigned) facts.maxThreadsPerBlock)
    return esk_ladder_refuse (result, ESK_WHY_THREADS, threads, facts.maxThreadsPerBlock, NULL);
  if (dynamic_shared > 0 && facts.sharedSizeBytes + dynamic_shared > card->shared_block)
    ESK_LADDER_TRY (ladder_check (ladder, cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                                (int) dynamic_shared), what));
  ESK_LADDER_TRY (ladder_check (ladder, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&resident, kernel, (int) threads,
                                                                                       dynamic_shared), what));
  result->registers = (uint32_t) facts.numRegs;
  result->shared = (uint32_t) (facts.sharedSizeBytes + dynamic_shared);
  result->local = (uint32_t) facts.localSizeBytes;
  result->threads = threads;
  result->blocks = blocks < UINT32_MAX ? (uint32_t) blocks : UINT32_MAX;
  result->occupancy = (double) resident * (double) ((threads + 31) / 32 * 32) / card->unit_threads;

  return ESK_LADDER_OK;
}

/* ---- libraries ---- */

#define TEXT(number) #number
#define NAME(stem, version) "lib" stem ".so." TEXT (version)

LadderLibrary
ladder_library (EskLadder     *ladder,
                const char    *stem,
                EskRungResult *result)
{
  static struct { const char *stem, *name; void *handle; } libraries[] = {
    { "cublas", NAME ("cublas", CUBLAS_VER_MAJOR), NULL },
    { "cufft", NAME ("cufft", CUFFT_VER_MAJOR), NULL },
    { "cusolver", NAME ("cusolver", CUSOLVER_VER_MAJOR), NULL },
  };

  for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++)
    if (strcmp (libraries[l].stem, stem) == 0)
      {
        if (libraries[l].handle == NULL)
          libraries[l].handle = dlopen (libraries[l].name, RTLD_NOW | RTLD_LOCAL);
        if (libraries[l].handle == NULL)
          esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, libraries[l].name);
        return libraries[l].handle;
      }
  esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, stem);
  return NULL;
}

void *
ladder_symbol (LadderLibrary library,
               const char   *name)
{
  return library != NULL ? dlsym (library, name) : NULL;
}

/* ---- the card ---- */

static int
enter (EskLadder *ladder)
{
  return ladder_check (ladder, cudaSetDevice ((int) ladder->index), "cudaSetDevice");
}

static int
open_card (EskLadder *ladder,
           char      *reason,
           size_t     n)
{
  LadderCard *card = (LadderCard *) calloc (1, sizeof *card);
  struct cudaDeviceProp properties;
  int code;

  if (card == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  ladder->own = card;
  code = enter (ladder);
  if (code == ESK_LADDER_OK)
    code = ladder_check (ladder, cudaGetDeviceProperties (&properties, (int) ladder->index), "cudaGetDeviceProperties");
  if (code == ESK_LADDER_OK)
    code = ladder_check (ladder, cudaStreamCreateWithFlags (&card->stream, cudaStreamNonBlocking), "cudaStreamCreate");
  if (code != ESK_LADDER_OK)
    {
      snprintf (reason, n, "%s", ladder->error);
      free (card);
      return code;
    }
  card->major = properties.major;
  card->minor = properties.minor;
  card->units = properties.multiProcessorCount;
  card->shared_block = properties.sharedMemPerBlock;
  card->shared_optin = properties.sharedMemPerBlockOptin;
  card->constant = properties.totalConstMem;
  card->unit_threads = properties.maxThreadsPerMultiProcessor;
  card->block_threads = properties.maxThreadsPerBlock;
  snprintf (card->name, sizeof card->name, "%s", properties.name);

  return ESK_LADDER_OK;
}

static void
close_card (EskLadder *ladder)
{
  LadderCard *card = ladder_card (ladder);

  cudaStreamDestroy (card->stream);
  free (card);
}

static int
wait (EskLadder *ladder)
{
  ESK_LADDER_TRY (ladder_check (ladder, cudaStreamSynchronize (ladder_card (ladder)->stream), "a kernel"));
  if (ladder->stream == NULL)
    return ESK_LADDER_OK;
  return esk_ladder_produced (ladder, esk_hotspots_wait (ladder->production, ladder->stream));
}

/* ---- the table ---- */

/* In the order of EskLadderKind. */
static const EskSubject *const subjects[ESK_N_LADDERS] = {
  &ladder_covariance,
  &ladder_transform,
  &ladder_ica,
  &ladder_noise,
  &ladder_fourier,
  &ladder_beams,
  &ladder_jacobi,
  &ladder_azimuth,
};

static EskRung told[ESK_N_LADDERS][ESK_LADDER_MOST_RUNGS];
static const EskLadderEngine engine = { "cuda", open_card, close_card, enter, wait, ladder_text, subjects, told };

static const EskRung *
rungs (EskLadderKind kind,
       unsigned     *n)
{
  return esk_ladder_rungs (&engine, kind, n);
}

static void
least (EskLadderKind        kind,
       const EskLadderSize *size,
       double              *bytes,
       double              *operations)
{
  esk_ladder_least (&engine, kind, size, bytes, operations);
}

static int
open_ladder (unsigned            index,
             const EskHotspots  *production,
             EskLadder         **ladder,
             char               *reason,
             size_t              n)
{
  return esk_ladder_open (&engine, index, production, ladder, reason, n);
}

static const EskLadderTable table = {
  .abi = ESK_LADDER_ABI,
  .name = "cuda",
  .rungs = rungs,
  .least = least,
  .open = open_ladder,
  .close = esk_ladder_close,
  .prepare = esk_ladder_prepare,
  .measure = esk_ladder_measure,
  .output = esk_ladder_output,
  .cancel = esk_ladder_cancel,
  .resume = esk_ladder_resume,
  .last_error = esk_ladder_last_error,
};

extern "C" __attribute__ ((visibility ("default"))) const EskLadderTable *
esk_ladder_module (unsigned  abi,
                   char     *reason,
                   size_t    n)
{
  return esk_ladder_same_abi (abi, reason, n) ? &table : NULL;
}
