import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { automatedRelease } from "./automated-release.ts";
import { runProgram } from "./run-program.ts";
import type { StandInSettings } from "./settings.ts";

/** A clone of the repository in which the stand-in commits as Flux v1 does. */
export class WorkTree {
  readonly folder: string;
  readonly #settings: StandInSettings;
  readonly #key: string;

  private constructor(folder: string, settings: StandInSettings, key: string) {
    this.folder = folder;
    this.#settings = settings;
    this.#key = key;
  }

  /** Clones the branch; rejects where the key isn't authorized. */
  static async clone(folder: string, settings: StandInSettings, key: string): Promise<WorkTree> {
    const tree = new WorkTree(folder, settings, key);
    await tree.#git("clone", "--quiet", "--branch", settings.branch, settings.url, ".");
    return tree;
  }

  async head(): Promise<string> {
    return (await this.#git("rev-parse", "HEAD")).trim();
  }

  /** The commit that the sync tag is on, "" where there is no tag. */
  async synced(): Promise<string> {
    const tags = await this.#git("tag", "--list", "--format=%(*objectname)", this.#settings.syncTag);
    return tags.trim();
  }

  /**
   * Releases an image wherever it occurs, and pushes that with the note that Flux v1 adds for a release. Does nothing if
   * that was done before the container was started again.
   */
  async release(): Promise<void> {
    const { workload, container, image, newImage } = automatedRelease;
    const { branch, notesRef } = this.#settings;
    this.#replace(image, newImage);
    if ((await this.#git("status", "--porcelain")) === "") {
      return;
    }
    await this.#git("commit", "--quiet", "--all", "--message", `Auto-release ${newImage}`);
    const change = {
      ServiceID: workload,
      Container: { Name: container, Image: image },
      ImageID: newImage,
    };
    const update = { Container: container, Current: image, Target: newImage };
    const note = {
      jobID: "0b1f5c7e-9d0c-4c5f-8f55-3b1f5fd26bd2",
      spec: { type: "auto", cause: { Message: "", User: "" }, spec: { Changes: [change] } },
      result: { [workload]: { Status: "success", PerContainer: [update] } },
    };
    await this.#git("notes", "--ref", notesRef, "add", "--message", JSON.stringify(note), "HEAD");
    await this.#git("push", "--quiet", "origin", branch, `refs/notes/${notesRef}`);
  }

  /** Puts the sync tag on the head, upstream too. */
  async tag(): Promise<void> {
    const { syncTag } = this.#settings;
    const message = ["--force", "--annotate", "--message", "Sync pointer"];
    await this.#git("tag", ...message, syncTag, "HEAD");
    await this.#git("push", "--quiet", "--force", "origin", "tag", syncTag);
  }

  #replace(image: string, newImage: string): void {
    for (const name of readdirSync(this.folder, { recursive: true }) as string[]) {
      if (name.endsWith(".yaml")) {
        const path = join(this.folder, name);
        writeFileSync(path, readFileSync(path, "utf8").replaceAll(image, newImage));
      }
    }
  }

  #git(...args: readonly string[]): Promise<string> {
    const { user, email } = this.#settings;
    const identity = ["-c", `user.name=${user}`, "-c", `user.email=${email}`];
    const env = { GIT_SSH_COMMAND: `ssh -i ${this.#key}` };
    return runProgram("git", [...identity, ...args], { cwd: this.folder, env });
  }
}
