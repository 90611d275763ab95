/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* ESK_HIDE: r stays in its register, but the compiler may not know what is in it: each operation is done, in its
 * turn. */

#define ESK_HIDE_WHOLE(r) __asm__ volatile ("" : "+r" (r))
#if defined (__AVX512F__)
#define ESK_HIDE_FLOAT(r) __asm__ volatile ("" : "+v" (r))
#elif defined (__x86_64__)
#define ESK_HIDE_FLOAT(r) __asm__ volatile ("" : "+x" (r))
#elif defined (__aarch64__)
#define ESK_HIDE_FLOAT(r) __asm__ volatile ("" : "+w" (r))
#elif defined (__riscv)
#define ESK_HIDE_FLOAT(r) __asm__ volatile ("" : "+f" (r))
#else
#define ESK_HIDE_FLOAT(r) __asm__ volatile ("" : "+m" (r))
#endif
#if defined (__x86_64__) || defined (__aarch64__)
#define ESK_HIDE_VECTOR(r) ESK_HIDE_FLOAT (r)
#else
#define ESK_HIDE_VECTOR(r) __asm__ volatile ("" : "+m" (r))
#endif
#define ESK_HIDE_MEMORY() __asm__ volatile ("" ::: "memory")

#define ESK_FOUR(x) x x x x
#define ESK_SIXTY_FOUR(x) ESK_FOUR (ESK_FOUR (ESK_FOUR (x)))
