import type { JsonObject } from "@weir/base";

/** The query parameters of operations: their types and what they do. */
const known: Readonly<Record<string, readonly [type: string, description: string]>> = {
  pretty: ["string", "If 'true', then the output is pretty printed."],
  dryRun: [
    "string",
    "When present, indicates that modifications should not be persisted. Valid values are: - All: all dry run stages will be processed",
  ],
  fieldManager: ["string", "The name of the actor that makes the change, at most 128 printable characters."],
  fieldValidation: [
    "string",
    "What to do about unknown and duplicate fields: - Ignore - Warn: send a warning for each (the default) - Strict: fail the request",
  ],
  force: [
    "boolean",
    "Force Apply requests: take over fields that other managers own. Unset for non-apply patches.",
  ],
  allowWatchBookmarks: ["boolean", "Ask for watch events of type BOOKMARK."],
  continue: ["string", "The token of a list from which to go on."],
  fieldSelector: ["string", "Restricts the list by the fields of objects."],
  labelSelector: ["string", "Restricts the list by the labels of objects."],
  limit: ["integer", "The most objects to answer at once."],
  resourceVersion: ["string", "Which state the answer is to reflect."],
  resourceVersionMatch: ["string", "How resourceVersion is meant for lists."],
  sendInitialEvents: ["boolean", "Begin a watch with the objects that are there."],
  timeoutSeconds: ["integer", "How long a list or watch may last."],
  watch: ["boolean", "Watch for changes and answer them as a stream."],
  gracePeriodSeconds: ["integer", "How long the object may take to go; zero means at once."],
  orphanDependents: ["boolean", "Deprecated: use propagationPolicy."],
  propagationPolicy: ["string", "What becomes of dependents: 'Orphan', 'Background' or 'Foreground'."],
};

/** A query parameter as OpenAPI v3 writes it. */
export function parameterV3(name: string): JsonObject {
  const [type, description] = known[name] ?? ["string", ""];
  return { name, in: "query", description, schema: { type, uniqueItems: true } };
}

/** A query parameter as OpenAPI v2 writes it. */
export function parameterV2(name: string): JsonObject {
  const [type, description] = known[name] ?? ["string", ""];
  return { uniqueItems: true, type, description, name, in: "query" };
}

const inPath: Readonly<Record<string, string>> = {
  name: "name of the object",
  namespace: "object name and auth scope, such as for teams and projects",
};

/** The names of the parameters in a path, e.g. of "/namespaces/{namespace}/pods". */
export function pathParameters(
  path: string,
): readonly { readonly name: string; readonly description: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({ name, description: inPath[name] ?? "" }));
}
