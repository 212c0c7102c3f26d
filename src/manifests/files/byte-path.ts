import { sep } from "node:path";
import { printBytes } from "@weir/base";

/** A path for the operating system: text, or bytes if a name in it isn't valid UTF-8. */
export type BytePath = string | Buffer;

/** The path of an entry in a folder. */
export function childOf(folder: BytePath, name: BytePath): BytePath {
  return typeof folder === "string" && typeof name === "string"
    ? folder + sep + name
    : Buffer.concat([folder, sep, name].map((part) => Buffer.from(part)));
}

/** The path as text, for people and for names; bytes that aren't valid UTF-8 become "\xff". */
export function shownPath(path: BytePath): string {
  return typeof path === "string" ? path : printBytes(path);
}
