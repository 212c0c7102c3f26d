import { join } from "node:path";
import { TempFolder, until } from "@weir/testing";
import type { BrowserContextOptions, Page } from "playwright-core";
import { buildConsolePage } from "../../../scripts/build/console-page.ts";
import { ConsoleServer, type ConsoleServerOptions } from "./console-server.ts";
import { PageBrowser, seriousFindings } from "./page-browser.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** Somebody with a password. */
export interface Person {
  readonly login: string;
  readonly name: string;
  readonly password: string;
}

/** The built console with its page on an embedded database, and a browser: nothing is made up. */
export class PageWorld implements AsyncDisposable {
  readonly console: ConsoleServer;
  readonly browser: PageBrowser;
  /** What axe found that's serious, on all screens that were looked at. */
  readonly findings: string[] = [];
  readonly #stack: AsyncDisposableStack;

  private constructor(console: ConsoleServer, browser: PageBrowser, stack: AsyncDisposableStack) {
    this.console = console;
    this.browser = browser;
    this.#stack = stack;
  }

  static async start(options: Pick<ConsoleServerOptions, "flags" | "env"> = {}): Promise<PageWorld> {
    await using stack = new AsyncDisposableStack();
    const folder = new TempFolder();
    stack.defer(() => folder[Symbol.dispose]());
    const page = join(folder.path, "page");
    await buildConsolePage({ root, out: page });
    const console = stack.use(
      await ConsoleServer.start({ folder: folder.path, page, built: true, ...options }),
    );
    const browser = stack.use(await PageBrowser.start(console.url));
    return new PageWorld(console, browser, stack.move());
  }

  /** The link that the log has as long as nobody is administrator; without the address of the console. */
  firstLink(): Promise<string> {
    return until("the link", () => /\/invitation#\S+/.exec(this.console.log)?.[0]);
  }

  /** Opens the link of an invitation in a window of its own, and makes an account. */
  async accept(link: string, person: Person, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.browser.open(link, options);
    await page.getByLabel("Name to log in with").fill(person.login);
    await page.getByLabel("Your name").fill(person.name);
    await page.getByLabel("Password").fill(person.password);
    await this.look(page);
    await page.getByRole("button", { name: "Set the password and log in" }).click();
    await page.getByRole("heading", { level: 1, name: "Instances" }).waitFor();
    return page;
  }

  /** Goes to a screen, and looks for what makes it hard to use. */
  async visit(page: Page, path: string): Promise<void> {
    await this.browser.show(page, path);
    await this.look(page);
  }

  /** Looks for what makes the screen that is shown hard to use. */
  async look(page: Page): Promise<void> {
    this.findings.push(...(await seriousFindings(page)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** The path of the screen that a page shows. */
export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

/** Adds an instance under Administration; resolves to the flags of its fluxd, which are shown once. */
export async function addInstance(
  page: Page,
  { name, description = "" }: { readonly name: string; readonly description?: string },
): Promise<readonly string[]> {
  await page.getByRole("link", { name: "Administration" }).click();
  await page.getByRole("button", { name: "Add an instance" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Description").fill(description);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  return flagsShown(page);
}

/** The flags in the window that shows a token, which is closed then. */
export async function flagsShown(page: Page): Promise<readonly string[]> {
  const flags = page.getByRole("dialog").locator("code").first();
  const text = await flags.innerText();
  await page.getByRole("button", { name: "Done" }).click();
  await flags.waitFor({ state: "detached" });
  return text.split("\n");
}

/** Resolves when the job whose screen is shown has ended well; to the path of that screen. */
export async function succeeded(page: Page): Promise<string> {
  await page.waitForURL(/\/jobs\/[^/]+$/);
  const state = page.getByRole("heading", { level: 1 }).getByText(/^(Succeeded|Failed|Lost)$/);
  if ((await state.innerText()) !== "Succeeded") {
    throw new Error(`the job didn't succeed: ${await page.locator("main").innerText()}`);
  }
  return pathOf(page);
}

/**
 * Posts an event about a workload as the fluxd of the instance with these flags does; by default, that it was locked. Resolves
 * to the status.
 */
export async function postEvent(
  { console }: PageWorld,
  flags: readonly string[],
  { type = "lock", workload = "default:deployment/web" } = {},
): Promise<number> {
  const [, token = ""] = /--token=(\S+)/.exec(flags.join(" ")) ?? [];
  const at = new Date().toISOString();
  const { status } = await fetch(`${console.flux}/v6/events`, {
    method: "POST",
    headers: { Authorization: `Scope-Probe token=${token}` },
    body: JSON.stringify({
      ...{ type, startedAt: at, endedAt: at, logLevel: "info", metadata: null },
      serviceIDs: [workload],
    }),
  });
  return status;
}
