/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * librsb beside our own products: recursive sparse blocks (Martone 2014), kept by its author and in Debian. Nothing
 * links it; it is opened when it is first asked for, and where it is not there all else is as it was. It has one set of
 * threads for the whole process, which is why a lock is held while it computes.
 */

#include "es-cpu-sparse-private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "librsb.so.0"

/* What rsb.h has of these; its ABI is that of the number in the name. */
#define RSB_THREADS 0x9
#define RSB_TOTAL_BYTES 0x20
#define RSB_PLAIN 0x4e
#define RSB_COLUMNS_FIRST 0x4000000
#define TUNING_SECONDS 2.0

typedef struct rsb_mtx_t RsbMatrix;

static struct
{
  int         (*init)     (void *options);
  int         (*set)      (int option, const void *value);
  RsbMatrix * (*from_csr) (const void *value, const int *row_from, const int *column, int n, char type, int rows,
                           int columns, int row_block, int column_block, int flags, int *error);
  RsbMatrix * (*free)     (RsbMatrix *matrix);
  int         (*info)     (const RsbMatrix *matrix, int what, void *value);
  int         (*multiply) (int transposed, const void *alpha, const RsbMatrix *matrix, const void *x, int x_step,
                           const void *beta, void *y, int y_step);
  int         (*tune)     (RsbMatrix **matrix, double *gain, int *threads, int rounds, double seconds, int transposed,
                           const void *alpha, const RsbMatrix *from, int vectors, int order, const void *x, int x_step,
                           const void *beta, void *y, int y_step);
  unsigned    threads;
  char        name[64];
} rsb;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct _EskSparseLibrary
{
  RsbMatrix *matrix;           /* NULL: without nonzeros, of which it makes none */
  EskType    type;
  size_t     rows;
};

static bool
find_functions (void *library)
{
  const struct
  {
    void       *entry;
    const char *name;
  } symbols[] = {
    { &rsb.init, "rsb_lib_init" }, { &rsb.set, "rsb_lib_set_opt" }, { &rsb.from_csr, "rsb_mtx_alloc_from_csr_const" },
    { &rsb.free, "rsb_mtx_free" }, { &rsb.info, "rsb_mtx_get_info" }, { &rsb.multiply, "rsb_spmv" },
    { &rsb.tune, "rsb_tune_spmm" },
  };

  for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
    {
      void *symbol = dlsym (library, symbols[s].name);

      if (symbol == NULL)
        return false;
      memcpy (symbols[s].entry, &symbol, sizeof symbol);
    }

  return true;
}

/* Its file is named by ES_RSB_LIBRARY where that is in the environment. It is never closed: its threads stay. */
static void
open_library (void)
{
  const char *file = getenv ("ES_RSB_LIBRARY");
  void *library = dlopen (file != NULL ? file : LIBRARY, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    return;
  if (!find_functions (library) || rsb.init (NULL) != 0)
    {
      dlclose (library);
      return;
    }
  snprintf (rsb.name, sizeof rsb.name, "librsb");
}

const char *
esk_sparse_library_name (void)
{
  pthread_once (&once, open_library);

  return rsb.name[0] != '\0' ? rsb.name : NULL;
}

/* With the lock held. */
static void
set_threads (unsigned threads)
{
  int wanted = (int) threads;

  if (threads != rsb.threads && rsb.set (RSB_THREADS, &wanted) == 0)
    rsb.threads = threads;
}

static int
make (const EskCsr     *matrix,
      unsigned          threads,
      bool              tuned,
      EskSparseLibrary *library)
{
  const double one = 1;
  const float one_narrow = 1;
  const void *factor = matrix->type == ESK_F64 ? (const void *) &one : &one_narrow;
  int error = 0;

  pthread_mutex_lock (&lock);
  set_threads (threads);
  library->matrix = rsb.from_csr (matrix->value, matrix->row_from, matrix->column, (int) esk_csr_n_nonzeros (matrix),
                                  matrix->type == ESK_F64 ? 'D' : 'S', (int) matrix->rows, (int) matrix->columns, 0, 0,
                                  0, &error);
  /* What it cannot make faster it leaves as it is. */
  if (library->matrix != NULL && tuned)
    rsb.tune (&library->matrix, NULL, NULL, 0, TUNING_SECONDS, RSB_PLAIN, factor, NULL, 1, RSB_COLUMNS_FIRST, NULL,
              (int) matrix->columns, factor, NULL, (int) matrix->rows);
  pthread_mutex_unlock (&lock);

  return library->matrix != NULL ? ESK_OK : ESK_ERROR_MEMORY;
}

int
esk_sparse_library_new (const EskCsr      *matrix,
                        unsigned           threads,
                        unsigned           variant,
                        EskSparseLibrary **library,
                        uint64_t          *bytes)
{
  size_t total = 0;
  int code = ESK_OK;

  *library = NULL;
  *bytes = 0;
  if (esk_sparse_library_name () == NULL || variant > 2)
    return ESK_ERROR_ARGUMENT;
  *library = calloc (1, sizeof **library);
  if (*library == NULL)
    return ESK_ERROR_MEMORY;
  (*library)->type = matrix->type;
  (*library)->rows = matrix->rows;
  if (esk_csr_n_nonzeros (matrix) > 0)
    code = make (matrix, threads, variant != 1, *library);
  if (code != ESK_OK)
    {
      free (*library);
      *library = NULL;
      return code;
    }
  if ((*library)->matrix != NULL && rsb.info ((*library)->matrix, RSB_TOTAL_BYTES, &total) == 0)
    *bytes = total;

  return ESK_OK;
}

void
esk_sparse_library_free (EskSparseLibrary *library)
{
  if (library == NULL)
    return;

  pthread_mutex_lock (&lock);
  if (library->matrix != NULL)
    rsb.free (library->matrix);
  pthread_mutex_unlock (&lock);
  free (library);
}

/* y = beta y, and of beta 0 whatever it held. */
static void
scale (const EskSparseLibrary *library,
       double                  beta,
       void                   *y)
{
  for (size_t i = 0; i < library->rows; i++)
    if (library->type == ESK_F64)
      ((double *) y)[i] = beta != 0 ? beta * ((double *) y)[i] : 0;
    else
      ((float *) y)[i] = beta != 0 ? (float) beta * ((float *) y)[i] : 0;
}

int
esk_sparse_library_multiply (EskSparseLibrary *library,
                             unsigned          threads,
                             double            alpha,
                             const void       *x,
                             double            beta,
                             void             *y)
{
  const float narrow_alpha = (float) alpha, narrow_beta = (float) beta;
  bool wide = library->type == ESK_F64;
  int error;

  if (library->matrix == NULL)
    {
      scale (library, beta, y);
      return ESK_OK;
    }

  pthread_mutex_lock (&lock);
  set_threads (threads);
  error = rsb.multiply (RSB_PLAIN, wide ? (const void *) &alpha : &narrow_alpha, library->matrix, x, 1,
                        wide ? (const void *) &beta : &narrow_beta, y, 1);
  pthread_mutex_unlock (&lock);

  return error == 0 ? ESK_OK : ESK_ERROR_DEVICE;
}
