/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cuda-nvml-private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* From the NVML API reference: https://docs.nvidia.com/deploy/nvml-api/. 0 is NVML_SUCCESS. */
typedef struct {
  unsigned long long total, free, used;
} Memory;

typedef struct {
  unsigned gpu, memory;                    /* percent of the last sample period */
} Utilization;

static struct {
  int (*init)            (void);
  int (*by_bus)          (const char *bus, EskNvmlDevice *device);
  int (*memory_info)     (EskNvmlDevice device, Memory *memory);
  int (*utilization)     (EskNvmlDevice device, Utilization *rates);
  int (*temperature)     (EskNvmlDevice device, int sensor, unsigned *celsius);
  int (*link_generation) (EskNvmlDevice device, unsigned *generation);
  int (*link_width)      (EskNvmlDevice device, unsigned *width);
} nvml;

static bool available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
open_library (void)
{
  void *library = dlopen ("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
  const struct
  {
    void       *entry;
    const char *name;
  } symbols[] = {
    { &nvml.init, "nvmlInit_v2" },
    { &nvml.by_bus, "nvmlDeviceGetHandleByPciBusId_v2" },
    { &nvml.memory_info, "nvmlDeviceGetMemoryInfo" },
    { &nvml.utilization, "nvmlDeviceGetUtilizationRates" },
    { &nvml.temperature, "nvmlDeviceGetTemperature" },
    { &nvml.link_generation, "nvmlDeviceGetCurrPcieLinkGeneration" },
    { &nvml.link_width, "nvmlDeviceGetCurrPcieLinkWidth" },
  };

  if (library == NULL)
    return;
  for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
    {
      void *symbol = dlsym (library, symbols[s].name);

      /* dlsym () answers a data pointer; copying it is how POSIX makes a function of it. */
      memcpy (symbols[s].entry, &symbol, sizeof symbol);
    }
  available = nvml.init != NULL && nvml.by_bus != NULL && nvml.init () == 0;
}

EskNvmlDevice
esk_nvml_device (const char *bus)
{
  EskNvmlDevice device = NULL;

  pthread_once (&once, open_library);
  if (!available || nvml.by_bus (bus, &device) != 0)
    return NULL;

  return device;
}

void
esk_nvml_state (EskNvmlDevice  device,
                EskNvmlState  *state)
{
  Memory memory;
  Utilization rates;
  unsigned number;

  memset (state, 0, sizeof *state);
  state->busy = -1.0;
  state->temperature = -1;
  if (device == NULL)
    return;

  if (nvml.memory_info != NULL && nvml.memory_info (device, &memory) == 0)
    {
      state->memory = memory.total;
      state->memory_free = memory.free;
    }
  if (nvml.utilization != NULL && nvml.utilization (device, &rates) == 0)
    state->busy = rates.gpu / 100.0;
  /* Sensor 0 is the die. */
  if (nvml.temperature != NULL && nvml.temperature (device, 0, &number) == 0)
    state->temperature = (int) number;
  if (nvml.link_generation != NULL && nvml.link_generation (device, &number) == 0)
    state->pcie_generation = (int) number;
  if (nvml.link_width != NULL && nvml.link_width (device, &number) == 0)
    state->pcie_width = (int) number;
}
