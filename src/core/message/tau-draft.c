/* SPDX-License-Identifier: MIT */
#include "core/message/tau-draft.h"

#include "core/message/tau-draft-block.h"

/* TauDraft: live object, main thread only: the answer that is being streamed. A decoder's deltas change it; whoever
 * shows it reads the blocks when the revision moved. Its owner is the run, which ends it by tau_draft_finish() and keeps
 * the record that comes out. Text only ever grows at its end, so a delta costs its own length; the arguments of a tool
 * call stay text until someone asks for them. */

struct _TauDraft
{
  GObject              parent_instance;

  char                *api;
  char                *provider;
  char                *model;
  char                *response_model;
  char                *response_id;
  gint64               timestamp;
  TauUsage             usage;
  GPtrArray           *blocks; /* of TauDraftBlock */
  guint                revision;
  gboolean             started;
  TauAssistantMessage *message; /* set by finish */
};

G_DEFINE_FINAL_TYPE (TauDraft, tau_draft, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_REVISION,
  N_PROPS
};

enum
{
  SIGNAL_DELTA,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint       signals[N_SIGNALS];

static void
changed (TauDraft *self)
{
  self->revision++;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REVISION]);
}

static TauDraftBlock *
get_block (TauDraft *self,
           guint     index)
{
  return index < self->blocks->len ? g_ptr_array_index (self->blocks, index) : NULL;
}

static void
start_block (TauDraft       *self,
             TauBlockKind    kind,
             const TauDelta *delta)
{
  TauDraftBlock *block = tau_draft_block_new (kind);

  if (kind == TAU_BLOCK_TOOL_CALL)
    tau_draft_block_set_call (block, delta->id != NULL ? delta->id : "", delta->name != NULL ? delta->name : "");
  if (delta->text != NULL)
    tau_draft_block_append_text (block, delta->text, delta->length);

  g_ptr_array_add (self->blocks, block);
}

static void
replace_string (char      **string,
                const char *value,
                gssize      length)
{
  g_autofree char *old = *string;

  *string = length < 0 ? g_strdup (value) : g_strndup (value, (gsize) length);
}

/* Returns: whether something changed; a delta for a block that never started is dropped. */
static gboolean
apply_to_block (TauDraft       *self,
                const TauDelta *delta)
{
  TauDraftBlock *block = get_block (self, delta->index);

  if (block == NULL)
    return FALSE;

  if (delta->kind == TAU_DELTA_TEXT_END || delta->kind == TAU_DELTA_THINKING_END ||
      delta->kind == TAU_DELTA_TOOL_CALL_END)
    block->open = FALSE;
  else if (delta->kind == TAU_DELTA_SET_REDACTED)
    block->redacted = TRUE;
  else if (delta->kind == TAU_DELTA_SET_CALL)
    tau_draft_block_set_call (block, delta->id, delta->name);
  else if (delta->text == NULL)
    return FALSE;
  else if (delta->kind == TAU_DELTA_APPEND_SIGNATURE)
    tau_draft_block_append_signature (block, delta->text, delta->length);
  else if (delta->kind == TAU_DELTA_SET_SIGNATURE)
    tau_draft_block_set_signature (block, delta->text, delta->length);
  else if (delta->kind == TAU_DELTA_SET_TEXT)
    tau_draft_block_set_text (block, delta->text, delta->length);
  else
    tau_draft_block_append_text (block, delta->text, delta->length);

  return TRUE;
}

static gboolean
apply (TauDraft       *self,
       const TauDelta *delta)
{
  switch (delta->kind)
    {
    case TAU_DELTA_START:
      self->started = TRUE;
      return TRUE;

    case TAU_DELTA_TEXT_START:
      start_block (self, TAU_BLOCK_TEXT, delta);
      return TRUE;

    case TAU_DELTA_THINKING_START:
      start_block (self, TAU_BLOCK_THINKING, delta);
      return TRUE;

    case TAU_DELTA_TOOL_CALL_START:
      start_block (self, TAU_BLOCK_TOOL_CALL, delta);
      return TRUE;

    case TAU_DELTA_TEXT:
    case TAU_DELTA_TEXT_END:
    case TAU_DELTA_THINKING:
    case TAU_DELTA_THINKING_END:
    case TAU_DELTA_TOOL_CALL:
    case TAU_DELTA_TOOL_CALL_END:
    case TAU_DELTA_APPEND_SIGNATURE:
    case TAU_DELTA_SET_SIGNATURE:
    case TAU_DELTA_SET_REDACTED:
    case TAU_DELTA_SET_TEXT:
    case TAU_DELTA_SET_CALL:
      return apply_to_block (self, delta);

    case TAU_DELTA_RESPONSE_ID:
      replace_string (&self->response_id, delta->text, delta->length);
      return TRUE;

    case TAU_DELTA_RESPONSE_MODEL:
      replace_string (&self->response_model, delta->text, delta->length);
      return TRUE;

    case TAU_DELTA_USAGE:
      g_return_val_if_fail (delta->usage != NULL, FALSE);
      self->usage = *delta->usage;
      return TRUE;

    default:
      g_return_val_if_reached (FALSE);
    }
}

