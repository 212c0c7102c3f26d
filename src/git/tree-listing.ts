import { printBytes } from "@weir/base";
import type { TreeEntry, TreeFault, TreeLimits } from "./tree.ts";

const folderMode = "040000";
const tab = 9;
const space = 32;

/**
 * What `git ls-tree -r -t -l -z` prints, taken in as it comes: judged at once, and kept as bytes, which are far
 * fewer than what is made of them, until somebody wants the files.
 */
export class TreeListing {
  readonly #limits: TreeLimits;
  /** Whole records only. */
  readonly #parts: Buffer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #length = 0;
  #files = 0;
  #content = 0;
  #largest = { path: "", size: -1 };
  #fault: TreeFault | undefined;

  constructor(limits: TreeLimits) {
    this.#limits = limits;
  }

  /** The limit that was exceeded; ask again after the last bytes. */
  get fault(): TreeFault | undefined {
    const { path, size } = this.#largest;
    const isTooMuch = this.#content > this.#limits.content;
    return this.#fault ?? (isTooMuch ? { kind: "content", largest: path, size } : undefined);
  }

  /** The size of all files together, in bytes. */
  get content(): number {
    return this.#content;
  }

  /** Takes the next bytes; false where a limit is exceeded, so that no more need come. */
  add(bytes: Buffer): boolean {
    if (this.#fault !== undefined) {
      return false;
    }
    this.#length += bytes.length;
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(0) + 1;
    const whole = all.subarray(0, end);
    this.#rest = all.subarray(end);
    this.#fault = this.#judge(whole);
    if (this.#fault === undefined) {
      this.#parts.push(whole);
      return true;
    }
    this.#parts.length = 0;
    return false;
  }

  /** The files, without the folders. */
  entries(): readonly TreeEntry[] {
    return this.#parts.flatMap((part) => {
      return printBytes(part)
        .split("\0")
        .slice(0, -1)
        .map(parseRecord)
        .filter(({ mode }) => mode !== folderMode);
    });
  }

  #judge(records: Buffer): TreeFault | undefined {
    for (let begin = 0, end = records.indexOf(0); end >= 0; end = records.indexOf(0, begin)) {
      const pathBegin = records.indexOf(tab, begin) + 1;
      const size = sizeBefore(records, pathBegin - 1);
      if (end - pathBegin > this.#limits.path) {
        return { kind: "path", path: printBytes(records.subarray(pathBegin, end)) };
      }
      this.#files += 1;
      this.#content += size;
      if (size > this.#largest.size) {
        this.#largest = { path: printBytes(records.subarray(pathBegin, end)), size };
      }
      begin = end + 1;
    }
    if (this.#files > this.#limits.files) {
      return { kind: "files" };
    }
    return this.#length > this.#limits.listing ? { kind: "listing" } : undefined;
  }
}

/** "mode type id size", the size "-" for what is no file, then a tab and the path. */
function parseRecord(record: string): TreeEntry {
  const [mode = "", , id = ""] = record.split(" ", 3);
  return { path: record.slice(record.indexOf("\t") + 1), mode, id };
}

/** The number that ends at `end`; 0 where there is none, as for folders and submodules. */
function sizeBefore(bytes: Buffer, end: number): number {
  return Number(bytes.toString("latin1", bytes.lastIndexOf(space, end) + 1, end)) || 0;
}
