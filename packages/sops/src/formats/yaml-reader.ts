import { decodeSource, Parser, Scanner, type SourceComment, type Steps, YamlError } from "@weir/yaml/go-yaml";
import { MalformedFileError, MetadataNotFoundError } from "../errors.ts";
import { Branch, type EncryptedTree } from "../tree.ts";
import { YamlTree } from "./yaml-tree.ts";

/** The key of the metadata. */
const metadataKey = "sops";

/** Reads an encrypted YAML file. The metadata of its first document counts for all of them. */
export function* readYaml(bytes: Uint8Array): Steps<EncryptedTree> {
  try {
    return yield* read(bytes);
  } catch (error) {
    if (error instanceof YamlError) {
      throw new MalformedFileError(`Error unmarshalling input yaml: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function* read(bytes: Uint8Array): Steps<EncryptedTree> {
  const comments: SourceComment[] = [];
  const tree = new YamlTree(comments);
  const parser = new Parser(new Scanner(decodeSource(bytes), comments), tree);
  if (!(yield* parser.parseDocument())) {
    throw new MetadataNotFoundError();
  }
  const first = tree.take();
  const metadata = metadataOf(first);
  const branches = [first.without(metadataKey)];
  while (yield* parser.parseDocument()) {
    branches.push(tree.take().without(metadataKey));
  }
  return { branches, metadata };
}

function metadataOf(first: Branch): Branch {
  const value = first.get(metadataKey);
  if (value === undefined || value === null) {
    throw new MetadataNotFoundError();
  }
  if (!(value instanceof Branch)) {
    throw new MalformedFileError("Error unmarshalling input yaml: sops isn't a mapping");
  }
  checkUnique(first);
  checkUnique(value);
  return value;
}

/** Two keys with the same name would make it a matter of taste which metadata counts. */
function checkUnique({ items }: Branch): void {
  const names = items.map(({ key }) => key).filter((key) => typeof key === "string");
  if (new Set(names).size !== names.length) {
    throw new MalformedFileError("Error unmarshalling input yaml: mapping key is defined twice");
  }
}
