/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the driver's management library (NVML) tells the laboratory: clocks, power, who else is there. Opened when the
 * program runs, as its header does not come with every toolkit.
 */

#include "es-lab.h"

typedef struct {
  void *device;                          /* NULL: unknown to NVML, or no NVML */
} LabNvml;

/* The card on a PCI address such as "0000:1b:00.0". */
void     lab_nvml_find      (LabNvml *nvml, const char *bus);
/* All of state but `others`. */
void     lab_nvml_state     (const LabNvml *nvml, EskLabState *state);
/* Hertz of the multiprocessors now, 0: unknown. */
double   lab_nvml_clock     (const LabNvml *nvml);
/* Programs that compute there, `ours`: whether this process is named among them; negative: unknown. */
int      lab_nvml_programs  (const LabNvml *nvml, int *ours);
/* "580.159.04"; "" unknown. */
void     lab_nvml_driver    (char *version, size_t n);
/* Highest clocks, link, and whether it is cut into slices. */
void     lab_nvml_describe  (const LabNvml *nvml, EskLabMachine *machine);
