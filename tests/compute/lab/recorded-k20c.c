/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "recorded-k20c.h"

#include <math.h>
#include <stddef.h>

/* ---- within the card ---- */

const unsigned k20c_lanes[32] = {
  0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31,
};

/* Steps of 64, in the second version 66, 62, 64 ... 64, 48. */
double
k20c_lane_clock (unsigned version, unsigned place)
{
  if (version == 0 || place == 0)
    return 64.0 * place;
  return place == 1 ? 66 : place < 31 ? 64.0 * place : 64.0 * 30 + 48;
}

double
k20c_arithmetic (EskLabType type, EskLabOperation operation)
{
  static const double clocks[5][4] = {
    { 9, 9, 9, 10 }, { 9, 10, 9, 10 }, { 10, 9, 9, 11 }, { 144, 169, 53, 90 }, { 8, 9, 9, 10 },
  };
  const int column = type == ESK_TYPE_LAB_UINT32 ? 0 : type == ESK_TYPE_LAB_INT32 ? 1
                     : type == ESK_TYPE_LAB_FLOAT32 ? 2 : type == ESK_TYPE_LAB_FLOAT64 ? 3 : -1;

  return column < 0 || operation > ESK_OPERATION_MULTIPLY_ADD ? NAN : clocks[operation][column];
}

double
k20c_chase (EskLabSpace space, double bytes, unsigned stride)
{
  switch (space)
    {
    case ESK_SPACE_GLOBAL:
      return bytes <= 1280 * KILO ? 218.86 : 600;
    case ESK_SPACE_SHARED:
      return 47.69;
    case ESK_SPACE_LOCAL:
      return 203.75;
    case ESK_SPACE_TEXTURE:
      return 115.60;
    case ESK_SPACE_CONSTANT:
      /* Lines of 16 words: so many of the next ones hit. */
      return stride == 0 ? 110.13 : 48 + 82 * fmin (stride / 16.0, 1);
    default:
      return NAN;
    }
}

double
k20c_sharing (EskLabSpace space, unsigned lanes, unsigned threads)
{
  switch (space)
    {
    case ESK_SPACE_SHARED:
      return 47.69;
    case ESK_SPACE_CONSTANT:
      /* The small rise beyond 256 threads. */
      return threads == 1 ? 110.13 : (110.13 + 48 * (32.0 / lanes - 1)) * (threads > 256 ? 1.25 : 1);
    case ESK_SPACE_GLOBAL:
      return threads == 1 ? 218.86 : 222 - 6 * (lanes - 1) / 31.0;
    case ESK_SPACE_TEXTURE:
      return threads == 1 ? 115.60 : 110;
    default:
      return NAN;
    }
}

double
k20c_order (EskLabSpace space, unsigned pattern, unsigned blocks)
{
  switch (space)
    {
    case ESK_SPACE_SHARED:
      return pattern == 4 ? NAN : 47.69;
    case ESK_SPACE_GLOBAL:
      /* Twice as slow with one block, nearly four times from 96 on. */
      return pattern == 3 ? 216 * (2 + 1.9 * fmin ((blocks - 1) / 95.0, 1)) : 216;
    case ESK_SPACE_TEXTURE:
      return pattern == 4 ? NAN : pattern == 3 ? 124 + 196 * fmin ((blocks - 1) / 95.0, 1) : 110;
    default:
      return NAN;
    }
}

double
k20c_local_bytes (unsigned kernel, unsigned elements)
{
  static const unsigned largest[] = { 73, 6, 0 }, most[] = { 128, 12, 32 };

  if (kernel > 2 || elements > most[kernel])
    return NAN;
  return elements <= largest[kernel] ? 0 : (kernel == 1 ? 3.0 * elements * elements : elements) * 4;
}

double
k20c_copy (unsigned element)
{
  return GIGABYTE * (element == 1 ? 63.02 : element == 4 ? 151.492 : element == 8 ? 157.146 : NAN);
}

/* ---- host memory ---- */

