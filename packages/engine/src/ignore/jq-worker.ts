/** Runs jq in a thread of its own, which its parent ends if a program takes too long. */
import { parentPort } from "node:worker_threads";
import { raw } from "jq-wasm";
import type { JqAnswer, JqQuestion } from "./jq.ts";

async function answer({ program, documents }: JqQuestion): Promise<JqAnswer> {
  try {
    return await raw(documents.join("\n"), program, ["-c"]);
  } catch (error) {
    return { stdout: "", stderr: String(error), exitCode: -1 };
  }
}

parentPort?.on("message", (question: JqQuestion) => {
  void answer(question).then((result) => parentPort?.postMessage(result));
});
// From here on, time counts: jq is loaded.
parentPort?.postMessage(await answer({ program: ".", documents: ["null"] }));
