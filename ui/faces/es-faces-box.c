/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-box.h"

#include <math.h>

#define RADIANS(degrees) ((degrees) * G_PI / 180)
/* So little of a side is not seen. */
#define EDGE_ON 0.01

static const EsPoint3 normals[ES_N_FACES] = {
  { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 },
};

graphene_point_t
es_faces_project (const EsFacesLook *look, EsPoint3 point)
{
  const double sine = sin (RADIANS (look->turn)), cosine = cos (RADIANS (look->turn));
  const double right = cosine * point.x - sine * point.y, front = sine * point.x + cosine * point.y;

  return GRAPHENE_POINT_INIT ((float) (look->x + look->scale * right),
                              (float) (look->y + look->scale * (front * sin (RADIANS (look->above))
                                                                + point.z * cos (RADIANS (look->above)))));
}

/* How much a direction points to who looks. */
static double
towards (const EsFacesLook *look, EsPoint3 direction)
{
  const double front = sin (RADIANS (look->turn)) * direction.x + cos (RADIANS (look->turn)) * direction.y;

  return front * cos (RADIANS (look->above)) - direction.z * sin (RADIANS (look->above));
}

gboolean
es_faces_is_visible (const EsFacesLook *look, EsFace face)
{
  return towards (look, normals[face]) > EDGE_ON;
}

void
es_faces_corners (const EsFacesBox *box, EsFace face, EsPoint3 corners[3])
{
  const EsPoint3 low = box->low, high = box->high;
  const double x = face == ES_FACE_RIGHT ? high.x : low.x;
  const double y = face == ES_FACE_FRONT ? high.y : low.y;
  const double z = face == ES_FACE_BOTTOM ? high.z : low.z;

  corners[0] = (EsPoint3) { x, y, z };
  if (face == ES_FACE_LEFT || face == ES_FACE_RIGHT)
    {
      corners[1] = (EsPoint3) { x, high.y, z };
      corners[2] = (EsPoint3) { x, y, high.z };
      return;
    }
  corners[1] = (EsPoint3) { high.x, y, z };
  corners[2] = face == ES_FACE_BACK || face == ES_FACE_FRONT ? (EsPoint3) { x, y, high.z }
                                                             : (EsPoint3) { x, high.y, z };
}

GskTransform *
es_faces_transform (const graphene_point_t corners[3], double width, double height)
{
  const double a = (corners[1].x - corners[0].x) / width, b = (corners[1].y - corners[0].y) / width;
  const double c = (corners[2].x - corners[0].x) / height, d = (corners[2].y - corners[0].y) / height;
  const double across = hypot (a, b), turn = atan2 (b, a);
  const double slant = cos (turn) * c + sin (turn) * d, down = cos (turn) * d - sin (turn) * c;
  GskTransform *transform = NULL;

  if (across * width < 0.5 || fabs (down) * height < 0.5)
    return NULL;
  /* Built of what every renderer knows to be flat. */
  transform = gsk_transform_translate (transform, &corners[0]);
  transform = gsk_transform_rotate (transform, (float) (turn * 180 / G_PI));
  transform = gsk_transform_scale (transform, (float) across, (float) down);
  return gsk_transform_skew (transform, (float) (atan (slant / across) * 180 / G_PI), 0);
}

EsFace
es_faces_pick (const EsFacesLook *look, const EsFacesBox *box, double x, double y)
{
  for (EsFace face = 0; face < ES_N_FACES; face++)
    {
      EsPoint3 corners[3];
      graphene_point_t points[3];

      if (!es_faces_is_visible (look, face))
        continue;
      es_faces_corners (box, face, corners);
      for (guint i = 0; i < 3; i++)
        points[i] = es_faces_project (look, corners[i]);

      const double a = points[1].x - points[0].x, b = points[1].y - points[0].y;
      const double c = points[2].x - points[0].x, d = points[2].y - points[0].y;
      const double area = a * d - b * c, right = x - points[0].x, below = y - points[0].y;
      const double u = (right * d - below * c) / area, v = (below * a - right * b) / area;

      if (area != 0 && u >= 0 && u <= 1 && v >= 0 && v <= 1)
        return face;
    }
  return ES_N_FACES;
}

double
es_faces_push (const EsFacesLook *look, EsFace face, double dx, double dy)
{
  const EsPoint3 normal = normals[face];
  const EsPoint3 axis = { fabs (normal.x), fabs (normal.y), fabs (normal.z) };
  const EsFacesLook here = { look->turn, look->above, look->scale, 0, 0 };
  const graphene_point_t to = es_faces_project (&here, axis);
  const double right = to.x, below = to.y, length = right * right + below * below;

  /* Towards who looks there is no way on the screen. */
  return length > 0.01 * look->scale * look->scale ? (dx * right + dy * below) / length : 0;
}

void
es_faces_bounds (const EsFacesLook *look, const EsFacesBox *box, graphene_rect_t *bounds)
{
  for (guint i = 0; i < 8; i++)
    {
      const EsPoint3 corner = { i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                i & 4 ? box->high.z : box->low.z };
      const graphene_point_t point = es_faces_project (look, corner);

      if (i == 0)
        graphene_rect_init (bounds, point.x, point.y, 0, 0);
      else
        graphene_rect_expand (bounds, &point, bounds);
    }
}
