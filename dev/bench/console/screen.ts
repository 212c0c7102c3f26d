import type { Page } from "playwright-core";
import { PageBrowser } from "../../../hub/test/support/page-browser.ts";
import { seconds } from "./times.ts";

/** Somebody who looks at the timeline in a browser. */
export class Screen implements AsyncDisposable {
  readonly #browser: PageBrowser;
  readonly #page: Page;

  private constructor(browser: PageBrowser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** Opens the timeline with a session's cookie, and begins to note when events are shown. */
  static async open(url: string, session: string): Promise<Screen> {
    const browser = await PageBrowser.start(url);
    const page = await browser.open("/timeline", { storageState: stateWith(url, session) });
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate(noteAges);
    return new Screen(browser, page);
  }

  /** How old each posted event was when it had been drawn, in milliseconds. */
  async ages(): Promise<readonly number[]> {
    return this.#page.evaluate("window.ages");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
  }
}

/** How long the list of workloads takes to open, in seconds, with nothing in the browser's cache. */
export interface Opening {
  /** Until its rows and the search are drawn, and the page is free to react; by the page's own clock. */
  readonly usable: number;
  /** Until Playwright has clicked in the search: it also takes time of the page to load its own code, and to look. */
  readonly clicked: number;
}

/** Opens the list of workloads again and again. */
export async function openings(url: string, session: string, rounds: number): Promise<readonly Opening[]> {
  await using browser = await PageBrowser.start(url);
  const times: Opening[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.openBlank({ storageState: stateWith(url, session) });
    await page.addInitScript(tellWhenUsable);
    const told = page.waitForEvent("console", { predicate: (message) => message.text().startsWith(usable) });
    const clicked = await seconds(async () => {
      await page.goto(`${url}/workloads`, { waitUntil: "commit" });
      await told;
      await page.getByRole("searchbox").click();
    });
    times.push({ usable: Number((await told).text().slice(usable.length)) / 1000, clicked });
    await page.context().close();
  }
  return times;
}

/** A browser's storage with nothing but a session. */
function stateWith(url: string, session: string) {
  const cookie = {
    ...{ name: "weir-session", value: session, domain: new URL(url).hostname, path: "/", expires: -1 },
    ...({ httpOnly: true, secure: false, sameSite: "Lax" } as const),
  };
  return { cookies: [cookie], origins: [] };
}

/**
 * Notes with the next frame how old new events are. A message begins with the time at which it was posted. What was there
 * is not looked at again, so that looking takes the browser little time of its own.
 */
const noteAges = `
  const began = Date.now();
  const postedIn = (node) => [...node.querySelectorAll(".message")]
    .map(({ textContent }) => Number(/\\d{13}/.exec(textContent)?.[0]))
    .filter((posted) => posted >= began);
  window.ages = [];
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const posted = added.filter((node) => node instanceof Element).flatMap(postedIn);
    requestAnimationFrame(() => {
      const now = Date.now();
      window.ages.push(...posted.map((each) => now - each));
    });
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
`;

const usable = "usable after ";

/** Writes to the console after how many milliseconds the list can be used: when the task after its frame runs. */
const tellWhenUsable = `
  const isDrawn = () => document.querySelector("a.row-link") !== null && document.querySelector("[type=search]") !== null;
  const observer = new MutationObserver(() => {
    if (isDrawn()) {
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => console.debug("${usable}" + performance.now())));
    }
  });
  observer.observe(document, { childList: true, subtree: true });
`;
