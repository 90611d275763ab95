/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Files that are written beside a target under a name of its own making, such as the header of an ENVI file: one that
 * is there already and belongs to something else is not replaced, as that could not be opened any more, unless the
 * person who saves has agreed.
 */

/* The header that an ENVI file's would replace although it belongs to something else; NULL: there is none. Transfer
 * full. */
GFile *es_companion_find_foreign (GFile *target);
/* It may go, in a save to this very object. */
void   es_companion_agree        (GFile *target);

G_END_DECLS
