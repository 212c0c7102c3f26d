/**
 * Generates packages/kube/src/patch/builtin-schema-table.ts from the OpenAPI v2 document of an API server
 * that serves all of its kinds.
 */
import { membersOf } from "@weir/base";
import { apiVersionOf } from "@weir/kube";
import {
  type FieldRules,
  kindsOfType,
  openApiFields,
  printTypeLine,
  typesOfDocument,
} from "@weir/kube/patch";
import { ApiServerReader, type ServerAccess } from "../generate/api-server.ts";
import type { GeneratedFile } from "../generate/generated-file.ts";

type Fields = ReadonlyMap<string, FieldRules>;
type Table = Readonly<Record<string, string>>;

/** The prefix of Kubernetes' own types; the rest of the name is unique. */
const home =
  /^io\.k8s\.(api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis|kube-aggregator\.pkg\.apis)\./;

/** The formatter's limit. */
const lineWidth = 110;

const plain: readonly [string, string] = ["plain", "metadata=meta.v1.ObjectMeta"];

/** Flags with which the API server serves all of its kinds. */
export const everyKind: readonly string[] = [
  "--runtime-config=api/all=true",
  "--feature-gates=AllAlpha=true,AllBeta=true",
];

/** The module, from an API server that was started with those flags. */
export async function patchSchemaModule(access: ServerAccess): Promise<readonly GeneratedFile[]> {
  await using server = new ApiServerReader(access);
  const document = await server.get("/openapi/v2");
  const types = readTypes(document);
  const kinds = readKinds(document, types);
  const content = printModule(linesOf(types, kinds), printKinds(kinds));
  return [{ path: "packages/kube/src/patch/builtin-schema-table.ts", content }];
}

/** A kind and the name of its type. */
interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: string;
}

/** The fields of each of Kubernetes' own types, under short names. */
function readTypes(document: unknown): ReadonlyMap<string, Fields> {
  const definitions = typesOfDocument(document);
  const fieldsOf = openApiFields(definitions);
  const names = Object.keys(definitions).filter((name) => home.test(name));
  return new Map(names.map((name) => [shorten(name), withShortTypes(fieldsOf(name) ?? new Map())]));
}

function withShortTypes(fields: Fields): Fields {
  return new Map(
    [...fields].map(([name, { type, ...rules }]) => [
      name,
      type === undefined ? rules : { ...rules, type: shorten(type) },
    ]),
  );
}

function shorten(name: string): string {
  return name.replace(home, "");
}

/** A line for each type with rules that a kind contains, at any depth. */
function linesOf(types: ReadonlyMap<string, Fields>, kinds: readonly Kind[]): Table {
  const ruled = typesWithRules(types);
  const lines = new Map([plain]);
  const wanted = kinds.map(({ type }) => type).filter((type) => type !== plain[0]);
  for (let type = wanted.pop(); type !== undefined; type = wanted.pop()) {
    if (!lines.has(type)) {
      const fields = ruledFields(types.get(type), ruled);
      lines.set(type, printTypeLine(fields));
      wanted.push(...[...fields.values()].flatMap((rules) => rules.type ?? []));
    }
  }
  return Object.fromEntries([...lines].sort(byName));
}

/** Extends the set of types with rules until it includes every type that references one of them. */
function typesWithRules(types: ReadonlyMap<string, Fields>): ReadonlySet<string> {
  const ruled = new Set<string>();
  for (let before = -1; before < ruled.size; ) {
    before = ruled.size;
    for (const [name, fields] of types) {
      if (ruledFields(fields, ruled).size > 0) {
        ruled.add(name);
      }
    }
  }
  return ruled;
}

function ruledFields(fields: Fields | undefined, ruled: ReadonlySet<string>): Fields {
  const kept = [...(fields ?? [])].map(([name, { type, ...rules }]): readonly [string, FieldRules] => [
    name,
    type !== undefined && ruled.has(type) ? { ...rules, type } : rules,
  ]);
  return new Map(kept.filter(([, rules]) => hasRule(rules)).sort(byName));
}

function hasRule(rules: FieldRules): boolean {
  return rules.strategies.length > 0 || rules.type !== undefined || rules.isQuantity === true;
}

/** The kinds with metadata; kinds without other rules share the type "plain". */
function readKinds(document: unknown, types: ReadonlyMap<string, Fields>): readonly Kind[] {
  const ruled = typesWithRules(types);
  const definitions = [...membersOf(typesOfDocument(document))].filter(([name]) => home.test(name));
  return definitions.flatMap(([name, definition]) => {
    const fields = ruledFields(types.get(shorten(name)), ruled);
    const type = printTypeLine(fields) === plain[1] ? plain[0] : shorten(name);
    return fields.get("metadata")?.type === "meta.v1.ObjectMeta"
      ? kindsOfType(definition).map(({ group, version, kind }) => ({
          apiVersion: apiVersionOf(group, version),
          kind,
          type,
        }))
      : [];
  });
}

/** The kinds by apiVersion, as "Kind=type", or only "Kind" for plain ones. */
function printKinds(kinds: readonly Kind[]): Table {
  const byApiVersion = Map.groupBy(kinds, ({ apiVersion }) => apiVersion);
  const lines = [...byApiVersion].map(([apiVersion, members]) => {
    const entries = members.map(({ kind, type }) => (type === plain[0] ? kind : `${kind}=${type}`));
    return [apiVersion, entries.sort().join(" ")] as const;
  });
  return Object.fromEntries(lines.sort(byName));
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

function printModule(lines: Table, kinds: Table): string {
  return `// Generated by npm run generate from the OpenAPI document of Kubernetes; do not edit.

/** The types with patch rules; see schema-table.ts for the format of a line. */
export const typeLines: Readonly<Record<string, string>> = ${printTable(lines)};

/** The kinds of each apiVersion: "Kind=type", or only "Kind" for those of type "plain". */
export const kindsByApiVersion: Readonly<Record<string, string>> = ${printTable(kinds)};
`;
}

/**
 * Like the formatter: breaks a line that is too long after its name, unless the name is as short as the
 * indent.
 */
function printTable(table: Table): string {
  const entries = Object.entries(table).map(([key, value]) => {
    const name = /^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key);
    const line = `  ${name}: ${JSON.stringify(value)},`;
    return line.length > lineWidth && name.length > 2 ? line.replace(": ", ":\n    ") : line;
  });
  return ["{", ...entries, "}"].join("\n");
}
