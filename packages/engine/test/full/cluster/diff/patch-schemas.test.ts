import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonObject, type JsonObject, memberOf, membersOf } from "@weir/base";
import { apiVersionOf } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import {
  builtinPatchSchema,
  type FieldRules,
  kindsOfType,
  openApiFields,
  type PatchSchema,
  type TypeFields,
  typesOfDocument,
} from "@weir/kube/patch";
import { createSchemaSource, type RestClient } from "@weir/kube/rest";
import { type BorrowedControlPlane, borrowControlPlane, missing } from "@weir/testing";

const never = new AbortController().signal;

describe("the shipped patch rules and those of a real API server", { skip: missing() }, () => {
  let plane: BorrowedControlPlane;
  let client: RestClient;
  before(async () => {
    plane = await borrowControlPlane();
    const credentials = await loadKubeConfig({ kubeconfig: plane.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(async () => {
    await client.close();
    await plane.stop();
  });

  it("are the same for every kind that the server has of its own", async () => {
    const differences: string[] = [];
    let kinds = 0;
    for (const types of await documents(client)) {
      const fieldsOf = openApiFields(types);
      for (const [type, definition] of membersOf(types)) {
        const isObject = fieldsOf(type)?.get("metadata")?.type?.endsWith(".meta.v1.ObjectMeta") === true;
        for (const gvk of isObject ? kindsOfType(definition) : []) {
          const name = `${apiVersionOf(gvk.group, gvk.version)} ${gvk.kind}`;
          differences.push(...compare(name, type, fieldsOf, builtinPatchSchema(gvk), []));
          kinds += 1;
        }
      }
    }

    assert.deepEqual(differences, []);
    assert.ok(kinds > 50, `found only ${kinds} kinds`);
  });

  it("are undefined for a kind that neither of them knows", async () => {
    const source = createSchemaSource(client);

    assert.equal(await source.schemaFor({ group: "apps", version: "v1", kind: "Widget" }, never), undefined);
    assert.equal(
      await source.schemaFor({ group: "future.k8s.io", version: "v1", kind: "Widget" }, never),
      undefined,
    );
  });
});

async function documents(client: RestClient): Promise<readonly JsonObject[]> {
  const index = await client.json({ method: "GET", path: "/openapi/v3" });
  const paths = isJsonObject(index) ? memberOf(index, "paths") : undefined;
  assert.ok(paths !== undefined && isJsonObject(paths));
  const groups = Object.keys(paths).filter((path) => /^apis?\/.*v\d/.test(path));
  const read = groups.map((path) => client.json({ method: "GET", path: `/openapi/v3/${path}` }));
  return (await Promise.all(read)).map(typesOfDocument);
}

/** What the rules of a type differ in, by path; types within themselves are looked at once on the way. */
function compare(
  path: string,
  type: string,
  fieldsOf: TypeFields,
  shipped: PatchSchema | undefined,
  above: readonly string[],
): string[] {
  const fields = above.includes(type) ? undefined : fieldsOf(type);
  return [...(fields ?? [])].flatMap(([name, rules]) => {
    const field = shipped?.field(name);
    const [wanted, found] = [printRules(rules), printRules(field ?? { strategies: [] })];
    const inner =
      rules.type === undefined
        ? []
        : compare(`${path}.${name}`, rules.type, fieldsOf, field?.schema, [...above, type]);
    return wanted === found ? inner : [`${path}.${name}: ${wanted}, shipped ${found}`, ...inner];
  });
}

function printRules({ strategies, mergeKey = "", isQuantity = false }: Omit<FieldRules, "type">): string {
  return `${strategies.join(",")} ${mergeKey}${isQuantity ? " quantity" : ""}`;
}
