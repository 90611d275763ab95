/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-bar.h"

G_BEGIN_DECLS

/* dB; the first is 0: from what is in view. */
const double *_es_sonar_bar_get_ranges (guint *n);
/* "30 dB". Transfer full. */
char         *_es_sonar_bar_name_range (double range);

/* es-sonar-bar-menu.c. Transfer full. */
GMenuModel   *_es_sonar_bar_make_menu  (void);

G_END_DECLS
