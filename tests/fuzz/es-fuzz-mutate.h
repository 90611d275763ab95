/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What chance makes of a file: bytes changed, words that headers and texts are fond of being wrong with, parts left
 * out, said twice or taken from another file. Never empty but for an empty one. Transfer full. */
GByteArray *es_fuzz_mutate (GBytes *seed, GBytes *other, GRand *rand);

G_END_DECLS
