import type { ReactNode } from "react";
import { administrationTabs, instanceTabs, workloadTabs } from "../state/addresses.ts";
import { matchPath, type PathValues } from "../state/path.ts";
import { usePathname } from "../state/use-location.ts";
import { Boundary } from "../ui/boundary.tsx";
import { Empty } from "../ui/empty.tsx";
import { Heading } from "../ui/heading.tsx";
import { Link } from "../ui/link.tsx";
import { Account } from "./account/account.tsx";
import { Administration } from "./administration/administration.tsx";
import { EventScreen } from "./events/event-screen.tsx";
import { InstanceScreen } from "./instance/instance-screen.tsx";
import { Instances } from "./instances/instances.tsx";
import { JobScreen } from "./jobs/job-screen.tsx";
import { Jobs } from "./jobs/jobs.tsx";
import { ReleaseScreen } from "./release/release-screen.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import { WorkloadScreen } from "./workload/workload-screen.tsx";
import { Workloads } from "./workloads/workloads.tsx";

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

/** The screen at the address of the page. */
export function Screen(): ReactNode {
  const path = usePathname();
  return <Boundary path={path}>{screenAt(path) ?? <NotFound />}</Boundary>;
}

function screenAt(path: string): ReactNode {
  return screens.map((show) => show(path)).find((each) => each !== undefined);
}

/** At an address where nothing is. */
function NotFound(): ReactNode {
  return (
    <>
      <Heading title="Nothing is here" />
      <Empty title="This address leads nowhere.">
        <p>
          The link may be old. <Link to="/">All instances</Link>
        </p>
      </Empty>
    </>
  );
}
