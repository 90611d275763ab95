/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Something is wrong with data, a file or its target. Headless exit status 3. */
#define ES_DATA_ERROR (es_data_error_quark ())
typedef enum
{
  ES_DATA_ERROR_OPEN,          /* not there, not readable */
  ES_DATA_ERROR_FORMAT,        /* not a known format, or a header that contradicts itself */
  ES_DATA_ERROR_TRUNCATED,     /* the file holds less than its header promises */
  ES_DATA_ERROR_SIZE,          /* zero or absurd sizes */
  ES_DATA_ERROR_UNSUPPORTED,   /* well-formed, but not handled (complex samples, a matrix that is not square) */
  ES_DATA_ERROR_EMPTY,         /* nothing to compute with: no valid pixel, one good band, constant bands */
  ES_DATA_ERROR_WRITE,         /* the target is unwritable or full */
  ES_DATA_ERROR_RATE,          /* a recording that does not tell its sampling rate: open it with EsRawSamples.rate */
} EsDataError;

/* Something is wrong with a computation. */
#define ES_COMPUTE_ERROR (es_compute_error_quark ())
typedef enum
{
  ES_COMPUTE_ERROR_PARAMETER,  /* unknown key, value out of range: exit status 2 */
  ES_COMPUTE_ERROR_OPERATION,  /* no such operation, or not for this kind of data: exit status 2 */
  ES_COMPUTE_ERROR_DEVICE,     /* no such device, or it failed: exit status 4 */
  ES_COMPUTE_ERROR_MEMORY,     /* does not fit: exit status 4 */
  ES_COMPUTE_ERROR_NUMERIC,    /* the numbers do not allow it, or it did not converge: exit status 3 */
} EsComputeError;

GQuark es_data_error_quark    (void);
GQuark es_compute_error_quark (void);

/* Cancellation is G_IO_ERROR_CANCELLED everywhere. */

/*
 * Where messages name a file: the name a person would recognise ("scene.img"), valid UTF-8 without controls
 * (es_text_show ()), shortened in the middle where it is longer than 60 characters. Transfer full.
 */
char *es_error_file_name (GFile *file);

G_END_DECLS