static void
tau_draft_get_property (GObject    *object,
                        guint       property_id,
                        GValue     *value,
                        GParamSpec *pspec)
{
  TauDraft *self = TAU_DRAFT (object);

  switch (property_id)
    {
    case PROP_REVISION:
      g_value_set_uint (value, self->revision);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tau_draft_finalize (GObject *object)
{
  TauDraft *self = TAU_DRAFT (object);

  g_clear_pointer (&self->api, g_free);
  g_clear_pointer (&self->provider, g_free);
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->response_model, g_free);
  g_clear_pointer (&self->response_id, g_free);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_object (&self->message);

  G_OBJECT_CLASS (tau_draft_parent_class)->finalize (object);
}

static void
tau_draft_class_init (TauDraftClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = tau_draft_get_property;
  object_class->finalize = tau_draft_finalize;

  /**
   * TauDraft:revision:
   *
   * Grows with each change; notified once for all changes between freeze and thaw.
   */
  properties[PROP_REVISION] =
      g_param_spec_uint ("revision", NULL, NULL, 0, G_MAXUINT, 0,
                         G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * TauDraft::delta:
   * @self: the draft
   * @delta: (type gpointer): the `TauDelta` that was applied, borrowed
   *
   * After each applied delta that is an event of the stream (start and the nine block events).
   */
  signals[SIGNAL_DELTA] =
      g_signal_new ("delta", TAU_TYPE_DRAFT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
tau_draft_init (TauDraft *self)
{
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_draft_block_free);
}

/**
 * tau_draft_new:
 * @api: protocol, for instance "anthropic-messages"
 * @provider: vendor id
 * @model: id of the model that is asked
 * @timestamp: ms since 1970 when the request starts
 *
 * Returns: (transfer full): an empty draft
 */
TauDraft *
tau_draft_new (const char *api,
               const char *provider,
               const char *model,
               gint64      timestamp)
{
  TauDraft *self;

  g_return_val_if_fail (api != NULL && provider != NULL && model != NULL, NULL);

  self = g_object_new (TAU_TYPE_DRAFT, NULL);
  self->api = g_strdup (api);
  self->provider = g_strdup (provider);
  self->model = g_strdup (model);
  self->timestamp = timestamp;

  return self;
}

/**
 * tau_draft_freeze:
 * @self: a draft
 *
 * Holds back notifications, so that all deltas of one network chunk cause one.
 */
void
tau_draft_freeze (TauDraft *self)
{
  g_return_if_fail (TAU_IS_DRAFT (self));

  g_object_freeze_notify (G_OBJECT (self));
}

/**
 * tau_draft_thaw:
 * @self: a draft
 *
 * Ends a tau_draft_freeze(); notifies if something changed since.
 */
void
tau_draft_thaw (TauDraft *self)
{
  g_return_if_fail (TAU_IS_DRAFT (self));

  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * tau_draft_apply:
 * @self: a draft
 * @delta: what a decoder says
 *
 * Takes one delta over. A delta that comes after tau_draft_finish(), or that names a block which never started, changes
 * nothing.
 */
void
tau_draft_apply (TauDraft       *self,
                 const TauDelta *delta)
{
  g_return_if_fail (TAU_IS_DRAFT (self));
  g_return_if_fail (delta != NULL);

  if (self->message != NULL || !apply (self, delta))
    return;

  changed (self);
  if (delta->kind <= TAU_DELTA_TOOL_CALL_END)
    g_signal_emit (self, signals[SIGNAL_DELTA], 0, delta);
}

static TauAssistantMessage *
build_message (TauDraft     *self,
               TauStopReason reason,
               const char   *error_text)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) tau_block_unref);
  TauAssistantFields fields = {
    .api = self->api,
    .provider = self->provider,
    .model = self->model,
    .response_model = self->response_model,
    .response_id = self->response_id,
    .usage = self->usage,
    .stop_reason = reason,
    .error_message = error_text,
    .timestamp = self->timestamp,
  };

  for (guint i = 0; i < self->blocks->len; i++)
    g_ptr_array_add (blocks, tau_draft_dup_block (self, i));

  return tau_assistant_message_new (blocks, &fields);
}

/**
 * tau_draft_snapshot:
 * @self: a draft
 *
 * Returns: (transfer full): the message so far, with stop reason stop; the final one once @self is finished
 */
TauAssistantMessage *
tau_draft_snapshot (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), NULL);

  if (self->message != NULL)
    return g_object_ref (self->message);

  return build_message (self, TAU_STOP_REASON_STOP, NULL);
}

/**
 * tau_draft_finish:
 * @self: a draft
 * @reason: why the answer ended
 * @error_text: (nullable): what went wrong
 *
 * Makes the record. From then on @self changes no more, and a second call answers the same record whatever it is given.
 *
 * Returns: (transfer full): the message
 */
