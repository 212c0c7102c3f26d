import { isValidElement, type ReactNode } from "react";
import { administrationTabs, instanceTabs, workloadTabs } from "../state/addresses.ts";
import { matchPath, type PathValues } from "../state/path.ts";
import { usePathname } from "../state/use-location.ts";
import { Boundary } from "../ui/boundary.tsx";
import { Instances } from "./instances/instances.tsx";
import { NotFound } from "./not-found.tsx";
import { type OnDemand, onDemand } from "./on-demand.tsx";

const InstanceScreen = onDemand(async () => (await import("./instance/instance-screen.tsx")).InstanceScreen);
const ReleaseScreen = onDemand(async () => (await import("./release/release-screen.tsx")).ReleaseScreen);
const Workloads = onDemand(async () => (await import("./workloads/workloads.tsx")).Workloads);
const WorkloadScreen = onDemand(async () => (await import("./workload/workload-screen.tsx")).WorkloadScreen);
const Timeline = onDemand(async () => (await import("./timeline/timeline.tsx")).Timeline);
const EventScreen = onDemand(async () => (await import("./events/event-screen.tsx")).EventScreen);
const Jobs = onDemand(async () => (await import("./jobs/jobs.tsx")).Jobs);
const JobScreen = onDemand(async () => (await import("./jobs/job-screen.tsx")).JobScreen);
const Account = onDemand(async () => (await import("./account/account.tsx")).Account);
const Administration = onDemand(
  async () => (await import("./administration/administration.tsx")).Administration,
);

type Show = (path: string) => ReactNode;

/** Shows a screen at a path. */
function at<const Pattern extends string>(
  pattern: Pattern,
  show: (values: PathValues<Pattern>) => ReactNode,
): Show {
  return (path) => {
    const values = matchPath(pattern, path);
    return values === undefined ? undefined : show(values);
  };
}

const screens: readonly Show[] = [
  at("/", () => <Instances />),
  at("/instances", () => <Instances />),
  at("/instances/:instance", ({ instance }) => <InstanceScreen instance={instance} tab="" />),
  at("/instances/:instance/release", ({ instance }) => <ReleaseScreen instance={instance} />),
  at("/instances/:instance/:tab", ({ instance, tab }) => {
    const known = instanceTabs.find((each) => each === tab);
    return known === undefined ? undefined : <InstanceScreen instance={instance} tab={known} />;
  }),
  at("/workloads", () => <Workloads />),
  at("/instances/:instance/workloads/:workload", (values) => <WorkloadScreen {...values} tab="" />),
  at("/instances/:instance/workloads/:workload/:tab", ({ tab, ...values }) => {
    const known = workloadTabs.find((each) => each === tab);
    return known === undefined ? undefined : <WorkloadScreen {...values} tab={known} />;
  }),
  at("/timeline", () => <Timeline />),
  at("/events/:event", ({ event }) => <EventScreen event={event} />),
  at("/jobs", () => <Jobs />),
  at("/jobs/:job", ({ job }) => <JobScreen job={job} />),
  at("/account", () => <Account />),
  at("/administration", () => <Administration tab="" />),
  at("/administration/:tab", ({ tab }) => {
    const known = administrationTabs.find(([each]) => each === tab)?.[0];
    return known === undefined ? undefined : <Administration tab={known} />;
  }),
];

/** Reads the code of the screen at a path, so that it's there when it's known who is logged in. Never rejects. */
export async function loadScreen(path: string): Promise<void> {
  const shown = screenAt(path);
  if (isValidElement(shown) && typeof shown.type === "function" && "load" in shown.type) {
    await (shown.type as OnDemand<never>).load();
  }
}

/** The screen at the address of the page. */
export function Screen(): ReactNode {
  const path = usePathname();
  return <Boundary path={path}>{screenAt(path) ?? <NotFound />}</Boundary>;
}

function screenAt(path: string): ReactNode {
  return screens.map((show) => show(path)).find((each) => each !== undefined);
}
