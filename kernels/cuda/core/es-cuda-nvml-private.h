/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the driver's management library (NVML) tells of a card without opening it. libnvidia-ml.so.1 comes with the
 * driver and its header does not come with every toolkit: it is opened when the program runs.
 */

#include <stdbool.h>
#include <stdint.h>

typedef void *EskNvmlDevice;

typedef struct {
  uint64_t memory, memory_free;            /* bytes; 0: not known */
  int      pcie_generation, pcie_width;    /* 0: not known */
  double   busy;                           /* 0..1; negative: not known */
  int      temperature;                    /* degrees Celsius; negative: not known */
} EskNvmlState;

/* The card on a PCI address such as "0000:1b:00.0"; NULL: unknown to NVML, or no NVML. */
EskNvmlDevice esk_nvml_device (const char *bus);
/* Everything "not known" where device is NULL. */
void          esk_nvml_state  (EskNvmlDevice device, EskNvmlState *state);
