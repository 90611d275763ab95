/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Devices are looked for once a process: a test that wants others than the first runs in a process of its own. Names
 * and values of the environment by turns, closed by NULL; a value of NULL removes the name. TRUE in that process. */
gboolean es_test_in_own_process (const char *name, ...) G_GNUC_NULL_TERMINATED;
