/** Bodies as objects of the resource that they are sent to. */

import { jsonType, yamlType } from "../api/answer.ts";
import type { FieldValidation } from "../api/options.ts";
import type { ApiRequest } from "../api/request.ts";
import { invalid, refuseInvalid } from "../field-errors.ts";
import { protobufType } from "../protobuf/decode-object.ts";
import { WireError } from "../protobuf/wire.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { DecodeError, jsonKind } from "../schema/decode.ts";
import { badRequestError, unregisteredMessage, unsupportedMediaTypeError } from "../status-errors.ts";
import { type ParsedText, parseJson, TextError } from "../text/parse-json.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { isTree, nodeAt, stringAt, type Tree } from "../tree.ts";

/** An object of a request, and what the client should know of how it was read. */
export interface ReadObject {
  readonly object: Tree;
  readonly warnings: readonly string[];
}

/** Reads the body of a create or update and fills in its defaults. Throws KubeApiError (400, 415). */
export async function readObject(
  request: ApiRequest,
  resource: ServedResource,
  validation: FieldValidation,
): Promise<ReadObject> {
  const parsed = await readText(request, resource.kind);
  const body = requireObject(parsed, request, resource);
  const kind = stringAt(body, "kind") || resource.kind;
  const version = versionIn(body, resource);
  try {
    const read = decodeBody(body, resource, { duplicates: parsed.duplicates, validation });
    requireKind(body, resource);
    return read;
  } catch (error) {
    throw error instanceof DecodeError
      ? badRequestError(
          `${kind} in version "${version}" cannot be handled as a ${resource.kind}: ${error.message}`,
        )
      : error;
  }
}

/** Decodes an object that is at hand as a tree and fills in its defaults. Throws DecodeError. */
export function decodeBody(
  body: Tree,
  resource: Pick<ServedResource, "codec">,
  {
    duplicates,
    validation,
  }: { readonly duplicates: readonly string[]; readonly validation: FieldValidation },
): ReadObject {
  const { object, unknown } = resource.codec.decode(keepReset(body));
  const faults = [...duplicates, ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`)];
  if (validation === "Strict" && faults.length > 0) {
    throw new DecodeError(`strict decoding error: ${faults.join(", ")}`);
  }
  resource.codec.setDefaults(object);
  return { object, warnings: validation === "Warn" ? faults : [] };
}

/** How a body that cannot be read is refused, by what is wrong with it. */
type Refuse = (problem: string) => Error;

/** Reads any body as JSON or YAML, by its content type. Throws KubeApiError (415), or what `refuse` makes. */
export async function readText(
  request: ApiRequest,
  kind: string,
  refuse: Refuse = (problem) => unreadable(kind, problem, request),
): Promise<ParsedText> {
  const text = Buffer.from(request.body).toString();
  const [type = ""] = request.headers.contentType.split(";");
  try {
    switch (type.trim().toLowerCase()) {
      case "":
      case "*/*":
      case jsonType:
        return parseJson(text);
      case yamlType:
        return await parseYaml(text);
      case protobufType:
        return { value: request.readProtobuf(request.body), duplicates: [] };
      default:
        throw unsupportedMediaTypeError([jsonType, yamlType, protobufType]);
    }
  } catch (error) {
    if (error instanceof WireError) {
      throw badRequestError(
        `the object provided is unrecognized (must be of type ${kind}): ${error.message}`,
      );
    }
    throw error instanceof TextError ? refuse(problemOf(error.message)) : error;
  }
}

function problemOf(why: string): string {
  return why.startsWith("yaml: ") ? why : `couldn't get version/kind; json parse error: ${why}`;
}

function unreadable(kind: string, problem: string, { body }: ApiRequest): Error {
  const shown = summarize(Buffer.from(body).toString());
  return badRequestError(
    `the object provided is unrecognized (must be of type ${kind}): ${problem} (${shown})`,
  );
}

/** The beginning of a body, as the API server shows what it could not read. */
function summarize(text: string): string {
  if (text === "") {
    return "<empty>";
  }
  const bytes = Buffer.from(text);
  const shown = text.startsWith("{")
    ? bytes.subarray(0, 30).toString()
    : bytes.subarray(0, 30).toString("hex");
  return bytes.length > 30 ? `${shown} ...` : shown;
}

function requireObject({ value }: ParsedText, request: ApiRequest, resource: ServedResource): Tree {
  if (value === null) {
    return {};
  }
  if (!isTree(value)) {
    const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
    throw unreadable(resource.kind, problemOf(why), request);
  }
  return value;
}

function versionIn(body: Tree, resource: ServedResource): string {
  const apiVersion = stringAt(body, "apiVersion") || resource.apiVersion;
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** What a body says that it is must be what the resource holds, where it says anything. */
function requireKind(body: Tree, resource: ServedResource): void {
  const apiVersion = stringAt(body, "apiVersion");
  const kind = stringAt(body, "kind");
  if (resource.custom) {
    requireCustomKind(resource, body, kind);
  }
  const said = { apiVersion: apiVersion || resource.apiVersion, kind: kind || resource.kind };
  if (!resource.codec.isRegistered(said.apiVersion, said.kind)) {
    throw new DecodeError(unregisteredMessage(said.apiVersion, said.kind));
  }
  if (apiVersion !== "" && apiVersion !== resource.apiVersion) {
    throw badRequestError(
      `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  if (kind !== "" && kind !== resource.kind) {
    throw new DecodeError(
      `converting (${resource.version}.${kind}) to (${internalGroup(resource)}.${resource.kind}): unknown conversion`,
    );
  }
}

function requireCustomKind({ group, kind }: ServedResource, body: Tree, said: string): void {
  if (said !== "" && said !== kind) {
    const name = stringAt(body, "metadata", "name");
    refuseInvalid({ group, kind: said }, name, [invalid("kind", said, `must be ${kind}`)]);
  }
}

/** The Go package of the group's own form of its kinds. */
function internalGroup({ group }: ServedResource): string {
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}

/** An empty list of managers asks the server to forget them; decoding would take it for an absent one. */
function keepReset(body: Tree): Tree {
  const managers = nodeAt(body, "metadata", "managedFields");
  const metadata = body["metadata"];
  return Array.isArray(managers) && managers.length === 0 && isTree(metadata)
    ? { ...body, metadata: { ...metadata, managedFields: [{}] } }
    : body;
}
