import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { configMapPath, describeOnEachCluster, makeNamespace, TempFolder } from "@weir/testing";

const root = join(import.meta.dirname, "../..");
const agent = join(root, "examples/agent/agent.ts");
const run = promisify(execFile);

describeOnEachCluster("the agent among the examples", (cluster) => {
  /** Runs it once; resolves to what it prints, without the revision. */
  async function once(...args: readonly string[]): Promise<readonly string[]> {
    const all = [agent, "--once", "--kubeconfig", cluster.kubeconfigPath, ...args];
    const { stdout } = await run(process.execPath, all);
    return stdout.trimEnd().replace(/^\S+ /, "").split("\n");
  }

  function configMap(namespace: string, name: string): string {
    return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\n`;
  }

  it("applies a folder, and deletes what is no longer there", async () => {
    const namespace = await makeNamespace(cluster.kube);
    using folder = new TempFolder();
    const options = ["--source", folder.path, "--owner", "folder", "--prune"];
    folder.write("a.yaml", configMap(namespace, "a"));
    folder.write("b.yaml", configMap(namespace, "b"));

    const first = await once(...options);
    folder.write("b.yaml", "");
    const second = await once(...options);

    assert.deepEqual(first, [
      "Succeeded: all objects match their targets",
      `  ConfigMap ${namespace}/a created`,
      `  ConfigMap ${namespace}/b created`,
    ]);
    assert.deepEqual(second, [
      "Succeeded: all objects match their targets",
      `  ConfigMap ${namespace}/b deleted`,
    ]);
    assert.equal(await cluster.kube.get(configMapPath("b", namespace)), undefined);
  });

  it("applies a branch of a git repository", async () => {
    const namespace = await makeNamespace(cluster.kube);
    using folder = new TempFolder();
    const git = (...args: readonly string[]) => run("git", ["-C", folder.path, ...args]);
    await git("init", "--quiet", "--initial-branch=main");
    folder.write("deploy/a.yaml", configMap(namespace, "of-git"));
    await git("add", ".");
    await git("-c", "user.name=me", "-c", "user.email=me@example.test", "commit", "--quiet", "-m", "a");

    const told = await once("--source", `file://${folder.path}`, "--branch", "main", "--owner", "git");

    assert.deepEqual(told, [
      "Succeeded: all objects match their targets",
      `  ConfigMap ${namespace}/of-git created`,
    ]);
  });

  it("is short, and imports nothing but the engine's public API", () => {
    const text = readFileSync(agent, "utf8");

    const ours = [...text.matchAll(/from "(@weir\/[^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(ours, ["@weir/engine", "@weir/engine/client-node"]);
    assert.ok(text.split("\n").length < 150);
  });
});
