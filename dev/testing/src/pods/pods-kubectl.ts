import type { JsonValue } from "@weir/base";
import { Kubectl, type KubectlResult } from "../kubectl.ts";
import type { PodCluster } from "./pod-cluster.ts";

/** Which workload is meant, and how long it may take. */
export interface Rollout {
  readonly namespace: string;
  /** As kubectl has it, such as `deployment/web`. */
  readonly name: string;
  readonly seconds?: number;
}

/** The kubectl of a person who works with a pod cluster; what fails is told with the state of the pods. */
export class PodsKubectl implements AsyncDisposable {
  readonly #kubectl: Kubectl;

  private constructor(kubectl: Kubectl) {
    this.#kubectl = kubectl;
  }

  static async for(cluster: Pick<PodCluster, "url" | "ca" | "token">): Promise<PodsKubectl> {
    return new PodsKubectl(await Kubectl.for(kubeconfigText(cluster)));
  }

  /** Runs a command, however it ends. */
  run(args: readonly string[], input = ""): Promise<KubectlResult> {
    return this.#kubectl.run(args, input);
  }

  /** Runs a command that must succeed; resolves to what it printed. */
  async must(args: readonly string[], input = ""): Promise<string> {
    const { exit, stdout, stderr } = await this.run(args, input);
    if (exit !== 0) {
      throw new Error(`kubectl ${args.join(" ")} failed with exit code ${exit}:\n${stderr}${stdout}`);
    }
    return stdout;
  }

  /** Applies manifests: YAML or JSON as text, or objects. */
  apply(manifests: string | readonly object[], ...args: readonly string[]): Promise<string> {
    const text =
      typeof manifests === "string"
        ? manifests
        : JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests });
    return this.must(["apply", "-f", "-", ...args], text);
  }

  /** What is there as JSON, such as `json("get", "pods", "-n", "web")`. */
  async json(...args: readonly string[]): Promise<JsonValue> {
    return JSON.parse(await this.must([...args, "-o", "json"])) as JsonValue;
  }

  /** Resolves when the newest state of a workload runs and is ready; rejects with what its namespace looks like. */
  async rolledOut({ namespace, name, seconds = 60 }: Rollout): Promise<void> {
    const args = ["rollout", "status", name, "-n", namespace, `--timeout=${seconds}s`];
    const { exit, stderr } = await this.run(args);
    if (exit !== 0) {
      throw new Error(`${name} in ${namespace} is not ready: ${stderr}${await this.describe(namespace)}`);
    }
  }

  /** What a container has said so far. */
  async logs(namespace: string, name: string, ...args: readonly string[]): Promise<string> {
    return this.must(["logs", name, "-n", namespace, ...args]);
  }

  /** The pods of a namespace, its events, and the end of what its containers said. */
  async describe(namespace: string): Promise<string> {
    const here = ["-n", namespace];
    const names = (await this.run(["get", "pods", ...here, "-o", "name"])).stdout.split("\n").filter(Boolean);
    const commands = [
      ["get", "pods", ...here, "-o", "wide"],
      ["get", "events", ...here, "--sort-by=.lastTimestamp"],
      ...names.flatMap((pod) =>
        [[], ["--previous"]].map((more) => ["logs", pod, ...here, "--all-containers", "--tail=100", ...more]),
      ),
    ];
    const parts = await Promise.all(
      commands.map(async (args) => {
        const { stdout, stderr } = await this.run(args);
        return `\n$ kubectl ${args.join(" ")}\n${stdout}${stderr}`;
      }),
    );
    return parts.join("");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#kubectl[Symbol.asyncDispose]();
  }
}

/** A kubeconfig that stands for itself. */
function kubeconfigText({ url, ca, token }: Pick<PodCluster, "url" | "ca" | "token">): string {
  const cluster = { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
  });
}
