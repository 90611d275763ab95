/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cards: which of them can be used, what they are, their memory, and whether one is lost. */

#include "es-cuda-device-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXIMUM_DEVICES 64

static EskCudaDevice devices[MAXIMUM_DEVICES];
static int n_devices;
static char why_not[512];                  /* why there is none, or which card is left out */
static pthread_once_t counted = PTHREAD_ONCE_INIT;

static EskCudaFault fail_allocation = { "ES_CUDA_FAIL_ALLOCATION", PTHREAD_MUTEX_INITIALIZER, "", 0 };

/* --- Counting ------------------------------------------------------------------------------------------- */

/* Whether there are kernels for a card: machine code runs on later minor versions of its major version, and the last
 * architecture is there as PTX too, which later cards compile. */
static bool
has_kernels (int major,
             int minor)
{
  static const int architectures[] = { __CUDA_ARCH_LIST__ };   /* 750, 800 ... of nvcc */
  int capability = 100 * major + 10 * minor, last = 0;

  for (size_t a = 0; a < sizeof architectures / sizeof *architectures; a++)
    {
      if (architectures[a] / 100 == major && architectures[a] <= capability)
        return true;
      if (architectures[a] > last)
        last = architectures[a];
    }

  return capability >= last;
}

static void
explain (const char *name,
         const char *reason)
{
  size_t used = strlen (why_not);

  snprintf (why_not + used, sizeof why_not - used, "%s%s: %s", used > 0 ? "; " : "", name, reason);
}

