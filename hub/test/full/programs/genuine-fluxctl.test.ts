import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder, until } from "@weir/testing";
import { genuineFluxctl } from "../../../../test/support/genuine/genuine-fluxctl.ts";
import { deployment } from "../../../../test/support/manifests.ts";
import { ConsoleServer } from "../../support/console-server.ts";
import { PageCluster } from "../../support/page-cluster.ts";

const workload = "default:deployment/web";

describe("the fluxctl of Flux 1.25.4, through a console", { skip: lacks("Go") }, () => {
  const stack = new AsyncDisposableStack();
  let cluster: PageCluster;
  let image: string;
  let program: string;
  let folder: TempFolder;
  let url: string;
  let token: string;

  before(async () => {
    program = await genuineFluxctl();
    folder = stack.use(new TempFolder());
    cluster = stack.use(
      await PageCluster.start({
        images: ["web:1.0.0", "web:1.1.0"],
        files: (host) => ({ "web.yaml": deployment("web", `${host}/web:1.0.0`) }),
      }),
    );
    image = `${cluster.registry.host}/web`;
    const console = stack.use(await ConsoleServer.start({ folder: folder.path, built: true }));
    url = console.flux;
    const browser = console.browser();
    const link = await until("the link", () => /\/invitation#(\S+)/.exec(console.log)?.[1]);
    await browser.ask("acceptInvitation", {
      body: { token: link, login: "ada", password: "a horse with a battery that is correct" },
    });
    const { instance, flags } = await browser.ask("createInstance", { body: { name: "prod" } });
    const { secret } = await browser.ask("createApiToken", {
      body: { name: "fluxctl", scopes: ["write"], instanceId: instance.id },
    });
    token = secret;
    await cluster.connect(flags);
  });
  after(() => stack.disposeAsync());

  /** What it prints; rejects with that if it fails. */
  function fluxctl(...args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const env = { PATH: process.env["PATH"], HOME: folder.path };
      const all = [...args, `--url=${url}`, `--token=${token}`];
      execFile(program, all, { env, cwd: folder.path }, (error, stdout, stderr) =>
        error === null ? resolve(stdout + stderr) : reject(new Error(`${stdout}${stderr}`)),
      );
    });
  }

  it("lists workloads and images", async () => {
    const workloads = await fluxctl("list-workloads", "--namespace=default");
    const images = await until("the images", async () => {
      const listed = await fluxctl("list-images", "--namespace=default");
      return listed.includes("1.1.0") && listed;
    });

    assert.match(workloads, new RegExp(`^${workload} +main +${image}:1\\.0\\.0 `, "m"));
    assert.match(images, /^ +\| +1\.1\.0 /m);
  });

  it("releases, changes policies, and syncs", async () => {
    const released = await fluxctl("release", `--workload=${workload}`, `--update-image=${image}:1.1.0`);
    const changed = await fluxctl("policy", `--workload=${workload}`, "--tag=main=semver:~1", "--lock");
    const synced = await fluxctl("sync");

    assert.match(released, /Commit pushed:\s+[0-9a-f]{7}/);
    assert.match(changed, /Commit pushed:\s+[0-9a-f]{7}/);
    assert.match(synced, /^Done\.$/m);
    const manifest = await cluster.inGit("web.yaml");
    assert.match(manifest, /web:1\.1\.0/);
    assert.match(manifest, /fluxcd\.io\/tag\.main: semver:~1/);
    assert.match(manifest, /fluxcd\.io\/locked: ['"]true['"]/);
  });

  it("is told when its token doesn't count", async () => {
    token = "wrong";

    await assert.rejects(fluxctl("list-workloads"), /The request failed authentication/);
  });
});
