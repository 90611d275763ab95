/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The end of a program. The kernel takes a process's contexts down at its end, one after the other, and whoever waits
 * for the process waits for that: 100 to 130 ms on an H100. A program that still has files to sum up and to bring to
 * the disk can have it done meanwhile.
 */

#include "es-cuda-device-private.h"

static bool left;                          /* atomic */

bool
esk_cuda_has_left (void)
{
  return __atomic_load_n (&left, __ATOMIC_ACQUIRE);
}

void
esk_cuda_device_leave (void)
{
  const int n = esk_cuda_device_count (NULL, 0);

  __atomic_store_n (&left, true, __ATOMIC_RELEASE);
  for (int d = 0; d < n; d++)
    {
      EskCudaDevice *device = esk_cuda_device (d);

      esk_cuda_device_set_lost (device, "the program ends");
      /* What has no context would be given one. */
      if (!__atomic_load_n (&device->warm, __ATOMIC_RELAXED))
        continue;
      cudaSetDevice (device->ordinal);
      cudaDeviceReset ();
    }
}
