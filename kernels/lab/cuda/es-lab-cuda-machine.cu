/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a card says of itself, and how it is at this moment. */

#include "es-lab-cuda-private.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the first cache of a multiprocessor, shared memory taken out of it: from the tables of the programming
 * guide's "Technical Specifications per Compute Capability", as no call tells it. 0: not in them. */
static uint64_t
first_cache (int major,
             int minor)
{
  const struct
  {
    int capability, kilobytes;
  } known[] = {
    { 75, 96 }, { 80, 192 }, { 86, 128 }, { 87, 192 }, { 89, 128 }, { 90, 256 }, { 100, 256 }, { 103, 256 },
    { 110, 256 }, { 120, 128 }, { 121, 128 },
  };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].capability == 10 * major + minor)
      return (uint64_t) known[k].kilobytes << 10;

  return 0;
}

int
lab_describe (EskLab        *lab,
              EskLabMachine *machine)
{
  struct cudaDeviceProp properties;
  char version[48];
  int number = 0;

  memset (machine, 0, sizeof *machine);
  LAB_TRY (lab_check (lab, cudaGetDeviceProperties (&properties, lab->ordinal), "cudaGetDeviceProperties"));

  snprintf (machine->id, sizeof machine->id, "cuda:%d", lab->ordinal);
  snprintf (machine->name, sizeof machine->name, "%s", properties.name);
  snprintf (machine->architecture, sizeof machine->architecture, "%d.%d", properties.major, properties.minor);
  lab_nvml_driver (version, sizeof version);
  if (cudaDriverGetVersion (&number) == cudaSuccess)
    snprintf (machine->driver, sizeof machine->driver, "%.40s%sCUDA %d.%d", version,
              version[0] != '\0' ? ", " : "", number / 1000, number % 1000 / 10);

  machine->units = (uint32_t) properties.multiProcessorCount;
  machine->threads = (uint32_t) (properties.multiProcessorCount * properties.maxThreadsPerMultiProcessor);
  machine->warp = (uint32_t) properties.warpSize;
  machine->registers = (uint32_t) properties.regsPerMultiprocessor;
  if (cudaDeviceGetAttribute (&number, cudaDevAttrClockRate, lab->ordinal) == cudaSuccess)
    machine->clock_hertz = number * 1e3;
  if (cudaDeviceGetAttribute (&number, cudaDevAttrMemoryClockRate, lab->ordinal) == cudaSuccess)
    machine->memory_clock_hertz = number * 1e3;
  machine->memory_bits = (uint32_t) properties.memoryBusWidth;
  machine->memory = properties.totalGlobalMem;
  machine->l1 = first_cache (properties.major, properties.minor);
  machine->l2 = (uint64_t) properties.l2CacheSize;
  machine->shared = properties.sharedMemPerMultiprocessor;
  machine->constant = properties.totalConstMem;
  machine->ecc = properties.ECCEnabled != 0;
  machine->integrated = properties.integrated != 0;
  machine->display_watchdog = lab->watchdog != 0;
  machine->managed = lab->managed != 0;
  machine->managed_pages = lab->managed_pages != 0;
  machine->pageable_access = lab->pageable_access != 0;
  machine->host_tables = lab->host_tables != 0;
  if (cudaDeviceGetAttribute (&number, cudaDevAttrComputeMode, lab->ordinal) == cudaSuccess)
    machine->exclusive = number == cudaComputeModeProhibited ? 2 : number != cudaComputeModeDefault ? 1 : 0;
  cudaGetLastError ();
  lab_nvml_describe (&lab->nvml, machine);

  return ESK_LAB_OK;
}

int
lab_state (EskLab      *lab,
           EskLabState *state)
{
  int ours;
  const int programs = lab_nvml_programs (&lab->nvml, &ours);

  lab_nvml_state (&lab->nvml, state);
  if (programs >= 0)
    {
      state->others = programs - (ours || lab->hidden ? 1 : 0);
      if (state->others < 0)
        state->others = 0;
    }

  return ESK_LAB_OK;
}
