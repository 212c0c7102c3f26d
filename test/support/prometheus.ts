import { join } from "node:path";
import { findProgram, freePort, KeptProcess, TempFolder, until } from "@weir/testing";
import { stringify } from "yaml";

/** What a Prometheus scrapes, and the rules that it evaluates. */
export interface PrometheusOptions {
  /** The job of the series; "host:port" of each instance. */
  readonly job: string;
  readonly targets: readonly string[];
  readonly ruleFiles?: readonly string[];
}

/** A series with its values by time, as Prometheus's API returns it. */
export interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [seconds: number, value: string])[];
}

/** From when to when, and how far apart, in seconds. */
export interface QueryRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** How often the test's Prometheus scrapes, in seconds. */
export const scrapeInterval = 1;

/** A real Prometheus on a free port of the loopback. */
export class PrometheusServer implements AsyncDisposable {
  readonly url: string;
  readonly #folder: TempFolder;
  readonly #process: KeptProcess;

  private constructor(url: string, folder: TempFolder, process: KeptProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = process;
  }

  static async start({ job, targets, ruleFiles = [] }: PrometheusOptions): Promise<PrometheusServer> {
    const folder = new TempFolder();
    const config = {
      global: { scrape_interval: `${scrapeInterval}s`, evaluation_interval: "1s" },
      rule_files: ruleFiles,
      scrape_configs: [{ job_name: job, static_configs: [{ targets }] }],
    };
    const address = `127.0.0.1:${await freePort()}`;
    const flags = [
      `--config.file=${folder.write("prometheus.yml", stringify(config))}`,
      `--storage.tsdb.path=${join(folder.path, "data")}`,
      `--web.listen-address=${address}`,
    ];
    const program = findProgram("prometheus") ?? "prometheus";
    const process = new KeptProcess(program, flags, join(folder.path, "log"));
    const server = new PrometheusServer(`http://${address}`, folder, process);
    await until("Prometheus to be ready", async () => {
      process.check();
      return (await fetch(`${server.url}/-/ready`)).ok;
    });
    return server;
  }

  /** Asks the HTTP API. Rejects with Prometheus's error. */
  async ask(path: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const { status, error, data } = (await response.json()) as ApiAnswer;
    if (status !== "success") {
      throw new Error(`${path} ${JSON.stringify(query)}: ${error ?? ""}`);
    }
    return data;
  }

  /** The series of a query. */
  async range(query: string, { start, end, step }: QueryRange): Promise<readonly RangeSeries[]> {
    const data = await this.ask("query_range", {
      query,
      start: String(start),
      end: String(end),
      step: String(step),
    });
    return (data as { readonly result: readonly RangeSeries[] }).result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stop();
    this.#folder[Symbol.dispose]();
  }
}

interface ApiAnswer {
  readonly status: "success" | "error";
  readonly error?: string;
  readonly data?: unknown;
}
