/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What es-lab-cuda-matrix.cu measures of es-lab-cuda-groups.cu, which is compiled for another target. */

#include "es-lab-cuda-private.h"

/* 32-bit words of operands that a kernel gets. */
#define LAB_MATRIX_WORDS 2048

typedef struct {
  int       work;                /* operations of a multiprocessor in a trip */
  int       growth;              /* by how much every sum grows in one where all operands are ones */
  long long clocks, nanoseconds; /* of the trips of a warp of the first block, which need not be all of the kernel's */
} LabMatrixTold;

/* Starts a kernel on every multiprocessor. kept: sums, the first of them first. */
typedef void (*LabMatrixLaunch) (EskLab *lab, const void *operands, int trips, void *kept, LabMatrixTold *told);

/* Whether the card, and this build, have products of warp groups. */
bool            lab_has_groups   (const EskLab *lab);
/* NULL: not of that type. */
LabMatrixLaunch lab_group_launch (EskLabType type);
/* Bytes of what they keep. */
uint64_t        lab_group_kept   (const EskLab *lab);
