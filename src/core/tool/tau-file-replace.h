/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tau-io.h"
#include "core/tool/tau-checkpoints.h"
#include "core/tool/tau-file-record.h"

G_BEGIN_DECLS

/**
 * TauFileReplacement:
 * @path: absolute path of the file; a link is followed
 * @call_id: the tool call that replaces it
 * @before: (nullable): digest of what is there now, see %TAU_CONTENT_CHECKSUM; %NULL if nothing is
 * @data: (nullable): what is there now; %NULL if that is too much to be kept
 * @length: bytes of @data
 * @pieces: (array length=n_pieces): the new content, one after another
 * @n_pieces: how many
 * @drifted: whether somebody else has changed the file since the model saw it
 *
 * A change of a file by a tool.
 */
typedef struct
{
  const char       *path;
  const char       *call_id;
  const char       *before;
  const void       *data;
  gsize             length;
  const TauIoPiece *pieces;
  guint             n_pieces;
  gboolean          drifted;
} TauFileReplacement;

gboolean tau_file_replace (const TauFileReplacement *replacement,
                           TauFileRecord            *record,
                           TauCheckpoints           *checkpoints,
                           GString                  *notes,
                           GError                  **error);

G_END_DECLS
