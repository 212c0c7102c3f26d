import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, TempFolder } from "@weir/testing";
import type { Architecture } from "../../../dev/release/images/architecture.ts";
import { RegistryServer } from "../registry-server.ts";

/** The config of an image, as OCI has it. */
export interface ImageConfig {
  readonly architecture: string;
  readonly config: {
    readonly User?: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
}

/** The manifest of an image. */
export interface ImageManifest {
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
}

/** A registry that images are pushed to, and a folder that they're pulled to, by the tools that people use. */
export class Delivery implements AsyncDisposable {
  readonly #registry: RegistryServer;
  readonly #folder = new TempFolder();

  private constructor(registry: RegistryServer) {
    this.#registry = registry;
  }

  static async start(): Promise<Delivery> {
    return new Delivery(await RegistryServer.start());
  }

  /** Pushes an image of a layout, for all architectures that it has. */
  async push(layout: string, tag: string): Promise<void> {
    await skopeo("copy", "--all", "--dest-tls-verify=false", `oci:${layout}:${tag}`, this.#name(tag));
  }

  /** What the registry says of an image for this machine. */
  async config(tag: string): Promise<ImageConfig> {
    return JSON.parse(
      await skopeo("inspect", "--config", "--tls-verify=false", this.#name(tag)),
    ) as ImageConfig;
  }

  /**
   * Pulls an image and unpacks it, for this machine unless another architecture is given; resolves to the folder with its
   * `rootfs` and the `config.json` of a runtime.
   */
  async unpack(tag: string, architecture?: Architecture["name"]): Promise<string> {
    const choice = architecture === undefined ? [] : [`--override-arch=${architecture}`];
    const layout = join(this.#folder.path, "layout");
    const bundle = join(this.#folder.path, tag);
    await skopeo(...choice, "copy", "--src-tls-verify=false", this.#name(tag), `oci:${layout}:${tag}`);
    await run("umoci", "unpack", "--image", `${layout}:${tag}`, bundle);
    return bundle;
  }

  /** The manifest of an image for this machine, as it was pulled. */
  async manifest(tag: string): Promise<ImageManifest> {
    const layout = join(this.#folder.path, "layout");
    return JSON.parse(await skopeo("inspect", "--raw", `oci:${layout}:${tag}`)) as ImageManifest;
  }

  #name(tag: string): string {
    return `docker://${this.#registry.host}/weirdev/weir:${tag}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#folder[Symbol.dispose]();
    await this.#registry[Symbol.asyncDispose]();
  }
}

/** Without a policy file, which not every machine has. */
function skopeo(...args: readonly string[]): Promise<string> {
  return run("skopeo", "--insecure-policy", ...args);
}

async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(findProgram(program) ?? program, args, {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** Runs a command in an unpacked image, as root, with the image's PATH. */
export async function runInImage(bundle: string, ...command: readonly string[]): Promise<string> {
  const path = "PATH=/opt/weir:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return run("chroot", join(bundle, "rootfs"), "/usr/bin/env", "-i", path, ...command);
}
