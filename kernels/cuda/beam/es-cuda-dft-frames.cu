/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Samples of an array to rows for transforms and their spectra to where beams read them: two transpositions, of which
 * the first converts, weights, pads and looks at the channels' health on the way.
 */

#include "es-cuda-dft-samples.cuh"

#define TILE ESK_CUDA_FRAME_TILE
#define THREADS 256
/* Frames of one block, so that its findings go to memory once. */
#define BLOCK_FRAMES 512
#define MOST_BLOCKS 65535

/* ---- channel beside channel: tiles of 64 elements by 64 frames through shared memory, two elements a lane ---- */

/* Two samples side by side, and what their type makes easier for two at once. */
template <typename Sample>
struct Pair
{
  struct __align__ (2 * sizeof (Sample)) Type { Sample x, y; };

  static __device__ inline Type
  load (const void *from)
  {
    return *(const Type *) from;
  }

  static __device__ inline void
  look_at_all (Type     *samples,
               bool      swap,
               EskFindings *findings,
               float2   *out)
  {
#pragma unroll
    for (int i = 0; i < TILE / 8; i++)
      {
        Sample x = swap ? esk_swapped (samples[i].x) : samples[i].x;
        Sample y = swap ? esk_swapped (samples[i].y) : samples[i].y;

        out[i] = make_float2 (esk_look_at (x, &findings[0]), esk_look_at (y, &findings[1]));
      }
  }
};

/* Clipped samples are rare: they are counted where the largest or the smallest of some is one. */
template <>
struct Pair<int16_t>
{
  typedef uint32_t Type;

  static __device__ inline Type
  load (const void *from)
  {
    return __ldcs ((const uint32_t *) from);
  }

  static __device__ inline void
  look_at_all (Type     *samples,
               bool      swap,
               EskFindings *findings,
               float2   *out)
  {
    uint32_t highest = 0, lowest = 0;
    float peak[2];

#pragma unroll
    for (int i = 0; i < TILE / 8; i++)
      {
        uint32_t two = swap ? __byte_perm (samples[i], 0, 0x2301) : samples[i];

        highest = __vmaxs2 (highest, two);
        lowest = __vmins2 (lowest, two);
        samples[i] = two;
        out[i] = make_float2 ((float) (int16_t) two, (float) (int16_t) (two >> 16));
      }
    peak[0] = fmaxf ((float) (int16_t) highest, -(float) (int16_t) lowest);
    peak[1] = fmaxf ((float) (int16_t) (highest >> 16), -(float) (int16_t) (lowest >> 16));
#pragma unroll
    for (int h = 0; h < 2; h++)
      {
        findings[h].peak = fmaxf (findings[h].peak, peak[h]);
        if (peak[h] >= 32767.0f)
          for (int i = 0; i < TILE / 8; i++)
            {
              int16_t sample = (int16_t) (samples[i] >> (16 * h));

              findings[h].clipped += sample == SHRT_MIN || sample == SHRT_MAX;
            }
      }
  }
};

