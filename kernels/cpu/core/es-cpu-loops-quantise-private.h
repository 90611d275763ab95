/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Part of es-cpu-loops-private.h: samples to 8 bits, exactly for integers (EskSelection). */

/* --- quantising ----------------------------------------------------------------------------------------------- */

/*
 * 8- and 16-bit samples and a whole-numbered range of at most 65535: the numerator is below 2^24, exact in float32,
 * and the quotient is below 256 with at least 1/65535 to the next whole number above it, twice its rounding error.
 * So one float32 division truncates to the exact result.
 */
#define DEFINE_QUANTISE_SMALL(type, suffix)                                                   \
  static void                                                                                 \
  quantise_small_##suffix (const type *x, size_t n, int32_t minimum, int32_t range,           \
                           uint8_t *restrict out)                                             \
  {                                                                                           \
    float divisor = (float) range;                                                            \
                                                                                              \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        int32_t t = (int32_t) x[k] - minimum;                                                 \
                                                                                              \
        t = t < 0 ? 0 : t;                                                                    \
        t = t > range ? range : t;                                                            \
        out[k] = (uint8_t) (int32_t) ((float) (t * 255) / divisor);                           \
      }                                                                                       \
  }
DEFINE_QUANTISE_SMALL (uint8_t, u8)
DEFINE_QUANTISE_SMALL (int8_t, i8)
DEFINE_QUANTISE_SMALL (uint16_t, u16)
DEFINE_QUANTISE_SMALL (int16_t, i16)

/* The same argument in float64: whole-numbered minimum and maximum below 2^40, samples of at most 32 bits. */
#define DEFINE_QUANTISE_MIDDLE(type, suffix)                                                  \
  static void                                                                                 \
  quantise_middle_##suffix (const type *x, size_t n, double minimum, double range,            \
                            uint8_t *restrict out)                                            \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        double t = (double) x[k] - minimum;                                                   \
                                                                                              \
        t = t > 0.0 ? t : 0.0;                                                                \
        t = t < range ? t : range;                                                            \
        out[k] = (uint8_t) (int32_t) (t * 255.0 / range);                                     \
      }                                                                                       \
  }
DEFINE_QUANTISE_MIDDLE (uint8_t, u8)
DEFINE_QUANTISE_MIDDLE (int8_t, i8)
DEFINE_QUANTISE_MIDDLE (uint16_t, u16)
DEFINE_QUANTISE_MIDDLE (int16_t, i16)
DEFINE_QUANTISE_MIDDLE (uint32_t, u32)
DEFINE_QUANTISE_MIDDLE (int32_t, i32)

/* Any integers, and whole-numbered minimum and maximum below 2^100. */
#define DEFINE_QUANTISE_WIDE(code, type, suffix, lowest, highest)                             \
  static void                                                                                 \
  quantise_wide_##suffix (const type *x, size_t n, int128 minimum, int128 range,              \
                          uint8_t *restrict out)                                              \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        int128 t = (int128) x[k] - minimum;                                                   \
                                                                                              \
        t = t < 0 ? 0 : t > range ? range : t;                                                \
        out[k] = (uint8_t) (t * 255 / range);                                                 \
      }                                                                                       \
  }
EACH_INTEGER (DEFINE_QUANTISE_WIDE)

#define DEFINE_QUANTISE_FLOAT(code, type, suffix, lowest, highest)                            \
  static void                                                                                 \
  quantise_float_##suffix (const type *x, size_t n, double minimum, double range,             \
                           double scale, uint8_t *restrict out)                               \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        double t = ((double) x[k] * scale - minimum) * 255.0 / range;                         \
                                                                                              \
        t = t > 0.0 ? t : 0.0;                                                                \
        t = t < 255.0 ? t : 255.0;                                                            \
        out[k] = (uint8_t) (int32_t) t;                                                       \
      }                                                                                       \
  }
EACH_TYPE (DEFINE_QUANTISE_FLOAT)

static void
quantise_float (EskType     type,
                const void *samples,
                size_t      n,
                double      minimum,
                double      maximum,
                uint8_t    *out)
{
  double scale = 1.0;

  /* A power of two keeps what cannot be multiplied by 255 in the range of a double, and changes no other bit. */
  if (fabs (minimum) > DBL_MAX / 1024 || fabs (maximum) > DBL_MAX / 1024)
    scale = 1.0 / 1024;
  minimum *= scale;
  maximum *= scale;

  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: quantise_float_##suffix (samples, n, minimum, maximum - minimum, scale, out); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
}

static void
quantise (EskType     type,
          const void *samples,
          size_t      n,
          double      minimum,
          double      maximum,
          uint8_t    *out)
{
  const double middle = 0x1p40, wide = 0x1p100;
  double magnitude = fmax (fabs (minimum), fabs (maximum));
  bool whole = minimum == trunc (minimum) && maximum == trunc (maximum);

  if (!(maximum > minimum))
    {
      memset (out, 0, n);
      return;
    }

  if (whole && magnitude <= 65536.0 && maximum - minimum <= 65535.0)
    {
      int32_t low = (int32_t) minimum, distance = (int32_t) (maximum - minimum);

      switch (type)
        {
        case ESK_U8: quantise_small_u8 (samples, n, low, distance, out); return;
        case ESK_I8: quantise_small_i8 (samples, n, low, distance, out); return;
        case ESK_U16: quantise_small_u16 (samples, n, low, distance, out); return;
        case ESK_I16: quantise_small_i16 (samples, n, low, distance, out); return;
        default: break;
        }
    }
  if (whole && magnitude < middle)
    {
      double distance = maximum - minimum;

      switch (type)
        {
        case ESK_U8: quantise_middle_u8 (samples, n, minimum, distance, out); return;
        case ESK_I8: quantise_middle_i8 (samples, n, minimum, distance, out); return;
        case ESK_U16: quantise_middle_u16 (samples, n, minimum, distance, out); return;
        case ESK_I16: quantise_middle_i16 (samples, n, minimum, distance, out); return;
        case ESK_U32: quantise_middle_u32 (samples, n, minimum, distance, out); return;
        case ESK_I32: quantise_middle_i32 (samples, n, minimum, distance, out); return;
        default: break;
        }
    }
  if (whole && magnitude < wide)
    switch (type)
      {
#define CASE(code, native, suffix, lowest, highest) \
      case code: \
        quantise_wide_##suffix (samples, n, (int128) minimum, (int128) maximum - (int128) minimum, out); \
        return;
      EACH_INTEGER (CASE)
#undef CASE
      default: break;
      }

  quantise_float (type, samples, n, minimum, maximum, out);
}
