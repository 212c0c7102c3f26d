import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "@weir/base/node";
import { findProgram, freePort, KeptProcess, until } from "@weir/testing";

/** What a registry is to be like. */
export interface RegistryServerOptions {
  /** Sections of its configuration beside storage and http, e.g. auth. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A real registry on a free port of the loopback, with what it holds in a folder. */
export class RegistryServer implements AsyncDisposable {
  /** "127.0.0.1:port". */
  readonly host: string;
  readonly url: string;
  readonly #folder: string;
  #process: KeptProcess | undefined;

  private constructor(folder: string, port: number, isSecure: boolean) {
    this.#folder = folder;
    this.host = `127.0.0.1:${port}`;
    this.url = `${isSecure ? "https" : "http"}://${this.host}`;
  }

  static async start(options: RegistryServerOptions = {}): Promise<RegistryServer> {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "weir-registry-"));
    const server = new RegistryServer(folder, port, options.tls !== undefined);
    // JSON is YAML.
    writeFileSync(join(folder, "config.yml"), JSON.stringify(configuration(folder, server.host, options)));
    await server.start();
    return server;
  }

  /** Starts it again where it was, with what it held. */
  async start(): Promise<void> {
    const process = new KeptProcess(
      findProgram("docker-registry") ?? "docker-registry",
      ["serve", join(this.#folder, "config.yml")],
      join(this.#folder, "log"),
    );
    this.#process = process;
    await until("the registry to answer", async () => {
      process.check();
      // Where it speaks TLS, a plain request is answered too, with a complaint.
      return (await fetch(`http://${this.host}/v2/`)).status > 0;
    });
  }

  /** Serves what one repository holds under other names, too. */
  alias(repository: string, names: readonly string[]): void {
    const folder = join(this.#folder, "data", "docker", "registry", "v2", "repositories");
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      symlinkSync(join(folder, repository), join(folder, name));
    }
  }

  /** Takes it away, with all connections to it. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await removeFolder(this.#folder);
  }
}

function configuration(folder: string, addr: string, { config = {}, tls }: RegistryServerOptions): object {
  return {
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: {
      filesystem: { rootdirectory: join(folder, "data") },
      delete: { enabled: true },
      cache: { blobdescriptor: "inmemory" },
    },
    http: { addr, ...(tls === undefined ? {} : { tls }) },
    ...config,
  };
}
