/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Looks through all groups and datasets of an HDF5 file before anybody reads it (GDAL, netCDF, matio and ourselves).
 * Refused with a sentence: samples that lie in another file (external storage, virtual datasets), chunks so large that
 * a few bytes of a file would fill the memory, groups nested without an end, more objects than are looked through, and
 * what the library cannot open at all: it was cut short, as a rule.
 * *elsewhere: a link that leads into another file, of which there is none that is followed; NULL where there is no such
 * link; transfer full. Takes es_hdf_lock ().
 */
gboolean es_claim_hdf5 (const char *path, const char *name, GCancellable *cancellable, char **elsewhere,
                        GError **error);

/*
 * A dataset that is about to be read: FALSE with a sentence where nothing of it has ever been written. *missing and
 * *all: how many of its chunks have not; 0 of 0 where it has none. Called with es_hdf_lock () held.
 */
gboolean es_claim_hdf5_is_written (const char *path, const char *name, const char *dataset, guint64 *missing,
                                   guint64 *all, GError **error);

G_END_DECLS
