/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A member of the object that the builder is in; NULL, and a number that is not finite, become null. Whole numbers are
 * written as such. */
void     es_batch_json_string (JsonBuilder *builder, const char *name, const char *value);
void     es_batch_json_number (JsonBuilder *builder, const char *name, double value);

/* The options of a verb that has --json alone. FALSE after having printed what is wrong. */
gboolean es_batch_json_alone  (const char *summary, int *argc, char ***argv, gboolean *json);

G_END_DECLS
