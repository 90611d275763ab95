/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Only preprocessed, when the build is configured: an unsuitable host compiler ends in an error of the toolkit's. */
#include <cuda_runtime.h>
