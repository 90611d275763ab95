/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "claims/es-claim-netcdf3-internal.h"
#include "es-fuzz.h"

/* The bytes are a netCDF file of a classic format. What its header promises is held against it, and what passes is
 * opened. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_auto (EsClaimFile) file = { .fd = -1 };
  g_autoptr (GError) error = NULL;

  if (size < 4 || memcmp (data, "CDF", 3) != 0)
    return 0;
  g_autofree char *path = es_fuzz_write ("x.nc", data, size);
  es_claim_file_open (&file, path, "x.nc", NULL, &error);
  g_assert_no_error (error);
  if (!es_claim_netcdf3 (&file, &error))
    es_fuzz_check_error (error);
  else
    es_fuzz_open (path, NULL);
  return 0;
}
