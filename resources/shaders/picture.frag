/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of render/plane/es-frame-internal.h, which es-frame.c spells out in C: integer look-ups and integer
 * sums, and one subtraction and one product of float32 that cannot be fused. Row 0 of the view is row 0 of the texture.
 */
uniform sampler2D plane0, plane1, plane2;
uniform isampler2D columns, rows;       /* first sample and its three weights, a view pixel */
uniform usampler2D entries;
uniform sampler2D thresholds;           /* a row a plane: where the colours 1 .. 255 begin */
uniform int n_planes, n_taps;
uniform vec3 low, scale;
uniform ivec3 curve;                    /* of a plane: 0: low and scale; 1, -1: its thresholds, inverted; 2: palette */
uniform int n_entries;                  /* of a palette: values with a colour of their own */

out vec4 color;

bool
is_missing (float value)
{
  return (floatBitsToUint (value) & 0x7fffffffu) > 0x7f800000u;
}

int
color_index (float value, int plane)
{
  float lowest = low[plane], factor = scale[plane];

  if (curve[plane] == 2)
    {
      float offset = value - lowest;

      return offset >= 0.0 && offset < float (n_entries) ? int (offset) : n_entries;
    }
  if (curve[plane] != 0)
    {
      int found = 0;

      for (int stride = 128; stride > 0; stride /= 2)
        if (texelFetch (thresholds, ivec2 (found + stride - 1, plane), 0).r <= value)
          found += stride;
      return curve[plane] > 0 ? found : 255 - found;
    }
  if (factor == 0.0)
    return value < lowest ? 0 : value > lowest ? 255 : 128;

  float place = (value - lowest) * factor;

  return place <= 0.0 ? 0 : place >= 255.0 ? 255 : int (place);
}

/* Red, green, blue of 0..255 and 0; or, where missing, three noughts and 1. */
ivec4
sample_color (ivec2 at)
{
  float first = texelFetch (plane0, at, 0).r;

  if (is_missing (first))
    return ivec4 (0, 0, 0, 1);
  if (n_planes == 1)
    {
      int index = color_index (first, 0);

      return ivec4 (ivec3 (texelFetch (entries, ivec2 (index & 255, index >> 8), 0).rgb), 0);
    }

  float second = texelFetch (plane1, at, 0).r;
  float third = texelFetch (plane2, at, 0).r;

  if (is_missing (second) || is_missing (third))
    return ivec4 (0, 0, 0, 1);
  return ivec4 (color_index (first, 0), color_index (second, 1), color_index (third, 2), 0);
}

void
main ()
{
  ivec2 pixel = ivec2 (gl_FragCoord.xy);
  ivec4 column = texelFetch (columns, ivec2 (pixel.x, 0), 0);
  ivec4 row = texelFetch (rows, ivec2 (pixel.y, 0), 0);
  ivec4 sum = ivec4 (0);

  for (int k = 0; k < n_taps; k++)
    if (row[k + 1] > 0)
      for (int l = 0; l < n_taps; l++)
        if (column[l + 1] > 0)
          sum += row[k + 1] * column[l + 1] * sample_color (ivec2 (column[0] + l, row[0] + k));

  int inside = (row[1] + row[2] + row[3]) * (column[1] + column[2] + column[3]);
  bool light = (((pixel.x >> 3) + (pixel.y >> 3)) & 1) == 1;
  ivec3 mixed = sum.rgb + ivec3 (sum.a * (light ? 0x3d : 0x33) + (4096 - inside) * 0x2e + 2048);

  color = vec4 (vec3 (mixed >> 12) / 255.0, 1.0);
}
