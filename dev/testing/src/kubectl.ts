import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "@weir/base/node";
import { findProgram } from "@weir/toolchain";

/** The output and exit status of kubectl. */
export interface KubectlResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed kubectl, with its own home folder and one configured cluster. */
export class Kubectl implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a kubectl for the cluster in that kubeconfig. */
  static async for(kubeconfig: string): Promise<Kubectl> {
    const folder = await mkdtemp(join(tmpdir(), "weir-kubectl-"));
    await writeFile(join(folder, "config"), kubeconfig, { mode: 0o600 });
    return new Kubectl(folder);
  }

  /** Runs a command; `input` is its standard input. */
  run(args: readonly string[], input = ""): Promise<KubectlResult> {
    const env = {
      PATH: process.env["PATH"],
      HOME: this.#folder,
      KUBECONFIG: join(this.#folder, "config"),
      // The program that `kubectl diff` uses.
      KUBECTL_EXTERNAL_DIFF: "diff -u -N",
      // Over a websocket, `kubectl exec` drops what arrives before its streams exist, because client-go begins to read
      // before it creates them: silently, or with "closed all streams".
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false",
    };
    return new Promise((resolve) => {
      const child = execFile(
        findProgram("kubectl") ?? "kubectl",
        args,
        { env, maxBuffer: 1 << 26 },
        (error, stdout, stderr) => {
          const exit = typeof error?.code === "number" ? error.code : error ? -1 : 0;
          resolve({ exit, stdout, stderr });
        },
      );
      child.stdin?.end(input);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.#folder);
  }
}

/** The output without parts that depend on the cluster and the time. */
export function printed({ exit, stdout, stderr }: KubectlResult): string {
  return [`exit ${exit}`, ...[stdout, stderr].map(plain)].join("\n");
}

function plain(text: string): string {
  return (
    text
      // client-go's log messages about watches that end during a wait depend on timing.
      .replaceAll(/^W\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ reflector\.go:.*\n/gm, "")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time>")
      .replaceAll(/resourceVersion: "\d+"/g, "resourceVersion: <version>")
      .replaceAll(/"resourceVersion": ?"\d+"/g, '"resourceVersion":"<version>"')
      .replaceAll(/\b10\.\d+\.\d+\.\d+\b/g, "<address>")
      .replaceAll(/:3[0-2]\d{3}\//g, ":<port>/")
      .replaceAll(/(\/tmp\/)?(LIVE|MERGED)-\d+/g, "$2")
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+\d{4}/g, "<time>")
      .replaceAll(/(?<=\s)\d+[smhd](\d+[smh])?(?=\s|$)/gm, "<age>")
      .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, "<server>")
      .replaceAll(/ {2,}/g, "  ")
  );
}
