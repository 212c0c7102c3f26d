import { luaLimits, messageOf, toError } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { type Health, type HealthStatus, health } from "../health/health-status.ts";
import type { LuaLimits } from "./vm/budget.ts";
import { type Chunk, compileLua } from "./vm/compile.ts";
import { evaluateLua } from "./vm/evaluate.ts";
import { LuaSyntaxError } from "./vm/lexer.ts";
import { typeOf } from "./vm/operations.ts";
import { fromBytes, toBytes } from "./vm/text.ts";
import { LuaTable, type LuaValue } from "./vm/value.ts";

/** What a script is evaluated with, beside an object. */
export interface ScriptContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits: LuaLimits;
}

const statuses: ReadonlySet<unknown> = new Set<HealthStatus>([
  "Healthy",
  "Suspended",
  "Progressing",
  "Missing",
  "Degraded",
  "Unknown",
]);

/** A script that judges objects as in Argo CD: the object is in `obj`, and it returns a table with status and message. */
export class HealthScript {
  readonly #source: string;
  readonly #kind: string;
  #compiled: Chunk | Error | undefined;

  /** Doesn't look at the source yet. The kind, such as "argoproj.io/Rollout", is named in messages. */
  constructor(source: string, kind: string) {
    this.#source = source;
    this.#kind = kind;
  }

  /**
   * The health of an object; undefined if the script returns nothing. Never throws: if the script fails, or needs
   * more than its limits, the object is Unknown, and the message says why.
   */
  healthOf(live: KubeObject, context: ScriptContext): Health | undefined {
    try {
      this.#compiled ??= compile(this.#source);
      if (this.#compiled instanceof Error) {
        throw this.#compiled;
      }
      return resultOf(evaluateLua(this.#compiled, { ...context, globals: { obj: live } }));
    } catch (error) {
      const reason = fromBytes(messageOf(error)).slice(0, luaLimits.messageCharacters);
      return health("Unknown", `the health script of ${this.#kind} failed: ${reason}`);
    }
  }
}

/** An error is kept like a result, so that the script is read only once. */
function compile(source: string): Chunk | Error {
  try {
    const bytes = toBytes(source);
    return bytes.length > luaLimits.script
      ? new LuaSyntaxError(1, `it is longer than ${luaLimits.script} bytes`)
      : compileLua(bytes);
  } catch (error) {
    return error instanceof RangeError ? new LuaSyntaxError(1, "it is nested too deeply") : toError(error);
  }
}

/** An empty table is nothing, too. */
function resultOf(value: LuaValue): Health | undefined {
  if (value === undefined || (value instanceof LuaTable && isEmpty(value))) {
    return undefined;
  }
  if (!(value instanceof LuaTable)) {
    throw new Error(`it returned a ${typeOf(value)} instead of a table`);
  }
  const [status, message] = [value.get("status"), value.get("message") ?? ""];
  if (!statuses.has(status)) {
    throw new Error("it returned an invalid status");
  }
  if (typeof message !== "string" && typeof message !== "number") {
    throw new Error("it returned an invalid message");
  }
  return health(status as HealthStatus, fromBytes(String(message)).slice(0, luaLimits.messageCharacters));
}

function isEmpty(table: LuaTable): boolean {
  return table.length === 0 && table.get("status") === undefined && table.get("message") === undefined;
}
