/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on GPUs keep to the setting "gpu-memory", as they are found and as it changes. UI thread; once. */
void es_gpu_settings_start (void);

G_END_DECLS
