/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opening a card for the laboratory, and leaving it as it was. */

#include "es-lab-cuda-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Machine code runs on later minor versions of its major version, and the last architecture is there as PTX too, which
 * later cards compile. */
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

unsigned
lab_count (void)
{
  int n = 0;

  if (lab_driver (NULL, 0) == NULL || cudaGetDeviceCount (&n) != cudaSuccess)
    {
      cudaGetLastError ();
      return 0;
    }

  return n > 0 ? (unsigned) n : 0;
}

static int
attribute (cudaDeviceAttr which,
           int            ordinal)
{
  int value = 0;

  if (cudaDeviceGetAttribute (&value, which, ordinal) != cudaSuccess)
    {
      cudaGetLastError ();
      return 0;
    }

  return value;
}

/* Why the card of this number cannot be used; fills what never changes. */
static int
examine (EskLab *lab,
         char   *reason,
         size_t  n)
{
  struct cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties (&properties, lab->ordinal);
  const int mode = attribute (cudaDevAttrComputeMode, lab->ordinal);

  if (status != cudaSuccess)
    {
      cudaGetLastError ();
      snprintf (reason, n, "GPU %d: %s", lab->ordinal, cudaGetErrorString (status));
      return ESK_LAB_ERROR_DEVICE;
    }
  snprintf (lab->name, sizeof lab->name, "%s", properties.name);
  if (!has_kernels (properties.major, properties.minor))
    {
      snprintf (reason, n, "%s: this build has no kernels for its compute capability %d.%d", properties.name,
                properties.major, properties.minor);
      return ESK_LAB_ERROR_SUPPORT;
    }
  if (mode == cudaComputeModeProhibited)
    {
      snprintf (reason, n, "%s: its compute mode is set to prohibited", properties.name);
      return ESK_LAB_ERROR_SUPPORT;
    }

  lab->major = properties.major;
  lab->minor = properties.minor;
  lab->units = properties.multiProcessorCount;
  lab->unit_threads = properties.maxThreadsPerMultiProcessor;
  lab->memory = properties.totalGlobalMem;
  lab->l2 = (uint64_t) properties.l2CacheSize;
  lab->shared_optin = properties.sharedMemPerBlockOptin;
  lab->can_map = properties.canMapHostMemory;
  lab->can_cooperate = attribute (cudaDevAttrCooperativeLaunch, lab->ordinal);
  lab->managed = attribute (cudaDevAttrManagedMemory, lab->ordinal);
  lab->managed_pages = lab->managed && attribute (cudaDevAttrConcurrentManagedAccess, lab->ordinal);
  lab->pageable_access = attribute (cudaDevAttrPageableMemoryAccess, lab->ordinal);
  lab->host_tables = attribute (cudaDevAttrPageableMemoryAccessUsesHostPageTables, lab->ordinal);
  lab->watchdog = attribute (cudaDevAttrKernelExecTimeout, lab->ordinal);
  if (cudaDeviceGetPCIBusId (lab->bus, sizeof lab->bus, lab->ordinal) != cudaSuccess)
    {
      cudaGetLastError ();
      lab->bus[0] = '\0';
    }
  lab_nvml_find (&lab->nvml, lab->bus);

  return ESK_LAB_OK;
}

