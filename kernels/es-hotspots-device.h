/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Devices with memory of their own: which there are, that memory, and what goes there and back. A back end that works
 * in the host's memory (the CPU's) has no such table.
 */

#include "es-hotspots-stream.h"
#include "es-tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device with memory of its own, as it is now. */
typedef struct {
  char     name[128];                  /* "NVIDIA H200" */
  char     uuid[64];                   /* "GPU-..."; empty where unknown */
  int      major, minor;               /* compute capability */
  int      multiprocessors;
  uint64_t memory, memory_free;        /* bytes */
  int      pcie_generation, pcie_width;   /* of the link as it runs now; 0: not known */
  double   busy;                       /* share of the last second in which it computed, 0..1; negative: not known */
  int      temperature;                /* degrees Celsius; negative: not known */
  int      driver;                     /* CUDA version of the driver, 13000 = 13.0 */
} EskDeviceInfo;

typedef struct {
  /* ---- devices ---- */

  /* How many there are, numbered from 0. None: 0, and why (a sentence without a full stop) in `why`. */
  int  (*device_count)   (char *why, size_t why_bytes);
  int  (*device_info)    (int device, EskDeviceInfo *info);
  /* Starts what takes long the first time (context, libraries); from a thread that may wait for it. */
  int  (*device_warm_up) (int device);
  /* NULL: device_info () tells it, and as quickly. What never changes of a device: no memory_free, no link, neither how
   * busy nor how warm it is. */
  int  (*device_describe) (int device, EskDeviceInfo *info);
  /* NULL likewise. Bytes free on a device that has been started. */
  int  (*device_memory)   (int device, uint64_t *free_bytes);
  /* NULL: nothing more to start. After device_warm_up (), while others work on the device already: what only some need
   * and wait for where they come to it first (the dense solver). */
  int  (*device_warm_further) (int device);
  /* NULL: nothing to be gained. The program ends, nothing is asked of any device any more, and no thread is inside this
   * table: takes down what the end of the process would wait for, 0.1 s. What is freed meanwhile and afterwards is gone
   * already. */
  void (*device_leave)    (void);

  /* ---- memory ---- */

  void *(*memory_new)    (int device, size_t bytes);               /* NULL: not that much, or the device is lost */
  void  (*memory_free)   (int device, void *memory);               /* nobody uses it any more; NULL is allowed */
  /* Page-locked host memory, which every device copies from at the full speed of the link. NULL: not that much. */
  void *(*staging_new)   (size_t bytes);
  void  (*staging_free)  (void *staging);
  /* Copies, in the stream's order. Of page-locked memory they run beside the computation of other streams. */
  int   (*upload)        (EskStream *stream, void *to, const void *from, size_t bytes);
  /* n_rows rows of row_bytes, from and to strides in bytes (a window of planes; n_rows = 1: one run). */
  int   (*download)      (EskStream *stream, void *to, size_t to_stride, const void *from, size_t from_stride,
                          size_t row_bytes, size_t n_rows);
  /* Until everything asked of the stream is done. ESK_OK, or how the first of it failed. */
  int   (*wait)          (EskStream *stream);

  /*
   * Brings a tile from host memory, in any layout and byte order, into planes: the selected bands in the tile's own
   * type, native byte order, band after band. planes->data is where the tile's first pixel of the first selected band
   * goes; type, width and height are the tile's, bands is n_bands, column_stride 1, row_stride >= width (a window of
   * something wider), band_stride anything that holds the window. valid (nullable; its rows are
   * row_stride apart too) becomes 1 where every selected band is finite and not no-data, else 0. The host's samples
   * may be overwritten after wait ().
   */
  int   (*load)          (EskStream *stream, const EskTile *tile, const EskSelection *selection,
                          const EskTile *planes, uint8_t *valid);
} EskDeviceHotspots;

#ifdef __cplusplus
}
#endif
