/**
 * Commits and tags as git stores them, split into what was signed and the signature. Same rules as git's
 * parse_buffer_signed_by_header and parse_signature, because a byte more or less changes the verdict.
 */
import type { SignedData } from "./signature.ts";

const newline = 0x0a;
const space = 0x20;

/** The header with the signature over the object as a repository with SHA-1, or with SHA-256, has it. */
const signatureHeaders = { sha1: "gpgsig ", sha256: "gpgsig-sha256 " } as const;

/** The lines that start a signature in the text of a tag. */
const starts = [
  "-----BEGIN PGP SIGNATURE-----",
  "-----BEGIN PGP MESSAGE-----",
  "-----BEGIN SIGNED MESSAGE-----",
  "-----BEGIN SSH SIGNATURE-----",
].map((text) => Buffer.from(text));

/** The signed part of a commit and its signature; undefined if it isn't signed. `id` tells the repository's hash. */
export function splitCommit(content: Buffer, id: string): SignedData | undefined {
  const own = signatureHeaders[id.length === 64 ? "sha256" : "sha1"];
  const payload: Buffer[] = [];
  const signature: Buffer[] = [];
  let inside: "own" | "other" | undefined;
  for (const line of headerLines(content)) {
    if (inside === "own" && line[0] === space) {
      signature.push(line.subarray(1));
    } else if (startsWith(line, own)) {
      signature.push(line.subarray(own.length));
      inside = "own";
    } else {
      inside = startsWith(line, "gpgsig") || (inside === "other" && line[0] === space) ? "other" : undefined;
      if (inside === undefined) {
        payload.push(line);
      }
    }
  }
  return signature.length === 0
    ? undefined
    : { data: Buffer.concat(payload), signature: Buffer.concat(signature) };
}

/** The signed part of a tag and its signature, which is the end of its text; undefined if it isn't signed. */
export function splitTag(content: Buffer): SignedData | undefined {
  const start = lastSignature(content);
  if (start === undefined) {
    return undefined;
  }
  const payload: Buffer[] = [];
  let inside = false;
  for (const line of headerLines(content.subarray(0, start))) {
    inside =
      Object.values(signatureHeaders).some((header) => startsWith(line, header)) ||
      (inside && line[0] === space);
    if (!inside) {
      payload.push(line);
    }
  }
  return { data: Buffer.concat(payload), signature: content.subarray(start) };
}

/** The commit with a signature, as `git commit --gpg-sign` stores it: as the last header. */
export function withSignature(content: Buffer, id: string, signature: string): Buffer {
  const own = signatureHeaders[id.length === 64 ? "sha256" : "sha1"];
  const lines = signature.replaceAll("\r", "").replace(/\n$/, "").split("\n");
  const end = content.indexOf("\n\n") + 1;
  return Buffer.concat([
    content.subarray(0, end),
    Buffer.from(`${own}${lines.join("\n ")}\n`),
    content.subarray(end),
  ]);
}

/** The author of a commit, as "Name <email>"; "" if it can't be read. */
export function authorOf(content: Buffer): string {
  const line = headerLines(content).find((each) => startsWith(each, "author "));
  return /^author (.*>)/.exec(line?.toString("utf8") ?? "")?.[1] ?? "";
}

/** Each line with its end; everything from the first empty line on counts as one. */
function headerLines(content: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  while (start < content.length) {
    const end = content[start] === newline ? content.length : endOfLine(content, start);
    lines.push(content.subarray(start, end));
    start = end;
  }
  return lines;
}

function lastSignature(content: Buffer): number | undefined {
  let found: number | undefined;
  for (let start = 0; start < content.length; start = endOfLine(content, start)) {
    if (starts.some((text) => content.subarray(start, start + text.length).equals(text))) {
      found = start;
    }
  }
  return found;
}

function endOfLine(content: Buffer, start: number): number {
  const at = content.indexOf(newline, start);
  return at < 0 ? content.length : at + 1;
}

function startsWith(line: Buffer, text: string): boolean {
  return line.toString("latin1", 0, text.length) === text;
}
