/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What was published of a Tesla K20c in 2013: tables 2.5, 2.6, 3.1, 3.3, 3.4, 4.2 to 4.4, 4.6 to 4.8 and formulas (4.1)
 * to (4.6) of gpu-lab.md; figures that were only drawn, by a curve of their shape. NAN: nothing is known. */

#include "es-lab.h"

#define GIGABYTE 1073741824.0
#define KILO 1024.0
#define MEGA 1048576.0

extern const unsigned k20c_lanes[32];                            /* table 2.6, of both versions */
double k20c_lane_clock    (unsigned version, unsigned place);
double k20c_arithmetic    (EskLabType type, EskLabOperation operation);
double k20c_chase         (EskLabSpace space, double bytes, unsigned stride);
double k20c_sharing       (EskLabSpace space, unsigned lanes, unsigned threads);
double k20c_order         (EskLabSpace space, unsigned pattern, unsigned blocks);
double k20c_local_bytes   (unsigned kernel, unsigned elements);
double k20c_copy          (unsigned element);                    /* bytes a second */
double k20c_host_access   (EskLabMemory memory, unsigned what, double bytes, unsigned threads);
double k20c_allocate      (EskLabMemory memory, unsigned part, double bytes);
double k20c_link          (EskLabMemory memory, unsigned way, double bytes);         /* bytes a second */
/* Managed memory, one way, in seconds. Made up, as all else of it is: the card was measured before there was any. */
double k20c_move          (EskLabMemory memory, unsigned way, double bytes);
double k20c_plan          (EskLabMemory memory, double bytes, unsigned to, unsigned from);
double k20c_mandelbrot    (unsigned variant, unsigned size);
/* A pipeline of three stages: upload and download by the link, work of so many rounds; of pageable memory one stage
 * after the other, as the host waits for each copy. Made up. */
void   k20c_overlap_parts (EskLabMemory memory, double bytes, unsigned rounds, double parts[3]);
double k20c_overlap       (EskLabMemory memory, unsigned bands, double bytes, unsigned rounds);
