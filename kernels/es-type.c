/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-type.h"

static const struct
{
  const char *name;
  size_t      size;
} types[ESK_N_TYPES] = {
  [ESK_U8]  = { "uint8", 1 },
  [ESK_I8]  = { "int8", 1 },
  [ESK_U16] = { "uint16", 2 },
  [ESK_I16] = { "int16", 2 },
  [ESK_U32] = { "uint32", 4 },
  [ESK_I32] = { "int32", 4 },
  [ESK_U64] = { "uint64", 8 },
  [ESK_I64] = { "int64", 8 },
  [ESK_F32] = { "float32", 4 },
  [ESK_F64] = { "float64", 8 },
};

size_t
esk_type_size (EskType type)
{
  return (unsigned) type < ESK_N_TYPES ? types[type].size : 0;
}

const char *
esk_type_name (EskType type)
{
  return (unsigned) type < ESK_N_TYPES ? types[type].name : "unknown";
}

bool
esk_type_is_exact (EskType type)
{
  return type == ESK_U8 || type == ESK_I8 || type == ESK_U16 || type == ESK_I16;
}
