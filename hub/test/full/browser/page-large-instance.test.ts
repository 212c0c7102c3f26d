import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import type { Page } from "playwright-core";
import { deployment, namespace } from "../../../../test/support/manifests.ts";
import { PageCluster } from "../../support/page-cluster.ts";
import { addInstance, PageWorld, pathOf, postEvent, succeeded } from "../../support/page-world.ts";

const ada = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };
const grace = { login: "grace", name: "Grace", password: "a compiler with a moth that is correct" };
/** More than one page of the list, which has 50 rows. */
const names = Array.from({ length: 60 }, (_, index) => `many-${String(index).padStart(2, "0")}`);

describe("the console's page with a large instance", { skip: lacks("Chromium") }, () => {
  const stack = new AsyncDisposableStack();
  let world: PageWorld;
  let page: Page;
  let cluster: PageCluster;
  let flags: readonly string[];
  let atInstance: string;
  /** Somebody who is operator of the namespace "shop" only. */
  let operator: Page;

  before(async () => {
    cluster = stack.use(
      await PageCluster.start({
        images: ["web:1.0.0", "web:1.1.0"],
        files: (host) => ({
          "namespace.yaml": namespace("shop"),
          "shop.yaml": deployment("web", `${host}/web:1.0.0`).replace(
            "namespace: default",
            "namespace: shop",
          ),
          "many.yaml": names.map((name) => deployment(name, `${host}/web:1.0.0`, 0)).join("---\n"),
        }),
      }),
    );
    world = stack.use(await PageWorld.start());
    page = await world.accept(await world.firstLink(), ada);
    flags = await addInstance(page, { name: "prod" });
    await cluster.connect(flags);
  });
  after(() => stack.disposeAsync());

  /** The list may still be on its way when something beside it is there. */
  const hasRows = (on: Page, count: number): Promise<true> =>
    until(`${count} rows`, async () => (await on.locator("tbody tr").count()) === count);

  it("goes through the pages of all workloads, at addresses that survive a reload", async () => {
    const last = page.getByRole("link", { name: "web", exact: true });
    await until("all workloads", async () => {
      await world.browser.show(page, "/workloads");
      return (await page.locator(".total").innerText()) === String(names.length + 1);
    });
    await hasRows(page, 50);
    await page.getByRole("link", { name: "many-49" }).waitFor();
    await world.look(page);

    await page.getByRole("button", { name: "Next page" }).click();
    await last.waitFor();
    await page.reload();
    await last.waitFor();
    await hasRows(page, 11);
    assert.equal(await page.getByRole("button", { name: "Next page" }).isDisabled(), true);
    await page.getByRole("link", { name: "many-50" }).waitFor();

    await page.getByRole("button", { name: "First page" }).click();
    await page.getByRole("link", { name: "many-00" }).waitFor();
    await hasRows(page, 50);
  });

  it("shows an operator of one namespace only what is there", async () => {
    await world.visit(page, "/administration/users");
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Role").selectOption("operator");
    await dialog.getByLabel("Instance").selectOption("prod");
    await dialog.getByLabel("Namespace").fill("shop");
    await dialog.getByRole("button", { name: "Make the link" }).click();
    const { pathname, hash } = new URL(await dialog.locator("code").innerText());
    operator = await world.accept(pathname + hash, grace);

    await operator.getByRole("link", { name: "prod" }).click();
    await operator.getByText("Connected", { exact: true }).first().waitFor();
    atInstance = pathOf(operator);
    await world.visit(operator, "/workloads");
    await operator.getByRole("link", { name: "web", exact: true }).waitFor();

    await hasRows(operator, 1);
    await until("the total", async () => (await operator.locator(".total").innerText()) === "1");
    const ofOthers = `${atInstance}/workloads/${encodeURIComponent("default:deployment/many-00")}`;
    await operator.goto(`${world.console.url}${ofOthers}`);
    await operator.getByRole("alert").getByText("There's no workload").waitFor();
    await world.visit(operator, "/timeline");
    assert.equal(await operator.getByText(/many-/).count(), 0);
  });

  it("offers an operator of one namespace nothing that concerns others", async () => {
    await world.visit(operator, atInstance);
    await operator.getByText("Connected", { exact: true }).first().waitFor();

    for (const name of ["Sync", "Suspend"]) {
      assert.equal(await operator.getByRole("button", { name, exact: true }).count(), 0, name);
    }
    for (const name of ["Settings", "Administration"]) {
      assert.equal(await operator.getByRole("link", { name, exact: true }).count(), 0, name);
    }
    await world.visit(operator, "/administration");
    await operator.getByText("This takes the role of an administrator").waitFor();
  });

  it("lets an operator of one namespace release there", async () => {
    const image = `${cluster.registry.host}/web:1.1.0`;
    const link = operator.getByRole("link", { name: `Release ${image}` });
    await world.browser.show(
      operator,
      `${atInstance}/workloads/${encodeURIComponent("shop:deployment/web")}`,
    );
    await operator.getByRole("link", { name: /^Images/ }).click();
    await link.waitFor();
    await link.click();
    await operator.getByRole("region", { name: "Changes" }).getByText("1.1.0").waitFor();
    await world.look(operator);
    await operator.getByRole("button", { name: "Release", exact: true }).click();
    await succeeded(operator);

    assert.match(await cluster.inGit("shop.yaml"), /web:1\.1\.0/);
    assert.doesNotMatch(await cluster.inGit("many.yaml"), /web:1\.1\.0/);
  });

  it("removes an instance once its name was typed, and leaves its cluster and git alone", async () => {
    const head = await cluster.repository.upstream("rev-parse", "master");
    await world.visit(page, `${atInstance}/settings`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const remove = dialog.getByRole("button", { name: "Remove", exact: true });
    assert.equal(await remove.isDisabled(), true);
    await world.look(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByLabel("Type prod to confirm").fill("prod");
    await remove.click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("link", { name: "prod" }).waitFor({ state: "detached" });

    assert.equal(await postEvent(world, flags), 401);
    await world.visit(page, "/workloads");
    await page.getByText("No workloads yet.").waitFor();
    await world.visit(operator, "/");
    assert.equal(await operator.getByRole("link", { name: "prod" }).count(), 0);
    const web = await cluster.kube.get("/apis/apps/v1/namespaces/shop/deployments/web");
    assert.match(JSON.stringify(web), /"replicas":1/);
    assert.equal(await cluster.repository.upstream("rev-parse", "master"), head);
  });

  it("had no findings of axe, no errors, and asked no other host", () => {
    assert.deepEqual(world.findings, []);
    assert.deepEqual(world.browser.errors, []);
    assert.deepEqual(world.browser.elsewhere, []);
  });
});
