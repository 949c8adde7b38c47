/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/llm/tau-request.h"
#include "core/message/tau-delta.h"

G_BEGIN_DECLS

typedef struct _TauDecoder TauDecoder;

/**
 * TauDecoderClass:
 * @size: bytes of the protocol's own struct, whose first member is a TauDecoder
 * @take: takes one event of the stream; not called after the end or an error
 * @finish: (nullable): the bytes are over and nothing failed: last deltas; sets the end or an error if its own end never came
 * @clear: (nullable): frees what the protocol's own struct holds
 *
 * One protocol's way from events to deltas.
 */
typedef struct
{
  gsize size;
  void (*take)   (TauDecoder *self, const char *name, const char *data, gsize length);
  void (*finish) (TauDecoder *self);
  void (*clear)  (TauDecoder *self);
} TauDecoderClass;

/* Pure: events of one answer in, deltas out, and at the end a verdict. A plain struct on the heap; protocols begin theirs with it. */
struct _TauDecoder
{
  const TauDecoderClass *klass;

  TauDeltaSink  sink;
  gpointer      sink_data;

  TauPrices     prices;
  TauUsage      usage;
  char         *model_id;         /* that was asked for */
  guint         n_blocks;         /* opened so far */
  gboolean      has_tool_calls;
  gboolean      has_response_id;
  gboolean      at_end;           /* the bytes are over: an event that makes no sense now was cut */

  gboolean      ended;            /* the protocol said that the answer is complete */
  TauStopReason reason;           /* valid if ended */
  char         *error_text;       /* set: the answer failed */

  char          held[4];          /* first half of a UTF-16 pair that a server cut in two, as 3 bytes */
  guint         held_index;
  TauDeltaKind  held_kind;
};

TauDecoder   *tau_decoder_new         (const TauDecoderClass *klass, TauRequest *request, TauDeltaSink sink, gpointer sink_data);
void          tau_decoder_free        (TauDecoder *self);
void          tau_decoder_take        (TauDecoder *self, const char *name, const char *data, gsize length);
void          tau_decoder_set_at_end  (TauDecoder *self);
gboolean      tau_decoder_wants_more  (TauDecoder *self);
TauStopReason tau_decoder_finish      (TauDecoder *self, const char **error_text);

/* For the protocols. */
guint         tau_decoder_open        (TauDecoder *self, TauDeltaKind kind, const char *id, const char *name);
void          tau_decoder_text        (TauDecoder *self, TauDeltaKind kind, guint index, const char *text);
void          tau_decoder_close       (TauDecoder *self, TauDeltaKind kind, guint index);
void          tau_decoder_call        (TauDecoder *self, guint index, const char *id, const char *name);
char         *tau_decoder_make_call_id (const char *stem);   /* transfer full */
void          tau_decoder_response_id (TauDecoder *self, const char *id);
void          tau_decoder_usage       (TauDecoder *self);
void          tau_decoder_end         (TauDecoder *self, TauStopReason reason);
void          tau_decoder_fail        (TauDecoder *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void          tau_decoder_bad_event   (TauDecoder *self, const GError *error);
void          tau_decoder_take_error  (TauDecoder *self, char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauDecoder, tau_decoder_free)

G_END_DECLS
