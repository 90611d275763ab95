/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The source of the kernels as they are compiled, for people to read. */

#ifdef __cplusplus
extern "C" {
#endif

/* What stands between `lab: SUBJECT` and `lab end` in this room's files; NULL: nothing does. */
const char *lab_source (const char *subject);

#ifdef __cplusplus
}
#endif