/* The context, of our own; NVML tells who else is there by numbers that mean nothing inside a container. */
static int
make_context (EskLab          *lab,
              const LabDriver *driver,
              char            *reason,
              size_t           n)
{
  void *before = NULL;
  int ours_before, ours_after, code;
  const int programs_before = lab_nvml_programs (&lab->nvml, &ours_before);

  code = driver->device_get (&lab->device, lab->ordinal);
  if (code == 0)
    {
      driver->context_get (&before);
      code = driver->context_create (&lab->context, 0, lab->device);
    }
  if (code != 0)
    {
      const int mode = attribute (cudaDevAttrComputeMode, lab->ordinal);

      lab->context = NULL;
      if (code == LAB_DRIVER_UNAVAILABLE && mode != cudaComputeModeDefault)
        snprintf (reason, n, "%s: it is set to serve one program alone, and another one uses it", lab->name);
      else
        snprintf (reason, n, "%s: %s", lab->name, lab_driver_error (code));
      return ESK_LAB_ERROR_DEVICE;
    }

  const cudaError_t status = cudaStreamCreateWithFlags (&lab->stream, cudaStreamNonBlocking);
  const int programs_after = lab_nvml_programs (&lab->nvml, &ours_after);

  lab->hidden = programs_after > programs_before && !ours_after ? 1 : 0;
  driver->context_set (before);
  if (status != cudaSuccess)
    {
      lab->stream = NULL;
      snprintf (reason, n, "%s: %s", lab->name, cudaGetErrorString (status));
      return ESK_LAB_ERROR_DEVICE;
    }

  return ESK_LAB_OK;
}

int
lab_open (unsigned   index,
          EskLab   **opened,
          char      *reason,
          size_t     n)
{
  char ignored[8];
  const LabDriver *driver;
  cudaError_t status;
  EskLab *lab;
  int n_cards = 0, code;

  *opened = NULL;
  if (reason == NULL || n == 0)
    {
      reason = ignored;
      n = sizeof ignored;
    }
  reason[0] = '\0';

  driver = lab_driver (reason, n);
  if (driver == NULL)
    return ESK_LAB_ERROR_SUPPORT;
  status = cudaGetDeviceCount (&n_cards);
  if (status != cudaSuccess && status != cudaErrorNoDevice)
    {
      cudaGetLastError ();
      snprintf (reason, n, "CUDA did not start: %s (%s)", cudaGetErrorString (status), cudaGetErrorName (status));
      return ESK_LAB_ERROR_DEVICE;
    }
  if (status == cudaErrorNoDevice || n_cards <= 0)
    {
      cudaGetLastError ();
      snprintf (reason, n, "No NVIDIA card was found");
      return ESK_LAB_ERROR_SUPPORT;
    }
  if (index >= (unsigned) n_cards)
    {
      snprintf (reason, n, "There is no card %u: the last of this machine is %d", index, n_cards - 1);
      return ESK_LAB_ERROR_ARGUMENT;
    }

  lab = (EskLab *) calloc (1, sizeof *lab);
  if (lab == NULL)
    {
      snprintf (reason, n, "No memory is left");
      return ESK_LAB_ERROR_MEMORY;
    }
  lab->ordinal = (int) index;
  code = examine (lab, reason, n);
  if (code == ESK_LAB_OK)
    code = make_context (lab, driver, reason, n);
  if (code != ESK_LAB_OK)
    {
      lab_close (lab);
      return code;
    }
  *opened = lab;

  return ESK_LAB_OK;
}

void
lab_close (EskLab *lab)
{
  const LabDriver *driver = lab_driver (NULL, 0);
  void *before = NULL;

  if (lab == NULL)
    return;
  if (driver != NULL && lab->context != NULL)
    {
      if (lab_enter (lab, &before) == ESK_LAB_OK)
        {
          lab_give_all_back (lab);
          if (lab->stream != NULL)
            cudaStreamDestroy (lab->stream);
          cudaGetLastError ();
          lab_leave (before == lab->context ? NULL : before);
        }
      driver->context_destroy (lab->context);
    }
  free (lab);
}

int
lab_enter (EskLab  *lab,
           void   **before)
{
  const LabDriver *driver = lab_driver (NULL, 0);
  int code = driver->context_get (before);

  if (code == 0)
    code = driver->context_set (lab->context);
  if (code != 0)
    {
      snprintf (lab->error, sizeof lab->error, "%s", lab_driver_error (code));
      return ESK_LAB_ERROR_DEVICE;
    }

  return ESK_LAB_OK;
}

void
lab_leave (void *before)
{
  lab_driver (NULL, 0)->context_set (before);
}
