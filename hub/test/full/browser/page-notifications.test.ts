import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import type { Page } from "playwright-core";
import { addInstance, PageWorld, postEvent } from "../../support/page-world.ts";
import { type StandIn, slackStandIn } from "../../support/service-stand-ins.ts";

const ada = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };
const till = "shop:deployment/till";

describe("notifications with the console's page", { skip: lacks("Chromium") }, () => {
  const stack = new AsyncDisposableStack();
  let world: PageWorld;
  let slack: StandIn;
  let page: Page;
  let flags: readonly string[];

  before(async () => {
    slack = stack.use(await slackStandIn());
    world = stack.use(await PageWorld.start({ flags: ["--notify-private-hosts=127.0.0.1"] }));
    page = await world.accept(await world.firstLink(), ada);
    flags = await addInstance(page, { name: "prod" });
  });
  after(() => stack.disposeAsync());

  /** Waits until a delivery is in this state, which is the case at the latest after the page has been loaded again. */
  async function deliveryIs(state: string): Promise<void> {
    const deliveries = page.getByRole("region", { name: "Deliveries" });
    await until(`a delivery that is ${state}`, async () => {
      await world.browser.show(page, "/administration/notifications");
      return (await deliveries.getByText(state, { exact: true }).count()) > 0;
    });
  }

  it("makes a channel, and a rule for one type of events in one namespace", async () => {
    await world.visit(page, "/administration/notifications");
    await page.getByRole("button", { name: "Add a channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Drift");
    await dialog.getByLabel("Address of the webhook").fill(`${slack.url}/services/T1/B1/secret-of-webhook`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("rowheader", { name: /^Drift/ }).waitFor();

    await page.getByRole("button", { name: "Add a rule" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Drift in shop");
    await dialog.getByRole("button", { name: "Type" }).click();
    await dialog.getByRole("checkbox", { name: "drift", exact: true }).check();
    await dialog.getByLabel("Name", { exact: true }).click();
    await dialog.getByRole("button", { name: "Severity: 2" }).click();
    await dialog.getByRole("button", { name: "Clear" }).click();
    await dialog.getByLabel("Namespaces").fill("shop");
    await dialog.getByLabel("Seconds to collect events").fill("0");
    await world.look(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("rowheader", { name: "Drift in shop" }).waitFor();

    assert.equal(slack.received.length, 0);
  });

  it("delivers what the rule says, nothing else, and shows the delivery", async () => {
    assert.equal(await postEvent(world, flags, { type: "drift", workload: "default:deployment/web" }), 204);
    assert.equal(await postEvent(world, flags, { type: "failure", workload: till }), 204);
    assert.equal(await postEvent(world, flags, { type: "drift", workload: till }), 204);

    await until("the notification", () => slack.received.length > 0);
    await deliveryIs("Sent");
    await world.look(page);

    assert.match(slack.received[0]?.text ?? "", /shop:deployment\/till/);
    assert.equal(slack.received.length, 1);
    const deliveries = page.getByRole("region", { name: "Deliveries" });
    assert.equal(await deliveries.getByRole("rowheader", { name: "Drift" }).count(), 1);
  });

  it("shows what a service refused, and why, without the address of its webhook", async () => {
    slack.replies.push({ status: 403, body: "action_prohibited" });

    assert.equal(await postEvent(world, flags, { type: "drift", workload: till }), 204);
    await deliveryIs("Failed");
    await world.look(page);

    await page
      .getByRole("region", { name: "Deliveries" })
      .getByText(/action_prohibited/)
      .waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /secret-of-webhook/);
  });

  it("had no findings of axe, no errors, and asked no other host", () => {
    assert.deepEqual(world.findings, []);
    assert.deepEqual(world.browser.errors, []);
    assert.deepEqual(world.browser.elsewhere, []);
  });
});
