import { get, inOwnWords, patch, post, put, type Request, remove } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

const widgetSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        colour: { type: "string", enum: ["red", "blue"], default: "red" },
        name: { type: "string", pattern: "^[a-z]+$", maxLength: 5 },
        when: { type: "string", format: "date-time" },
        parts: {
          type: "array",
          maxItems: 2,
          items: {
            type: "object",
            properties: { name: { type: "string" }, count: { type: "integer", default: 1 } },
          },
        },
        either: { "x-kubernetes-int-or-string": true },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        words: { type: "object", additionalProperties: { type: "string" } },
        maybe: { type: "string", nullable: true },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          items: {
            type: "object",
            required: ["port"],
            properties: { port: { type: "integer" }, name: { type: "string" } },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
        },
        replicas: { type: "integer" },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" }, replicas: { type: "integer" } } },
  },
};

/** A definition of a group of the scenario's own, so that scenarios do not meet. */
function definition(version: object = {}, spec: object = {}, names: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.$ns.example.com" },
    spec: {
      group: "$ns.example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", ...names },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: widgetSchema }, ...version },
      ],
      ...spec,
    },
  };
}

const own = `${definitions}/widgets.$ns.example.com`;
const widgets = "/apis/$ns.example.com/v1/namespaces/$ns/widgets";

function widget(name: string, spec: unknown, more: object = {}): object {
  return { apiVersion: "$ns.example.com/v1", kind: "Widget", metadata: { name }, spec, ...more };
}

/** Makes a definition, and waits until it is served: only its conditions tell. */
function served(made: object): readonly Request[] {
  return [post(definitions, made), { ...get(own), until: "Established" }];
}

describeSameAnswers("custom resources are kept as by the real API server", {
  "follows a schema": [
    ...served(definition()),
    post(widgets, widget("a", { size: 3 })),
    post(
      widgets,
      widget("b", { size: 3, unknown: 1, parts: [{ name: "x", other: 2 }], free: { any: [1, "2"] } }),
    ),
    post(`${widgets}?fieldValidation=Strict`, widget("c", { size: 3, unknown: 1, free: { any: 1 } })),
    ...[
      widget("c", { size: 3, words: { a: "b" }, maybe: null, colour: null, either: "50%" }),
      ...[
        {},
        { size: 0 },
        { size: 11 },
        { size: 1, colour: "green" },
        { size: 1, name: "Name" },
        { size: 1, when: "today" },
        { size: "3" },
        { size: 1.5 },
        { size: 1, name: "toolong" },
        { size: 1, parts: [{}, {}, {}] },
        { size: 1, parts: {} },
        { size: 1, words: { a: 1 } },
        { size: 1, tags: ["a", "a"] },
        { size: 1, ports: [{ port: 1 }, { port: 1 }] },
        { size: 1, ports: [{ name: "x" }] },
        { size: 1, either: true },
        "text",
        undefined,
      ].map((spec) => widget("d", spec)),
      { ...widget("d", { size: 1 }), kind: "Gadget" },
    ].map((body) => post(widgets, body)),
    post(`${widgets}?fieldValidation=Ignore`, {
      ...widget("d", { size: 1 }),
      apiVersion: "$ns.example.com/v2",
    }),
    post(widgets, widget("Bad_Name", { size: 1 })),
    get(widgets),
  ],
  changes: [
    ...served(definition()),
    post(widgets, widget("a", { size: 3 }, { status: { phase: "x" } })),
    patch("merge", `${widgets}/a`, { spec: { size: 4 } }),
    patch("merge", `${widgets}/a`, { spec: { size: 40 } }),
    patch("merge", `${widgets}/a`, { status: { phase: "y" } }),
    patch("json", `${widgets}/a`, [{ op: "replace", path: "/spec/size", value: 5 }]),
    patch("strategic", `${widgets}/a`, { spec: { size: 6 } }),
    put(`${widgets}/a`, widget("a", { size: 7 })),
    put(`${widgets}/a`, { ...widget("a", { size: 7 }), metadata: { name: "a", resourceVersion: "1" } }),
    put(`${widgets}/b`, widget("b", { size: 7 })),
    get(`${widgets}/a/status`),
    get(`${widgets}/a/scale`),
    remove(`${widgets}/a`),
    remove(`${widgets}/a`),
  ],
  applies: [
    ...served(definition()),
    apply("a", "one", widget("a", { size: 3, ports: [{ port: 80, name: "http" }], tags: ["x"] })),
    apply("a", "two", widget("a", { size: 3, ports: [{ port: 443, name: "https" }], tags: ["y"] })),
    apply("a", "two", widget("a", { size: 4 })),
    apply("a", "two", widget("a", { size: 4, unknown: 1 })),
    apply("a", "one", widget("a", { size: 3 })),
    get(`${widgets}/a`),
  ],
  "has subresources": [
    ...served(
      definition({
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
      }),
    ),
    post(widgets, widget("a", { size: 3, replicas: 2 }, { status: { phase: "x" } })),
    patch("merge", `${widgets}/a`, { status: { phase: "y" } }),
    patch("merge", `${widgets}/a/status`, { status: { phase: "y" }, spec: { size: 9 } }),
    patch("merge", `${widgets}/a`, { spec: { size: 4 } }),
    get(`${widgets}/a/scale`),
    patch("merge", `${widgets}/a/scale`, { spec: { replicas: 5 } }),
    patch("merge", `${widgets}/a/scale`, { spec: { replicas: -1 } }),
    get(`${widgets}/a`),
  ],
  "shows columns": [
    ...served(
      definition({
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          {
            name: "Colour",
            type: "string",
            jsonPath: ".spec.colour",
            priority: 1,
            description: "its colour",
          },
          { name: "First", type: "string", jsonPath: ".spec.parts[0].name" },
          { name: "All", type: "string", jsonPath: ".spec.parts[*].name" },
          { name: "Tags", type: "string", jsonPath: ".spec.tags" },
          { name: "When", type: "date", jsonPath: ".spec.when" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      }),
    ),
    post(widgets, widget("a", { size: 3, parts: [{ name: "x" }, { name: "y" }], tags: ["s", "t"] })),
    post(widgets, widget("b", { size: 4, when: "2020-01-01T00:00:00Z" })),
    get(widgets, table),
    get(`${widgets}/a`, table),
  ],
  "shows name and age where no columns are defined": [
    ...served(definition()),
    post(widgets, widget("a", { size: 3 })),
    get(widgets, table),
  ],
  "is found": [
    ...served(definition({}, {}, { shortNames: ["wd"], categories: ["all"], singular: "widget" })),
    get("/apis/$ns.example.com"),
    { ...get("/apis/$ns.example.com/v1"), until: "APIResourceList" },
    get("/apis/$ns.example.com/v2"),
    get(own, table),
  ],
  "serves versions": [
    ...served(
      definition(
        {},
        {
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: widgetSchema } },
            {
              name: "v1beta1",
              served: true,
              storage: false,
              deprecated: true,
              schema: { openAPIV3Schema: widgetSchema },
            },
            { name: "v1alpha1", served: false, storage: false, schema: { openAPIV3Schema: widgetSchema } },
          ],
        },
      ),
    ),
    post(widgets, widget("a", { size: 3 })),
    get("/apis/$ns.example.com/v1beta1/namespaces/$ns/widgets/a"),
    get("/apis/$ns.example.com/v1alpha1/namespaces/$ns/widgets/a"),
    patch("merge", "/apis/$ns.example.com/v1beta1/namespaces/$ns/widgets/a", { spec: { size: 5 } }),
    get("/apis/$ns.example.com"),
  ],
  "goes with its objects": [
    ...served(definition()),
    post(widgets, widget("a", { size: 3 })),
    remove(own),
    { ...get(own), until: "NotFound" },
    // An API server serves the objects for a moment longer than their definition.
    { ...get(widgets), until: "404 page not found" },
  ],
});

