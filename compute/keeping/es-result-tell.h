/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

G_BEGIN_DECLS

/* What a result was run with, for people who tell results apart. Parameters that say nothing (es_params_is_visible ())
 * are left out. */

/* A line each, "Variance kept: 99 %". NULL: its operation has none. Transfer full. */
char *es_result_tell_parameters (EsResult *result);
/* In what it differs from the others of the same operation in a list (of EsResult): "99.9 %" where numbers or choices
 * say it alone, "Standardise: yes" where not. Of one that has no such neighbour, what is not as it is by default. NULL:
 * nothing. Transfer full. */
char *es_result_tell_difference (EsResult *result, GListModel *results);

G_END_DECLS
