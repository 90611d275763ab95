/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a row of type ES_PARAM_REGION says of its text: .check = es_region_check, .describe = es_region_describe. */

/* Whether es_region_parse () takes it: ES_COMPUTE_ERROR_PARAMETER. */
gboolean es_region_check    (const char *text, GError **error);
/* By its extent, for people: "20 × 10 pixels at 3, 4"; the text itself where it is no region. Transfer full. */
char    *es_region_describe (const char *text);

G_END_DECLS