/* Every element is its channel, at even places, and rows are multiples of 16 bytes. */
template <typename Sample>
static __global__ void
__launch_bounds__ (THREADS)
paired_rows (EskCudaFrameRows call,
             size_t           block_frames)
{
  /* A row an element, those of even ones first; rows that are 68 apart are written and read without conflicts. */
  __shared__ float4 tile[TILE][TILE / 4 + 1];
  __shared__ EskFindings found[TILE];
  typedef typename Pair<Sample>::Type Two;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t snapshot = call.first_snapshot + blockIdx.z, element = (size_t) blockIdx.x * TILE + 2 * lane;
  const bool active = element < call.elements;
  const size_t begin = blockIdx.y * block_frames;
  const size_t end = begin + block_frames < call.length ? begin + block_frames : call.length;
  const size_t step = (size_t) call.frames.frame_stride;
  const Sample *from = (const Sample *) call.frames.data + snapshot * call.hop * step + call.first_element + element;
  const float2 gain = active ? make_float2 (call.gains[call.first_element + element],
                                            call.gains[call.first_element + element + 1]) : make_float2 (0.0f, 0.0f);
  EskFindings findings[2] = { { 0 } };

  if (threadIdx.x < TILE)
    found[threadIdx.x] = findings[0];
  for (size_t first = begin; first < end; first += TILE)
    {
      /* A warp has eight frames beside each other. */
      const size_t frame = first + 8 * warp;
      Two samples[TILE / 8];
      float2 x[TILE / 8];

#pragma unroll
      for (int i = 0; i < TILE / 8; i++)
        if (active && frame + i < call.window_length)
          samples[i] = Pair<Sample>::load (from + (frame + i) * step);
        else
          memset (&samples[i], 0, sizeof samples[i]);
      Pair<Sample>::look_at_all (samples, call.frames.byte_swapped, findings, x);
#pragma unroll
      for (int i = 0; i < TILE / 8; i += 4)
        {
          tile[lane][2 * warp + i / 4] = make_float4 (x[i].x * gain.x, x[i + 1].x * gain.x, x[i + 2].x * gain.x,
                                                      x[i + 3].x * gain.x);
          tile[32 + lane][2 * warp + i / 4] = make_float4 (x[i].y * gain.y, x[i + 1].y * gain.y, x[i + 2].y * gain.y,
                                                           x[i + 3].y * gain.y);
        }
      __syncthreads ();

      /* Half a warp writes an element's frames. */
      const size_t to = first + 4 * (lane % 16);
      float4 weight = make_float4 (1.0f, 1.0f, 1.0f, 1.0f);

      if (call.window != NULL)
        {
          weight.x = to < call.window_length ? call.window[to] : 0.0f;
          weight.y = to + 1 < call.window_length ? call.window[to + 1] : 0.0f;
          weight.z = to + 2 < call.window_length ? call.window[to + 2] : 0.0f;
          weight.w = to + 3 < call.window_length ? call.window[to + 3] : 0.0f;
        }
#pragma unroll
      for (int i = 0; i < TILE / 16; i++)
        {
          const unsigned e = 16 * i + 2 * warp + lane / 16;
          const size_t row = (size_t) blockIdx.x * TILE + e;
          float4 y = tile[(e % 2) * 32 + e / 2][lane % 16];

          if (row < call.elements && to < call.length)
            *(float4 *) (call.rows + (blockIdx.z * call.elements + row) * call.length + to) =
              make_float4 (y.x * weight.x, y.y * weight.y, y.z * weight.z, y.w * weight.w);
        }
      __syncthreads ();
    }

  if (call.health == NULL)
    return;
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      EskFindings *to = &found[2 * lane + h];

      atomicMax ((int *) &to->peak, __float_as_int (findings[h].peak));
      if (findings[h].clipped > 0)
        atomicAdd (&to->clipped, findings[h].clipped);
      if (findings[h].not_finite > 0)
        atomicAdd (&to->not_finite, findings[h].not_finite);
    }
  __syncthreads ();
  if (threadIdx.x < TILE && (size_t) blockIdx.x * TILE + threadIdx.x < call.elements)
    {
      found[threadIdx.x].samples = call.window_length > begin
                                     ? (uint32_t) ((call.window_length < end ? call.window_length : end) - begin) : 0;
      esk_tell_health<Sample> (&call.health[call.first_element + (size_t) blockIdx.x * TILE + threadIdx.x],
                               &found[threadIdx.x]);
    }
}

