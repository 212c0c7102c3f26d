import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { administrationTabs, instanceTabs, workloadTabs } from "../state/addresses.ts";
import { matchPath, type PathValues } from "../state/path.ts";
import { usePathname } from "../state/use-location.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Instances } from "./instances/instances.tsx";
import { NotFound } from "./not-found.tsx";

const InstanceScreen = lazily(async () => (await import("./instance/instance-screen.tsx")).InstanceScreen);
const ReleaseScreen = lazily(async () => (await import("./release/release-screen.tsx")).ReleaseScreen);
const Workloads = lazily(async () => (await import("./workloads/workloads.tsx")).Workloads);
const WorkloadScreen = lazily(async () => (await import("./workload/workload-screen.tsx")).WorkloadScreen);
const Timeline = lazily(async () => (await import("./timeline/timeline.tsx")).Timeline);
const Jobs = lazily(async () => (await import("./jobs/jobs.tsx")).Jobs);
const JobScreen = lazily(async () => (await import("./jobs/job-screen.tsx")).JobScreen);
const Account = lazily(async () => (await import("./account/account.tsx")).Account);
const Administration = lazily(
  async () => (await import("./administration/administration.tsx")).Administration,
);

/** Reads the code of a screen when it's first opened. */
function lazily<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(async () => ({ default: (await load()) as ComponentType<unknown> })) as ComponentType<Props>;
}

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
  at("/jobs", () => <Jobs />),
  at("/jobs/:job", ({ job }) => <JobScreen job={job} />),
  at("/account", () => <Account />),
  at("/administration", () => <Administration tab="" />),
  at("/administration/:tab", ({ tab }) => {
    const known = administrationTabs.find(([each]) => each === tab)?.[0];
    return known === undefined ? undefined : <Administration tab={known} />;
  }),
];

/** The screen at the address of the page. */
export function Screen(): ReactNode {
  const path = usePathname();
  const shown = screens.map((show) => show(path)).find((each) => each !== undefined);
  return <Suspense fallback={<Skeleton lines={8} />}>{shown ?? <NotFound />}</Suspense>;
}
