/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-hotspots.h"

/* What is measured. */
typedef struct {
  size_t width, height, bands, components;
  bool   quantise;                         /* the covariance with 8-bit quantising as well */
  bool   json;
  bool   only_ica;
} PerfScene;

/* Beams on the CPU, of so many elements; 0: of several numbers. Returns the exit status. */
int perf_beams (size_t elements, EskDftLibrary library);

/* Measures the back end in the module at path on its first device. Returns the exit status: 0, 4 where it failed, 77
 * where there is no device. */
int perf_module (const char *path, const PerfScene *scene);

/* Measures a step and tells of it; bytes: what it must read and write. */
typedef int  (*PerfStep) (void *data);
typedef void (*PerfRun)  (void *user, const char *what, const char *detail, PerfStep step, void *data, double bytes);

/* The hot spots of independent components, of scene->components planes. ESK_OK or the code of what failed. */
int perf_ica (const EskHotspots *table, EskStream *stream, const PerfScene *scene, PerfRun run, void *user);
