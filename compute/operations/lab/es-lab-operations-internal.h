/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* For the registry. */
extern const EsOperation es_operation_lab_arithmetic;
extern const EsOperation es_operation_lab_branches;
extern const EsOperation es_operation_lab_latency;
extern const EsOperation es_operation_lab_stride;
extern const EsOperation es_operation_lab_sharing;
extern const EsOperation es_operation_lab_order;
extern const EsOperation es_operation_lab_private_arrays;
extern const EsOperation es_operation_lab_banks;
extern const EsOperation es_operation_lab_bandwidth;
extern const EsOperation es_operation_lab_atomics;
extern const EsOperation es_operation_lab_launch;
extern const EsOperation es_operation_lab_host_memory;
extern const EsOperation es_operation_lab_host_access;
extern const EsOperation es_operation_lab_link;
extern const EsOperation es_operation_lab_registration;
extern const EsOperation es_operation_lab_peer;
extern const EsOperation es_operation_lab_choose;
extern const EsOperation es_operation_lab_zero_copy;
extern const EsOperation es_operation_lab_mandelbrot;
extern const EsOperation es_operation_lab_overlap;
extern const EsOperation es_operation_lab_advice;
extern const EsOperation es_operation_ladder_covariance;
extern const EsOperation es_operation_ladder_transform;
extern const EsOperation es_operation_ladder_ica;
extern const EsOperation es_operation_ladder_noise;
extern const EsOperation es_operation_ladder_fourier;
extern const EsOperation es_operation_ladder_beams;
extern const EsOperation es_operation_ladder_jacobi;
extern const EsOperation es_operation_ladder_azimuth;

G_END_DECLS
