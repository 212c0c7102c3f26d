import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, KeptProcess, TempFolder, until } from "@weir/testing";
import type { PodWorld } from "./pod-world.ts";

/** A port of this machine that leads to one of a pod, by `kubectl port-forward`. */
export class PortForward implements AsyncDisposable {
  readonly url: string;
  readonly #folder: TempFolder;
  readonly #process: KeptProcess;

  private constructor(url: string, folder: TempFolder, process: KeptProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = process;
  }

  /** `name` is that of a Deployment, for example. */
  static async start(
    { cluster }: PodWorld,
    { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
  ): Promise<PortForward> {
    const folder = new TempFolder();
    const log = join(folder.path, "port-forward.log");
    const access = [`--kubeconfig=${cluster.kubeconfigPath}`, "-n", namespace];
    const process = new KeptProcess(
      findProgram("kubectl") ?? "kubectl",
      ["port-forward", ...access, name, `:${port}`],
      log,
    );
    const own = await until("the port that leads to the pod", async () => {
      process.check();
      return /127\.0\.0\.1:(\d+)/.exec(await readFile(log, "utf8"))?.[1];
    });
    return new PortForward(`http://127.0.0.1:${own}`, folder, process);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    this.#folder[Symbol.dispose]();
  }
}
