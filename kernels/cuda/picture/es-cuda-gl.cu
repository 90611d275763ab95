/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Planes straight into OpenGL textures. The only file that knows both CUDA and OpenGL; it calls nothing of OpenGL's
 * (the context is the caller's), so that it links neither libGL nor libEGL.
 */

#include "es-cuda-picture-private.h"

#include <cuda_gl_interop.h>
#include <stdlib.h>

#define MAXIMUM_GL_DEVICES 16

struct _EskTexture {
  cudaGraphicsResource_t resource;
};

int
esk_cuda_gl_shares (EskStream *stream,
                    int        device)
{
  int ordinal = esk_cuda_device_ordinal (device);
  int devices[MAXIMUM_GL_DEVICES];
  unsigned n_devices = 0;
  cudaError_t status;

  if (ordinal < 0 || esk_cuda_enter (stream) != ESK_OK)
    return -1;

  status = cudaGLGetDevices (&n_devices, devices, MAXIMUM_GL_DEVICES, cudaGLDeviceListAll);
  if (status == cudaErrorNoDevice)
    {
      /* A context of NVIDIA's that no CUDA device drives. */
      cudaGetLastError ();
      return 0;
    }
  if (status != cudaSuccess)
    {
      esk_cuda_check (stream, status, "asking which device drives the OpenGL context");
      return -1;
    }

  for (unsigned d = 0; d < n_devices && d < MAXIMUM_GL_DEVICES; d++)
    if (devices[d] == ordinal)
      return 1;

  return 0;
}

int
esk_cuda_gl_register (EskStream   *stream,
                      unsigned     texture,
                      EskTexture **out)
{
  EskTexture *made;
  int code;

  *out = NULL;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  made = (EskTexture *) calloc (1, sizeof *made);
  if (made == NULL)
    return ESK_ERROR_MEMORY;

  code = esk_cuda_check (stream, cudaGraphicsGLRegisterImage (&made->resource, texture, GL_TEXTURE_2D,
                                                              cudaGraphicsRegisterFlagsWriteDiscard),
                         "registering a texture");
  if (code != ESK_OK)
    {
      free (made);
      return code;
    }

  *out = made;
  return ESK_OK;
}

void
esk_cuda_gl_unregister (EskStream  *stream,
                        EskTexture *texture)
{
  if (texture == NULL)
    return;

  if (esk_cuda_enter (stream) == ESK_OK)
    esk_cuda_check (stream, cudaGraphicsUnregisterResource (texture->resource), "giving a texture back");
  free (texture);
}

int
esk_cuda_gl_copy (EskStream   *stream,
                  EskTexture  *texture,
                  const float *plane,
                  size_t       width,
                  size_t       height)
{
  size_t row_bytes = width * sizeof (float);
  cudaArray_t array = NULL;
  int code, unmapped;

  if (texture == NULL || plane == NULL || width == 0 || height == 0)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaGraphicsMapResources (1, &texture->resource, stream->stream),
                           "mapping a texture");
  if (code != ESK_OK)
    return code;

  /* The array is good until the texture is unmapped, and is asked for anew each time. */
  code = esk_cuda_check (stream, cudaGraphicsSubResourceGetMappedArray (&array, texture->resource, 0, 0),
                         "mapping a texture");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemcpy2DToArrayAsync (array, 0, 0, plane, row_bytes, row_bytes, height,
                                                             cudaMemcpyDeviceToDevice, stream->stream),
                           "filling a texture");

  /* Unmapping makes what the stream did come before any OpenGL command that follows: nothing has to be waited for. */
  unmapped = esk_cuda_check (stream, cudaGraphicsUnmapResources (1, &texture->resource, stream->stream),
                             "unmapping a texture");

  return code != ESK_OK ? code : unmapped;
}
