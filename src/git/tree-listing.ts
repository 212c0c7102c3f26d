import { printBytes } from "@weir/base";
import type { ListedFile, TreeFault, TreeLimits } from "./tree.ts";

const folderMode = "040000";
const tab = 9;
const space = 32;

/**
 * The output of `git ls-tree -r -t -l -z`, processed as it arrives. It's checked immediately, and kept as bytes, which
 * take far less memory than parsed entries, until somebody needs the files.
 */
export class TreeListing {
  readonly #limits: TreeLimits;
  /** Complete records only. */
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

  /** The limit that was exceeded; check again after the last bytes. */
  get fault(): TreeFault | undefined {
    const { path, size } = this.#largest;
    const isTooMuch = this.#content > this.#limits.content;
    return this.#fault ?? (isTooMuch ? { kind: "content", largest: path, size } : undefined);
  }

  /** The total size of all files, in bytes. */
  get content(): number {
    return this.#content;
  }

  /** Adds the next bytes; false if a limit is exceeded, so that no more are needed. */
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
  entries(): readonly ListedFile[] {
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

/** "mode type id size", where the size is "-" for anything but a file, then a tab and the path. */
function parseRecord(record: string): ListedFile {
  const end = record.indexOf("\t");
  const [mode = "", , id = ""] = record.split(" ", 3);
  const size = Number(record.slice(record.lastIndexOf(" ", end) + 1, end)) || 0;
  return { path: record.slice(end + 1), mode, id, size };
}

/** The number that ends at `end`; 0 if there's none, as for folders and submodules. */
function sizeBefore(bytes: Buffer, end: number): number {
  return Number(bytes.toString("latin1", bytes.lastIndexOf(space, end) + 1, end)) || 0;
}
