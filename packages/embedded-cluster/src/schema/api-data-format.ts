import type { JsonObject } from "@weir/base";

/**
 * One field of a built-in type: its JSON name; its Go type with full package names (a leading * marks a
 * pointer); flags, "e" where it is left out when empty, "z" where it is left out when a zero struct; its OpenAPI
 * v3 schema without the description; and the way to it in protobuf, e.g. "2.5" where it is field 5 of a message
 * in field 2. Fields stand in the order of the Go struct, in which the API server writes them.
 */
export type FieldData = readonly [
  name: string,
  goType: string,
  flags: string,
  schema: JsonObject,
  proto: string,
];

/** A built-in type: its OpenAPI v3 schema without descriptions, and its fields in the place of properties. */
export interface TypeData {
  readonly fields: readonly FieldData[];
  readonly [keyword: string]: unknown;
}

/** What the shipped data file holds: facts of one Kubernetes version, read by scripts/openapi-data. */
export interface ApiData {
  /** The answer of /version. */
  readonly version: JsonObject;
  /** Go types that have a name but no schema of their own, e.g. "io.k8s.api.core.v1.Protocol": "string". */
  readonly named: Readonly<Record<string, string>>;
  /** By OpenAPI name, e.g. "io.k8s.api.apps.v1.Deployment". */
  readonly types: Readonly<Record<string, TypeData>>;
  /** The aggregated discovery documents of /api and of /apis. */
  readonly discovery: readonly [JsonObject, JsonObject];
  /** The columns of the tables that the server prints, by path of the collection, e.g. "/api/v1/pods". */
  readonly columns: Readonly<Record<string, readonly JsonObject[]>>;
}

/** The description of a type, followed by those of its fields. */
export type TypeText = readonly string[];

/** What the file of descriptions holds, by OpenAPI name; only OpenAPI documents need it. */
export type ApiText = Readonly<Record<string, TypeText>>;

/** The data files by name, and what each one holds. */
export interface DataFiles {
  readonly "api-data": ApiData;
  readonly "api-text": ApiText;
}
