/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* HDF5, netCDF and matio are not safe in several threads, nor beside each other: one lock for all of them. It loads
 * HDF5, where it is there. */
void es_hdf_lock   (void);
void es_hdf_unlock (void);

/* Lowers what each file that we unpack ourselves keeps of it, to so many bytes, but for what it needs at once. Any
 * thread. */
void    es_hdf_limit_cache     (guint64 bytes);
guint64 es_hdf_get_cache_limit (void);

G_END_DECLS