/* Any other. */
template <typename Sample>
static __global__ void
__launch_bounds__ (THREADS)
interleaved_rows (EskCudaFrameRows call,
                  size_t           block_frames)
{
  __shared__ float tile[TILE][TILE + 1];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t snapshot = call.first_snapshot + blockIdx.z;
  const size_t end = (blockIdx.y + 1) * block_frames < call.length ? (blockIdx.y + 1) * block_frames : call.length;
  const Sample *from[2] = { NULL };
  float gain[2] = { 0.0f };
  EskFindings findings[2] = { { 0 } };

#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      size_t element = (size_t) blockIdx.x * TILE + h * 32 + lane;

      if (element < call.elements)
        {
          size_t all = call.first_element + element;
          size_t channel = call.channels != NULL ? call.channels[all] : all;

          gain[h] = call.gains[all];
          from[h] = (const Sample *) call.frames.data + (ptrdiff_t) channel * call.frames.channel_stride
                    + (ptrdiff_t) (snapshot * call.hop) * call.frames.frame_stride;
        }
    }

  for (size_t first = blockIdx.y * block_frames; first < end; first += TILE)
    {
      Sample sample[2][TILE / 8];

#pragma unroll
      for (int i = 0; i < TILE / 8; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
          {
            size_t frame = first + i * 8 + warp;

            sample[h][i] = from[h] != NULL && frame < call.window_length
                             ? __ldcs (from[h] + (ptrdiff_t) frame * call.frames.frame_stride) : (Sample) 0;
          }
#pragma unroll
      for (int i = 0; i < TILE / 8; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
          {
            size_t frame = first + i * 8 + warp;
            float x = 0.0f;

            if (from[h] != NULL && frame < call.window_length)
              {
                if (call.frames.byte_swapped)
                  sample[h][i] = esk_swapped (sample[h][i]);
                x = esk_look_at (sample[h][i], &findings[h]) * gain[h];
                if (call.window != NULL)
                  x *= call.window[frame];
              }
            tile[h * 32 + lane][i * 8 + warp] = x;
          }
      __syncthreads ();
      for (unsigned e = warp; e < TILE; e += 8)
        {
          size_t element = (size_t) blockIdx.x * TILE + e;
          float *row = call.rows + (blockIdx.z * call.elements + element) * call.length;

          if (element < call.elements)
#pragma unroll
            for (int h = 0; h < 2; h++)
              if (first + h * 32 + lane < call.length)
                row[first + h * 32 + lane] = tile[e][h * 32 + lane];
        }
      __syncthreads ();
    }

  if (call.health == NULL)
    return;
#pragma unroll
  for (int h = 0; h < 2; h++)
    if (from[h] != NULL)
      esk_tell_health<Sample> (&call.health[call.first_element + (size_t) blockIdx.x * TILE + h * 32 + lane],
                               &findings[h]);
}

/* Frame beside frame: a block has one element's. */
template <typename Sample>
static __global__ void
__launch_bounds__ (THREADS)
contiguous_rows (EskCudaFrameRows call)
{
  const size_t all = call.first_element + blockIdx.y, snapshot = call.first_snapshot + blockIdx.z;
  const size_t channel = call.channels != NULL ? call.channels[all] : all;
  const size_t first = (size_t) blockIdx.x * (4 * THREADS);
  const Sample *from = (const Sample *) call.frames.data + (ptrdiff_t) channel * call.frames.channel_stride
                       + (ptrdiff_t) (snapshot * call.hop) * call.frames.frame_stride;
  const float gain = call.gains[all];
  float *row = call.rows + (blockIdx.z * call.elements + blockIdx.y) * call.length;
  EskFindings findings = { 0 };
  Sample sample[4];

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      size_t frame = first + i * THREADS + threadIdx.x;

      sample[i] = frame < call.window_length ? __ldcs (from + (ptrdiff_t) frame * call.frames.frame_stride)
                                             : (Sample) 0;
    }
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      size_t frame = first + i * THREADS + threadIdx.x;
      float x = 0.0f;

      if (frame < call.window_length)
        {
          if (call.frames.byte_swapped)
            sample[i] = esk_swapped (sample[i]);
          x = esk_look_at (sample[i], &findings) * gain;
          if (call.window != NULL)
            x *= call.window[frame];
        }
      if (frame < call.length)
        row[frame] = x;
    }

  if (call.health == NULL)
    return;
  for (int distance = 16; distance > 0; distance /= 2)
    {
      findings.not_finite += __shfl_xor_sync (0xffffffffu, findings.not_finite, distance);
      findings.clipped += __shfl_xor_sync (0xffffffffu, findings.clipped, distance);
      findings.samples += __shfl_xor_sync (0xffffffffu, findings.samples, distance);
      findings.peak = fmaxf (findings.peak, __shfl_xor_sync (0xffffffffu, findings.peak, distance));
    }
  if (threadIdx.x % 32 == 0)
    esk_tell_health<Sample> (&call.health[all], &findings);
}

