/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of small matrices as matrix multiplications are made of: six rows by two vectors, all along a depth that the
 * nearest cache holds. */

#include "es-lab-cpu-private.h"

#include <math.h>
#include <string.h>

/* Vectors of the second factor along the depth; of int8, four elements each. */
#define DEPTH 128
#define WIDEST 64
#define NEIGHBOURS(type) ((type) == ESK_TYPE_LAB_INT8 ? 4 : 1)

typedef struct
{
  _Alignas (64) unsigned char a[ESK_LAB_ROWS * DEPTH * 8];
  _Alignas (64) unsigned char b[2 * DEPTH * WIDEST];
  _Alignas (64) unsigned char c[2 * ESK_LAB_ROWS * WIDEST];
} Factors;

typedef struct
{
  EskLab       *lab;
  EskLabType    type;
  EskLabProduct product;
  Factors      *factors;               /* read by all threads */
  size_t        times;
} Product;

static size_t
get_size (EskLabType type)
{
  return type == ESK_TYPE_LAB_FLOAT64 ? 8 : 4;
}

/* Small whole numbers, whose products are exact in every type, and in what neighbours of int8 are added in. */
static void
fill (Factors   *factors,
      EskLabType type,
      size_t     width)
{
  uint64_t random = 88172645463325252ull;
  const size_t size = get_size (type), columns = 2 * width / size;

  memset (factors, 0, sizeof *factors);
  for (size_t i = 0; i < ESK_LAB_ROWS * DEPTH; i++)
    for (size_t j = 0; j < NEIGHBOURS (type); j++)
      {
        const int x = (int) (esk_lab_random (&random) >> 40 & 15);

        if (type == ESK_TYPE_LAB_INT8)
          factors->a[4 * i + j] = (unsigned char) x;
        else if (type == ESK_TYPE_LAB_FLOAT32)
          memcpy (factors->a + 4 * i, &(float) { (float) x }, 4);
        else
          memcpy (factors->a + 8 * i, &(double) { x }, 8);
      }
  for (size_t i = 0; i < DEPTH * columns; i++)
    for (size_t j = 0; j < NEIGHBOURS (type); j++)
      {
        const int x = (int) (esk_lab_random (&random) >> 40 & 15) - 7;

        if (type == ESK_TYPE_LAB_INT8)
          factors->b[4 * i + j] = (unsigned char) (int8_t) x;
        else if (type == ESK_TYPE_LAB_FLOAT32)
          memcpy (factors->b + 4 * i, &(float) { (float) x }, 4);
        else
          memcpy (factors->b + 8 * i, &(double) { x }, 8);
      }
}

static double
get_element (const unsigned char *data,
             EskLabType           type,
             size_t               i)
{
  float single;
  double wide;
  int32_t whole;

  switch (type)
    {
    case ESK_TYPE_LAB_FLOAT32:
      memcpy (&single, data + 4 * i, 4);
      return single;
    case ESK_TYPE_LAB_FLOAT64:
      memcpy (&wide, data + 8 * i, 8);
      return wide;
    default:
      memcpy (&whole, data + 4 * i, 4);
      return whole;
    }
}

/* Of one product, every element. */
static bool
is_right (const Factors *factors,
          EskLabType     type,
          size_t         width)
{
  const size_t columns = 2 * width / get_size (type);

  for (size_t row = 0; row < ESK_LAB_ROWS; row++)
    for (size_t column = 0; column < columns; column++)
      {
        double sum = 0.0;

        for (size_t k = 0; k < DEPTH; k++)
          if (type == ESK_TYPE_LAB_INT8)
            for (size_t j = 0; j < 4; j++)
              sum += (double) factors->a[4 * (row * DEPTH + k) + j]
                     * (double) (int8_t) factors->b[4 * (k * columns + column) + j];
          else
            sum += get_element (factors->a, type, row * DEPTH + k)
                   * get_element (factors->b, type, k * columns + column);
        if (sum != get_element (factors->c, type, row * columns + column))
          return false;
      }
  return true;
}

static void
run_product (void    *data,
             unsigned thread)
{
  Product *product = data;
  _Alignas (64) unsigned char sums[sizeof product->factors->c];

  (void) thread;
  for (size_t done = 0; done < product->times && esk_lab_poll (product->lab) == ESK_LAB_OK;)
    {
      const size_t n = product->times - done < 4096 ? product->times - done : 4096;

      /* From nothing each time, as sums that grow would overflow. */
      memset (sums, 0, sizeof sums);
      product->product (n, DEPTH, product->factors->a, product->factors->b, sums);
      done += n;
    }
}

int
esk_lab_measure_matrix (EskLab         *lab,
                        const EskProbe *probe,
                        EskProbeResult *result)
{
  const EskLabLoops *loops = lab->loops;
  Factors factors;
  const bool dot = probe->type == ESK_TYPE_LAB_INT8 && loops->is_dot != NULL && loops->is_dot ();
  Product product = { lab, probe->type, dot ? loops->dot_product : loops->product[probe->type], &factors, 0 };
  EskLabTeam *team;
  int code;

  fill (&factors, probe->type, loops->width);
  product.product (1, DEPTH, factors.a, factors.b, factors.c);
  if (!is_right (&factors, probe->type, loops->width))
    return esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "An element of a product of matrices is not its sum of products");

  if ((code = esk_lab_team_new (lab, probe->threads, &team)) != ESK_LAB_OK)
    return code;
  code = esk_lab_team_rate (lab, team, probe, run_product, &product, &product.times,
                            2.0 * esk_lab_team_size (team) * ESK_LAB_ROWS * 2.0 * loops->width / get_size (probe->type)
                            * DEPTH * NEIGHBOURS (probe->type), result);
  esk_lab_clock_note (lab, result);
  esk_lab_team_free (team);
  /* Of int8: whether a product of four is one instruction. */
  result->fused = probe->type == ESK_TYPE_LAB_INT8 ? dot : loops->fused;

  return code;
}
