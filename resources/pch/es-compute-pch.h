/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled once for all of compute/ (c_pch in its meson.build). Each file still includes what it uses. */

#include <gio/gio.h>
