import type { JsonValue } from "@weir/base";
import {
  checkSource,
  DocumentReader,
  encodeInSteps,
  MappingBuilder,
  type Steps,
  scalarText,
  toKubeJson,
  YamlError,
  YamlToJsonError,
  type YamlValue,
} from "@weir/yaml/go-yaml";
import { policiesOf } from "./annotations.ts";
import { misfitsOf } from "./check-shape.ts";
import { DocumentError } from "./errors.ts";
import { fieldAt, fieldOf, itemsOf, membersOf, textOf } from "./fields.ts";
import { anyManifest, manifestList, manifestsByKind, type Shape } from "./go-shape.ts";
import { checkHelmRelease } from "./helm-release-shape.ts";
import { type JsonDocument, Manifest } from "./manifest.ts";
import { unmarshalMessage } from "./unmarshal-error.ts";
import { annotationsOf, helmReleaseKind, workloadContainers } from "./workload.ts";

/** A document, and whether it's plain JSON. */
interface Document {
  readonly value: YamlValue;
  readonly isJson: boolean;
  /** Why kubectl can't parse it. */
  readonly problem?: Error;
}

/**
 * The manifests in a document, step by step: one, the items of a list, or none if it has no kind. Throws DocumentError
 * or YamlError.
 */
export function* readDocument(document: Document, source: string): Steps<readonly Manifest[]> {
  const written = yield* writeAgain(document);
  const kind = readKind(written);
  if (kind.endsWith("List") && !manifestsByKind.has(kind)) {
    return yield* readList(written, source);
  }
  return kind === "" ? [] : [readManifest(written, kind, source)];
}

/** A document and its bytes. */
interface Written extends Document {
  readonly bytes: string;
}

/** Printing changes the meaning of only one kind of document: one with a key "<<" in quotes. */
function* writeAgain(document: Document): Steps<Written> {
  const bytes = yield* encodeInSteps(document.value);
  return { ...(bytes.includes("<<:") ? yield* readAgain(bytes, document) : document), bytes };
}

/** If the text can't be parsed again, that's an error only if somebody, such as kubectl, reads that part. */
function* readAgain(bytes: string, document: Document): Steps<Document> {
  try {
    return (yield* new DocumentReader(checkSource(bytes)).next()) ?? document;
  } catch (error) {
    if (error instanceof YamlError) {
      return { ...document, problem: error };
    }
    throw error;
  }
}

function readKind({ value, bytes }: Written): string {
  checkShape(value, anyManifest, bytes);
  return textOf(fieldOf(value, "kind"));
}

function checkShape(value: YamlValue, shape: Shape, bytes: string): void {
  const misfits = misfitsOf(value, shape);
  if (misfits.length > 0) {
    throw new DocumentError(unmarshalMessage(misfits, bytes));
  }
}

function readManifest(written: Written, kind: string, source: string): Manifest {
  const { value, bytes } = written;
  const shape = kind.endsWith("List") ? manifestList : manifestsByKind.get(kind);
  if (shape !== undefined) {
    checkShape(value, shape, bytes);
  }
  const json = toJson(written);
  const isHelmRelease = kind === helmReleaseKind;
  const document = isHelmRelease ? helmReleaseOf(json) : value;
  const annotations = annotationsOf(value);
  return new Manifest({
    apiVersion: textOf(fieldOf(value, "apiVersion")),
    kind,
    name: textOf(fieldAt(value, ["metadata", "name"])),
    namespace: textOf(fieldAt(value, ["metadata", "namespace"])),
    source,
    bytes,
    policies: policiesOf(annotations),
    containers: workloadContainers({ kind, annotations, document }),
    json,
  });
}

function toJson(document: Written): JsonDocument {
  const { problem, value } = document;
  if (problem !== undefined) {
    return { error: problem };
  }
  try {
    return { value: isJson(document) ? document.value : toKubeJson(value) };
  } catch (error) {
    if (error instanceof YamlToJsonError) {
      return { error };
    }
    throw error;
  }
}

/** Flux v1 reads the JSON form only for this kind. */
function helmReleaseOf(json: JsonDocument): JsonValue {
  if ("error" in json) {
    throw new DocumentError(`error converting YAML to JSON: ${json.error.message}`, { cause: json.error });
  }
  checkHelmRelease(json.value);
  return json.value;
}

function isJson(document: Document): document is Document & { readonly value: JsonValue } {
  return document.isJson;
}

function* readList(list: Written, source: string): Steps<readonly Manifest[]> {
  checkShape(list.value, manifestList, list.bytes);
  const manifests: Manifest[] = [];
  for (const item of itemsOf(fieldOf(list.value, "items"))) {
    const document = { value: withTextKeys(item), isJson: list.isJson };
    manifests.push(yield* readItem(document, manifests.length + 1, source));
    yield;
  }
  return manifests;
}

/** Flux v1 crashes if an item isn't a manifest; here, that's an error of the file. */
function* readItem(item: Document, number: number, source: string): Steps<Manifest> {
  try {
    const written = yield* writeAgain(item);
    const kind = readKind(written);
    if (kind === "") {
      throw new DocumentError("it has no kind");
    }
    return readManifest(written, kind, source);
  } catch (error) {
    if (error instanceof DocumentError || error instanceof YamlError) {
      throw new DocumentError(`item ${number} of the list: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** An item is decoded into a map of strings: at its top level, keys of any type become strings. */
function withTextKeys(item: YamlValue): YamlValue {
  const builder = new MappingBuilder();
  for (const [key, value] of membersOf(item)) {
    builder.set(scalarText(key), value);
  }
  return builder.build();
}
