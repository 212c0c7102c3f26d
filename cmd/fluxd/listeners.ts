/** Opens the addresses that serve the API, metrics, and profiles. */
import { readFile } from "node:fs/promises";
import { type Clock, type Logger, messageOf } from "@weir/base";
import { Profiler } from "@weir/base/node";
import type { MetricsRegistry } from "@weir/base/prometheus";
import type { ApiServer, Inspection } from "@weir/flux/api";
import { type KnownHosts, knownHosts } from "../../src/api/server/known-hosts.ts";
import { listen } from "../../src/api/server/listen.ts";
import { openServerMetrics } from "../../src/api/server/metrics.ts";
import { createApp, type Served } from "../../src/api/server/server.ts";
import { configRedactor } from "./redactor.ts";
import type { FluxdConfig } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/** What the listeners serve. */
export interface ListenerContext {
  readonly api: ApiServer & Inspection;
  readonly registry: MetricsRegistry;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cleanup: AsyncDisposableStack;
}

/** Listens until `cleanup` stops it. Rejects with ListenError, or with StartupError if there's no valid token file. */
export async function startListeners(
  config: FluxdConfig,
  { api, registry, clock, logger, cleanup }: ListenerContext,
): Promise<void> {
  const { listen: address, listenMetrics } = config;
  const metrics = async (): Promise<{ contentType: string; body: string }> => ({
    contentType: registry.contentType,
    body: await registry.exposition(),
  });
  const countResponse = openServerMetrics(registry);
  const profiling = {
    profiles: new Profiler(clock),
    commandLine: safeCommandLine(process.argv, configRedactor(config)),
  };
  const hosts = await hostsOf(config);
  const gate = await tokenGate(config.listenTokenFile, logger);
  const served: Served = {
    api,
    inspection: api,
    profiling,
    hosts,
    countResponse,
    ...gate,
    ...(listenMetrics === "" ? { metrics } : {}),
  };
  const main = await listen(createApp(served), address);
  cleanup.defer(() => main.stop());
  logger.log({ addr: address });
  if (gate.token === undefined && !isLoopback(address)) {
    logger.log({
      warning:
        "everyone who can reach this address can use the API; set --listen-token-file, or listen on 127.0.0.1",
      addr: address,
    });
  }
  if (listenMetrics !== "") {
    const second = await listen(createApp({ metrics, hosts, countResponse }), listenMetrics);
    cleanup.defer(() => second.stop());
    logger.log({ "metrics-addr": listenMetrics });
  }
}

/** How names are resolved here; contains the pod's namespace and the cluster's domain. */
const resolvConf = "/etc/resolv.conf";

async function hostsOf({ listenHosts }: FluxdConfig): Promise<KnownHosts> {
  return knownHosts(listenHosts, await readFile(resolvConf, "utf8").catch(() => ""));
}

/** The token is read for each request, because a mounted Secret can change. */
async function tokenGate(file: string, logger: Logger): Promise<Pick<Served, "token">> {
  if (file === "") {
    return {};
  }
  const read = async (): Promise<string> => (await readFile(file, "utf8")).trim();
  const first = await read().catch((error: unknown) => {
    throw new StartupError({ err: `cannot read the file given by --listen-token-file: ${messageOf(error)}` });
  });
  if (first === "") {
    throw new StartupError({ err: `the file given by --listen-token-file is empty: ${file}` });
  }
  const token = (): Promise<string> =>
    read().catch((error: unknown) => {
      logger.log({ err: `cannot read the file given by --listen-token-file: ${messageOf(error)}` });
      return "";
    });
  return { token };
}

function isLoopback(address: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/.test(address);
}

/** Flags whose value must not be shown. */
const secretFlags = ["--token"];

/**
 * A command line for display: without the secrets of the configuration, and without tokens that are too short to search
 * for.
 */
function safeCommandLine(argv: readonly string[], redact: (text: string) => string): readonly string[] {
  return argv.map((argument, at) => {
    const [flag = ""] = argument.split("=");
    const isValue = secretFlags.includes(argv[at - 1] ?? "");
    const isSecret = secretFlags.includes(flag) && flag !== argument;
    return isValue ? "<redacted>" : isSecret ? `${flag}=<redacted>` : redact(argument);
  });
}
