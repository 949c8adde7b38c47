/* SPDX-License-Identifier: MIT */
#pragma once

/* The models of the matrix, and how each says the same five answers. "@" stands for the model's mark: it is in all of its
 * reasoning and signatures, so that it can be told whose they are. An empty line ends an event. */

#define N_ANSWERS 5

typedef struct
{
  const char *name;
  const char *mark;                  /* base64 in itself, as some signatures must be */
  const char *provider;
  const char *model;                 /* JSON as in models.json */
  const char *answers[N_ANSWERS];
} Voice;

/* Anthropic */

#define A(name, members)        "event: " name "\ndata: {\"type\":\"" name "\"" members "}\n\n"
#define A_START                 A ("message_start", ",\"message\":{\"id\":\"msg_1\",\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}")
#define A_OPEN(n, block)        A ("content_block_start", ",\"index\":" #n ",\"content_block\":{" block "}")
#define A_DELTA(n, delta)       A ("content_block_delta", ",\"index\":" #n ",\"delta\":{" delta "}")
#define A_CLOSE(n)              A ("content_block_stop", ",\"index\":" #n)
#define A_END(how)              A ("message_delta", ",\"delta\":{\"stop_reason\":\"" how "\"},\"usage\":{\"output_tokens\":7}") A ("message_stop", "")
#define A_THINK(n, text)                                                                                     \
  A_OPEN (n, "\"type\":\"thinking\",\"thinking\":\"\"") A_DELTA (n, "\"type\":\"thinking_delta\",\"thinking\":\"" text "\"") \
  A_DELTA (n, "\"type\":\"signature_delta\",\"signature\":\"@c2ln\"") A_CLOSE (n)
#define A_REDACTED(n)           A_OPEN (n, "\"type\":\"redacted_thinking\",\"data\":\"@cmVk\"") A_CLOSE (n)
#define A_TEXT(n, text)         A_OPEN (n, "\"type\":\"text\",\"text\":\"\"") A_DELTA (n, "\"type\":\"text_delta\",\"text\":\"" text "\"") A_CLOSE (n)
#define A_CALL(n, id, name, input)                                                                           \
  A_OPEN (n, "\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" name "\",\"input\":{}")                   \
  A_DELTA (n, "\"type\":\"input_json_delta\",\"partial_json\":\"{\"") A_DELTA (n, "\"type\":\"input_json_delta\",\"partial_json\":\"" input "}\"") A_CLOSE (n)

#define ANTHROPIC_ANSWERS                                                                                    \
  {                                                                                                          \
    A_START A_THINK (0, "Look @") A_REDACTED (1) A_TEXT (2, "Two things.") A_CALL (3, "toolu_01@a", "read", "\\\"path\\\":\\\"a\\\"") \
    A_CALL (4, "toolu_01@b", "bash", "\\\"command\\\":\\\"ls\\\"") A_END ("tool_use"),                       \
    A_START A_THINK (0, "More @") A_CALL (1, "toolu_01@c", "bash", "") A_END ("tool_use"),                   \
    A_START A_THINK (0, "So @") A_TEXT (1, "Done.") A_END ("end_turn"),                                      \
    A_START A_THINK (0, "Too long @") A_END ("max_tokens"),                                                  \
    A_START A_TEXT (0, " ") A_TEXT (1, "Yes.") A_END ("end_turn"),                                           \
  }

/* Chat completions */

