import { AxeBuilder } from "@axe-core/playwright";
import { patienceSeconds } from "@weir/testing";
import { findProgram } from "@weir/toolchain";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** A browser that notes everything that a page must not do. */
export class PageBrowser implements AsyncDisposable {
  /** Errors of the page: thrown, written to the console, or of its policy. */
  readonly errors: string[] = [];
  /** Requests to other hosts. */
  readonly elsewhere: string[] = [];
  readonly #browser: Browser;
  readonly #url: string;

  private constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  /** Starts Debian's Chromium for the pages of a server. */
  static async start(url: string): Promise<PageBrowser> {
    const browser = await chromium.launch({
      executablePath: findProgram("chromium") ?? "",
      args: ["--no-sandbox"],
    });
    return new PageBrowser(browser, url);
  }

  /** Opens a window of its own, without what others have stored, at a screen. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.openBlank(options);
    await this.show(page, path);
    return page;
  }

  /** Opens a window of its own that shows nothing yet. */
  async openBlank(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceSeconds * 1_000);
    page.on("pageerror", (error) => this.errors.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      // Browsers write a line for each answer with an error, whatever the page does about it.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        this.errors.push(`${page.url()}: ${message.text()}`);
      }
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.#url)) {
        this.elsewhere.push(request.url());
      }
    });
    return page;
  }

  /** Goes to a screen, and waits until it has what it shows. */
  async show(page: Page, path: string): Promise<void> {
    await page.goto(`${this.#url}${path}`);
    await settle(page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** Resolves when a screen has what it shows. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  // Not waitForFunction: it evaluates text again and again, which the page's policy forbids.
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** What makes a screen hard to use for people with disabilities, if it's serious; of all rules, or of those named. */
export async function seriousFindings(page: Page, rules?: string[]): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${new URL(page.url()).pathname}: ${id}: ${html}`));
}
