import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { readTable } from "../../../test/support/parity.ts";
import { type RawCaller, RawDaemon } from "../../../test/support/raw-daemon.ts";

interface Recording {
  readonly version: number;
  readonly what: string;
  readonly calls: readonly string[];
  readonly answers: readonly string[];
}

/** The version of the protocol that Flux 1.25.4 speaks first. */
const version = 11;

/** What a console asks by itself again and again: what Flux v1 answered, by method, without the number of the call. */
const answers = recordedAnswers(10);

/** Connects a daemon that answers with what was recorded of Flux v1, for ten workloads each, over a socket of its own. */
export function connectRecorded(consoleUrl: string, token: string): Promise<RawDaemon> {
  const caller: RawCaller = { url: `${consoleUrl}/v${version}/daemon`, token };
  return RawDaemon.connect(caller, answerTo);
}

function answerTo(line: string): string {
  const [, method = "", id = "0"] = /"method":"RPCServer\.(\w+)".*"id":(\d+)\}$/.exec(line.trimEnd()) ?? [];
  const answer = answers.get(method) ?? `"result":null,"error":"rpc: can't find method RPCServer.${method}"}`;
  return `{"id":${id},${answer}\n`;
}

/** Lists have as many entries as there are workloads, made from the first one that was recorded. */
function recordedAnswers(workloads: number): ReadonlyMap<string, string> {
  const recorded = new Map<string, string>();
  for (const { what, calls, answers: given } of readTable(
    "upstream/recorded-calls.jsonl",
  ) as readonly Recording[]) {
    for (const [index, call] of what === "answers" ? calls.entries() : []) {
      const [, method = ""] = /"method":"RPCServer\.(\w+)"/.exec(call) ?? [];
      const { result = null, error = null } = JSON.parse(given[index] ?? "{}") as JsonObject;
      const answer: JsonObject = { result, error };
      const isList = method === "ListServices" || method.startsWith("ListImages");
      const text = JSON.stringify(isList ? multiplied(answer, workloads) : answer);
      if (error === null) {
        recorded.set(method, text.slice(1));
      }
    }
  }
  return recorded;
}

function multiplied(answer: JsonObject, count: number): JsonObject {
  const { result } = answer;
  const list = isJsonObject(result) ? result["Result"] : undefined;
  const first: JsonValue = (isJsonArray(list) ? list[0] : undefined) ?? null;
  const named = (index: number): JsonValue =>
    isJsonObject(first) ? { ...first, ID: `shop:deployment/web-${index}` } : first;
  return {
    ...answer,
    result: {
      ...(isJsonObject(result) ? result : {}),
      Result: Array.from({ length: count }, (_, index) => named(index)),
    },
  };
}
