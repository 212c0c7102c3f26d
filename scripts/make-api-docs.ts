/**
 * Writes docs/api.md: every route and every RPC method with a request and its answer, by asking a fluxd that runs
 * on the demo's repository. `npm run build && node scripts/make-api-docs.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpAsker } from "./api-docs/http-asker.ts";
import { httpExamples } from "./api-docs/http-examples.ts";
import { chapter, steady } from "./api-docs/page.ts";
import { RpcAsker } from "./api-docs/rpc-asker.ts";
import { rpcExamples } from "./api-docs/rpc-examples.ts";
import { DemoDaemon } from "./demo/daemon.ts";
import { until } from "./demo/until.ts";
import { DemoRepository } from "./demo/upstream.ts";

const head = `# The API

Made by \`scripts/make-api-docs.ts\` from a fluxd that runs on the demo's repository. IDs of jobs and commits stand as
\`<job>\` and \`<revision>\`.`;

const httpIntro = `fluxd listens at \`--listen\` (\`:3030\`); the base of all paths is \`/api/flux\`. Answers are JSON. An error is
\`{"type", "help", "error"}\` with status 404 (missing), 422 (user) or 500 (server), or as text its help where the request
accepts \`text/plain\`. \`/v1\` to \`/v5\` are gone (410). \`/metrics\` has Prometheus metrics, \`/debug/pprof/\` profiles.

The API may be used under fluxd's addresses, \`localhost\`, names without a dot and the names of Services in its namespace
(\`<name>.<namespace>.svc\`, with or without the cluster's domain). Any other name gets 403 unless \`--listen-host\` lists
it, and so do pages of other origins: no page on the web can use the API of whoever looks at it. Under any name pass
fluxctl, other programs of Flux v1's client, Prometheus, probes, and requests that a reverse proxy marks as sent on
(\`X-Forwarded-For\`, \`Forwarded\`, \`Via\`), where no browser is behind them. So list the name of a reverse proxy that people
open in a browser, and DNS names that scripts use.`;

const rpcIntro = `With \`--connect\` fluxd dials \`<base>/v11/daemon\` as a websocket, and what it has reached calls it: JSON-RPC as Go's
net/rpc speaks it, in binary messages that together are one stream of bytes. Calls run side by side; answers come in
the order in which they are ready. Events are posted to \`<base>/v6/events\`.`;

const folder = mkdtempSync(join(tmpdir(), "weir-api-docs-"));
try {
  writeFileSync(join(import.meta.dirname, "..", "docs", "api.md"), await page());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function page(): Promise<string> {
  const repository = new DemoRepository(folder);
  await using rpc = await RpcAsker.listen();
  const daemon = await DemoDaemon.start(repository.url, folder, [
    "--registry-disable-scanning",
    `--connect=${rpc.url}`,
  ]);
  try {
    await until(
      "the first sync",
      async () => repository.isSynced() && !/started|updating/.test(await daemon.ask("list-workloads", "-a")),
    );
    await rpc.connected();
    const places = {
      [repository.url]: "git@example.com:you/config.git",
      [`127.0.0.1:${daemon.port}`]: "localhost:3030",
    };
    const known = { git: repository.url, revision: repository.head() };
    const http = await new HttpAsker(daemon.url).askAll(httpExamples, known);
    const calls = [...(await rpc.askAll(rpcExamples, known)), rpc.event()];
    const chapters = [chapter("HTTP", httpIntro, http), chapter("RPC over a websocket", rpcIntro, calls)];
    return steady([head, ...chapters].join("\n\n"), places);
  } finally {
    await daemon.stop();
  }
}
