import { isJsonObject } from "@weir/base";

/** How many lines of a watch are remembered. */
const length = 10;

/**
 * The last events of a watch, over its reconnections. A server may send them again to a watch that continues where they
 * end: then they end in the state that the client has.
 */
export class WatchHistory {
  readonly #lines: string[] = [];

  /** The client has received a line. */
  note(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > length) {
      this.#lines.shift();
    }
  }

  /** The last lines, if a watch from that version continues after them. */
  before(version: string, count: number): readonly string[] {
    const last = count > 0 ? this.#lines.at(-1) : undefined;
    return last !== undefined && versionIn(last) === version ? this.#lines.slice(-count) : [];
  }
}

function versionIn(line: string): string {
  const event: unknown = JSON.parse(line);
  const object = isJsonObject(event) ? event["object"] : undefined;
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  const version = isJsonObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : "";
}
