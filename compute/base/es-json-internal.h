/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * The tree as indented JSON text with a line end at its end. Unlike json_generator_to_data () it is valid for every
 * number: json-glib writes 1e-10 as "1e-10.0", and what is not finite as a word; that becomes null. Transfer full.
 */
char *es_json_to_text (JsonNode *root);

G_END_DECLS