static bool
suits_pairs (const EskCudaFrameRows *call)
{
  const size_t two = 2 * esk_type_size (call->frames.type);

  return call->channels == NULL && call->frames.channel_stride == 1 && call->frames.frame_stride > 0
         && call->frames.frame_stride % 2 == 0 && call->elements % 2 == 0 && call->first_element % 2 == 0
         && call->length % 4 == 0 && (uintptr_t) call->frames.data % two == 0;
}

template <typename Sample>
static void
launch_rows (EskStream              *stream,
             const EskCudaFrameRows *call)
{
  if (call->frames.frame_stride == 1)
    contiguous_rows<Sample><<<dim3 ((unsigned) ((call->length + 4 * THREADS - 1) / (4 * THREADS)),
                                    (unsigned) call->elements, (unsigned) call->snapshots),
                              THREADS, 0, stream->stream>>> (*call);
  else
    {
      size_t block_frames = BLOCK_FRAMES;

      while (call->length / block_frames >= MOST_BLOCKS)
        block_frames *= 2;
      dim3 blocks ((unsigned) ((call->elements + TILE - 1) / TILE),
                   (unsigned) ((call->length + block_frames - 1) / block_frames), (unsigned) call->snapshots);
      if (suits_pairs (call))
        paired_rows<Sample><<<blocks, THREADS, 0, stream->stream>>> (*call, block_frames);
      else
        interleaved_rows<Sample><<<blocks, THREADS, 0, stream->stream>>> (*call, block_frames);
    }
}

int
esk_cuda_frame_rows (EskStream              *stream,
                     const EskCudaFrameRows *call)
{
  switch (call->frames.type)
    {
    case ESK_I16:
      launch_rows<int16_t> (stream, call);
      break;
    case ESK_I32:
      launch_rows<int32_t> (stream, call);
      break;
    case ESK_F32:
      launch_rows<float> (stream, call);
      break;
    default:
      launch_rows<double> (stream, call);
      break;
    }

  return esk_cuda_launched (stream, "samples of an array");
}

/* ---- spectra ---- */

static __global__ void
__launch_bounds__ (THREADS)
bin_rows (EskCudaBinRows call)
{
  __shared__ float2 tile[32][33];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t bin = (size_t) blockIdx.x * 32 + lane;
  const size_t whole = call.first_bin + bin;
  const float factor = whole == 0 || whole == call.nyquist ? (float) 0.70710678118654752440 : 1.0f;

#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      size_t element = (size_t) blockIdx.y * 32 + i * 8 + warp;
      float2 z = make_float2 (0.0f, 0.0f);

      if (element < call.elements && bin < call.bins)
        z = call.rows[(blockIdx.z * call.elements + element) * call.row_length + whole];
      tile[i * 8 + warp][lane] = make_float2 (z.x * factor, z.y * factor);
    }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < 4; i++)
    {
      size_t element = call.first_element + (size_t) blockIdx.y * 32 + lane;
      size_t to = (size_t) blockIdx.x * 32 + i * 8 + warp;

      if (element < call.end && to < call.bins)
        {
          float *re = call.values + (to * call.all_snapshots + call.first_snapshot + blockIdx.z) * 2 * call.stride;
          float2 z = tile[lane][i * 8 + warp];

          re[element] = z.x;
          re[call.stride + element] = z.y;
        }
    }
}

int
esk_cuda_bin_rows (EskStream            *stream,
                   const EskCudaBinRows *call)
{
  bin_rows<<<dim3 ((unsigned) ((call->bins + 31) / 32), (unsigned) ((call->end - call->first_element + 31) / 32),
                   (unsigned) call->snapshots), THREADS, 0, stream->stream>>> (*call);

  return esk_cuda_launched (stream, "spectra of an array");
}
