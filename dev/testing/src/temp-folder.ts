import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is deleted after the test. */
export class TempFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "weir-test-"));

  /** Writes a file and creates its parent folders; returns its full path. */
  write(name: string, text: string, mode = 0o600): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