static void
add_device (int ordinal)
{
  EskCudaDevice *device = &devices[n_devices];
  struct cudaDeviceProp properties;
  const unsigned char *u;
  int mode = cudaComputeModeDefault;
  cudaError_t status = cudaGetDeviceProperties (&properties, ordinal);

  if (status != cudaSuccess)
    {
      char name[32];

      cudaGetLastError ();
      snprintf (name, sizeof name, "GPU %d", ordinal);
      explain (name, cudaGetErrorString (status));
      return;
    }

  if (!has_kernels (properties.major, properties.minor))
    {
      char reason[128];

      snprintf (reason, sizeof reason, "this build has no kernels for its compute capability %d.%d",
                properties.major, properties.minor);
      explain (properties.name, reason);
      return;
    }
  if (cudaDeviceGetAttribute (&mode, cudaDevAttrComputeMode, ordinal) == cudaSuccess
      && mode == cudaComputeModeProhibited)
    {
      explain (properties.name, "its compute mode is set to prohibited");
      return;
    }

  device->ordinal = ordinal;
  snprintf (device->name, sizeof device->name, "%.127s", properties.name);
  u = (const unsigned char *) properties.uuid.bytes;
  snprintf (device->uuid, sizeof device->uuid,
            "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
            u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
  if (cudaDeviceGetPCIBusId (device->bus, sizeof device->bus, ordinal) != cudaSuccess)
    {
      cudaGetLastError ();
      device->bus[0] = '\0';
    }
  device->memory = properties.totalGlobalMem;
  device->properties.major = properties.major;
  device->properties.minor = properties.minor;
  device->properties.multiprocessors = properties.multiProcessorCount;
  device->properties.shared_optin = properties.sharedMemPerBlockOptin;
  device->properties.l2_bytes = (size_t) properties.l2CacheSize;
  pthread_mutex_init (&device->lock, NULL);
  pthread_mutex_init (&device->solver_lock, NULL);
  n_devices++;
}

static void
count_devices (void)
{
  int n = 0;
  cudaError_t status = cudaGetDeviceCount (&n);

  cudaGetLastError ();
  if (status == cudaErrorNoDevice || (status == cudaSuccess && n == 0))
    {
      snprintf (why_not, sizeof why_not, "No NVIDIA card was found");
      return;
    }
  if (status != cudaSuccess)
    {
      snprintf (why_not, sizeof why_not, "CUDA did not start: %s (%s)", cudaGetErrorString (status),
                cudaGetErrorName (status));
      return;
    }

  for (int ordinal = 0; ordinal < n && n_devices < MAXIMUM_DEVICES; ordinal++)
    add_device (ordinal);
}

int
esk_cuda_device_count (char   *why,
                       size_t  why_bytes)
{
  pthread_once (&counted, count_devices);
  if (why != NULL && why_bytes > 0)
    snprintf (why, why_bytes, "%s", why_not);

  return n_devices;
}

EskCudaDevice *
esk_cuda_device (int index)
{
  pthread_once (&counted, count_devices);

  return index >= 0 && index < n_devices ? &devices[index] : NULL;
}

int
esk_cuda_device_ordinal (int index)
{
  EskCudaDevice *device = esk_cuda_device (index);

  return device != NULL ? device->ordinal : -1;
}

uint64_t
esk_cuda_device_memory (const EskCudaDevice *device)
{
  return device->memory;
}

EskCudaDevice *
esk_cuda_device_any (void)
{
  EskCudaDevice *any = NULL;

  pthread_once (&counted, count_devices);
  for (int d = n_devices - 1; d >= 0; d--)
    if (!esk_cuda_device_is_lost (&devices[d])
        && (any == NULL || __atomic_load_n (&devices[d].warm, __ATOMIC_RELAXED)
            || !__atomic_load_n (&any->warm, __ATOMIC_RELAXED)))
      any = &devices[d];

  return any;
}

/* --- State ---------------------------------------------------------------------------------------------- */

bool
esk_cuda_device_is_lost (EskCudaDevice *device)
{
  return __atomic_load_n (&device->lost, __ATOMIC_ACQUIRE);
}

void
esk_cuda_device_set_lost (EskCudaDevice *device,
                          const char    *reason)
{
  pthread_mutex_lock (&device->lock);
  if (!device->lost)
    snprintf (device->lost_reason, sizeof device->lost_reason, "%s", reason);
  __atomic_store_n (&device->lost, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&device->lock);
}

/*
 * A call that belongs to no stream has failed. What went wrong in a kernel is told by whatever is called next, and then
 * by every other call: that one comes again from a call that asks for nothing, and the device is lost.
 */
static int
explain_failure (EskCudaDevice *device,
                 cudaError_t    status)
{
  size_t available, total;
  char reason[sizeof device->lost_reason];

  cudaGetLastError ();
  if (status == cudaErrorMemoryAllocation)
    return ESK_ERROR_MEMORY;
  if (!__atomic_load_n (&device->warm, __ATOMIC_RELAXED))
    return ESK_ERROR_DEVICE;

  status = cudaMemGetInfo (&available, &total);
  cudaGetLastError ();
  if (status == cudaSuccess || status == cudaErrorMemoryAllocation)
    return ESK_ERROR_DEVICE;

  snprintf (reason, sizeof reason, "%s (%s)", cudaGetErrorString (status), cudaGetErrorName (status));
  esk_cuda_device_set_lost (device, reason);
  return ESK_ERROR_LOST;
}

int
esk_cuda_device_enter (EskCudaDevice *device)
{
  cudaError_t status;

  if (esk_cuda_device_is_lost (device))
    return ESK_ERROR_LOST;

  status = cudaSetDevice (device->ordinal);
  /* The first time it makes the context, which takes some hundred MB of the card. */
  if (status != cudaSuccess)
    return explain_failure (device, status);
  if (!__atomic_load_n (&device->warm, __ATOMIC_RELAXED))
    __atomic_store_n (&device->warm, true, __ATOMIC_RELAXED);

  return ESK_OK;
}

const EskCudaProperties *
esk_cuda_properties (const EskStream *stream)
{
  return &stream->device->properties;
}

/* What never changes: nothing has to be opened for it. */
int
esk_cuda_device_describe (int            index,
                          EskDeviceInfo *info)
{
  EskCudaDevice *device = esk_cuda_device (index);

  memset (info, 0, sizeof *info);
  info->busy = -1.0;
  info->temperature = -1;
  if (device == NULL)
    return ESK_ERROR_ARGUMENT;

  memcpy (info->name, device->name, sizeof info->name);
  memcpy (info->uuid, device->uuid, sizeof info->uuid);
  info->major = device->properties.major;
  info->minor = device->properties.minor;
  info->multiprocessors = device->properties.multiprocessors;
  info->memory = device->memory;
  if (cudaDriverGetVersion (&info->driver) != cudaSuccess)
    info->driver = 0;

  return ESK_OK;
}

int
esk_cuda_device_memory (int       index,
                        uint64_t *free_bytes)
{
  EskCudaDevice *device = esk_cuda_device (index);
  size_t available, total;
  cudaError_t status;
  int code;

  if (device == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_device_enter (device);
  if (code != ESK_OK)
    return code == ESK_ERROR_LOST ? code : ESK_ERROR_DEVICE;
  status = cudaMemGetInfo (&available, &total);
  if (status != cudaSuccess)
    return explain_failure (device, status) == ESK_ERROR_LOST ? ESK_ERROR_LOST : ESK_ERROR_DEVICE;
  *free_bytes = available;

  return ESK_OK;
}

int
esk_cuda_device_info (int            index,
                      EskDeviceInfo *info)
{
  EskCudaDevice *device = esk_cuda_device (index);
  EskNvmlDevice nvml;
  EskNvmlState state;
  int code = esk_cuda_device_describe (index, info);

  if (code != ESK_OK)
    return code;

  pthread_mutex_lock (&device->lock);
  if (!device->nvml_asked && device->bus[0] != '\0')
    device->nvml = esk_nvml_device (device->bus);
  device->nvml_asked = true;
  nvml = device->nvml;
  pthread_mutex_unlock (&device->lock);

  esk_nvml_state (nvml, &state);
  info->pcie_generation = state.pcie_generation;
  info->pcie_width = state.pcie_width;
  info->busy = state.busy;
  info->temperature = state.temperature;
  if (esk_cuda_device_is_lost (device))
    return ESK_ERROR_LOST;

  /* Asking CUDA opens the device, which takes long and much of its memory: only where it is open, or there is nobody
   * else to ask. What NVML tells of a part of a card (MIG) is of the whole. */
  if (state.memory > 0 && !__atomic_load_n (&device->warm, __ATOMIC_RELAXED))
    {
      info->memory_free = state.memory_free < device->memory ? state.memory_free : device->memory;
      return ESK_OK;
    }
  return esk_cuda_device_memory (index, &info->memory_free);
}

__global__ static void
do_nothing (void)
{
}

int
esk_cuda_device_warm_up (int index)
{
  EskCudaDevice *device = esk_cuda_device (index);
  EskStream *stream;
  int code;

  if (device == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_device_enter (device);
  if (code != ESK_OK)
    return code;
  stream = esk_cuda_stream_new (index);
  if (stream == NULL)
    return ESK_ERROR_MEMORY;

  do_nothing<<<1, 1, 0, stream->stream>>> ();
  code = esk_cuda_launched (stream, "starting the device");
  if (code == ESK_OK)
    code = esk_cuda_wait (stream);
  esk_cuda_stream_free (stream);

  return code;
}

int
esk_cuda_device_warm_further (int index)
{
  EskStream *stream = esk_cuda_stream_new (index);
  int code;

  if (stream == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_cuda_eigen_warm_up (stream);
  esk_cuda_stream_free (stream);

  return code;
}

/* --- Memory --------------------------------------------------------------------------------------------- */

bool
esk_cuda_fault (EskCudaFault *fault)
{
  const char *value = getenv (fault->variable);
  bool fails = false;
  char *end;
  long n;

  pthread_mutex_lock (&fault->lock);
  if (value == NULL || value[0] == '\0')
    fault->value[0] = '\0';
  else
    {
      if (strcmp (value, fault->value) != 0)
        {
          snprintf (fault->value, sizeof fault->value, "%s", value);
          fault->calls = 0;
        }
      n = strtol (value, &end, 10);
      fault->calls++;
      fails = n > 0 && (*end == '!' ? fault->calls == n : fault->calls >= n);
    }
  pthread_mutex_unlock (&fault->lock);

  return fails;
}

bool
esk_cuda_device_drain (EskCudaDevice *device)
{
  EskStream *spare[ESK_CUDA_SPARE_STREAMS];
  int n_spare;

  pthread_mutex_lock (&device->lock);
  n_spare = device->n_spare;
  memcpy (spare, device->spare, (size_t) n_spare * sizeof *spare);
  device->n_spare = 0;
  pthread_mutex_unlock (&device->lock);

  for (int s = 0; s < n_spare; s++)
    esk_cuda_stream_destroy (spare[s]);

  return n_spare > 0;
}

/* The device that is current on this thread; NULL: none of ours. */
static EskCudaDevice *
current_device (void)
{
  int ordinal;

  if (cudaGetDevice (&ordinal) != cudaSuccess)
    return NULL;
  for (int d = 0; d < n_devices; d++)
    if (devices[d].ordinal == ordinal)
      return &devices[d];

  return NULL;
}

cudaError_t
esk_cuda_malloc (void   **memory,
                 size_t   bytes)
{
  EskCudaDevice *device;
  cudaError_t status;

  *memory = NULL;
  if (esk_cuda_fault (&fail_allocation))
    return cudaErrorMemoryAllocation;

  status = cudaMalloc (memory, bytes);
  if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError ();
      device = current_device ();
      if (device != NULL && esk_cuda_device_drain (device))
        status = cudaMalloc (memory, bytes);
    }
  if (status != cudaSuccess)
    {
      cudaGetLastError ();
      *memory = NULL;
    }

  return status;
}

void *
esk_cuda_memory_new (int    index,
                     size_t bytes)
{
  EskCudaDevice *device = esk_cuda_device (index);
  void *memory;

  if (device == NULL || bytes == 0 || esk_cuda_device_enter (device) != ESK_OK
      || esk_cuda_malloc (&memory, bytes) != cudaSuccess)
    return NULL;

  return memory;
}

void
esk_cuda_memory_free (int   index,
                      void *memory)
{
  EskCudaDevice *device = esk_cuda_device (index);

  if (device == NULL || memory == NULL || esk_cuda_has_left ())
    return;

  /* Of a lost device too: what it held goes with the context, but the loss may be a simulated one. */
  cudaSetDevice (device->ordinal);
  cudaFree (memory);
  cudaGetLastError ();
}
