/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What is measured. */
typedef struct {
  size_t width, height, bands, components;
  bool   quantise;                         /* the covariance with 8-bit quantising as well */
  bool   json;
} PerfScene;

/* Measures the back end in the module at path on its first device. Returns the exit status: 0, 4 where it failed, 77
 * where there is no device. */
int perf_module (const char *path, const PerfScene *scene);
