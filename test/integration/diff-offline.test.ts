import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent, TempFolder } from "@weir/testing";
import { load } from "js-yaml";
import type { FluxctlResult } from "../support/fluxctl.ts";
import { configMap, deployment, namespace } from "../support/manifests.ts";
import { runOwnFluxctl } from "../support/own-fluxctl.ts";

function definition(minimum: number): string {
  return dedent(`
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: { name: gadgets.example.test }
    spec:
      group: example.test
      names: { kind: Gadget, plural: gadgets, singular: gadget }
      scope: Namespaced
      versions:
      - name: v1
        served: true
        storage: true
        schema:
          openAPIV3Schema:
            type: object
            properties:
              spec:
                type: object
                properties:
                  size: { type: integer, minimum: ${minimum} }
                  color: { type: string, default: red }
  `);
}

const gadget = dedent(`
  apiVersion: example.test/v1
  kind: Gadget
  metadata: { name: small, namespace: lab }
  spec: { size: 1 }
`);

/** Compares two folders without any environment but PATH: no home, no kubeconfig, and no fluxd. */
async function diff(
  local: Readonly<Record<string, string>>,
  against: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<FluxctlResult> {
  using folder = new TempFolder();
  folder.write("local/.keep", "");
  folder.write("against/.keep", "");
  Object.entries(local).forEach(([name, text]) => folder.write(`local/${name}`, text));
  Object.entries(against).forEach(([name, text]) => folder.write(`against/${name}`, text));
  const base = Object.keys(against).length === 0 ? [] : [`--against=${folder.path}/against`];
  const given = args.map((arg) => arg.replace("FOLDER", folder.path));
  return await runOwnFluxctl(["diff", "--offline", `--local=${folder.path}/local`, ...base, ...given]);
}

function linesOf({ stdout }: FluxctlResult): readonly string[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll(/ +/g, " "));
}

describe("fluxctl diff without a cluster", () => {
  it("exits with 0, 1, or 2, like diff", async () => {
    const a = { "a.yaml": configMap("a") };

    assert.equal((await diff(a, a)).exit, 0);
    assert.equal((await diff(a, { "a.yaml": configMap("a", "v2") })).exit, 1);
    assert.equal((await diff({ "a.yaml": configMap("A") }, a)).exit, 2);
    assert.equal((await diff(a, {}, "--against=FOLDER/missing")).exit, 2);
    assert.equal((await diff(a, {}, "--snapshot=FOLDER/missing")).exit, 2);
  });

  it("fills in the defaults of a cluster, so that writing one down changes nothing", async () => {
    const written = deployment("web").replace("replicas: 1", "replicas: 1\n  revisionHistoryLimit: 10");

    assert.equal((await diff({ "web.yaml": written }, { "web.yaml": deployment("web") })).stdout, "");
  });

  it("installs kinds and namespaces of the folder first, and tries the other objects with them", async () => {
    const result = await diff(
      { "1-gadget.yaml": gadget, "2-crd.yaml": definition(1), "3-lab.yaml": namespace("lab") },
      { "a.yaml": configMap("a") },
      "-o",
      "yaml",
    );

    const { changes } = load(result.stdout) as {
      readonly changes: readonly { readonly id: string; readonly action: string; readonly after: unknown }[];
    };
    assert.equal(result.exit, 1, result.stderr);
    assert.deepEqual(
      changes.map(({ id, action }) => `${action} ${id}`),
      [
        "create <cluster>:customresourcedefinition/gadgets.example.test",
        "create <cluster>:namespace/lab",
        "delete default:configmap/a",
        "create lab:gadget/small",
      ],
    );
  });

  it("tries objects with the kinds as they will be", async () => {
    const before = { "crd.yaml": definition(1), "gadget.yaml": gadget };

    const larger = gadget.replace("size: 1", "size: 2");
    const after = { "crd.yaml": definition(3), "gadget.yaml": larger };
    const result = await diff(after, before, "-o", "short");

    assert.equal(result.exit, 2);
    assert.match(
      result.stdout,
      /^change +<cluster>:customresourcedefinition\/gadgets\.example\.test +crd\.yaml$/m,
    );
    assert.match(result.stderr, /^gadget\.yaml:1: lab:gadget\/small: .*greater than or equal to 3/m);
  });

  it("says how to compare an object of a kind that it doesn't know", async () => {
    const result = await diff({ "gadget.yaml": gadget }, {});

    assert.equal(result.exit, 2);
    assert.match(
      result.stderr,
      /^gadget\.yaml:1: .*no matches for kind "Gadget" in version "example\.test\/v1"; add its CustomResourceDefinition to the folder, or use --snapshot/m,
    );
  });

  it("takes kinds from a snapshot when it compares folders, and nothing else", async () => {
    using folder = new TempFolder();
    const snapshot = folder.write(
      "snapshot.yaml",
      `${definition(1)}---\n${namespace("lab")}---\n${configMap("a")}`,
    );

    const result = await diff(
      { "gadget.yaml": gadget },
      { "b.yaml": configMap("b") },
      "-o",
      "name",
      `--snapshot=${snapshot}`,
    );

    assert.deepEqual([result.exit, linesOf(result)], [1, ["default:configmap/b", "lab:gadget/small"]]);
  });

  it("goes by the flags that fluxd has", async () => {
    const before = { "deploy/a.yaml": configMap("a"), "other/b.yaml": configMap("b") };
    const after = {
      "deploy/a.yaml": configMap("a", "v2", "default").replace("  namespace: default\n", ""),
      "other/b.yaml": configMap("b", "v2"),
    };

    const paths = await diff(
      after,
      before,
      "-o",
      "short",
      "--git-path=deploy",
      "--k8s-default-namespace=shop",
    );
    const namespaces = await diff(before, {}, "-o", "short", "--k8s-allow-namespace=shop");

    assert.deepEqual(linesOf(paths), ["delete default:configmap/a", "create shop:configmap/a deploy/a.yaml"]);
    assert.deepEqual(linesOf(namespaces), [
      "leave default:configmap/a excluded by namespace constraints",
      "leave default:configmap/b excluded by namespace constraints",
    ]);
  });

  it("hides Secrets, even in what's refused", async () => {
    const secret = (data: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: default }\n${data}\n`;
    const before = { "s.yaml": secret("stringData: { password: canary-one }") };

    const changed = await diff(
      { "s.yaml": secret("stringData: { password: canary-two }") },
      before,
      "-o",
      "markdown",
    );
    const refused = await diff(
      { "s.yaml": secret("data: { password: canary-three }") },
      before,
      "-o",
      "markdown",
    );

    assert.deepEqual([changed.exit, refused.exit], [1, 2]);
    assert.doesNotMatch(changed.stdout + changed.stderr + refused.stdout + refused.stderr, /canary/);
  });

  it("runs no generators, and shows no deletions then", async () => {
    const generator = `version: 1\ncommandUpdated:\n  generators: [{ command: "touch FOLDER-ran" }]\n`;

    const { exit, stdout, stderr } = await diff({ ".flux.yaml": generator }, { "a.yaml": configMap("a") });

    assert.deepEqual([exit, stdout], [0, ""]);
    assert.match(stderr, /commands in \.\/\.flux\.yaml were not run/);
  });
});
