/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* HDF5, netCDF and matio are not safe in several threads, nor beside each other: one lock for all of them. */
void es_hdf_lock   (void);
void es_hdf_unlock (void);

G_END_DECLS
