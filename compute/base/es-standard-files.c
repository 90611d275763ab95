/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-standard-files.h"

#include <fcntl.h>
#include <unistd.h>

void
es_standard_files_hold (void)
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl (file, F_GETFD) < 0)
      /* The lowest number that is free is this one. */
      open ("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
