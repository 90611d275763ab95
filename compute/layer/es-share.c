/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-share.h"

#include <glib/gi18n-lib.h>
#include <math.h>

char *
es_share_format (double share, guint decimals)
{
  double unit = pow (10, -(double) decimals), percent = share * 100;

  if (!isfinite (share))
    return NULL;
  if (share > 0 && percent < unit / 2)
    /* TRANSLATORS: a share that is less than this */
    return g_strdup_printf (_("< %.*f %%"), (int) decimals, unit);
  if (share < 1)
    percent = fmin (percent, 100 - unit);
  return g_strdup_printf (_("%.*f %%"), (int) decimals, percent);
}
