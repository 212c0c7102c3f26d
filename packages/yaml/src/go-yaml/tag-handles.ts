import { grammarError } from "./errors.ts";
import type { Token } from "./token.ts";

/** The prefixes for tag handles in one document. */
export type TagHandles = ReadonlyMap<string, string>;

/** The handles of a document without directives. */
export const usualHandles: TagHandles = new Map([
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
]);

/** Collects the directives before a document. */
export class Directives {
  readonly #handles = new Map<string, string>();
  #hasVersion = false;

  /** Adds a directive. Throws YamlError if it contradicts an earlier one, or requires a YAML version other than 1.1. */
  add({ kind, handle, text, line }: Token): void {
    if (kind === "tag directive") {
      if (this.#handles.has(handle)) {
        throw grammarError("found duplicate %TAG directive", line);
      }
      this.#handles.set(handle, text);
      return;
    }
    if (this.#hasVersion) {
      throw grammarError("found duplicate %YAML directive", line);
    }
    if (handle !== "1.1") {
      throw grammarError("found incompatible YAML document", line);
    }
    this.#hasVersion = true;
  }

  /** The declared handles, and the default ones. */
  get handles(): TagHandles {
    return this.#handles.size === 0 ? usualHandles : new Map([...usualHandles, ...this.#handles]);
  }
}

/** The full form of a tag; undefined if its handle is unknown. */
export function resolveTag({ handle, text }: Token, handles: TagHandles): string | undefined {
  const prefix = handle === "" ? "" : handles.get(handle);
  const tag = prefix === undefined ? "" : prefix + text;
  return tag === "" && handle !== "" ? undefined : tag;
}
