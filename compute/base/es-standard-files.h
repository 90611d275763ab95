/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * First of all in a program. Where one of the three standard streams came closed, the next file that is opened would be
 * in its place, and what is printed would go into data. It is held by a file that refuses what such a stream refuses:
 * reading from the input, writing to the others (EBADF).
 */
void es_standard_files_hold (void);
