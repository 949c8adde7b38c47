// SPDX-License-Identifier: MIT
// node peer.mjs AIMOCK_FOLDER: a model server on loopback that plays the scripts of run.py. Prints its address; ends with stdin.

import { pathToFileURL } from "node:url";

const { LLMock } = await import(pathToFileURL(`${process.argv[2]}/dist/index.js`));
const mock = new LLMock({ port: 0, strict: true });

const echo = (word) => ({ name: "bash", arguments: JSON.stringify({ command: `echo ${word}` }) });

mock.on({ userMessage: "say hello" }, { content: "Hello from the peer, with \u00fc and \u{1f332}." });
mock.on({ userMessage: "use one tool", hasToolResult: false }, { toolCalls: [echo("first")] });
mock.on({ userMessage: "use one tool", hasToolResult: true, toolResultContains: "first" }, { content: "The tool said first." });
mock.on({ userMessage: "use two tools", hasToolResult: false }, { content: "Both at once.", toolCalls: [echo("left"), echo("right")] });
mock.on({ userMessage: "use two tools", hasToolResult: true }, { content: "Left and right." });
mock.on({ userMessage: "think and act", hasToolResult: false }, { reasoning: "Let me think.", toolCalls: [echo("thought")] });
mock.on({ userMessage: "think and act", hasToolResult: true }, { reasoning: "It worked.", content: "Thought and done." });
mock.on({ userMessage: "say goodbye" }, { content: "Goodbye from the peer." });

console.log(await mock.start());
process.stdin.resume();
process.stdin.on("end", async () => {
	await mock.stop();
	process.exit(0);
});