/* GB/s by size from 4 MB on: pageable write, read, pinned write, read, pa2pa, pa2pi, pi2pi, pi2pa. */
static const double one_thread[11][8] = {
  { 16.48, 12.81, 16.55, 12.85, 23.26, 23.31, 22.72, 23.04 },
  { 15.44, 12.26, 15.11, 12.36, 11.48, 12.33, 11.89, 12.29 },
  { 7.84, 8.35, 8.07, 8.47, 7.87, 7.62, 7.56, 7.95 }, { 7.75, 8.36, 7.62, 8.43, 6.43, 6.61, 6.54, 6.59 },
  { 7.64, 8.39, 7.77, 8.40, 6.01, 6.03, 6.02, 6.14 }, { 7.72, 8.40, 7.73, 8.41, 5.65, 5.67, 5.62, 5.72 },
  { 7.77, 8.41, 7.81, 8.41, 5.66, 5.64, 5.65, 5.73 }, { 7.81, 8.41, 7.79, 8.41, 5.66, 5.67, 5.66, 5.72 },
  { 7.79, 8.41, 7.79, 8.41, 5.66, 5.66, 5.65, 5.72 }, { 7.82, 8.41, 7.99, 8.41, 4.09, 5.65, 3.44, 5.56 },
  { 7.90, 8.41, 5.76, 6.72, 3.44, 3.63, 3.36, 5.56 },
};
static const double all_threads[11][8] = {
  { 176.17, 156.04, 178.09, 140.03, 287.44, 300.62, 315.08, 312.08 },
  { 211.41, 163.02, 199.80, 169.78, 295.21, 289.98, 306.24, 312.08 },
  { 223.67, 179.55, 214.17, 183.57, 22.74, 19.49, 21.58, 32.93 },
  { 13.31, 41.06, 12.92, 19.78, 24.24, 15.64, 11.45, 16.18 }, { 11.46, 42.15, 9.69, 18.35, 25.22, 15.18, 10.99, 17.13 },
  { 13.84, 43.80, 9.12, 18.85, 25.75, 15.06, 11.43, 17.92 }, { 16.43, 44.21, 8.76, 18.54, 28.61, 16.30, 12.34, 19.31 },
  { 17.52, 44.67, 8.56, 18.73, 31.83, 17.97, 13.79, 20.42 }, { 18.23, 44.66, 8.55, 18.66, 33.76, 18.74, 14.34, 21.54 },
  { 18.97, 44.84, 8.54, 18.88, 36.16, 19.45, 14.99, 22.97 }, { 19.28, 44.85, 8.67, 17.88, 36.15, 15.45, 14.05, 23.31 },
};

double
k20c_host_access (EskLabMemory memory, unsigned what, double bytes, unsigned threads)
{
  const int row = (int) lround (log2 (bytes / MEGA)) - 2;
  const int column = memory == ESK_MEMORY_PAGEABLE ? (what < 2 ? (int) what : 4)
                     : memory == ESK_MEMORY_PINNED ? (what < 2 ? (int) what + 2 : what == 3 ? 6 : 7) : -1;

  /* As pageable memory, once it is back. */
  if (memory == ESK_MEMORY_MANAGED && what < 2)
    return k20c_host_access (ESK_MEMORY_PAGEABLE, what, bytes, threads);
  if (row < 0 || row > 10 || column < 0)
    return NAN;
  return GIGABYTE * (threads == 1 ? one_thread : all_threads)[row][column];
}

/* (4.5) and (4.6), and of table 4.2 in proportion to the size. */
double
k20c_allocate (EskLabMemory memory, unsigned part, double bytes)
{
  const double share = bytes / GIGABYTE;

  if (memory == ESK_MEMORY_PINNED)
    return part == 0 ? 0.46998 * share : part == 4 ? 0.16510 * share : NAN;
  if (memory == ESK_MEMORY_MANAGED)
    return part == 0 ? 20e-6 : part == 2 ? 0.25 * share : part == 4 ? 40e-6 : part == 5 ? 0.05 * share : NAN;
  if (memory != ESK_MEMORY_PAGEABLE && memory != ESK_MEMORY_REGISTERED)
    return NAN;
  switch (part)
    {
    case 1:
      return memory == ESK_MEMORY_PAGEABLE ? NAN : 1e-3 * (bytes < MEGA ? 0.0935 : 2.473e-8 * bytes + 0.1306);
    case 3:
      return memory == ESK_MEMORY_PAGEABLE ? NAN : 1e-3 * (bytes < MEGA ? 8.117e-2 : 4.254e-8 * bytes + 0.1579);
    case 2:
      return share * (memory == ESK_MEMORY_PAGEABLE ? 0.17063 : 0.17017);
    case 4:
      return share * (memory == ESK_MEMORY_PAGEABLE ? 0.00199 : 0.00169);
    default:
      return 1e-6;
    }
}

/* ---- the link ---- */

static double
cubic (double s, double a, double b, double c, double d)
{
  return a + s * (b + s * (c + s * d));
}

/* (4.1) */
static double
pageable_to (double s)
{
  return s < 32 ? 1.365e-4 * s - 3.883e-5 : s < 2 * KILO ? 1.512e-4 * s + 1.173e-4
         : s < 256 * KILO ? 0.360 * log (s) - 2.479
         : s < 4 * MEGA ? cubic (s, 1.995, -3.838e-8, 2.191e-13, -3.579e-20)
         : s < 32 * MEGA ? cubic (s, 2.682, 1.072e-7, -5.043e-15, 7.050e-23) : exp (1.197 - 514828.668 / s);
}

