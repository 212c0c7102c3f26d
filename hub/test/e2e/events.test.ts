import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, TempFolder, until } from "@weir/testing";
import { Fluxd } from "../../../test/support/fluxd.ts";
import { deployment } from "../../../test/support/manifests.ts";
import { TestRepository } from "../../../test/support/repository.ts";
import type { ConsoleEvent } from "../../src/contract/events.ts";
import { ConsoleServer } from "../support/console-server.ts";
import { type StandIn, standIn } from "../support/service-stand-ins.ts";
import type { TestBrowser } from "../support/test-browser.ts";

const webPath = "/apis/apps/v1/namespaces/default/deployments/web";
const account = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };

describeOnEmbeddedCluster("what happens to a fluxd", {}, (cluster) => {
  it("is in the console's list and stream, and makes notifications that link to it", async () => {
    using folder = new TempFolder();
    await using repository = await TestRepository.create({ "web.yaml": deployment("web") });
    await using service = await standIn(() => ({ status: 200, body: "ok" }));
    await using console = await ConsoleServer.start({
      folder: folder.path,
      flags: ["--notify-private-hosts=127.0.0.1", "--daemon-gone-after-seconds=1"],
    });
    const browser = await administrator(console);
    await notify(browser, service);
    using stream = await openStream(browser);
    const { token } = await browser.ask("createInstance", { body: { name: "prod", description: "" } });
    await using fluxd = await Fluxd.start({
      gitUrl: repository.url,
      kubeconfigPath: cluster.kubeconfigPath,
      flags: ["--sync-interval=1s", `--connect=${console.flux.replace("http", "ws")}`, `--token=${token}`],
    });
    await eventWhen(browser, "sync", "info");

    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-edit`, { spec: { replicas: 3 } });
    const drift = await eventWhen(browser, "drift", "warning");
    await repository.push({ "web.yaml": "kind: [" }, "Break it");
    await fluxd.notify(repository.url);
    const failure = await eventWhen(browser, "failure", "error");
    await fluxd.stop("SIGKILL");
    const gone = await eventWhen(browser, "disconnect", "error");

    assert.deepEqual([drift.workloads, drift.namespaces], [["default:deployment/web"], ["default"]]);
    assert.match(failure.message, /web\.yaml/);
    assert.match(gone.message, /^The daemon has not been connected since /);
    assert.deepEqual(await browser.ask("event", { params: { event: String(drift.id) } }), drift);
    for (const { id, type } of [drift, failure, gone]) {
      await until(`the ${type} in the stream`, () => stream.text.includes(`"event":{"id":${id},`));
      const link = await until(`the notification of ${type}`, () => linkTo(id, service));
      assert.equal(link, `${console.url}/events/${id}`);
    }
  });
});

async function administrator(console: ConsoleServer): Promise<TestBrowser> {
  const token = await until("the link", () => /\/invitation#(\S+)/.exec(console.log)?.[1]);
  const browser = console.browser();
  await browser.ask("acceptInvitation", { body: { token, ...account } });
  return browser;
}

/** What needs somebody now, and drift, as hub/docs/notifications.md says. */
async function notify(browser: TestBrowser, { url }: StandIn): Promise<void> {
  const key = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const settings = { url: `${url}/hook`, key };
  const { id } = await browser.ask("createChannel", { body: { name: "hook", kind: "webhook", settings } });
  const rule = {
    ...{ channelId: id, enabled: true, instances: [], namespaces: [], eventTypes: [], severities: [] },
    ...{ title: null, template: null, groupBy: [], groupSeconds: 0 },
  };
  await browser.ask("createRule", { body: { ...rule, name: "now", severities: ["error"] } });
  await browser.ask("createRule", { body: { ...rule, name: "drift", eventTypes: ["drift"] } });
}

function eventWhen(browser: TestBrowser, type: string, severity: string): Promise<ConsoleEvent> {
  return until(`${type} (${severity})`, async () => {
    const { rows } = await browser.ask("events", { query: { type, severity } });
    return rows[0];
  });
}

/** The link of the notification about an event. */
function linkTo(id: number, { received }: StandIn): string | undefined {
  return received
    .flatMap(({ text }) => (JSON.parse(text) as Sent).data.events)
    .find((event) => event.id === id)?.link;
}

interface Sent {
  readonly data: { readonly events: readonly { readonly id: number; readonly link: string }[] };
}

/** What a page hears as it happens. */
async function openStream(browser: TestBrowser): Promise<{ readonly text: string } & Disposable> {
  const stop = new AbortController();
  const heard = { text: "", [Symbol.dispose]: () => stop.abort() };
  const response = await browser.fetch("/api/console/v1/stream", { signal: stop.signal });
  const decoder = new TextDecoder();
  void response.body
    ?.pipeTo(
      new WritableStream({
        write: (chunk: Uint8Array) => void (heard.text += decoder.decode(chunk, { stream: true })),
      }),
    )
    .catch(() => undefined);
  return heard;
}
