/** From a definition to the resources that it brings. */
import { isJsonObject, type JsonObject } from "@weir/base";
import type { MergeSchemas } from "../managed-fields/merge-schema.ts";
import { compareVersions } from "../resources/resource-registry.ts";
import { builtinScale, type ScalePaths } from "../resources/scale.ts";
import { bucketOf, type ServedResource, type Subresource } from "../resources/served-resource.ts";
import type { ApiType } from "../schema/api-types.ts";
import { isTrueAt, stringAt, stringsAt, type Tree, treeAt, treesAt } from "../tree.ts";
import { customCodec } from "./custom-codec.ts";
import { customColumns, printerColumns } from "./custom-columns.ts";
import { customRules, schemaOf } from "./custom-rules.ts";

/** What all custom resources share with the built-in ones. */
export interface CustomParts {
  readonly metadata: ApiType;
  readonly mergeSchemas: MergeSchemas;
}

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const subresourceVerbs = ["get", "patch", "update"];

/** The resources that a definition serves, one per version. */
export function servedVersions(definition: Tree, parts: CustomParts): readonly ServedResource[] {
  const spec = treeAt(definition, "spec") ?? {};
  const group = stringAt(spec, "group");
  const versions = treesAt(spec, "versions");
  const storage = stringAt(
    versions.find((version) => isTrueAt(version, "storage")),
    "name",
  );
  const codecs = new Map(
    versions.map((version) => [`${group}/${stringAt(version, "name")}`, codecOf(spec, version, parts)]),
  );
  return versions
    .filter((version) => isTrueAt(version, "served"))
    .map((version) => resourceOf(spec, version, `${group}/${storage}`, codecs));
}

function codecOf(spec: Tree, version: Tree, { metadata, mergeSchemas }: CustomParts) {
  const schema = schemaOf(asJson(version));
  const described = openApiSchema(schema);
  return customCodec({
    kind: stringAt(spec, "names", "kind"),
    apiVersion: `${stringAt(spec, "group")}/${stringAt(version, "name")}`,
    schema,
    metadata,
    atom: () => mergeSchemas.atom(described),
  });
}

function resourceOf(
  spec: Tree,
  definition: Tree,
  storageVersion: string,
  codecs: ReadonlyMap<string, ServedResource["codec"]>,
): ServedResource {
  const names = treeAt(spec, "names") ?? {};
  const [group, version, kind] = [
    stringAt(spec, "group"),
    stringAt(definition, "name"),
    stringAt(names, "kind"),
  ];
  const apiVersion = `${group}/${version}`;
  const subresources = subresourcesOf(definition, { group, version, kind });
  const scale = scaleOf(definition);
  const codec = codecs.get(apiVersion);
  if (codec === undefined) {
    throw new Error(`version ${apiVersion} has no codec`);
  }
  const schema = schemaOf(asJson(definition));
  return {
    group,
    version,
    kind,
    apiVersion,
    resource: stringAt(names, "plural"),
    listKind: stringAt(names, "listKind"),
    singular: stringAt(names, "singular"),
    namespaced: stringAt(spec, "scope") === "Namespaced",
    shortNames: stringsAt(names, "shortNames"),
    categories: stringsAt(names, "categories"),
    verbs,
    subresources,
    scale: scale ?? builtinScale,
    bucket: bucketOf(group, stringAt(names, "plural")),
    storageVersion,
    typeName: `${group.split(".").reverse().join(".")}.${version}.${kind}`,
    customSchema: openApiSchema(schema),
    columns: customColumns(printerColumns(asJson(definition))),
    custom: true,
    deprecation: deprecationOf(spec, definition),
    codec,
    rules: customRules({
      schema,
      hasStatus: subresources.has("status"),
      scale,
      selectableFields: treesAt(definition, "selectableFields").map((field) => stringAt(field, "jsonPath")),
    }),
    versions: {
      atomOf: (one) => codecs.get(one)?.atom,
      convert: inVersion,
    },
    toStorage: (object) => inVersion(object, storageVersion),
    fromStorage: (object) => inVersion(object, apiVersion),
  };
}

/** Without a converter versions differ in their name only. */
function inVersion(object: Tree, apiVersion: string): Tree {
  return object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
}

/** What a definition says of a deprecated version; where it says nothing, which version to use. */
function deprecationOf(spec: Tree, version: Tree): string | undefined {
  if (!isTrueAt(version, "deprecated")) {
    return undefined;
  }
  const [group, kind, name] = [
    stringAt(spec, "group"),
    stringAt(spec, "names", "kind"),
    stringAt(version, "name"),
  ];
  const better = treesAt(spec, "versions")
    .filter((other) => isTrueAt(other, "served") && !isTrueAt(other, "deprecated"))
    .map((other) => stringAt(other, "name"))
    .filter((other) => compareVersions(other, name) > 0)
    .sort(compareVersions)
    .at(-1);
  const hint = better === undefined ? "" : `; use ${group}/${better} ${kind}`;
  return stringAt(version, "deprecationWarning") || `${group}/${name} ${kind} is deprecated${hint}`;
}

function subresourcesOf(version: Tree, kind: Subresource["kind"]): ReadonlyMap<string, Subresource> {
  const made = new Map<string, Subresource>();
  const subresources = treeAt(version, "subresources");
  if (treeAt(subresources, "status") !== undefined) {
    made.set("status", { name: "status", kind, verbs: subresourceVerbs });
  }
  if (treeAt(subresources, "scale") !== undefined) {
    const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
    made.set("scale", { name: "scale", kind: scale, verbs: subresourceVerbs });
  }
  return made;
}

function scaleOf(version: Tree): ScalePaths | undefined {
  const scale = treeAt(version, "subresources", "scale");
  const path = (field: string): readonly string[] => stringAt(scale, field).replace(/^\./, "").split(".");
  return scale === undefined
    ? undefined
    : {
        specReplicas: path("specReplicasPath"),
        statusReplicas: path("statusReplicasPath"),
        selector: path("labelSelectorPath"),
      };
}

/** A stored tree is JSON: it has no undefined in it. */
function asJson(tree: Tree): JsonObject {
  return isJsonObject(tree) ? tree : {};
}

const metadataType = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const apiVersionText =
  "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const kindText =
  "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const metadataText =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The schema of a custom resource as OpenAPI documents have it: with what all objects have. */
function openApiSchema(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  const typed = { ...schema, type: "object" };
  return {
    ...typed,
    properties: {
      ...(isJsonObject(properties) ? properties : {}),
      apiVersion: { description: apiVersionText, type: "string" },
      kind: { description: kindText, type: "string" },
      metadata: { description: metadataText, allOf: [{ $ref: metadataType }] },
    },
  };
}