/* (4.2), with what fits of the second constant. */
static double
pageable_from (double s)
{
  return s < 32 ? 7.661e-5 * s - 1.020e-5 : s < 2 * KILO ? 8.703e-5 * s + 7.1e-5
         : s < 16 * KILO ? cubic (s, 1.716e-2, 8.241e-5, -2.251e-9, 1.406e-14)
         : s < 256 * KILO ? 0.343 * log (s) - 2.472
         : s < 2 * MEGA ? cubic (s, 1.510, 1.326e-6, -1.133e-12, 2.732e-19) : exp (1.073 - 1012387.498 / s);
}

/* (4.3) */
static double
pinned_to (double s)
{
  return s < 32 ? 8.462e-5 * s - 2.697e-6 : s < 2 * KILO ? 1.052e-4 * s - 1.106e-3
         : s < 256 * KILO ? cubic (s, 0.210, 5.970e-5, -3.382e-10, 6.660e-16)
         : s < 2 * MEGA ? cubic (s, 3.365, 6.030e-6, -5.147e-12, 1.278e-18) : exp (1.776 - 278771.750 / s);
}

/* (4.4) */
static double
pinned_from (double s)
{
  return s < 32 ? 8.481e-5 * s - 1.332e-5 : s < 4 * KILO ? 1.011e-4 * s + 1.086e-4
         : s < 256 * KILO ? cubic (s, 0.393, 4.759e-5, -1.974e-10, 3.074e-16)
         : s < 8 * MEGA ? exp (1.829 - 64448.291 / s) : exp (1.831 - 83470.782 / s);
}

double
k20c_move (EskLabMemory memory, unsigned way, double bytes)
{
  return memory == ESK_MEMORY_MANAGED ? 40e-6 + bytes / (way == 0 ? 4e9 : 2.5e9)
                                      : 25e-6 + bytes / (way == 0 ? 6.2e9 : 6.4e9);
}

double
k20c_link (EskLabMemory memory, unsigned way, double bytes)
{
  if (memory == ESK_MEMORY_PAGEABLE)
    return GIGABYTE * (way == 0 ? pageable_to (bytes) : pageable_from (bytes));
  if (memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD)
    return bytes / k20c_move (memory, way, bytes);
  if (memory != ESK_MEMORY_REGISTERED && memory != ESK_MEMORY_PINNED)
    return NAN;
  return GIGABYTE * (way == 0 ? pinned_to (bytes) : pinned_from (bytes));
}

/* (4.9) and (4.10). */
double
k20c_plan (EskLabMemory memory, double bytes, unsigned to, unsigned from)
{
  double seconds;
  const unsigned most = to > from ? to : from;

  /* One array, which is where it was needed last. */
  if (memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD)
    return (to > 0 ? most : from - 1) * k20c_move (memory, 0, bytes)
           + (to > from ? to - 1 : from) * k20c_move (memory, 1, bytes);
  seconds = to * bytes / k20c_link (memory, 0, bytes) + from * bytes / k20c_link (memory, 1, bytes);

  if (memory == ESK_MEMORY_REGISTERED)
    seconds += k20c_allocate (memory, 1, bytes) + k20c_allocate (memory, 3, bytes);
  return seconds;
}

/* Tables 4.7 and 4.8: cuda, cuda2, zerocopy1 to 4. */
double
k20c_mandelbrot (unsigned variant, unsigned size)
{
  static const double milliseconds[6][4] = {
    { 1.38, 4.83, 17.29, 67.68 }, { 1.07, 3.78, 13.06, 52.56 }, { 73.32, 290.73, 1162.41, 4653.66 },
    { 1.00, 3.75, 15.07, 64.40 }, { 72.65, 290.69, 1162.41, 4653.75 }, { 0.95, 3.07, 12.04, 52.87 },
  };
  const int column = (int) lround (log2 (size / 1024.0));

  return variant > 5 || column < 0 || column > 3 ? NAN : milliseconds[variant][column] * 1e-3;
}

void
k20c_overlap_parts (EskLabMemory memory, double bytes, unsigned rounds, double parts[3])
{
  parts[0] = bytes / k20c_link (memory, 0, bytes);
  parts[1] = bytes / 100e9 * rounds;
  parts[2] = bytes / k20c_link (memory, 1, bytes);
}

double
k20c_overlap (EskLabMemory memory, unsigned bands, double bytes, unsigned rounds)
{
  double parts[3];

  k20c_overlap_parts (memory, bytes, rounds, parts);
  if (memory == ESK_MEMORY_PAGEABLE)
    return parts[0] + parts[1] + parts[2];
  return (parts[0] + parts[1] + parts[2]) / bands
         + fmax (fmax (parts[0], parts[1]), parts[2]) * (bands - 1) / bands;
}
