import { chmodSync, copyFileSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseStep } from "../context.ts";

/** Alerts, the dashboard, and the objects for the Prometheus Operator, as they are in the repository. */
export const monitoringStep: ReleaseStep = ({ root, out, sourceDate, say, signal }) => {
  const [from, to] = [join(root, "monitoring"), join(out, "monitoring")];
  const names = readdirSync(from).toSorted();
  say(`monitoring: copying ${names.length} files`);
  mkdirSync(to, { recursive: true });
  const made = names.map((name) => {
    signal.throwIfAborted();
    const path = join(to, name);
    copyFileSync(join(from, name), path);
    chmodSync(path, 0o644);
    utimesSync(path, sourceDate, sourceDate);
    return path;
  });
  return Promise.resolve(made);
};
