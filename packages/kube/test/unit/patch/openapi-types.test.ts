import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kindsOfType, openApiFields, typesOfDocument } from "../../../src/patch/openapi-types.ts";

const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";

describe("openApiFields", () => {
  it("reads the rules of version 2, where a field refers to its type directly", () => {
    const types = typesOfDocument({
      definitions: {
        "io.k8s.api.x.v1.Spec": {
          properties: {
            items: {
              type: "array",
              items: { $ref: "#/definitions/io.k8s.api.x.v1.Item" },
              "x-kubernetes-patch-merge-key": "name",
              "x-kubernetes-patch-strategy": "merge,retainKeys",
            },
            strategy: {
              $ref: "#/definitions/io.k8s.api.x.v1.Strategy",
              "x-kubernetes-patch-strategy": "retainKeys",
            },
            limits: { type: "object", additionalProperties: { $ref: `#/definitions/${quantity}` } },
            size: { $ref: `#/definitions/${quantity}` },
            name: { type: "string" },
          },
        },
      },
    });

    assert.deepEqual(
      openApiFields(types)("io.k8s.api.x.v1.Spec"),
      new Map([
        ["items", { strategies: ["merge", "retainKeys"], mergeKey: "name", type: "io.k8s.api.x.v1.Item" }],
        ["strategy", { strategies: ["retainKeys"], type: "io.k8s.api.x.v1.Strategy" }],
        ["limits", { strategies: [], isQuantity: true }],
        ["size", { strategies: [], isQuantity: true }],
        ["name", { strategies: [] }],
      ]),
    );
  });

  it("reads those of version 3, where it does so by allOf", () => {
    const types = typesOfDocument({
      components: {
        schemas: {
          Spec: {
            properties: {
              items: {
                type: "array",
                items: { default: {}, allOf: [{ $ref: "#/components/schemas/Item" }] },
                "x-kubernetes-patch-merge-key": "name",
                "x-kubernetes-patch-strategy": "merge",
              },
              template: { default: {}, allOf: [{ $ref: "#/components/schemas/Template" }] },
              limits: { additionalProperties: { $ref: `#/components/schemas/${quantity}` } },
            },
          },
        },
      },
    });

    assert.deepEqual(
      openApiFields(types)("Spec"),
      new Map<string, object>([
        ["items", { strategies: ["merge"], mergeKey: "name", type: "Item" }],
        ["template", { strategies: [], type: "Template" }],
        ["limits", { strategies: [], isQuantity: true }],
      ]),
    );
  });

  it("finds nothing in documents that are none, and in types that are not there", () => {
    for (const document of [null, [], "x", {}, { definitions: [] }, { components: { schemas: 1 } }]) {
      assert.deepEqual(typesOfDocument(document), {});
    }
    assert.equal(openApiFields({})("constructor"), undefined);
    assert.deepEqual(
      openApiFields({ Odd: { properties: { a: 1, b: { items: [] } } } })("Odd"),
      new Map([
        ["a", { strategies: [] }],
        ["b", { strategies: [] }],
      ]),
    );
  });
});

describe("kindsOfType", () => {
  it("tells as what a type is served", () => {
    const definition = {
      "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Deployment" }],
    };

    assert.deepEqual(kindsOfType(definition), [{ group: "apps", version: "v1", kind: "Deployment" }]);
    assert.deepEqual(kindsOfType({ type: "object" }), []);
  });
});
