/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether this file's functions stand for those of the C library: memory that is asked for and not there then ends the
 * helper with ES_REHEARSAL_EXIT_MEMORY, whatever the library that asked would have made of it. */
gboolean es_rehearse_memory_is_watched (void);

G_END_DECLS
