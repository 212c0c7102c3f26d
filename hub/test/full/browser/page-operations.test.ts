import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import type { Page } from "playwright-core";
import { deployment } from "../../../../test/support/manifests.ts";
import { securityHeaders } from "../../../src/rest/security-headers.ts";
import { PageCluster } from "../../support/page-cluster.ts";
import { addInstance, PageWorld, pathOf, succeeded } from "../../support/page-world.ts";

const ada = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };
const grace = { login: "grace", name: "Grace", password: "a compiler with a moth that is correct" };
const hostile = `<img src=x onerror="document.title='taken over'">`;
const webPath = "/apis/apps/v1/namespaces/default/deployments/web";

describe("the console's page with a fluxd", { skip: lacks("Chromium") }, () => {
  const stack = new AsyncDisposableStack();
  let world: PageWorld;
  let page: Page;
  let cluster: PageCluster;
  /** The name of the images in the registry. */
  let image: string;
  /** The paths of the screens of the workload, and of its instance. */
  let atWorkload: string;
  let atInstance: string;

  before(async () => {
    cluster = stack.use(
      await PageCluster.start({
        images: ["worker:1.0.0", "web:1.0.0", "web:1.1.0"],
        files: (host) => ({
          "web.yaml": deployment("web", `${host}/web:1.0.0`),
          "worker.yaml": deployment("worker", `${host}/worker:1.0.0`),
        }),
      }),
    );
    image = `${cluster.registry.host}/web`;
    world = stack.use(await PageWorld.start());
    page = await world.accept(await world.firstLink(), ada);
  });
  after(() => stack.disposeAsync());

  /** Opens one of the entries under Policies. */
  async function choosePolicy(name: string): Promise<void> {
    await page.getByRole("button", { name: "Policies" }).click();
    await page.getByRole("button", { name, exact: true }).click();
  }

  /** Says yes in the window that is open, as soon as it has a plan; resolves when that has been done. */
  async function confirm(name: string): Promise<string> {
    const before = pathOf(page);
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name, exact: true });
    await button.click().catch(async (error: unknown) => {
      throw new Error(`this can't be requested: ${await dialog.innerText()}`, { cause: error });
    });
    await page.waitForURL((url) => url.pathname !== before);
    return succeeded(page);
  }

  it("sends the page with the headers that keep it safe", async () => {
    const { headers } = await fetch(world.console.url);

    for (const [name, value] of Object.entries(securityHeaders)) {
      assert.equal(headers.get(name), value);
    }
  });

  it("connects a fluxd with the flags that it shows", async () => {
    const flags = await addInstance(page, { name: "prod", description: hostile });
    await cluster.connect(flags);

    await page.getByRole("link", { name: "Instances" }).first().click();
    await page.getByText(hostile).waitFor();
    await page.getByRole("link", { name: "prod" }).click();
    await page.getByText("Connected", { exact: true }).first().waitFor();
    await page.getByText("Synced", { exact: true }).first().waitFor();
    await page.getByText("Nothing does.").waitFor();
    atInstance = pathOf(page);

    assert.match(flags.join(" "), /^--connect=ws:\S+ --token=\S+$/);
    assert.equal(await page.locator("img").count(), 0);
    await world.look(page);
  });

  it("searches, filters, and sorts workloads, and keeps that through a reload", async () => {
    await page.getByRole("link", { name: "Workloads", exact: true }).first().click();
    await page.getByRole("link", { name: "worker" }).waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type("web");
    await page.getByRole("link", { name: "worker" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Kind" }).click();
    await page.getByRole("checkbox", { name: /^deployment/i }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Workload", exact: true }).click();
    await page.waitForURL(/sort=-id/);
    await page.reload();
    await page.getByRole("link", { name: "web", exact: true }).waitFor();

    assert.equal(await page.getByRole("searchbox").inputValue(), "web");
    assert.match(page.url(), /\?q=web&kind=deployment&sort=-id$/);
    await world.look(page);
    await page.getByRole("link", { name: "web", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "web" }).waitFor();
    atWorkload = pathOf(page);
  });

  it("shows a workload with its pods, resources, and manifests, at addresses that survive a reload", async () => {
    const pods = "/api/v1/namespaces/default/pods?labelSelector=app%3Dweb";
    const pod = /"name":"(web-\w+-\w+)"/.exec(JSON.stringify(await cluster.kube.get(pods)))?.[1] ?? "none";

    await world.visit(page, atWorkload);
    await page.getByRole("rowheader", { name: pod }).waitFor();
    await page.getByText(/^1 of 1 ready/).waitFor();
    await page
      .getByRole("region", { name: /^Why automation/ })
      .getByText("main")
      .waitFor();
    await page.getByRole("link", { name: "Resources", exact: true }).click();
    await page.getByRole("region", { name: "Tree of resources" }).getByText(pod).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Tree of resources" }).getByText("Healthy").first().waitFor();
    await page.getByRole("rowheader", { name: pod }).waitFor();
    await world.look(page);
    await page.getByRole("link", { name: "Diff" }).click();
    await page.getByText("The next sync changes nothing.").waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await page.waitForURL(/view=live$/);
    await page.reload();
    await page.locator(".manifest").getByText("kind: Deployment").waitFor();
    await world.look(page);
  });

  it("releases an image that was chosen, as the plan says, into git", async () => {
    const link = page.getByRole("link", { name: `Release ${image}:1.1.0` });
    await until("the images to be known", async () => {
      await world.browser.show(page, `${atWorkload}/images`);
      return (await link.count()) > 0;
    });
    await world.look(page);
    await link.click();
    await page.getByRole("region", { name: "Changes" }).getByText("1.1.0").waitFor();
    await page.getByLabel("Message").fill(`Ship it ${hostile}`);
    await world.look(page);
    await page.getByRole("button", { name: "Release", exact: true }).click();
    await succeeded(page);
    await world.look(page);

    assert.match(await cluster.inGit("web.yaml"), /web:1\.1\.0/);
    assert.match(await cluster.repository.upstream("log", "-1", "--format=%B", "master"), /Ship it <img/);
    await until("the release in the cluster", async () =>
      JSON.stringify(await cluster.kube.get(webPath)).includes(`${image}:1.1.0`),
    );
  });

  it("undoes what a job has done", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await confirm("Undo");

    assert.match(await cluster.inGit("web.yaml"), /web:1\.0\.0/);
  });

  it("changes policies, and locks with a reason that it shows as text", async () => {
    await world.browser.show(page, atWorkload);
    await choosePolicy("Tag filters");
    await page.getByRole("dialog").getByLabel("main").fill("semver:~1.0");
    await confirm("Change the filters");
    await world.browser.show(page, atWorkload);
    await choosePolicy("Automate");
    await confirm("Automate");
    await world.browser.show(page, atWorkload);
    await choosePolicy("Stop automating");
    await confirm("Stop automating");
    await world.browser.show(page, atWorkload);
    await choosePolicy("Lock");
    await page.getByRole("dialog").getByLabel("Reason").fill(hostile);
    await world.look(page);
    await confirm("Lock");

    const manifest = await cluster.inGit("web.yaml");
    assert.match(manifest, /fluxcd\.io\/tag\.main: '?semver:~1\.0/);
    assert.match(manifest, /fluxcd\.io\/locked: ['"]true['"]/);
    await world.browser.show(page, atWorkload);
    await page.getByText(`Yes: ${hostile}`).waitFor();
    await page
      .getByRole("region", { name: /^Why automation/ })
      .getByText(/locked/i)
      .first()
      .waitFor();
    assert.match(await page.title(), /^web/);
    await choosePolicy("Unlock");
    await confirm("Unlock");
  });

  it("shows what was changed in the cluster, and puts it back", async () => {
    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-edit`, { spec: { replicas: 3 } });
    await until("the drift", async () => {
      await world.browser.show(page, `${atInstance}/drift`);
      return (await page.getByText("by kubectl-edit").count()) > 0;
    });
    await world.look(page);

    await page.getByRole("button", { name: "Put everything back" }).click();
    await confirm("Put back");
    await world.visit(page, `${atInstance}/drift`);
    await page.getByText("The cluster is as in git.").waitFor();

    assert.match(JSON.stringify(await cluster.kube.get(webPath)), /"replicas":1,/);
  });

  it("takes over into git what was changed in the cluster", async () => {
    const containers = [{ name: "main", image: `${image}:1.1.0` }];
    await cluster.kube.patch(`${webPath}?fieldManager=kubectl-set`, {
      spec: { template: { spec: { containers } } },
    });
    const choice = page.getByRole("checkbox", { name: "Choose default:deployment/web" });
    await until("the drift", async () => {
      await world.browser.show(page, `${atInstance}/drift`);
      return (await choice.count()) > 0;
    });

    await choice.check();
    await page.getByRole("button", { name: "Take over into git (1)" }).click();
    await confirm("Take over");

    assert.match(await cluster.inGit("web.yaml"), /web:1\.1\.0/);
  });

  it("lets a second person approve exactly the plan, and the first one cancel", async () => {
    await world.visit(page, "/administration/approvals");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("dialog").getByLabel("Instance").selectOption("prod");
    await world.look(page);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("rowheader", { name: "prod" }).waitFor();
    await world.visit(page, "/administration/users");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("operator");
    await page.getByRole("dialog").getByLabel("Instance").selectOption("prod");
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByRole("dialog").locator("code").innerText();
    const other = await world.accept(new URL(link).pathname + new URL(link).hash, grace);

    const ask = async (): Promise<string> => {
      await world.visit(page, `${atWorkload}/images`);
      await page.getByRole("link", { name: `Release ${image}:1.0.0` }).click();
      await page.getByText("Somebody else has to approve exactly this plan.").waitFor();
      await page.getByRole("button", { name: "Ask for approval" }).click();
      await page.getByText("Somebody else has to approve it.").waitFor();
      return pathOf(page);
    };
    await ask();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Cancelled").waitFor();
    const job = await ask();
    await world.visit(other, "/jobs?show=waiting");
    await other.locator("a.row-link").click();
    await other.getByRole("region", { name: "Changes" }).getByText("1.0.0").waitFor();
    await other.getByLabel("Comment").fill(`Fine ${hostile}`);
    await world.look(other);
    await other.getByRole("button", { name: "Approve" }).click();
    await succeeded(other);
    await page.getByText(`Fine ${hostile}`).waitFor();
    await other.context().close();

    assert.equal(pathOf(page), job);
    assert.match(await cluster.inGit("web.yaml"), /web:1\.0\.0/);
    await world.visit(page, "/administration/approvals");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No change needs a second person.").waitFor();
  });

  it("suspends with a banner everywhere, and says what blocks a sync", async () => {
    const banner = page.getByRole("complementary", { name: "Suspended instances" });
    await world.visit(page, atInstance);
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByLabel("Reason").fill("Moving house");
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await banner.getByText("Moving house").waitFor();
    await page
      .locator(".blockers")
      .getByText(/suspended by ada because: Moving house/)
      .first()
      .waitFor();
    await world.look(page);
    await world.visit(page, "/jobs");
    await banner.getByText("Moving house").waitFor();
    await world.browser.show(page, atInstance);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await banner.waitFor({ state: "detached" });

    const bad = deployment("bad").replace("replicas: 1", "replicas: -1");
    await cluster.repository.push({ "bad.yaml": bad }, "Break it");
    await page.getByRole("button", { name: "Sync" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sync", exact: true }).click();
    await page.waitForURL(/\/jobs\//);
    await until("what blocks the sync", async () => {
      await world.browser.show(page, atInstance);
      return (await page.locator(".blockers").getByText("default:deployment/bad").count()) > 0;
    });
    await world.look(page);
  });

  it("has a timeline of everything, also of one workload", async () => {
    await world.visit(page, "/timeline");
    await page
      .getByText(/Ship it/)
      .first()
      .waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("house");
    await page.waitForURL(/[?&]q=house$/);
    await until("what matches", async () => (await page.locator(".events > li").count()) <= 2);
    await page.reload();
    assert.equal(await page.getByRole("searchbox").inputValue(), "house");
    await world.visit(page, `${atWorkload}/events`);
    await page
      .getByText(/Ship it/)
      .first()
      .waitFor();
    await world.visit(page, `${atWorkload}/history`);
    await page
      .getByRole("region", { name: "Requested here" })
      .getByText(/^Release /)
      .first()
      .waitFor();
    assert.equal(await page.locator("img").count(), 0);
  });

  it("shows all of that in dark colors, and on a phone", async () => {
    const paths = ["/", "/workloads", atInstance, atWorkload, `${atWorkload}/images`, "/timeline", "/jobs"];
    const tooWide: string[] = [];

    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of paths) {
      await world.visit(page, path);
      if (Number(await page.evaluate("document.documentElement.scrollWidth")) > 390) {
        tooWide.push(path);
      }
    }

    assert.deepEqual(tooWide, []);
  });

  it("had no findings of axe, no errors, and asked no other host", () => {
    assert.deepEqual(world.findings, []);
    assert.deepEqual(world.browser.errors, []);
    assert.deepEqual(world.browser.elsewhere, []);
  });
});
