import { readdirSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import type { RequestHandler } from "express";

/** What names of compressed files end with, by how the encoding is called; the better one first. */
const encodings = { br: ".br", gzip: ".gz" } as const;

/**
 * Sends the page in a folder, which the build has compressed. Addresses of the page are paths without a file: the page
 * itself reads them. A file whose name says what's in it can be kept for good; of others, browsers ask each time, since
 * neither time nor size tells one release from another.
 */
export function servePage(folder: string): RequestHandler {
  const files = filesIn(folder);
  return (request, response) => {
    const { path, method } = request;
    if (method !== "GET" && method !== "HEAD") {
      response.status(405).type("text").send("405 method not allowed\n");
      return;
    }
    const isFile = files.has(path) && !/\.(br|gz)$/.test(path);
    const file = isFile ? path : /\.\w+$/.test(path) ? undefined : "/index.html";
    if (file === undefined) {
      response.status(404).type("text").send("404 not found\n");
      return;
    }
    const [encoding, ending = ""] =
      Object.entries(encodings).find(
        ([name, suffix]) => files.has(file + suffix) && request.acceptsEncodings(name) !== false,
      ) ?? [];
    if (encoding !== undefined) {
      response.set("Content-Encoding", encoding);
    }
    const isHashed = /-[\w-]{8,}\.\w+$/.test(file);
    response
      .type(extname(file))
      .vary("Accept-Encoding")
      .set("Cache-Control", isHashed ? "public, max-age=31536000, immutable" : "no-cache")
      .sendFile(file + ending, {
        ...{ root: folder, etag: false, lastModified: false, cacheControl: false, acceptRanges: false },
      });
  };
}

/** The files of a folder, by their paths below the root of the site. */
function filesIn(folder: string): ReadonlySet<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")}`),
  );
}
