/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stddef.h>
#include <stdint.h>

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * What fuzz targets share. A target is a file fuzz-x.c with one function: it hands the bytes to what reads them,
 * through the entry that the program uses, and looks at what came of it. libFuzzer calls it (./dev fuzz), and
 * es-fuzz-replay.c where there is none (./dev test). Always 0.
 */
int   LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* A file of that name in a folder of this process, which lies in memory where it can; it replaces an earlier one. The
 * path is owned by the caller. */
char *es_fuzz_write       (const char *name, const void *bytes, gsize length);
/* The folder. Borrowed. */
const char *es_fuzz_folder (void);

/* An error has to be one of ours: a sentence in UTF-8, on one line. */
void  es_fuzz_check_error (const GError *error);

/* Opens it, and looks at what opened: what it says of itself, and samples at its ends and amid. */
void  es_fuzz_open        (const char *path, const EsOpenOptions *options);
void  es_fuzz_look        (EsDataset *dataset);
/* Loads the description of an array; one that loads goes to JSON and back unharmed. */
void  es_fuzz_load_array  (const char *name, const void *bytes, gsize length);

/* A cube of 6 x 5 x 4 samples in the folder, the same for the whole run. Borrowed. */
EsDataset *es_fuzz_cube   (void);
/* The path of a recording there: three channels of 200 frames at 1000 Hz. Borrowed. */
const char *es_fuzz_recording (void);

/* The next part of an input of several: up to a line of "=== " and a name, which is that of the part behind it. FALSE:
 * the input has ended. */
typedef struct
{
  char        name[32];        /* letters, digits, "-" and "."; of the first part "" */
  const char *bytes;
  gsize       length;
} EsFuzzPart;
gboolean es_fuzz_next_part (const char **at, const char *end, EsFuzzPart *part);

G_END_DECLS
