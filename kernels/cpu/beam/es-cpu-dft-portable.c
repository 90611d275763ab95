/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms of four elements at a time, for any processor. */

#define LANES 4

#include "es-cpu-dft-loops-private.h"

EskTeamWork const esk_cpu_dft_portable = transform_group;
