import { join } from "node:path";
import { type PodImage, TempFolder } from "@weir/testing";
import { buildConsolePage } from "../../../scripts/build/console-page.ts";
import { pageFolder } from "../../../scripts/build/page-contents.ts";
import { contentsOfPrograms } from "../../../scripts/build/program-contents.ts";
import { writeTree } from "../../../scripts/build/write-tree.ts";
import { deliveredImage, ownUser } from "./delivered-image.ts";

const root = join(import.meta.dirname, "../../..");

/** The folder of an image of the console that `umoci unpack` made, for tests of the image instead of the sources. */
export const consoleImageVariable = "WEIR_TEST_CONSOLE_IMAGE";

/** The console's image: the one that is to be tested, or else what it would have of a build, over the machine's own files. */
export class ConsoleImage implements Disposable {
  readonly image: PodImage;
  readonly #folder: TempFolder | undefined;

  private constructor(image: Omit<PodImage, "match">, folder?: TempFolder) {
    this.image = { match: "*weir-console:*", ...image };
    this.#folder = folder;
  }

  static async prepare(): Promise<ConsoleImage> {
    const delivered = deliveredImage(consoleImageVariable);
    if (delivered !== undefined) {
      return new ConsoleImage(delivered);
    }
    const folder = new TempFolder();
    // Not the temporary folder itself, in which only its owner can look.
    const place = join(folder.path, "weir");
    const files = contentsOfPrograms(root, ["weir-console"]);
    writeTree(
      place,
      files.map((file) => ({ ...file, path: join(place, file.path) })),
    );
    await buildConsolePage({ root, out: join(place, pageFolder) });
    const image = {
      command: ["weir-console"],
      env: { PATH: "/opt/weir:/usr/local/bin:/usr/bin:/bin" },
      mounts: {
        "/etc/passwd": join(import.meta.dirname, "passwd"),
        "/opt/weir": place,
        "/usr/local/bin/node": process.execPath,
      },
      user: ownUser,
    };
    return new ConsoleImage(image, folder);
  }

  [Symbol.dispose](): void {
    this.#folder?.[Symbol.dispose]();
  }
}
