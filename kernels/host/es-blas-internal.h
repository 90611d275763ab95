/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "es-blas-core.h"

/* Whether so many bytes could be had now; they are not taken. For what leads to libraries that abort without. */
bool esk_memory_is_there (size_t bytes);
