import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import type { Page } from "playwright-core";
import { IdentityProvider } from "../../support/identity-provider.ts";
import {
  addInstance,
  flagsShown,
  PageWorld,
  type Person,
  pathOf,
  postEvent,
} from "../../support/page-world.ts";
import { type StandIn, slackStandIn } from "../../support/service-stand-ins.ts";

const ada = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };
const grace = { login: "grace", name: "<script>alert(1)</script>", password: "a compiler with one moth" };
const dorothy = { login: "dorothy", name: "Dorothy", password: "an orbit around the moon and back" };

describe("access with the console's page", { skip: lacks("Chromium") }, () => {
  const stack = new AsyncDisposableStack();
  let world: PageWorld;
  let provider: IdentityProvider;
  let slack: StandIn;
  /** Of the first administrator. */
  let page: Page;
  let firstLink: string;

  before(async () => {
    const folder = stack.use(new TempFolder());
    provider = stack.use(await IdentityProvider.start());
    slack = stack.use(await slackStandIn());
    const [secret, authorities] = [join(folder.path, "secret"), join(folder.path, "authorities.pem")];
    writeFileSync(secret, provider.clientSecret, { mode: 0o600 });
    writeFileSync(authorities, provider.certificate);
    world = stack.use(
      await PageWorld.start({
        flags: [
          `--openid-issuer=${provider.issuer.origin}`,
          `--openid-client-id=${provider.clientId}`,
          `--openid-client-secret-file=${secret}`,
          "--openid-name=Example",
          "--notify-private-hosts=127.0.0.1",
        ],
        env: { NODE_EXTRA_CA_CERTS: authorities },
      }),
    );
    provider.serve(world.console.url);
    firstLink = await world.firstLink();
  });
  after(() => stack.disposeAsync());

  async function logIn(on: Page, { login, password }: Pick<Person, "login" | "password">): Promise<void> {
    await on.getByLabel("Name", { exact: true }).fill(login);
    await on.getByLabel("Password").fill(password);
    await on.getByRole("button", { name: "Log in", exact: true }).click();
  }

  const loggedOut = (on: Page): Promise<void> =>
    on.getByRole("heading", { level: 1, name: "Log in" }).waitFor();

  /** Makes the link of an invitation; resolves to its path. */
  async function invite(role: string, instance: string): Promise<string> {
    await page.getByRole("button", { name: "Invite" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Role").selectOption(role);
    await dialog.getByLabel("Instance").selectOption(instance);
    await world.look(page);
    await dialog.getByRole("button", { name: "Make the link" }).click();
    const { pathname, hash } = new URL(await dialog.locator("code").innerText());
    await dialog.getByRole("button", { name: "Close" }).click();
    return pathname + hash;
  }

  it("lets the first administrator in with a link that works once", async () => {
    page = await world.accept(firstLink, ada);
    await world.look(page);

    const again = await world.browser.open(firstLink);
    await again.getByLabel("Name to log in with").fill("eve");
    await again.getByLabel("Password").fill(ada.password);
    await again.getByRole("button", { name: "Set the password and log in" }).click();
    await again.getByRole("alert").waitFor();
    await again.context().close();
  });

  it("logs out, and in again to where a link led", async () => {
    await page.getByRole("button", { name: "Log out" }).click();
    await loggedOut(page);
    await world.look(page);
    await world.browser.show(page, "/administration/users");
    await logIn(page, { ...ada, password: "a donkey" });
    await page.getByRole("alert").waitFor();
    await logIn(page, ada);
    await page.getByRole("rowheader", { name: /Ada/ }).waitFor();

    assert.equal(pathOf(page), "/administration/users");
  });

  it("adds and renames an instance, and gives it a new token", async () => {
    const first = await addInstance(page, { name: "prod", description: "Customers" });
    await page.getByRole("link", { name: "prod" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("production");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "production" }).waitFor();
    await page.getByRole("button", { name: "Make a new token" }).click();
    await world.look(page);
    await page.getByRole("dialog").getByRole("button", { name: "Make a new token" }).click();
    await page.getByRole("dialog", { name: "Connect production" }).waitFor();
    const second = await flagsShown(page);
    await world.look(page);
    assert.equal(await postEvent(world, first), 401);
    assert.equal(await postEvent(world, second), 204);
  });

  it("shows at a field what is wrong with it, and what to do", async () => {
    await world.visit(page, "/administration/notifications");
    await page.getByRole("button", { name: "Add a channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Releases");
    await dialog.getByLabel("Address of the webhook").fill("slack, please");
    await dialog.getByRole("button", { name: "Save" }).click();

    await dialog.getByRole("alert").getByText("Correct the fields that are named.").waitFor();
    await world.look(page);
    const address = dialog.getByLabel("Address of the webhook");
    assert.equal(await address.getAttribute("aria-invalid"), "true");
    assert.equal(
      await address.locator("..").locator(".field-problem").innerText(),
      "Must be a URL with https",
    );
    assert.equal(await dialog.getByRole("alert").getByRole("listitem").count(), 0);

    await address.fill(`${slack.url}/services/T1/B1/secret-of-webhook`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  it("tests a channel, and adds a rule for it", async () => {
    await page.getByRole("button", { name: "Test Releases" }).click();
    await page.getByText("Releases took the sample.").waitFor();
    assert.equal(slack.received.length, 1);

    await page.getByRole("button", { name: "Add a rule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Every release");
    await dialog.getByRole("button", { name: "Severity: 2" }).click();
    await dialog.getByRole("button", { name: "Clear" }).click();
    await dialog.getByRole("button", { name: "Type" }).click();
    await dialog.getByRole("checkbox", { name: "release", exact: true }).check();
    await world.look(page);
    await dialog.getByLabel("Name", { exact: true }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("rowheader", { name: "Every release" }).waitFor();
    await page.getByRole("link", { name: "Instances" }).last().click();
    await page.getByRole("link", { name: "production" }).click();
    await page.getByRole("button", { name: "Make a new token" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make a new token" }).click();
    await page.getByRole("dialog", { name: "Connect production" }).waitFor();

    assert.equal(await postEvent(world, await flagsShown(page)), 204);
  });

  it("invites somebody, whose role decides what the page offers", async () => {
    await world.visit(page, "/administration/users");
    const viewer = await world.accept(await invite("viewer", ""), grace);
    assert.equal(await viewer.getByRole("link", { name: "Administration" }).count(), 0);
    await viewer.getByText(grace.name).first().waitFor();

    await world.visit(page, "/administration/roles");
    await page.getByRole("button", { name: "Give a role" }).click();
    await page.getByRole("dialog").getByLabel("User").selectOption("grace");
    await page.getByRole("dialog").getByLabel("Role").selectOption("administrator");
    await page.getByRole("dialog").getByLabel("Instance").selectOption("production");
    await world.look(page);
    await page.getByRole("button", { name: "Give the role" }).click();
    const takeAway = page.getByRole("button", { name: "Take away: administrator, from grace" });
    await takeAway.waitFor();
    await viewer.reload();
    await viewer.getByRole("link", { name: "Administration" }).click();
    await viewer.getByRole("rowheader").first().waitFor();
    await world.look(viewer);
    assert.deepEqual(
      await viewer
        .getByRole("navigation", { name: "Parts of the administration" })
        .getByRole("link")
        .allInnerTexts(),
      ["Roles", "Approvals", "Audit log"],
    );
    await viewer.getByRole("link", { name: "Audit log" }).click();
    await viewer.getByRole("searchbox").waitFor();

    await takeAway.click();
    await takeAway.waitFor({ state: "detached" });
    await viewer.reload();
    await viewer.getByText("This takes the role of an administrator").waitFor();
    await viewer.context().close();
  });

  it("resets a password, ends sessions, and disables somebody", async () => {
    await world.visit(page, "/administration/users");
    const actions = page.getByRole("button", { name: "Actions for grace" });
    const other = await world.browser.open("/");
    await logIn(other, grace);
    await other.getByText("Live", { exact: true }).waitFor();

    await actions.click();
    await page.getByRole("button", { name: "End all sessions" }).click();
    await loggedOut(other);
    await actions.click();
    await page.getByRole("button", { name: "Make a link for a new password" }).click();
    const { pathname, hash } = new URL(await page.getByRole("dialog").locator("code").innerText());
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await world.browser.show(other, pathname + hash);
    const next = "another compiler with one moth";
    await other.getByLabel("Password").fill(next);
    await other.getByRole("button", { name: "Set the password and log in" }).click();
    await other.getByText("Live", { exact: true }).waitFor();
    await actions.click();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor();
    await loggedOut(other);
    await logIn(other, { ...grace, password: next });
    await other.getByRole("alert").waitFor();
    await actions.click();
    await page.getByRole("button", { name: "Allow again" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor({ state: "detached" });
    await logIn(other, { ...grace, password: next });
    await other.getByText("Live", { exact: true }).waitFor();
    await other.context().close();
  });

  it("shows a token of the API once, and ends it", async () => {
    await page.getByTitle("Your account").click();
    await page.getByRole("button", { name: "Make a token" }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("CI");
    await world.look(page);
    await page.getByRole("button", { name: "Make the token" }).click();
    const token = await page.getByRole("dialog").locator("code").innerText();
    await page.getByRole("button", { name: "Done" }).click();
    const ask = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${world.console.url}/api/console/v1/instances`, { headers })).status;
    };

    assert.equal(await ask(), 200);
    await page.getByRole("button", { name: "End the token CI" }).click();
    await page.getByText("No tokens.").waitFor();
    assert.equal(await ask(), 401);
    await world.look(page);
  });

  it("changes one's password, and ends a session elsewhere", async () => {
    const elsewhere = await world.browser.open("/");
    await logIn(elsewhere, ada);
    await elsewhere.getByText("Live", { exact: true }).waitFor();

    await page.reload();
    await page
      .getByRole("button", { name: /^End the session/ })
      .first()
      .click();
    await loggedOut(elsewhere);
    await page.getByLabel("Current password").fill("a donkey");
    await page.getByLabel("New password").fill("a horse without any battery");
    await page.getByRole("region", { name: "Password" }).getByRole("button").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByRole("region", { name: "Password" }).getByRole("button").click();
    await page.getByText("The password is changed").waitFor();
    await logIn(elsewhere, { ...ada, password: "a horse without any battery" });
    await elsewhere.getByText("Live", { exact: true }).waitFor();
    await elsewhere.context().close();
  });

  it("logs in at an identity provider, and says if that was refused", async () => {
    provider.people.set("1", { preferred_username: dorothy.login, name: dorothy.name });
    const other = await world.browser.open("/timeline", { ignoreHTTPSErrors: true });

    provider.next = undefined;
    await other.getByRole("link", { name: "Log in with Example" }).click();
    await other.getByText("The identity provider didn’t let you in.").waitFor();
    provider.next = "1";
    await other.getByRole("link", { name: "Log in with Example" }).click();
    await other.getByText("Dorothy").first().waitFor();
    await world.look(other);
    await other.context().close();

    await world.visit(page, "/administration/audit");
    await page
      .getByRole("rowheader", { name: /^dorothy/ })
      .first()
      .waitFor();
  });

  it("shows all of that in dark colors, and on a phone", async () => {
    const tooWide: string[] = [];
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const tab of ["", "/users", "/roles", "/approvals", "/notifications", "/audit"]) {
      await world.visit(page, `/administration${tab}`);
      if (Number(await page.evaluate("document.documentElement.scrollWidth")) > 390) {
        tooWide.push(tab);
      }
    }

    assert.deepEqual(tooWide, []);
  });

  it("had no findings of axe, no errors, and asked only the identity provider besides", () => {
    assert.deepEqual(world.findings, []);
    assert.deepEqual(world.browser.errors, []);
    assert.deepEqual(
      world.browser.elsewhere.filter((url) => new URL(url).origin !== provider.issuer.origin),
      [],
    );
  });
});
