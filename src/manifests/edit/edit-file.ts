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
 * How the edited file is written: `flux` as Flux v1 always did it, in the one layout of the tool it used, so that
 * lines which the edit does not touch may change; `minimal` so that nothing else changes.
 */
export type EditStyle = "flux" | "minimal";

/** What may be chosen in an edit; the style is `flux` if it is not. */
export interface EditOptions {
  readonly style?: EditStyle;
}

/** Makes its changes in a document, if that is the one to edit, and says whether it is. */
export type DocumentEdit = (document: Value, changes: Changes) => boolean;

/**
 * Edits the first document of a file that the edit takes.
 *
 * @throws ManifestNotFoundError where it takes none
 * @throws EditError where the file is not YAML, or cannot be written again
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

/** The text with the least changes, if the document read again is what the edit made of it. */
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