TauAssistantMessage *
tau_draft_finish (TauDraft     *self,
                  TauStopReason reason,
                  const char   *error_text)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), NULL);

  if (self->message == NULL)
    {
      self->message = build_message (self, reason, error_text);
      for (guint i = 0; i < self->blocks->len; i++)
        get_block (self, i)->open = FALSE;
      changed (self);
    }

  return g_object_ref (self->message);
}

/**
 * tau_draft_is_started:
 * @self: a draft
 *
 * Returns: whether the server accepted the request
 */
gboolean
tau_draft_is_started (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), FALSE);

  return self->started;
}

/**
 * tau_draft_is_finished:
 * @self: a draft
 *
 * Returns: whether tau_draft_finish() was called
 */
gboolean
tau_draft_is_finished (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), FALSE);

  return self->message != NULL;
}

/**
 * tau_draft_get_revision:
 * @self: a draft
 *
 * Returns: a number that grows with each change
 */
guint
tau_draft_get_revision (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), 0);

  return self->revision;
}

/**
 * tau_draft_get_n_blocks:
 * @self: a draft
 *
 * Returns: number of blocks so far
 */
guint
tau_draft_get_n_blocks (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), 0);

  return self->blocks->len;
}

/**
 * tau_draft_get_block_kind:
 * @self: a draft
 * @index: less than the number of blocks
 *
 * Returns: what the block is
 */
TauBlockKind
tau_draft_get_block_kind (TauDraft *self,
                          guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, TAU_BLOCK_TEXT);

  return get_block (self, index)->kind;
}

/**
 * tau_draft_is_block_open:
 * @self: a draft
 * @index: less than the number of blocks
 *
 * Returns: whether more may come; %FALSE for all blocks once @self is finished
 */
gboolean
tau_draft_is_block_open (TauDraft *self,
                         guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, FALSE);

  return get_block (self, index)->open;
}

/**
 * tau_draft_get_block_text:
 * @self: a draft
 * @index: less than the number of blocks
 * @length: (out) (optional): size in bytes
 *
 * The text may end in one half of a surrogate pair whose other half is still to come; make it valid before showing it.
 *
 * Returns: (transfer none): text, thinking, or the JSON of a tool call's arguments so far; valid until the next delta
 */
const char *
tau_draft_get_block_text (TauDraft *self,
                          guint     index,
                          gsize    *length)
{
  TauDraftBlock *block;

  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, NULL);

  block = get_block (self, index);
  if (length != NULL)
    *length = block->text->len;

  return block->text->str;
}

/**
 * tau_draft_get_call_id:
 * @self: a draft
 * @index: less than the number of blocks
 *
 * Returns: (nullable): id of a tool call, "" if the server gave none yet
 */
const char *
tau_draft_get_call_id (TauDraft *self,
                       guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, NULL);

  return get_block (self, index)->call_id;
}

/**
 * tau_draft_get_call_name:
 * @self: a draft
 * @index: less than the number of blocks
 *
 * Returns: (nullable): name of the tool of a tool call, "" if the server gave none yet
 */
const char *
tau_draft_get_call_name (TauDraft *self,
                         guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, NULL);

  return get_block (self, index)->call_name;
}

/**
 * tau_draft_dup_arguments:
 * @self: a draft
 * @index: position of a tool call
 *
 * Parses what there is of the arguments; what is not complete yet is closed or left out.
 *
 * Returns: (transfer full): the arguments so far, an empty object if nothing can be read
 */
JsonNode *
tau_draft_dup_arguments (TauDraft *self,
                         guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, NULL);

  return tau_draft_block_dup_arguments (get_block (self, index));
}

/**
 * tau_draft_dup_block:
 * @self: a draft
 * @index: less than the number of blocks
 *
 * Returns: (transfer full): a record of the block so far
 */
TauBlock *
tau_draft_dup_block (TauDraft *self,
                     guint     index)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self) && index < self->blocks->len, NULL);

  return tau_draft_block_to_block (get_block (self, index));
}

/**
 * tau_draft_get_usage:
 * @self: a draft
 *
 * Returns: (transfer none): tokens and cost so far
 */
const TauUsage *
tau_draft_get_usage (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), NULL);

  return &self->usage;
}

/**
 * tau_draft_set_usage:
 * @self: a draft
 * @usage: tokens and cost
 *
 * Replaces the usage, for instance by one with its costs filled in. Does nothing once @self is finished.
 */
void
tau_draft_set_usage (TauDraft       *self,
                     const TauUsage *usage)
{
  TauDelta delta = { .kind = TAU_DELTA_USAGE, .usage = usage };

  tau_draft_apply (self, &delta);
}

/**
 * tau_draft_get_timestamp:
 * @self: a draft
 *
 * Returns: ms since 1970 when the request started
 */
gint64
tau_draft_get_timestamp (TauDraft *self)
{
  g_return_val_if_fail (TAU_IS_DRAFT (self), 0);

  return self->timestamp;
}
