/** What form of answer a client asks for. */
import { protobufType } from "../protobuf/decode-object.ts";
import { notAcceptableError, unknownMediaTypeError } from "../status-errors.ts";
import { jsonType, yamlType } from "./answer.ts";

/** Objects as they are, or what a client wants in their place. */
export type Form = "object" | "table" | "metadata";

/** The form and encoding of an answer. */
export interface Wanted {
  readonly form: Form;
  readonly encoding: typeof jsonType | typeof yamlType;
  /** The version of meta.k8s.io in which tables and metadata are written: "v1" or "v1beta1". */
  readonly metaVersion: string;
}

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const kinds: ReadonlyMap<string, Form> = new Map([
  ["Table", "table"],
  ["PartialObjectMetadata", "metadata"],
  ["PartialObjectMetadataList", "metadata"],
]);

/** The first form asked for that can be given; JSON where nothing is asked. Throws KubeApiError (406). */
export function negotiate(accept: string): Wanted {
  const ranges = parseAccept(accept);
  for (const range of ranges) {
    const encoding = encodingOf(range.type);
    const as = range.parameters.get("as");
    const form = as === undefined ? "object" : kinds.get(as);
    const metaVersion = range.parameters.get("v") ?? "v1";
    const isMeta = as === undefined || range.parameters.get("g") === "meta.k8s.io";
    if (encoding !== undefined && form !== undefined && isMeta && /^v1(beta1)?$/.test(metaVersion)) {
      return { form, encoding, metaVersion };
    }
  }
  const isKnown = ranges.some(({ type }) => encodingOf(type) !== undefined || type === protobufType);
  throw isKnown ? notAcceptableError([jsonType, yamlType]) : unknownMediaTypeError([jsonType, yamlType]);
}

/** A kind of document, as an Accept header names it. */
export interface KindOfDocument {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** True where the client asks for that kind of aggregated document, e.g. "APIGroupDiscoveryList" v2. */
export function asksFor(accept: string, { group, version, kind }: KindOfDocument): boolean {
  return parseAccept(accept).some(
    ({ type, parameters }) =>
      encodingOf(type) !== undefined &&
      parameters.get("g") === group &&
      parameters.get("v") === version &&
      parameters.get("as") === kind,
  );
}

/** The media ranges of an Accept header, best first. */
export function parseAccept(accept: string): readonly MediaRange[] {
  if (accept.trim() === "") {
    return [{ type: "*/*", parameters: new Map() }];
  }
  const ranges = accept.split(",").map(parseRange);
  return ranges.sort((a, b) => quality(b) - quality(a));
}

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  return { type: type.toLowerCase(), parameters: new Map(parameters.map(parseParameter)) };
}

function parseParameter(text: string): [string, string] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
}

function quality(range: MediaRange): number {
  const q = Number(range.parameters.get("q") ?? 1);
  return Number.isNaN(q) ? 0 : q;
}

function encodingOf(type: string): Wanted["encoding"] | undefined {
  switch (type) {
    case jsonType:
    case "application/*":
    case "*/*":
      return jsonType;
    case yamlType:
      return yamlType;
    default:
      return undefined;
  }
}
