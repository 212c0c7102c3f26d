/** The OpenAPI documents of all that is served, made when they are asked for and kept until the resources change. */
import { createHash } from "node:crypto";
import type { JsonObject } from "@weir/base";
import { apiVersionOf, type GroupVersionKind } from "@weir/kube";
import { parseAccept } from "../api/accept.ts";
import { type Answer, jsonAnswer, jsonType } from "../api/answer.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import type { ApiText } from "../schema/api-data-format.ts";
import type { ApiTypes } from "../schema/api-types.ts";
import { readDataFile } from "../schema/data-file.ts";
import { describedSchema, refsIn } from "./described-schemas.ts";
import { documentV2 } from "./document-v2.ts";
import { documentV3 } from "./documents-v3.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { encodeDocument, protobufType } from "./protobuf.ts";

export class OpenApiDocuments {
  readonly #registry: ResourceRegistry;
  readonly #types: ApiTypes;
  readonly #version: string;
  /** Documents by what they are, for the generation of the registry that they were made for. */
  readonly #made = new Map<string, Uint8Array>();
  #generation = -1;
  #text: ApiText | undefined;

  constructor(registry: ResourceRegistry, types: ApiTypes, version: string) {
    this.#registry = registry;
    this.#types = types;
    this.#version = version;
  }

  /** Answers /openapi/v2 and /openapi/v3 and what lies below; undefined for any other path. */
  answer(path: string, accept: string): Answer | undefined {
    if (!path.startsWith("/openapi/")) {
      return undefined;
    }
    this.#text ??= readDataFile("api-text");
    this.#forgetOutdated();
    if (path === "/openapi/v2") {
      return this.#answerV2(accept);
    }
    if (path === "/openapi/v3") {
      return jsonAnswer(200, this.#index());
    }
    return this.#answerV3(path.slice("/openapi/v3/".length));
  }

  #answerV2(accept: string): Answer {
    const ranges = parseAccept(accept);
    // Clients ask for a name that is no media type, and get the one that is.
    const proper = protobufType.replace("@", ".");
    const isBinary = ranges.some(({ type }) => type === protobufType || type === proper);
    if (!isBinary) {
      return this.#answerBytes("v2", jsonType, () => Buffer.from(JSON.stringify(this.#v2())));
    }
    return this.#answerBytes("v2-protobuf", proper, () => encodeDocument(this.#v2()));
  }

  #answerV3(name: string): Answer | undefined {
    const found = this.#groupVersions().find((one) => pathOf(one) === name);
    return found === undefined
      ? undefined
      : this.#answerBytes(name, jsonType, () => Buffer.from(JSON.stringify(this.#v3(found.resources))));
  }

  #answerBytes(name: string, contentType: string, make: () => Uint8Array): Answer {
    const bytes = this.#made.get(name) ?? make();
    this.#made.set(name, bytes);
    return { kind: "whole", code: 200, contentType, chunks: [bytes] };
  }

  #index(): object {
    const paths = this.#groupVersions().map((one) => {
      const name = pathOf(one);
      return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${this.#hash(one.resources)}` }] as const;
    });
    return { paths: Object.fromEntries(paths) };
  }

  /** Changes when the document does: clients keep documents by it. */
  #hash(resources: readonly ServedResource[]): string {
    const hash = createHash("sha256").update(this.#version);
    for (const { apiVersion, resource, customSchema, subresources, verbs } of resources) {
      hash.update(JSON.stringify([apiVersion, resource, customSchema, [...subresources.keys()], verbs]));
    }
    return hash.digest("hex").toUpperCase();
  }

  #groupVersions() {
    return this.#registry.groups.flatMap(({ versions }) => versions);
  }

  #v3(resources: readonly ServedResource[]): JsonObject {
    const operations = resources.flatMap((resource) => this.#operations(resource));
    return documentV3(this.#version, operations, this.#schemas(resources, operations));
  }

  #v2(): JsonObject {
    const resources = this.#registry.all();
    const operations = resources.flatMap((resource) => this.#operations(resource));
    return documentV2(this.#version, operations, this.#schemas(resources, operations));
  }

  #operations(resource: ServedResource): readonly Operation[] {
    return operationsOf(resource, (kind) => this.#typeOf(kind));
  }

  #typeOf({ group, version, kind }: GroupVersionKind): string {
    const apiVersion = apiVersionOf(group, version);
    const served = this.#registry.ofKind(apiVersion, kind);
    const named = `io.k8s.api.${group === "" ? "core" : (group.split(".")[0] ?? "")}.${version}.${kind}`;
    return served?.typeName ?? (Object.hasOwn(this.#types.data.types, named) ? named : "");
  }

  /** The types of operations and all that they refer to. */
  #schemas(
    resources: readonly ServedResource[],
    operations: readonly Operation[],
  ): Readonly<Record<string, JsonObject>> {
    const custom = customSchemas(resources);
    const schemas = new Map<string, JsonObject>();
    const pending = operations.flatMap(({ bodyType, answerType }) => [bodyType, answerType]);
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const schema = schemas.has(name) ? undefined : (custom.get(name) ?? this.#builtin(name));
      if (schema !== undefined) {
        schemas.set(name, schema);
        pending.push(...refsIn(schema));
      }
    }
    return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #builtin(name: string): JsonObject | undefined {
    return describedSchema(this.#types, this.#text ?? {}, name);
  }

  #forgetOutdated(): void {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation;
      this.#made.clear();
    }
  }
}

function pathOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

const metaPackage = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.";

function customSchemas(resources: readonly ServedResource[]): Map<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  for (const { customSchema, typeName, kind, listKind, group, version } of resources) {
    if (customSchema !== undefined) {
      schemas.set(typeName, {
        ...customSchema,
        "x-kubernetes-group-version-kind": [{ group, kind, version }],
      });
      schemas.set(`${typeName}List`, {
        description: `${listKind} is a list of ${kind}`,
        type: "object",
        required: ["items"],
        properties: {
          apiVersion: { type: "string" },
          items: { type: "array", items: { $ref: `#/components/schemas/${typeName}` } },
          kind: { type: "string" },
          metadata: { $ref: `${metaPackage}ListMeta` },
        },
        "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
      });
    }
  }
  return schemas;
}
