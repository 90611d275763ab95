/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "result/es-result.h"
#include "signal/es-element-check.h"

G_BEGIN_DECLS

/* What can be done about what was found of an element. */
typedef enum { ES_REMEDY_NONE, ES_REMEDY_LEAVE_OUT, ES_REMEDY_MEND_SIGN } EsRemedy;

/* Of a result of the operation "health" that was computed, not loaded: one an element; NULL otherwise. Borrowed. */
const EsElementFinding *es_health_get_findings (EsResult *result, guint *n);
/* "reversed, hot"; "nothing wrong"; "cannot be judged". Translated; transfer full. */
char    *es_health_describe      (const EsElementFinding *finding);
/* One sentence for each kind of trouble, or that there is none. Translated; transfer full. */
char    *es_health_get_summary   (EsResult *result);
/* Dead, noisy, late and early ones are left out, reversed ones have their sign mended; levels are a person's. */
EsRemedy es_health_get_remedy    (const EsElementFinding *finding);
/* The array with that done for all of n elements, or for one of them alone. Transfer full. */
EsArray *es_health_mend          (EsArray *array, const EsElementFinding *findings, guint n);
EsArray *es_health_mend_one      (EsArray *array, const EsElementFinding *findings, guint element);

G_END_DECLS
