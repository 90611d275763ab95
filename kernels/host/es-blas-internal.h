/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * OpenBLAS is called from many threads at once, each of them busy with its own tile: it must not start threads of
 * its own. Called before every first use; cheap and thread safe.
 */
void esk_blas_prepare (void);
