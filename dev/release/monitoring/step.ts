import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { packArchive } from "../archive.ts";
import type { ReleaseStep } from "../context.ts";

/**
 * Makes `monitoring/weir-monitoring-VERSION.tar.gz`: alerts, dashboards, and the objects for the Prometheus Operator, as
 * they are in the repository.
 */
export const monitoringStep: ReleaseStep = async ({ root, version, out, work, sourceDate, say, signal }) => {
  say("packing the monitoring files");
  const name = `weir-monitoring-${version}`;
  const folder = join(work, "monitoring", name);
  cpSync(join(root, "monitoring"), folder, { recursive: true });
  const archive = join(out, "monitoring", `${name}.tar.gz`);
  mkdirSync(join(out, "monitoring"), { recursive: true });
  await packArchive({ folder, archive, sourceDate }, signal);
  return [archive];
};
