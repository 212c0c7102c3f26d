import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import type { KubeObject } from "@weir/kube";
import { lacks, TempFolder } from "@weir/testing";
import { parse, stringify } from "yaml";
import { ownRootImage } from "../../src/own-image/own-image.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import { parseObjects } from "../support/chart/render.ts";
import { inOrder } from "../support/chart/same-objects.ts";
import { runFluxctl } from "../support/fluxctl.ts";

const deploy = join(import.meta.dirname, "../../deploy");

describe("the components of deploy/", { skip: lacks("kubectl") }, () => {
  const all = ["--memcached-network-policy", "--create-namespace"];
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [[], all],
    [["restricted"], [...all, "--pod-security=restricted"]],
    [["without-memcached"], [...all, "--memcached=false"]],
    [
      ["without-memcached", "restricted"],
      [...all, "--pod-security=restricted", "--memcached=false"],
    ],
    [
      ["restricted", "without-memcached"],
      [...all, "--pod-security=restricted", "--memcached=false"],
    ],
  ];
  for (const [components, flags] of cases) {
    it(`make what fluxctl install makes: ${components.join(", ")}`, async () => {
      const built = await build({
        resources: ["deploy"],
        components: components.map((name) => `deploy/components/${name}`),
      });

      assert.deepEqual(inOrder(built), inOrder(await installed(flags)));
    });
  }

  it("are what the kustomization in deploy/README.md names, which can be built", async () => {
    const built = await build(parse(readmeKustomization()) as Kustomization);

    const fluxd = built.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "flux");
    assert.match(JSON.stringify(fluxd), /--git-url=git@github\.com:your-name\/your-repository.*runAsNonRoot/);
  });
});

interface Kustomization {
  readonly resources: readonly string[];
  readonly components: readonly string[];
}

/** The example that names the components. */
function readmeKustomization(): string {
  const readme = readFileSync(join(deploy, "README.md"), "utf8");
  const blocks = readme.split(/\n(?! {4}|\n)[^\n]*/).filter((block) => block.includes("components:"));
  assert.equal(blocks.length, 1, "one example names components");
  return (blocks[0] ?? "").replaceAll(/^ {4}/gm, "");
}

function writeOverlay(folder: TempFolder, kustomization: Kustomization): void {
  cpSync(deploy, join(folder.path, "deploy"), { recursive: true });
  folder.write("kustomization.yaml", stringify(kustomization));
}

async function build(kustomization: Kustomization): Promise<readonly KubeObject[]> {
  using folder = new TempFolder();
  writeOverlay(folder, kustomization);
  const { stdout } = await promisify(execFile)("kubectl", ["kustomize", folder.path]);
  return parseObjects(stdout);
}

/** What `fluxctl install` prints with the values of deploy/. */
async function installed(flags: readonly string[]): Promise<readonly KubeObject[]> {
  const values = [
    "--namespace=flux",
    "--git-url=git@github.com:your-name/your-repository",
    "--git-branch=main",
    "--git-email=flux@example.com",
    `--image=${ownRootImage(packageVersion())}`,
  ];
  const { exit, stdout, stderr } = await runFluxctl(["install", ...values, ...flags], {
    HOME: "/nonexistent",
  });
  assert.equal(exit, 0, stderr);
  return parseObjects(stdout);
}
