import type { Identity } from "./commit.ts";

/** An annotated tag. */
export interface Tag {
  readonly name: string;
  /** The commit that it points to. */
  readonly revision: string;
  readonly message: string;
  readonly tagger: Identity;
}

/** The tag as an object for `git mktag`, with the time `at`. */
export function printTag({ name, revision, message, tagger }: Tag, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const who = `${withoutCrud(tagger.name)} <${withoutCrud(tagger.email)}>`;
  const headers = [
    `object ${revision}`,
    "type commit",
    `tag ${name}`,
    `tagger ${who} ${seconds} ${printOffset(-at.getTimezoneOffset())}`,
  ];
  return `${headers.join("\n")}\n\n${message}\n`;
}

/** A name or address as git writes it: without characters that would end it, and without dots and quotes around it. */
function withoutCrud(text: string): string {
  const crud = "[\\x00-\\x20.,:;<>\"\\\\']+";
  return text.replace(new RegExp(`^${crud}|${crud}$`, "g"), "").replace(/[\n<>]/g, "");
}

function printOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const digits = Math.floor(absolute / 60) * 100 + (absolute % 60);
  return `${minutes < 0 ? "-" : "+"}${String(digits).padStart(4, "0")}`;
}
