import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A file of the page, as it's sent. */
export interface PageFile {
  readonly type: string;
  /** True if its name says what's in it, so that it can be kept for good. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/** Reads the files of the page, by their paths below the root of the site, and compresses them once. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const plain = readFileSync(path);
      return [
        `/${relative(folder, path).split(sep).join("/")}`,
        {
          type: types[extname(entry.name)] ?? "application/octet-stream",
          isHashed: /-[\w-]{8,}\.\w+$/.test(entry.name),
          plain,
          gzip: gzipSync(plain),
          brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        },
      ];
    }),
  );
}

/** The form of a file that a client accepts, and how that's called. */
export function encodingFor(
  file: PageFile,
  accepted: string,
): { readonly body: Buffer; readonly encoding?: string } {
  const names = accepted.split(",").map((part) => part.split(";")[0]?.trim().toLowerCase());
  if (names.includes("br")) {
    return { body: file.brotli, encoding: "br" };
  }
  return names.includes("gzip") ? { body: file.gzip, encoding: "gzip" } : { body: file.plain };
}
