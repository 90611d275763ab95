/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The hot spots of this room, as in EskStreamHotspots, EskDeviceHotspots and EskEigenHotspots. */

#include "es-cuda-internal.h"

EskStream  *esk_cuda_stream_new   (int index);
void        esk_cuda_stream_free  (EskStream *stream);
const char *esk_cuda_last_error   (EskStream *stream);
int         esk_cuda_upload       (EskStream *stream, void *to, const void *from, size_t bytes);
int         esk_cuda_download     (EskStream *stream, void *to, size_t to_stride, const void *from,
                                   size_t from_stride, size_t row_bytes, size_t n_rows);
int         esk_cuda_wait         (EskStream *stream);

int   esk_cuda_device_count   (char *why, size_t why_bytes);
int   esk_cuda_device_info    (int index, EskDeviceInfo *info);
int   esk_cuda_device_warm_up (int index);
int   esk_cuda_device_describe (int index, EskDeviceInfo *info);
int   esk_cuda_device_memory  (int index, uint64_t *free_bytes);
int   esk_cuda_device_warm_further (int index);
void  esk_cuda_device_leave   (void);
void *esk_cuda_memory_new     (int index, size_t bytes);
void  esk_cuda_memory_free    (int index, void *memory);
void *esk_cuda_staging_new    (size_t bytes);
void  esk_cuda_staging_free   (void *staging);

int esk_cuda_load              (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                                const EskTile *planes, uint8_t *valid);

int esk_cuda_eigen_symmetric   (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors);
int esk_cuda_eigen_pair        (EskStream *stream, size_t n, const double *noise, const double *data, double least,
                                double *values, double *transform, double *mixing, size_t *n_raised);
int esk_cuda_eigen_leading     (EskStream *stream, size_t n, const double *matrix, EskEigenChoose choose, void *data,
                                double *values, double *vectors, size_t *n_vectors);
int esk_cuda_eigen_sparse_smallest (EskStream *stream, const EskCsr *matrix, double shift, size_t m, double tolerance,
                                double *values, double *vectors, EskSparseEigenFacts *facts);
