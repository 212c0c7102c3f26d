import { consoleRows } from "./console-rows.ts";
import type { DashboardSpec } from "./dashboard.ts";
import { rows } from "./rows.ts";

/** The dashboard of fluxd. */
export const fluxdDashboard: DashboardSpec = {
  uid: "weir-fluxd",
  title: "Weir",
  description: "fluxd: syncs, jobs, images, and the process itself.",
  tags: ["weir", "flux", "gitops"],
  program: "fluxd",
  buildInfo: "weir_build_info",
  rows,
};

/** The dashboard of the console. */
export const consoleDashboard: DashboardSpec = {
  uid: "weir-console",
  title: "Weir console",
  description: "weir-console: connected daemons, jobs, notifications, and requests.",
  tags: ["weir", "gitops"],
  program: "weir-console",
  buildInfo: "weir_console_build_info",
  rows: consoleRows,
};
