/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What the helper program does (rehearsal/es-rehearsal.h tells who asks for it, and why): opens a file as the program
 * is about to, reads at its beginning, in its midst and at its end, and closes it. words: what it is ("dataset" or
 * "field"), its absolute path, and KEY=VALUE of what was told; NULL-terminated. An error is that of opening it; one of
 * reading is none, as it comes again where it belongs. *understood: FALSE where these are no such words.
 */
gboolean es_rehearse (const char * const *words, gboolean *understood, GError **error);

G_END_DECLS
