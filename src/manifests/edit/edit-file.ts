import {
  EditError,
  readStream,
  sameValues,
  type Value,
  writeStream,
  type YamlDocument,
  type YamlStream,
} from "@weir/yaml/ruamel-yaml";
import { Changes } from "./changes.ts";
import { ManifestNotFoundError } from "./errors.ts";
import { decodeInput, type EditInput } from "./input.ts";
import { minimalEdit } from "./minimal-edit.ts";

/**
 * How to write the edited file: `flux` as Flux v1 always did, in the fixed layout of the tool it used, so lines that
 * the edit doesn't touch may change; `minimal` without any other change.
 */
export type EditStyle = "flux" | "minimal";

/** Options for an edit; the default style is `flux`. */
export interface EditOptions {
  readonly style?: EditStyle;
}

/** Changes a document if it's the one to edit, and returns whether it is. */
export type DocumentEdit = (document: Value, changes: Changes) => boolean;

/**
 * Edits the first document in a file that the edit accepts.
 *
 * @throws ManifestNotFoundError if it accepts none
 * @throws EditError if the file isn't valid YAML, or can't be written again
 */
export function editFile(input: EditInput, { style }: EditOptions, edit: DocumentEdit): string {
  const text = decodeInput(input);
  const stream = readStream(text);
  const changes = new Changes();
  const document = stream.documents.find(({ root }) => edit(root, changes));
  if (style === "minimal" && document !== undefined) {
    return spliced(text, document, changes) ?? rewritten(text, stream);
  }
  const written = rewritten(text, stream);
  if (document === undefined) {
    throw new ManifestNotFoundError();
  }
  return written;
}

function rewritten(text: string, { documents, clash }: YamlStream): string {
  if (clash !== undefined) {
    throw clash;
  }
  return writeStream(documents, text.length);
}

/** The text with minimal changes, if parsing it gives the document that the edit produced. */
function spliced(text: string, { root, start, end }: YamlDocument, changes: Changes): string | undefined {
  const edited = minimalEdit(text, changes.made);
  if (edited === undefined) {
    return undefined;
  }
  const again = tryRead(edited.slice(start, end + edited.length - text.length));
  const [only] = again ?? [];
  return again?.length === 1 && only !== undefined && sameValues(root, only.root) ? edited : undefined;
}

function tryRead(text: string): readonly YamlDocument[] | undefined {
  try {
    return readStream(text).documents;
  } catch (error) {
    if (error instanceof EditError) {
      return undefined;
    }
    throw error;
  }
}
