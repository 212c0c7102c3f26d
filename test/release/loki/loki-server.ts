import { join } from "node:path";
import { freePort, KeptProcess, TempFolder, until } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import { stringify } from "yaml";

/** The labels of a stream of lines. */
export type Labels = Readonly<Record<string, string>>;

/** A line and when it was written, in nanoseconds since the epoch. */
export type TimedLine = readonly [nanoseconds: string, line: string];

/** What a query returns: a stream with its lines, or a series with its values by time in seconds. */
export interface LokiResult {
  readonly stream?: Labels;
  readonly metric?: Labels;
  readonly values: readonly (readonly [time: string | number, text: string])[];
}

interface LokiAnswer {
  readonly data: { readonly result: readonly LokiResult[] };
}

/** A real Loki on the loopback, which keeps all in a folder. Its settings are those that it can't start without. */
export class LokiServer implements AsyncDisposable {
  readonly #url: string;
  readonly #folder: TempFolder;
  readonly #process: KeptProcess;

  private constructor(url: string, folder: TempFolder, process: KeptProcess) {
    this.#url = url;
    this.#folder = folder;
    this.#process = process;
  }

  /** Builds it first, if the cache hasn't got it, which takes minutes. */
  static async start(): Promise<LokiServer> {
    const program = await goProgram("loki");
    const folder = new TempFolder();
    const port = await freePort();
    const config = {
      auth_enabled: false,
      analytics: { reporting_enabled: false },
      server: {
        http_listen_address: "127.0.0.1",
        http_listen_port: port,
        grpc_listen_address: "127.0.0.1",
        grpc_listen_port: await freePort(),
      },
      common: {
        instance_addr: "127.0.0.1",
        path_prefix: folder.path,
        replication_factor: 1,
        ring: { kvstore: { store: "inmemory" } },
        storage: {
          filesystem: {
            chunks_directory: join(folder.path, "chunks"),
            rules_directory: join(folder.path, "rules"),
          },
        },
      },
      schema_config: {
        configs: [
          {
            ...{ from: "2024-01-01", store: "tsdb", object_store: "filesystem", schema: "v13" },
            index: { prefix: "index_", period: "24h" },
          },
        ],
      },
    };
    const flags = [`-config.file=${folder.write("loki.yaml", stringify(config))}`, "-target=all"];
    const server = new LokiServer(
      `http://127.0.0.1:${port}`,
      folder,
      new KeptProcess(program, flags, join(folder.path, "log")),
    );
    await until("Loki to be ready", async () => {
      server.#process.check();
      return (await fetch(`${server.#url}/ready`)).ok;
    });
    return server;
  }

  /** Stores lines, as a shipper does. Rejects with what Loki says against it. */
  async push(stream: Labels, values: readonly TimedLine[]): Promise<void> {
    const response = await fetch(`${this.#url}/loki/api/v1/push`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ streams: [{ stream, values }] }),
    });
    await refuse(response);
  }

  /** What a query returns of the last hour. Rejects with what Loki says against it. */
  async query(query: string): Promise<readonly LokiResult[]> {
    const end = Date.now() / 1000;
    const range = { query, start: String(end - 3600), end: String(end), step: "15", limit: "5000" };
    const response = await fetch(
      `${this.#url}/loki/api/v1/query_range?${new URLSearchParams(range).toString()}`,
    );
    await refuse(response);
    return ((await response.json()) as LokiAnswer).data.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    this.#folder[Symbol.dispose]();
  }
}

async function refuse(response: Response): Promise<void> {
  if (!response.ok) {
    throw new Error(`Loki answers ${response.status}: ${await response.text()}`);
  }
}
