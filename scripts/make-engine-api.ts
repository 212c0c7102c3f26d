/**
 * Regenerates docs/api/engine.api.md, the API report of the engine's door:
 *
 *     node scripts/make-engine-api.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineApiReport } from "./engine-api/report.ts";

const root = join(import.meta.dirname, "..");

writeFileSync(join(root, "docs/api/engine.api.md"), engineApiReport(root));
