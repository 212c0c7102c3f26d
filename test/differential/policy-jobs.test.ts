import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { fc } from "@weir/testing/property";
import { parse } from "yaml";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment } from "../support/manifests.ts";
import type { WorkloadObject } from "./support/generators/objects.ts";
import { policyUpdate, refusedUpdate } from "./support/generators/policy-jobs.ts";
import { changePolicies, type InGit, type ModelPolicyUpdate } from "./support/model/policy-job.ts";
import { policiesInGit } from "./support/model/workload.ts";
import { Program } from "./support/program.ts";

const workloads = ["default:deployment/a", "default:deployment/b", "default:deployment/gone"];

/** Laid out as edits leave files, so that only what changes is a change. */
function laidOut(manifest: string): string {
  return `---\n${manifest.replaceAll("        - name: main\n          image", "      - name: main\n        image")}`;
}

describe("jobs that change policies", () => {
  const parts = new AsyncDisposableStack();
  let running: Program | undefined;
  /** What the model has in git so far. */
  const git = new Map<string, InGit>([
    ["default:deployment/a", { policies: {}, containers: ["main"] }],
    [
      "default:deployment/b",
      { policies: { automated: "true", "tag.main": "glob:1*" }, containers: ["main"] },
    ],
    ["default:configmap/c", null],
  ]);

  before(async () => {
    const files = {
      "a.yaml": laidOut(deployment("a")),
      "b.yaml": laidOut(deployment("b")).replace(
        "metadata:\n  name",
        "metadata:\n  annotations:\n    flux.weave.works/automated: 'true'\n    filter.fluxcd.io/main: glob:1*\n  name",
      ),
      "c.yaml": configMap("c"),
    };
    running = parts.use(await Program.start({ files, images: new KnownImages() }));
  });
  after(() => parts.disposeAsync());

  it("end as in Flux, one after the other, and leave the policies in git that Flux leaves", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...workloads), policyUpdate, (id, update) => check(id, update)),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it("keep what they did to each workload where they fail", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("default:deployment/a", "default:deployment/b"), refusedUpdate, check),
      { numRuns: 5, endOnFailure: true },
    );
    await fc.assert(fc.asyncProperty(fc.constant("default:configmap/c"), policyUpdate, check), {
      numRuns: 2,
      endOnFailure: true,
    });
  });

  /** Has one job done, and holds its end and what is in git against the model. */
  async function check(id: string, update: ModelPolicyUpdate): Promise<void> {
    const program = running;
    assert.ok(program);
    const inGit = git.get(id);
    const expected = changePolicies(id, update, inGit);
    const spec = { [id]: { add: update.add, remove: update.remove } };

    const asked = await program.call("PATCH", "/v6/policies?user=Ann", spec);
    const { StatusString, Err, Result } = await program.ended(asked.json);

    if (expected.status === "success" && inGit) {
      git.set(id, { ...inGit, policies: expected.policies });
    }
    const { spec: echoed, result } = Result as JsonObject;
    const error = expected.status === "failed" ? { Error: expected.error } : {};
    assert.deepEqual(
      [StatusString, Err],
      expected.status === "failed" ? ["failed", expected.error] : ["succeeded", ""],
    );
    assert.deepEqual(
      { spec: echoed, result },
      {
        spec: { type: "policy", cause: { Message: "", User: "Ann" }, spec },
        result: { [id]: { Status: expected.status, ...error, PerContainer: null } },
      },
    );
    assert.deepEqual(await policiesAt(program, id), git.get(id)?.policies);
  }
});

/** The policies that a workload has in git now; undefined for what is none. */
async function policiesAt(
  program: Program,
  id: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const [, kind, name = ""] = /:([a-z]+)\/(.*)$/.exec(id) ?? [];
  if (kind !== "deployment" || name === "gone") {
    return undefined;
  }
  const text = await program.repository.upstream("show", `master:${name}.yaml`);
  return policiesInGit(parse(text) as WorkloadObject);
}
