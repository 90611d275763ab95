/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The verb: argv[0] is the verb itself. */
int es_batch_spy (int argc, char **argv);

G_END_DECLS
