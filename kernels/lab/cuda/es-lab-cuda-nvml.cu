/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-lab-cuda-nvml-private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* From the NVML API reference: https://docs.nvidia.com/deploy/nvml-api/. 0 is NVML_SUCCESS. */
#define CLOCK_SM 1
#define CLOCK_MEMORY 2
#define MOST_PROGRAMS 128
/* Power cap, hardware slowdown, software and hardware thermal slowdown, power brake. */
#define THROTTLED (0x4ull | 0x8ull | 0x20ull | 0x40ull | 0x80ull)

typedef struct {
  unsigned gpu, memory;                  /* percent of the last sample period */
} Utilization;

typedef struct {
  unsigned           pid;
  unsigned long long memory;
  unsigned           gpu_instance, compute_instance;
} Program;

static struct {
  int (*init)            (void);
  int (*by_bus)          (const char *bus, void **device);
  int (*clock)           (void *device, int kind, unsigned *megahertz);
  int (*highest_clock)   (void *device, int kind, unsigned *megahertz);
  int (*power)           (void *device, unsigned *milliwatts);
  int (*temperature)     (void *device, int sensor, unsigned *celsius);
  int (*utilization)     (void *device, Utilization *rates);
  int (*reasons)         (void *device, unsigned long long *reasons);
  int (*programs)        (void *device, unsigned *n, Program *programs);
  int (*driver)          (char *version, unsigned n);
  int (*link_generation) (void *device, unsigned *generation);
  int (*link_width)      (void *device, unsigned *width);
  int (*mig)             (void *device, unsigned *now, unsigned *pending);
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
    { &nvml.clock, "nvmlDeviceGetClockInfo" },
    { &nvml.highest_clock, "nvmlDeviceGetMaxClockInfo" },
    { &nvml.power, "nvmlDeviceGetPowerUsage" },
    { &nvml.temperature, "nvmlDeviceGetTemperature" },
    { &nvml.utilization, "nvmlDeviceGetUtilizationRates" },
    { &nvml.reasons, "nvmlDeviceGetCurrentClocksThrottleReasons" },
    { &nvml.programs, "nvmlDeviceGetComputeRunningProcesses_v3" },
    { &nvml.driver, "nvmlSystemGetDriverVersion" },
    { &nvml.link_generation, "nvmlDeviceGetMaxPcieLinkGeneration" },
    { &nvml.link_width, "nvmlDeviceGetMaxPcieLinkWidth" },
    { &nvml.mig, "nvmlDeviceGetMigMode" },
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

void
lab_nvml_find (LabNvml    *found,
               const char *bus)
{
  pthread_once (&once, open_library);
  found->device = NULL;
  if (!available || nvml.by_bus (bus, &found->device) != 0)
    found->device = NULL;
}

void
lab_nvml_state (const LabNvml *card,
                EskLabState   *state)
{
  Utilization rates;
  unsigned number;
  unsigned long long reasons;

  memset (state, 0, sizeof *state);
  state->clock_hertz = state->memory_clock_hertz = state->watts = state->celsius = state->busy = -1.0;
  state->others = state->throttled = -1;
  if (card->device == NULL)
    return;

  if (nvml.clock != NULL && nvml.clock (card->device, CLOCK_SM, &number) == 0)
    state->clock_hertz = number * 1e6;
  if (nvml.clock != NULL && nvml.clock (card->device, CLOCK_MEMORY, &number) == 0)
    state->memory_clock_hertz = number * 1e6;
  if (nvml.power != NULL && nvml.power (card->device, &number) == 0)
    state->watts = number * 1e-3;
  /* Sensor 0 is the die. */
  if (nvml.temperature != NULL && nvml.temperature (card->device, 0, &number) == 0)
    state->celsius = number;
  if (nvml.utilization != NULL && nvml.utilization (card->device, &rates) == 0)
    state->busy = rates.gpu / 100.0;
  if (nvml.reasons != NULL && nvml.reasons (card->device, &reasons) == 0)
    state->throttled = (reasons & THROTTLED) != 0;
}

double
lab_nvml_clock (const LabNvml *card)
{
  unsigned megahertz;

  if (card->device == NULL || nvml.clock == NULL || nvml.clock (card->device, CLOCK_SM, &megahertz) != 0)
    return 0.0;

  return megahertz * 1e6;
}

int
lab_nvml_programs (const LabNvml *card,
                   int           *ours)
{
  Program programs[MOST_PROGRAMS];
  unsigned n = MOST_PROGRAMS;

  *ours = 0;
  if (card->device == NULL || nvml.programs == NULL || nvml.programs (card->device, &n, programs) != 0)
    return -1;
  for (unsigned p = 0; p < n && p < MOST_PROGRAMS; p++)
    if (programs[p].pid == (unsigned) getpid ())
      *ours = 1;

  return (int) n;
}

void
lab_nvml_driver (char   *version,
                 size_t  n)
{
  pthread_once (&once, open_library);
  version[0] = '\0';
  if (available && nvml.driver != NULL && nvml.driver (version, (unsigned) n) != 0)
    version[0] = '\0';
}

void
lab_nvml_describe (const LabNvml *card,
                   EskLabMachine *machine)
{
  unsigned number, pending;

  if (card->device == NULL)
    return;
  if (nvml.highest_clock != NULL && nvml.highest_clock (card->device, CLOCK_SM, &number) == 0)
    machine->clock_hertz = number * 1e6;
  if (nvml.highest_clock != NULL && nvml.highest_clock (card->device, CLOCK_MEMORY, &number) == 0)
    machine->memory_clock_hertz = number * 1e6;
  if (nvml.link_generation != NULL && nvml.link_generation (card->device, &number) == 0)
    machine->link_generation = number;
  if (nvml.link_width != NULL && nvml.link_width (card->device, &number) == 0)
    machine->link_width = number;
  /* CUDA shows no whole card that is cut into slices: what it shows then is one of them. */
  if (nvml.mig != NULL && nvml.mig (card->device, &number, &pending) == 0)
    machine->mig = number == 1;
}
