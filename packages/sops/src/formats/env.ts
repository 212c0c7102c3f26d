import { MalformedFileError, MetadataNotFoundError, SopsError } from "../errors.ts";
import { Branch, type BranchItem, Comment, type EncryptedTree, type TreeValue } from "../tree.ts";
import { unflattenMetadata } from "./flat-metadata.ts";
import { plainText } from "./plain-text.ts";

/** The names of the variables with the metadata start with this. */
const prefix = "sops_";

/** Reads an encrypted env file: a line is a variable, or a comment if it starts with `#`. */
export function readEnv(bytes: Uint8Array): EncryptedTree {
  const items: BranchItem[] = [];
  const metadata: (readonly [string, string])[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const at = line.indexOf("=");
    if (line.startsWith("#")) {
      items.push({ key: new Comment(line.slice(1)), value: null });
    } else if (line.startsWith(prefix) && at >= prefix.length) {
      metadata.push([line.slice(prefix.length, at), line.slice(at + 1)]);
    } else if (at >= 0) {
      items.push({ key: line.slice(0, at), value: line.slice(at + 1).replaceAll("\\n", "\n") });
    } else if (line !== "") {
      throw new MalformedFileError("invalid dotenv input line");
    }
  }
  if (metadata.length === 0) {
    throw new MetadataNotFoundError();
  }
  return { branches: [new Branch(items)], metadata: unflattenMetadata(metadata) };
}

/** Prints an env file. */
export function writeEnv([branch = new Branch([])]: readonly Branch[]): Uint8Array {
  return Buffer.concat(
    branch.items.flatMap(({ key, value }) =>
      key instanceof Comment
        ? [Buffer.from(`#${key.text}\n`)]
        : [Buffer.from(`${key}=`), withoutLineBreaks(value), Buffer.from("\n")],
    ),
  );
}

function withoutLineBreaks(value: TreeValue): Uint8Array {
  if (typeof value === "string") {
    return Buffer.from(value.replaceAll("\n", "\\n"));
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(Buffer.from(value).toString("latin1").replaceAll("\n", "\\n"), "latin1");
  }
  const text = plainText(value);
  if (text === undefined) {
    throw new SopsError("cannot use complex value in dotenv file");
  }
  return Buffer.from(text);
}
