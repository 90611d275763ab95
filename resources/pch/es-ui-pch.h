/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled once for all of ui/ (c_pch in its meson.build). Each file still includes what it uses. */

#include <adwaita.h>
