import assert from "node:assert/strict";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type OperationName, type Route, routes } from "../../src/contract/routes.ts";
import { openApi } from "../../src/rest/openapi.ts";

/** What a call sent, and what came back; what isn't there is undefined. */
export interface DescribedCall {
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly answer?: unknown;
}

interface Operation {
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const document = JSON.parse(JSON.stringify(openApi("1.2.3"))) as { readonly paths: Paths };

function validator(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes });
  addFormats.default(ajv);
  ajv.addSchema(document, "console");
  return ajv;
}

const exact = validator(false);

/** A query has only texts, which mean numbers in some places. */
const ofQueries = validator(true);

/** Fails if the OpenAPI document describes a call that succeeded differently, or not at all. */
export function assertDescribed(name: OperationName, { query = {}, body, answer }: DescribedCall): void {
  const { path, method }: Route = routes[name];
  const operation = document.paths[path]?.[method.toLowerCase()];
  assert.ok(operation !== undefined, `${name} isn't described`);
  const at = `console#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method.toLowerCase()}`;
  const parameters = operation.parameters.filter((each) => each.in === "query");
  for (const [index, parameter] of operation.parameters.entries()) {
    const value = (query as Readonly<Record<string, unknown>>)[parameter.name];
    if (parameter.in === "query" && value !== undefined) {
      assertValid(ofQueries, `${at}/parameters/${index}/schema`, { name, value: asSent(value) });
    }
  }
  const known = new Set(parameters.map((parameter) => parameter.name));
  const unknown = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || known.has(key) ? [] : key,
  );
  assert.deepEqual(unknown, [], `parameters of ${name} that aren't described`);
  assert.equal(body !== undefined, operation.requestBody !== undefined, `the body of ${name}`);
  if (body !== undefined) {
    assertValid(exact, `${at}/requestBody/content/application~1json/schema`, { name, value: body });
  }
  assert.equal(answer !== undefined, "200" in operation.responses, `the answer of ${name}`);
  if (answer !== undefined) {
    assertValid(exact, `${at}/responses/200/content/application~1json/schema`, { name, value: answer });
  }
}

function asSent(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String) : String(value);
}

function assertValid(
  ajv: Ajv2020,
  ref: string,
  { name, value }: { readonly name: string; readonly value: unknown },
): void {
  const check = ajv.getSchema(ref);
  assert.ok(check !== undefined, `${ref} isn't described`);
  const copy: unknown = JSON.parse(JSON.stringify(value));
  assert.ok(check(copy), `${name}: ${describe(check.errors ?? [])} in ${JSON.stringify(value)}`);
}

function describe(errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message = "" }) => `${instancePath} ${message}`).join(", ");
}
