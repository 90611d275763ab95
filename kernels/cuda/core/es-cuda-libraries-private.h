/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * cuSOLVER, cuBLAS and cuFFT, which are opened by the first call of one of their functions and not when the module is
 * loaded: to put a gigabyte of them into place takes 60 to 90 ms, or half a second from the disk, and while it is done
 * the driver, which opens libraries of its own and maps memory, waits. cuSPARSE is opened by the first call of its own.
 * Whoever calls one of their functions calls what es-cuda-libraries.cu defines under its name, which answers that the
 * library is not initialised where there is none.
 */

/* Which one could not be opened, and why; empty: none, as far as is known. */
const char *esk_cuda_libraries_missing (void);