#define C(json)                 "data: " json "\n\n"
#define C_DELTA(delta)          C ("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{" delta "},\"finish_reason\":null}]}")
#define C_END(how)              C ("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" how "\"}]}") C ("[DONE]")
#define C_TEXT(text)            C_DELTA ("\"content\":\"" text "\"")
#define C_FIELD(name, text)     C_DELTA ("\"" name "\":\"" text "\"")
#define C_CALL(n, id, name, arguments)                                                                       \
  C_DELTA ("\"tool_calls\":[{\"index\":" #n "," id "\"function\":{\"name\":\"" name "\",\"arguments\":\"\"}}]")      \
  C_DELTA ("\"tool_calls\":[{\"index\":" #n ",\"function\":{\"arguments\":\"{" arguments "\"}}]")            \
  C_DELTA ("\"tool_calls\":[{\"index\":" #n ",\"function\":{\"arguments\":\"}\"}}]")
#define C_ID(id)                "\"id\":\"" id "\","
#define C_READ(n, id)           C_CALL (n, id, "read", "\\\"path\\\":\\\"a\\\"")
#define C_BASH(n, id)           C_CALL (n, id, "bash", "\\\"command\\\":\\\"ls\\\"")

#define CHAT_ANSWERS(think, one, two, three, more)                                                           \
  {                                                                                                          \
    think ("Look @") C_TEXT ("Two things.") C_READ (0, one) C_BASH (1, two) more C_END ("tool_calls"),       \
    think ("More @") C_CALL (0, three, "bash", "") C_END ("tool_calls"),                                     \
    think ("So @") C_TEXT ("Done.") C_END ("stop"),                                                          \
    think ("Too long @") C_END ("length"),                                                                   \
    C_TEXT (" ") C_TEXT ("Yes.") C_END ("stop"),                                                             \
  }

#define THINK_NOT(text)         ""
#define THINK_CONTENT(text)     C_FIELD ("reasoning_content", text)
#define THINK_REASONING(text)   C_FIELD ("reasoning", text)
#define THINK_MISTRAL(text)     C_DELTA ("\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"" text "\"}]}]")
#define DETAILS                 C_DELTA ("\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"id\":\"tool_@a\",\"data\":\"@ZGF0\"}]")

/* Responses */

#define R(type, members)        "event: " type "\ndata: {\"type\":\"" type "\"" members "}\n\n"
#define R_ADDED(n, item)        R ("response.output_item.added", ",\"output_index\":" #n ",\"item\":{" item "}")
#define R_DONE(n, item)         R ("response.output_item.done", ",\"output_index\":" #n ",\"item\":{" item "}")
#define R_MESSAGE(id, content)  "\"type\":\"message\",\"id\":\"msg_@" id "\",\"role\":\"assistant\",\"content\":[" content "]"
#define R_TEXT(n, id, text)                                                                                  \
  R_ADDED (n, R_MESSAGE (id, "")) R ("response.content_part.added", ",\"output_index\":" #n ",\"part\":{\"type\":\"output_text\"}") \
  R ("response.output_text.delta", ",\"output_index\":" #n ",\"delta\":\"" text "\"") R_DONE (n, R_MESSAGE (id, "{\"type\":\"output_text\",\"text\":\"" text "\"}"))
#define R_REASONING(id, more)   "\"type\":\"reasoning\",\"id\":\"rs_@" id "\",\"summary\":[" more "],\"encrypted_content\":\"@ZW5j\""
#define R_THINK(n, id, text)                                                                                 \
  R_ADDED (n, R_REASONING (id, "")) R ("response.reasoning_summary_part.added", ",\"output_index\":" #n)     \
  R ("response.reasoning_summary_text.delta", ",\"output_index\":" #n ",\"delta\":\"" text "\"")             \
  R ("response.reasoning_summary_part.done", ",\"output_index\":" #n) R_DONE (n, R_REASONING (id, "{\"type\":\"summary_text\",\"text\":\"" text "\"}"))
#define R_CALL(n, id, name, arguments)                                                                       \
  R_ADDED (n, R_FUNCTION (id, name, "")) R ("response.function_call_arguments.delta", ",\"output_index\":" #n ",\"delta\":\"{\"") \
  R ("response.function_call_arguments.done", ",\"output_index\":" #n ",\"arguments\":\"{" arguments "}\"") R_DONE (n, R_FUNCTION (id, name, "{" arguments "}"))
#define R_FUNCTION(id, name, arguments)                                                                      \
  "\"type\":\"function_call\",\"id\":\"fc_@" id "\",\"call_id\":\"call_@" id "\",\"name\":\"" name "\",\"arguments\":\"" arguments "\""
#define R_END                   R ("response.completed", ",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\"}")
#define R_FULL                  R ("response.incomplete", ",\"response\":{\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}")

#define RESPONSES_ANSWERS                                                                                    \
  {                                                                                                          \
    R_THINK (0, "1", "Look @") R_TEXT (1, "1", "Two things.") R_CALL (2, "1", "read", "\\\"path\\\":\\\"a\\\"") R_CALL (3, "2", "bash", "\\\"command\\\":\\\"ls\\\"") R_END, \
    R_THINK (0, "2", "More @") R_CALL (1, "3", "bash", "") R_END,                                            \
    R_THINK (0, "3", "So @") R_TEXT (1, "2", "Done.") R_END,                                                 \
    R_THINK (0, "4", "Too long @") R_FULL,                                                                   \
    R_THINK (0, "5", "") R_TEXT (1, "3", " ") R_TEXT (2, "4", "Yes.") R_END,                                 \
  }

/* Google */

#define G_PARTS(parts)          C ("{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[" parts "]}}]}")
#define G_END(how)              C ("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]},\"finishReason\":\"" how "\"}]}")
#define G_TEXT(text)            G_PARTS ("{\"text\":\"" text "\"}")
#define G_THINK(text)           G_PARTS ("{\"thought\":true,\"text\":\"" text "\"}")
#define G_CALL(name, args, more) G_PARTS ("{\"functionCall\":{\"name\":\"" name "\",\"args\":{" args "}}" more "}")
#define G_SIGNED                ",\"thoughtSignature\":\"@c2ln\""

#define GOOGLE_ANSWERS                                                                                       \
  {                                                                                                          \
    G_THINK ("Look @") G_TEXT ("Two things.") G_CALL ("read", "\"path\":\"a\"", G_SIGNED) G_CALL ("bash", "\"command\":\"ls\"", "") G_END ("STOP"), \
    G_THINK ("More @") G_CALL ("bash", "", G_SIGNED) G_END ("STOP"),                                         \
    G_THINK ("So @") G_TEXT ("Done.") G_END ("STOP"),                                                        \
    G_THINK ("Too long @") G_END ("MAX_TOKENS"),                                                             \
    G_TEXT (" ") G_TEXT ("Yes.") G_END ("STOP"),                                                             \
  }

#define MODEL(id, api, more)    "{\"id\":\"" id "\",\"api\":\"" api "\",\"baseUrl\":\"http://127.0.0.1/v1\",\"contextWindow\":200000,\"maxTokens\":64000" more "}"
#define SEES                    ",\"input\":[\"text\",\"image\"]"
#define THINKS                  ",\"reasoning\":true"

static const Voice voices[] = {
  { "anthropic", "MarkAnth", "anthropic", MODEL ("claude-sonnet-4-5", "anthropic-messages", SEES THINKS), ANTHROPIC_ANSWERS },
  { "anthropic-adaptive", "MarkAdap", "anthropic", MODEL ("claude-opus-4-6", "anthropic-messages", SEES THINKS), ANTHROPIC_ANSWERS },
  { "minimax", "MarkMini", "minimax", MODEL ("MiniMax-M2.7", "anthropic-messages", THINKS), ANTHROPIC_ANSWERS },
  { "openai-chat", "MarkChat", "openai", MODEL ("gpt-4o", "openai-completions", SEES), CHAT_ANSWERS (THINK_NOT, C_ID ("call_@a"), C_ID ("call_@b"), C_ID ("call_@c"), "") },
  { "deepseek", "MarkDeep", "deepseek", MODEL ("deepseek-v4-pro", "openai-completions", THINKS),
    CHAT_ANSWERS (THINK_CONTENT, C_ID ("call_0_@-5d2e"), C_ID ("call_1_@-5d2e"), C_ID ("call_0_@-77aa"), "") },
  { "openrouter", "MarkRout", "openrouter", MODEL ("anthropic/claude-x", "openai-completions", SEES THINKS),
    CHAT_ANSWERS (THINK_REASONING, C_ID ("tool_@a"), C_ID ("tool_@b"), C_ID ("tool_@c"), DETAILS) },
  { "server-without-ids", "MarkNoId", "local", MODEL ("gemma", "openai-completions", ""), CHAT_ANSWERS (THINK_NOT, "", "", "", "") },
  { "server-repeats-ids", "MarkSame", "local", MODEL ("qwen", "openai-completions", THINKS), CHAT_ANSWERS (THINK_CONTENT, C_ID ("call_0"), C_ID ("call_0"), C_ID ("call_0"), "") },
  { "server-odd-ids", "MarkOdd+", "local", MODEL ("kimi", "openai-completions", SEES THINKS),
    CHAT_ANSWERS (THINK_CONTENT, C_ID ("functions.read:0"), C_ID ("functions_read.0"), C_ID ("functions.bash:\303\244"), "") },
  { "mistral-elsewhere", "MarkMiEl", "nim", MODEL ("mistralai/mistral-small-4", "openai-completions", SEES THINKS),
    CHAT_ANSWERS (THINK_CONTENT, C_ID ("chatcmpl-tool-@a"), C_ID ("chatcmpl-tool-@b"), C_ID ("chatcmpl-tool-@c"), "") },
  { "responses", "MarkResp", "openai", MODEL ("gpt-5", "openai-responses", SEES THINKS), RESPONSES_ANSWERS },
  { "responses-sibling", "MarkSibl", "openai", MODEL ("gpt-5-mini", "openai-responses", SEES THINKS), RESPONSES_ANSWERS },
  { "responses-elsewhere", "MarkElse", "proxy", MODEL ("gpt-5", "openai-responses", THINKS), RESPONSES_ANSWERS },
  { "azure", "MarkAzur", "azure-openai-responses", MODEL ("gpt-5", "azure-openai-responses", SEES THINKS), RESPONSES_ANSWERS },
  { "gemini-2", "MarkGem2", "google", MODEL ("gemini-2.5-pro", "google-generative-ai", SEES THINKS), GOOGLE_ANSWERS },
  { "gemini-3", "MarkGem3", "google", MODEL ("gemini-3-pro-preview", "google-generative-ai", SEES THINKS), GOOGLE_ANSWERS },
  { "gpt-oss-at-google", "MarkOss+", "google", MODEL ("gpt-oss-120b", "google-generative-ai", THINKS), GOOGLE_ANSWERS },
  { "mistral", "MarkMist", "mistral", MODEL ("magistral-medium-latest", "mistral-conversations", SEES THINKS),
    CHAT_ANSWERS (THINK_MISTRAL, C_ID ("abcdefgh1"), C_ID ("abcdefgh2"), C_ID ("abcdefgh3"), "") },
};
