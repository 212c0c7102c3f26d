import { sep } from "node:path";
import { printBytes } from "@weir/base";

/** A path as the system takes it: text, or bytes where a name in it is no UTF-8. */
export type BytePath = string | Buffer;

/** The path of what a folder has under a name. */
export function childOf(folder: BytePath, name: BytePath): BytePath {
  return typeof folder === "string" && typeof name === "string"
    ? folder + sep + name
    : Buffer.concat([folder, sep, name].map((part) => Buffer.from(part)));
}

/** The path for people and for names: bytes that are no text as "\xff". */
export function shownPath(path: BytePath): string {
  return typeof path === "string" ? path : printBytes(path);
}
