import type { Page } from "playwright-core";
import type { PageBrowser } from "./page-browser.ts";
import type { screensOf } from "./page-screens.ts";

/** Where the pictures of the documentation are, from the root of the repository. */
export const picturesFolder = "docs/images/console";

/** The time in the pictures, in milliseconds. */
export const pictureTime = Date.UTC(2026, 8, 16, 9, 41);

/** A picture of a screen. */
export interface Screenshot {
  /** Of its file, without .png. */
  readonly name: string;
  /** The name of the screen. */
  readonly screen: keyof ReturnType<typeof screensOf>;
  readonly colorScheme?: "light" | "dark";
  readonly size?: { readonly width: number; readonly height: number };
  /** What's done first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** The pictures of the documentation. */
export const screenshots: readonly Screenshot[] = [
  { name: "instances", screen: "instances" },
  { name: "workloads", screen: "workloads of an instance" },
  { name: "workload", screen: "workload" },
  {
    name: "release",
    screen: "release",
    size: { width: 1280, height: 860 },
    prepare: async (page) => {
      await page.getByRole("region", { name: "Changes" }).waitFor();
    },
  },
  { name: "timeline", screen: "timeline" },
  { name: "timeline-dark", screen: "timeline", colorScheme: "dark" },
  { name: "drift-dark", screen: "drift", colorScheme: "dark" },
  { name: "workload-phone", screen: "workload", size: phone },
  { name: "instances-phone-dark", screen: "instances", size: phone, colorScheme: "dark" },
];

/** Takes a picture; the page shows the same each time. */
export async function takeScreenshot(
  browser: PageBrowser,
  path: string,
  { colorScheme = "light", size = wide, prepare }: Screenshot,
): Promise<Buffer> {
  const page = await browser.open("/nowhere", { colorScheme, viewport: size, timezoneId: "UTC" });
  await page.clock.setFixedTime(pictureTime);
  await browser.show(page, path);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await prepare?.(page);
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  await page.context().close();
  return picture;
}