describeSameAnswers("definitions are judged as by the real API server", {
  "refuses what is no definition": [
    ...[
      definition({}, { group: "" }),
      definition({}, { scope: "Everywhere" }),
      definition({}, {}, { plural: "gadgets" }),
      definition({}, {}, { kind: "" }),
      definition({}, { versions: [] }),
      ...[
        { schema: undefined },
        { storage: false },
        { name: "V1" },
        { schema: { openAPIV3Schema: { type: "string" } } },
        { schema: { openAPIV3Schema: { properties: { spec: { type: "object" } } } } },
        { schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } } },
        { schema: property({ type: "array" }) },
        { schema: property({ type: "text" }) },
        { schema: property({ type: "string", default: 1 }) },
        { schema: property({ type: "string", pattern: "(" }) },
        {
          schema: property({ type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" }),
        },
        { schema: property({ type: "object", "x-kubernetes-preserve-unknown-fields": false }) },
        { additionalPrinterColumns: [{ name: "A", type: "text", jsonPath: ".a" }] },
        { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "a" }] },
        { subresources: { scale: {} } },
      ].map((version) => definition(version)),
      { ...definition(), metadata: { name: "widgets" } },
    ].map((made) => inOwnWords(post(`${definitions}?dryRun=All`, made))),
  ],
  "keeps a taken name": [
    ...served(definition()),
    post(definitions, {
      ...definition({}, {}, { plural: "gadgets", kind: "Widget" }),
      metadata: { name: "gadgets.$ns.example.com" },
    }),
    { ...get(`${definitions}/gadgets.$ns.example.com`), until: "NamesAccepted" },
  ],
  "changes with care": [
    ...served(definition()),
    patch("merge", own, { spec: { scope: "Cluster" } }),
    patch("merge", own, { spec: { group: "other.example.com" } }),
    patch("merge", own, { spec: { names: { kind: "Gadget" } } }),
    patch("merge", own, { spec: { preserveUnknownFields: true } }),
    inOwnWords(patch("strategic", own, { spec: { versions: [] } })),
  ],
});

function property(schema: object): object {
  return { openAPIV3Schema: { type: "object", properties: { spec: schema } } };
}

function apply(name: string, manager: string, config: object): Request {
  return patch("apply", `${widgets}/${name}?fieldManager=${manager}`, config);
}
