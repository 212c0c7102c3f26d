import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type Request, type Response, Router } from "express";
import { type OperationName, type Route, routes } from "../../../src/contract/routes.ts";
import { type Schemas, schemas } from "../../../src/contract/schemas.ts";
import { bindOperations } from "../../../src/rest/api.ts";
import { openApi } from "../../../src/rest/openapi.ts";

const all = Object.entries<Route>(routes) as readonly (readonly [OperationName, Route])[];

describe("the routes of the REST API", () => {
  for (const [name, { method, path }] of all) {
    it(`lead to ${name}`, async () => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
      const values = Object.fromEntries(names.map((parameter) => [parameter, `${parameter}/:%2F é`]));
      const url = path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) =>
        encodeURIComponent(values[parameter] ?? ""),
      );
      assert.deepEqual(await led(method, url), { name, path: values });
    });
  }

  it("tell a wrong method from a wrong path", async () => {
    assert.match(String(await led("PUT", "/workloads")), /can't be used with PUT/);
    assert.equal(await led("GET", "/nothing"), undefined);
    assert.equal(await led("GET", "/workloads/"), undefined);
  });

  it("change nothing with GET", () => {
    const withBody = all.filter(([name, { method }]) => method === "GET" && "body" in schemas[name]);
    assert.deepEqual(withBody, []);
  });

  it("let only those change something who are at least operators, or change what's their own", () => {
    const open = all.filter(
      ([, { method, needs }]) => method !== "GET" && (needs === "nobody" || needs === "viewer"),
    );
    assert.deepEqual(
      open.map(([name]) => name),
      ["logIn", "acceptInvitation", "plan"],
    );
  });
});

describe("the OpenAPI document", () => {
  const document = JSON.parse(JSON.stringify(openApi("1.2.3"))) as {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly components: { readonly schemas: object };
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };

  it("is one, by the schema of OpenAPI 3.1, and refers to nothing that isn't there", async () => {
    const validator = new Validator();

    assert.deepEqual(await validator.validate(structuredClone(document)), { valid: true });
    assert.doesNotThrow(() => validator.resolveRefs());
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(names.toSorted(), ["Change", "Json", "Problem", "TreeNode"]);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    assert.deepEqual(
      new Set(references),
      new Set([
        "#/components/responses/Problem",
        ...["Json", "Problem", "TreeNode"].map((name) => `#/components/schemas/${name}`),
      ]),
    );
  });

  it("has the stream of changes, and nothing else that isn't an operation", () => {
    const described = Object.values(document.paths).flatMap((each) => Object.values(each));
    const known = new Set<string>(all.map(([name]) => name));

    assert.deepEqual(
      described.map(({ operationId }) => operationId).filter((id) => !known.has(id)),
      ["stream"],
    );
    assert.deepEqual(document.paths["/stream"]?.["get"]?.responses["200"], {
      description: "The stream, which goes on until the session or token ends.",
      content: { "text/event-stream": { schema: { type: "string" } } },
    });
  });

  it("has every operation, with its parameters, body, and answer", () => {
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1.2.3");
    for (const [name, { method, path }] of all) {
      const own: Schemas = schemas[name];
      const described = document.paths[path]?.[method.toLowerCase()];
      assert.equal(described?.operationId, name);
      assert.equal(described.requestBody !== undefined, own.body !== undefined, name);
      assert.equal("200" in described.responses, own.answer !== undefined, name);
      const inQuery = described.parameters.filter((parameter) => parameter.in === "query");
      assert.deepEqual(
        inQuery.map((parameter) => parameter.name),
        Object.keys(own.query?.shape ?? {}),
      );
    }
  });
});

/** Where a request is led to, or why to nothing; undefined if it's left to what follows. */
function led(method: string, url: string): Promise<unknown> {
  const router = Router({ caseSensitive: true, strict: true });
  return new Promise((resolve) => {
    bindOperations(router, (name, { params }) => {
      resolve({ name, path: { ...params } });
      return Promise.resolve();
    });
    router({ method, url } as Request, {} as Response, resolve);
  });
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}
