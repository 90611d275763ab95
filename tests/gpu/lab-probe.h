/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab.h"

#include <stdbool.h>
#include <stddef.h>

/* Which probes are taken, told one after the other. */
typedef struct {
  const EskLabMachine *machine;
  unsigned             cards;
  bool                 quick, managed;
  void               (*take) (const EskProbe *probe, void *data);
  void                *data;
} LabSweep;

void        lab_probe_sweep    (const LabSweep *sweep);
/* "chase", "clocks" ... */
const char *lab_probe_name     (EskProbeKind kind);
const char *lab_probe_unit     (EskProbeKind kind);
/* Of "pageable", "managed, prefetched" ...; -1: there is none of that name. */
int         lab_probe_memory   (const char *name);
/* The parameters that the kind has, as "global 64 KB, cycle". */
void        lab_probe_describe (const EskProbe *probe, char *text, size_t n);
