import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** The sources of this repository in another folder, in which somebody with another home has run `npm run build`. */
export class SecondBuild implements Disposable {
  readonly root: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.root = join(folder, "elsewhere");
  }

  /** With the console's page, if it's asked for. */
  static async make({ page = false } = {}): Promise<SecondBuild> {
    // On the same file system as the installed packages, which are linked.
    mkdirSync(join(root, "dist"), { recursive: true });
    const build = new SecondBuild(mkdtempSync(join(root, "dist", "test-build-")));
    try {
      const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      const { stdout } = await run("git", list, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
      for (const name of stdout.split("\0").filter((each) => each !== "" && existsSync(join(root, each)))) {
        mkdirSync(dirname(join(build.root, name)), { recursive: true });
        cpSync(join(root, name), join(build.root, name));
      }
      const [packages, linked] = [root, build.root].map((each) => join(each, "node_modules"));
      await run("cp", ["--archive", "--link", packages ?? "", linked ?? ""]);
      const home = join(build.#folder, "home");
      mkdirSync(home);
      const env = { ...process.env, HOME: home };
      for (const script of ["build.ts", ...(page ? ["console-page.ts"] : [])]) {
        await run(process.execPath, [`scripts/${script}`], { cwd: build.root, env });
      }
      return build;
    } catch (error) {
      build[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
