/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arithmetic of render/picture/es-heat-frame-private.h, which es-heat-frame.c spells out in C: integer look-ups,
 * comparisons, and one subtraction and one product of float32 that cannot be fused. Row 0 of the view is row 0 of the
 * texture.
 */
uniform sampler2D values;               /* rows in a ring */
uniform isampler2D columns, rows;       /* the first and how many, a view pixel */
uniform isampler2D places;              /* column and row, a view pixel */
uniform usampler2D entries;
uniform int awaiting;                   /* what is missing is transparent */
uniform int by_place, ring, offset;     /* ring: rows of the texture; offset: where the frame's first one lies */
uniform float low, scale;

out vec4 color;

bool
is_missing (float value)
{
  return (floatBitsToUint (value) & 0x7fffffffu) > 0x7f800000u;
}

int
color_index (float value)
{
  if (scale == 0.0)
    return value < low ? 0 : value > low ? 255 : 128;

  float place = (value - low) * scale;

  return place <= 0.0 ? 0 : place >= 255.0 ? 255 : int (place);
}

void
main ()
{
  ivec2 pixel = ivec2 (gl_FragCoord.xy);
  ivec2 column, row;
  bool found = false;
  float largest = 0.0;

  if (by_place != 0)
    {
      ivec2 at = texelFetch (places, pixel, 0).rg;

      column = ivec2 (at.x, at.x < 0 || at.y < 0 ? 0 : 1);
      row = ivec2 (at.y, column.y);
    }
  else
    {
      column = texelFetch (columns, ivec2 (pixel.x, 0), 0).rg;
      row = texelFetch (rows, ivec2 (pixel.y, 0), 0).rg;
    }
  if (column.y == 0 || row.y == 0)
    {
      color = vec4 (vec3 (float (0x2e) / 255.0), 1.0);
      return;
    }

  for (int k = 0; k < row.y; k++)
    for (int l = 0; l < column.y; l++)
      {
        float value = texelFetch (values, ivec2 (column.x + l, (offset + row.x + k) % ring), 0).r;

        if (!is_missing (value) && (!found || value > largest))
          {
            largest = value;
            found = true;
          }
      }
  if (!found && awaiting != 0)
    {
      color = vec4 (0.0);
      return;
    }
  if (!found)
    {
      bool light = (((pixel.x >> 3) + (pixel.y >> 3)) & 1) == 1;

      color = vec4 (vec3 (float (light ? 0x3d : 0x33) / 255.0), 1.0);
      return;
    }
  color = vec4 (vec3 (texelFetch (entries, ivec2 (color_index (largest), 0), 0).rgb) / 255.0, 1.0);
}
