/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Page-locked memory. The driver takes 0.35 ms for a megabyte of it, one page after the other and one block at a time,
 * and as long again to give it back at the end of the process. Ordinary memory in large pages, which the thread that
 * asks for it touches, is locked by one call that takes a fiftieth of that.
 */

#include "es-cuda-device-private.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t) 2 << 20)
#define SMALL_PAGE ((size_t) 4096)
/* Smaller blocks would waste much of a large page. */
#define SMALLEST_LARGE ((size_t) 5 << 18)
/* Larger ones may be more than there is, which the driver says and a page that is touched does not. */
#define LARGEST_LARGE ((size_t) 1 << 30)

/* A block that was locked here; others are the driver's. */
typedef struct Block Block;
struct Block {
  void   *data;
  size_t  bytes;
  Block  *next;
};

static Block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whole large pages, as far as the system has any; touched. */
static char *
map_pages (size_t bytes)
{
  char *all = (char *) mmap (NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t before;

  if (all == (char *) MAP_FAILED)
    return NULL;
  before = (LARGE_PAGE - (uintptr_t) all % LARGE_PAGE) % LARGE_PAGE;
  if (before > 0)
    munmap (all, before);
  if (before < LARGE_PAGE)
    munmap (all + before + bytes, LARGE_PAGE - before);

  madvise (all + before, bytes, MADV_HUGEPAGE);
  /* What is locked stays where it is: a child would have it moved from under the card. */
  madvise (all + before, bytes, MADV_DONTFORK);
  for (size_t b = 0; b < bytes; b += SMALL_PAGE)
    ((volatile char *) all)[before + b] = 0;

  return all + before;
}

static void *
lock_pages (size_t bytes)
{
  const size_t rounded = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  Block *block = (Block *) malloc (sizeof *block);
  char *data = block != NULL ? map_pages (rounded) : NULL;

  if (data != NULL && cudaHostRegister (data, rounded, cudaHostRegisterPortable) != cudaSuccess)
    {
      cudaGetLastError ();
      munmap (data, rounded);
      data = NULL;
    }
  if (data == NULL)
    {
      free (block);
      return NULL;
    }

  block->data = data;
  block->bytes = rounded;
  pthread_mutex_lock (&lock);
  block->next = blocks;
  blocks = block;
  pthread_mutex_unlock (&lock);

  return data;
}

/* Takes the block out of the list; NULL: it is the driver's. */
static Block *
forget_block (void *data)
{
  Block *found = NULL;

  pthread_mutex_lock (&lock);
  for (Block **at = &blocks; *at != NULL && found == NULL; at = &(*at)->next)
    if ((*at)->data == data)
      {
        found = *at;
        *at = found->next;
        break;
      }
  pthread_mutex_unlock (&lock);

  return found;
}

void *
esk_cuda_staging_new (size_t bytes)
{
  EskCudaDevice *device = esk_cuda_device_any ();
  void *staging = NULL;

  if (device == NULL || bytes == 0 || esk_cuda_device_enter (device) != ESK_OK)
    return NULL;

  if (bytes >= SMALLEST_LARGE && bytes <= LARGEST_LARGE)
    staging = lock_pages (bytes);
  if (staging == NULL && cudaHostAlloc (&staging, bytes, cudaHostAllocPortable) != cudaSuccess)
    {
      cudaGetLastError ();
      return NULL;
    }

  return staging;
}

void
esk_cuda_staging_free (void *staging)
{
  Block *block;

  if (staging == NULL || esk_cuda_has_left ())
    return;

  block = forget_block (staging);
  if (block == NULL)
    cudaFreeHost (staging);
  else
    {
      cudaHostUnregister (staging);
      munmap (staging, block->bytes);
      free (block);
    }
  cudaGetLastError ();
}
