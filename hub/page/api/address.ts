import { type OperationName, routes } from "../../src/contract/routes.ts";

/** Below this, the API is served. */
export const apiRoot = "/api/console/v1";

/** What the address of a call is made of. */
export interface Addressed {
  /** The parameters in the path, not escaped. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Parameters behind the path; lists are repeated, and what's undefined or empty is left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/** The address of an operation, with everything escaped. */
export function addressOf(name: OperationName, { params = {}, query = {} }: Addressed): string {
  const path = routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const search = new URLSearchParams(Object.entries(query).flatMap(([key, value]) => pairsOf(key, value)));
  return `${apiRoot}${path}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

function pairsOf(key: string, value: unknown): [string, string][] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(isSent).map((each) => [key, String(each)]);
}

function isSent(value: unknown): value is string | number | boolean {
  return (
    (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean"
  );
}
