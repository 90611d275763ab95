/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-claim-file-internal.h"

G_BEGIN_DECLS

/*
 * A netCDF file of the classic formats (CDF-1, -2 and -5) whose header and variables all lie inside the file. The
 * library fills what a cut file lacks with whatever is in memory, or zeros. FALSE with a sentence: cut short, a header
 * that is damaged, or more variables than are looked through. TRUE where the file is no such one.
 */
gboolean es_claim_netcdf3 (EsClaimFile *file, GError **error);

G_END_DECLS
