import type { User } from "../../src/contract/access.ts";
import type { ConsoleEvent } from "../../src/contract/events.ts";
import type { Instance } from "../../src/contract/instances.ts";
import type { Job, JobSpec, JobState } from "../../src/contract/jobs.ts";
import type { Channel, Rule } from "../../src/contract/notifications.ts";
import type { OperationName } from "../../src/contract/routes.ts";
import type { Answer, Query } from "../../src/contract/schemas.ts";
import type { Workload, WorkloadQuery } from "../../src/contract/workloads.ts";
import { type Fleet, hostile, makeDiff, makeManifest, makeTree } from "./fleet.ts";

/** A call, checked. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  readonly body: object;
}

/** An answer that is a problem. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What pages ask before somebody changes anything; whatever else is asked is refused. */
type Answers = { readonly [Name in OperationName]?: (asked: Asked) => Answer<Name> };

/** The answers of a console that stands in for the real one. */
export class StandInAnswers {
  readonly #fleet: Fleet;
  readonly #failing = new Set<OperationName>();
  readonly #answers: Answers;
  #events: readonly ConsoleEvent[];
  #isLoggedIn = true;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#events = fleet.events;
    this.#answers = { ...this.#access(), ...administration(), ...this.#cluster(), ...this.#work() };
  }

  /** Answers a call, or throws a Refusal. */
  answer(name: OperationName, asked: Asked): unknown {
    if (this.#failing.has(name)) {
      throw new Refusal(500, "The database can't be reached");
    }
    const isOpen = ["about", "loginOptions"].includes(name);
    if (!this.#isLoggedIn && !isOpen) {
      throw new Refusal(401, "Nobody is logged in");
    }
    return known(this.#answers[name])(asked);
  }

  /** Makes an operation fail, or work again. */
  fail(name: OperationName, fails: boolean): void {
    if (fails) {
      this.#failing.add(name);
    } else {
      this.#failing.delete(name);
    }
  }

  logIn(isLoggedIn: boolean): void {
    this.#isLoggedIn = isLoggedIn;
  }

  /** Adds an event that happens now. */
  happen(event: ConsoleEvent): void {
    this.#events = [event, ...this.#events];
  }

  #access(): Answers {
    return {
      about: () => ({ version: "0.1.0", flux: "ws://console.example.com" }),
      loginOptions: () => ({
        passwords: true,
        openId: { name: "Example ID", path: "/login/openid" },
        firstAdministrator: false,
      }),
      session: () => this.#fleet.session,
      ownSessions: () => ({
        rows: [
          {
            id: "session-1",
            current: true,
            method: "Password",
            address: "192.0.2.10",
            userAgent: "Chromium 140 on Linux",
            createdAt: ago(50),
            lastUsedAt: ago(0),
          },
          {
            id: "session-2",
            current: false,
            method: "Example ID",
            address: "198.51.100.7",
            userAgent: hostile,
            createdAt: ago(5_000),
            lastUsedAt: ago(700),
          },
        ],
      }),
      apiTokens: () => ({
        rows: [
          {
            ...{ id: "token-1", name: "deploy-bot", scopes: ["read", "write"], instanceId: null },
            ...{ namespace: "checkout", createdAt: ago(90), expiresAt: ago(-900), lastUsedAt: ago(3) },
          },
        ],
      }),
    };
  }

  #cluster(): Answers {
    return {
      instances: ({ query }) =>
        paged(this.#fleet.instances.filter(matches(query as Query<"instances">)), query),
      instance: ({ params }) => this.#instance(params["instance"]),
      blockers: ({ params }) => ({
        rows:
          params["instance"] === "instance-3"
            ? [
                {
                  what: "payments:deployment/payments-worker",
                  why: "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
                  remedy: "Set spec.replicas in clusters/production-ap/payments/worker.yaml.",
                },
                {
                  what: "clusters/production-ap/media/web.yaml",
                  why: "did not find expected key, line 12",
                  remedy: "",
                },
                {
                  what: hostile,
                  why: "no kind is registered for it",
                  remedy: "Install its definition first.",
                },
              ]
            : [],
      }),
      drift: ({ params }) => ({
        revision: this.#instance(params["instance"]).sync.revision,
        rows: this.#fleet.workloads
          .filter(({ instance }) => instance.id === params["instance"])
          .slice(0, 3)
          .map((workload, index) => ({
            id: workload.id,
            kind: (["changed", "missing", "extra"] as const)[index] ?? "changed",
            diff: index === 1 ? "" : makeDiff(workload),
            by: index === 0 ? ["kubectl-edit"] : [],
          })),
      }),
      events: ({ query }) => paged(this.#events.filter(eventMatches(query as Query<"events">)), query),
      event: ({ params }) => known(this.#events.find(({ id }) => String(id) === params["event"])),
    };
  }

  #work(): Answers {
    return {
      workloads: ({ query }) => paged(sorted(this.#found(query), query as WorkloadQuery), query),
      workloadFacets: ({ query }) => facetsOf(this.#found(query)),
      workload: ({ params }) => this.#workload(params),
      workloadImages: ({ params }) => imagesOf(this.#workload(params)),
      why: ({ params }) => ({
        containers: this.#workload(params).containers.map(({ name, newer }) => ({
          container: name,
          verdict: newer > 0 ? "Will be updated with the next poll" : "Runs the newest image that is allowed",
          reasons: [
            "automated: yes",
            "tag filter semver:^1 allows 34 of 120 images",
            "image metadata is 40 s old",
          ],
        })),
      }),
      tree: ({ params }) => ({ roots: [...makeTree(this.#workload(params))] }),
      workloadHistory: ({ params }) => ({
        rows: [
          {
            ...({ kind: "release", at: this.#workload(params).changedAt, user: "robin" } as const),
            ...{
              revision: "4f1c2aa09b7d4c0e8f6a5b3d2c1e0f9a8b7c6d5e",
              message: "Fixes the rounding of prices",
            },
          },
        ],
        next: null,
      }),
      comparison: ({ params }) => {
        const workload = this.#workload(params);
        return {
          git: makeManifest(workload),
          live: makeManifest(workload),
          predicted: null,
          changes: makeDiff(workload),
        };
      },
      plan: ({ body }) => this.#plan(body as JobSpec),
      jobs: ({ query }) => {
        const { state, workload } = query as { readonly state?: JobState[]; readonly workload?: string[] };
        const rows = this.#fleet.jobs.filter(
          (job) =>
            (state?.includes(job.state) ?? true) &&
            (workload === undefined ||
              ("workloads" in job.spec && job.spec.workloads.some((id) => workload.includes(id)))),
        );
        return paged(rows, query);
      },
      job: ({ params }) => this.#job(params),
    };
  }

  #plan(spec: JobSpec): Answer<"plan"> {
    const ids = spec.kind === "release" || spec.kind === "policy" ? spec.workloads : [];
    return {
      digest: `digest of ${JSON.stringify(spec)}`.slice(0, 100),
      isKnown: true,
      needsApproval: false,
      changes: ids.map((workload) => {
        const known = this.#fleet.workloads.find(({ id }) => id === workload);
        return {
          workload,
          status: "success",
          message: spec.kind === "policy" ? "Policies change in git." : "",
          containers:
            spec.kind === "release"
              ? (known?.containers ?? [])
                  .filter(({ newest }) => newest !== "")
                  .map(({ name, image, newest }) => ({
                    container: name,
                    from: image,
                    to:
                      spec.images === "latest"
                        ? newest
                        : (spec.images.find(({ container }) => container === name)?.image ?? image),
                  }))
              : [],
        };
      }),
    };
  }

  #job(params: Asked["params"]): Job {
    return known(this.#fleet.jobs.find(({ id }) => id === params["job"]));
  }

  #instance(id: string | undefined): Instance {
    return known(this.#fleet.instances.find((each) => each.id === id));
  }

  #workload(params: Asked["params"]): Workload {
    return known(
      this.#fleet.workloads.find(
        ({ id, instance }) => id === params["workload"] && instance.id === params["instance"],
      ),
    );
  }

  #found(query: object): readonly Workload[] {
    const { q, instance, namespace, kind, health, policy, newImages, problems } = query as WorkloadQuery;
    const words = (q ?? "").toLowerCase().split(/\s+/);
    return this.#fleet.workloads.filter((each) => {
      const text = `${each.id} ${each.containers.map(({ image }) => image).join(" ")}`.toLowerCase();
      return (
        words.every((word) => text.includes(word)) &&
        (instance?.includes(each.instance.id) ?? true) &&
        (namespace?.includes(each.namespace) ?? true) &&
        (kind?.includes(each.kind) ?? true) &&
        (health?.includes(each.health) ?? true) &&
        (policy?.every((name) => each[name]) ?? true) &&
        (newImages === undefined || each.newImages > 0) &&
        (problems === undefined || each.health === "degraded" || each.syncError !== "")
      );
    });
  }
}

function administration(): Answers {
  const role = {
    id: "role-1",
    userId: "user-1",
    login: users[0]?.login ?? null,
    group: null,
    role: "administrator" as const,
    instanceId: null,
    namespace: null,
    createdAt: ago(9_000),
  };
  return {
    users: () => ({ rows: users, next: null }),
    roles: () => ({
      rows: [
        role,
        { ...role, id: "role-2", userId: null, login: null, group: "platform-team", role: "operator" },
        {
          ...role,
          id: "role-3",
          userId: "user-2",
          login: users[1]?.login ?? null,
          role: "viewer",
          instanceId: "instance-4",
          namespace: "checkout",
        },
      ],
    }),
    approvalRules: () => ({ rows: [{ id: "approval-1", instanceId: "instance-1", namespace: null }] }),
    invitations: () => ({
      rows: [
        {
          ...{ id: "invitation-1", purpose: "new-user" as const, login: "newcomer", createdBy: "ada" },
          grants: [{ role: "viewer" as const, instanceId: null, namespace: null }],
          createdAt: ago(60),
          expiresAt: ago(-600),
        },
      ],
    }),
    userTokens: () => ({ rows: [] }),
    audit: () => ({ rows: auditEntries(), next: null }),
    channels: () => ({ rows: makeChannels() }),
    rules: () => ({ rows: [makeRule()] }),
    deliveries: () => ({
      rows: [
        {
          id: "delivery-2",
          channelId: "channel-1",
          state: "sent",
          attempts: 1,
          createdAt: ago(4),
          endedAt: ago(4),
          error: "",
        },
        {
          id: "delivery-1",
          channelId: "channel-2",
          state: "failed",
          attempts: 6,
          createdAt: ago(90),
          endedAt: ago(60),
          error: "550 5.1.1 no such mailbox",
        },
      ],
      next: null,
    }),
  };
}

function known<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Refusal(404, "It isn't there");
  }
  return value;
}

function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

function paged<T>(rows: readonly T[], query: object): { rows: T[]; next: string | null } {
  const { cursor = "0", limit } = query as { readonly cursor?: string; readonly limit: number };
  const end = Number(cursor) + limit;
  return { rows: rows.slice(Number(cursor), end), next: end < rows.length ? String(end) : null };
}

function matches({
  q = "",
  connected,
  sync,
  suspended,
}: Query<"instances">): (instance: Instance) => boolean {
  return (instance) =>
    `${instance.name} ${instance.description}`.toLowerCase().includes(q.toLowerCase()) &&
    (connected === undefined || String(instance.connected) === connected) &&
    (sync === undefined || instance.sync.state === sync) &&
    (suspended === undefined || String(instance.suspended) === suspended);
}

function eventMatches({
  q = "",
  instance,
  type,
  severity,
  workload,
  since,
  until,
}: Query<"events">): (event: ConsoleEvent) => boolean {
  return (event) =>
    event.message.toLowerCase().includes(q.toLowerCase()) &&
    (instance?.includes(event.instance.id) ?? true) &&
    (type?.includes(event.type) ?? true) &&
    (severity?.includes(event.severity) ?? true) &&
    (workload?.some((id) => event.workloads.includes(id)) ?? true) &&
    (since === undefined || event.at >= since) &&
    (until === undefined || event.at < until);
}

function sorted(rows: readonly Workload[], { sort }: WorkloadQuery): readonly Workload[] {
  switch (sort) {
    case "id":
      return rows;
    case "-id":
      return rows.toReversed();
    case "health":
      return rows.toSorted((a, b) => a.health.localeCompare(b.health));
    case "changedAt":
      return rows.toSorted((a, b) => a.changedAt.localeCompare(b.changedAt));
    case "-changedAt":
      return rows.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
    case "newImages":
      return rows.toSorted((a, b) => b.newImages - a.newImages);
  }
}

function facetsOf(rows: readonly Workload[]): Answer<"workloadFacets"> {
  const countBy = (name: (row: Workload) => string): { name: string; count: number }[] =>
    [...Map.groupBy(rows, name)]
      .map(([key, group]) => ({ name: key, count: group.length }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    namespaces: countBy(({ namespace }) => namespace),
    kinds: countBy(({ kind }) => kind),
    health: Object.fromEntries(countBy(({ health }) => health).map(({ name, count }) => [name, count])),
    total: rows.length,
  };
}

function imagesOf({ containers }: Workload): Answer<"workloadImages"> {
  return {
    containers: containers.map(({ name, image, newest, newer }) => {
      const base = image.slice(0, image.lastIndexOf(":"));
      const refs = [
        ...(newer > 0 ? [newest] : []),
        image,
        ...Array.from(
          { length: 18 },
          (_, index) => `${base}:${index % 4 === 3 ? "nightly" : "1.18"}.${20 - index}`,
        ),
      ];
      return {
        container: name,
        filter: name === "app" ? "semver:^1" : "",
        images: refs.map((ref, index) => ({
          ref,
          createdAt: ago(index * 1_500 + 20),
          digest: "",
          running: ref === image,
          allowed: !ref.includes("nightly"),
        })),
        total: 120,
        problem: "",
      };
    }),
  };
}

const users: User[] = [
  {
    id: "user-1",
    login: "robin",
    name: "Robin Example",
    email: "robin@example.com",
    groups: ["platform-team"],
    createdAt: ago(90_000),
    lastLoginAt: ago(20),
    disabledAt: null,
  },
  {
    id: "user-2",
    login: "kim",
    name: "Kim Example",
    email: "kim@example.com",
    groups: ["platform-team", "checkout"],
    createdAt: ago(80_000),
    lastLoginAt: ago(300),
    disabledAt: null,
  },
  {
    id: "user-3",
    login: "sam",
    name: hostile,
    email: "",
    groups: [],
    createdAt: ago(70_000),
    lastLoginAt: null,
    disabledAt: ago(900),
  },
];

function auditEntries(): Answer<"audit">["rows"] {
  const actions = ["job.create", "session.login", "instance.suspend", "role.add", "token.create"];
  return Array.from({ length: 40 }, (_, index) => ({
    id: 1_000 - index,
    at: ago(index * 40),
    actor: {
      kind: index % 6 === 5 ? ("token" as const) : ("user" as const),
      name: index % 6 === 5 ? "deploy-bot" : "robin",
    },
    action: actions[index % actions.length] ?? "",
    outcome: index === 2 ? ("begun" as const) : index % 9 === 4 ? ("refused" as const) : ("done" as const),
    instanceId: "instance-1",
    namespace: index % 3 === 0 ? "checkout" : null,
    subject: index === 1 ? hostile : "checkout:deployment/checkout-api",
    detail: {},
    address: "192.0.2.10",
  }));
}

function makeChannels(): Channel[] {
  const common = { enabled: true, hasSecret: true, lastSentAt: ago(4), lastError: "", lastErrorAt: null };
  return [
    { ...common, id: "channel-1", name: "Platform in Slack", kind: "slack-webhook", settings: {} },
    {
      ...common,
      id: "channel-2",
      name: "On-call by mail",
      kind: "mail",
      settings: { host: "mail.example.com", port: 587, from: "weir@example.com", to: ["oncall@example.com"] },
      lastError: "550 5.1.1 no such mailbox",
      lastErrorAt: ago(60),
    },
    {
      ...common,
      id: "channel-3",
      name: "Status of commits",
      kind: "github",
      settings: { repository: "acme/fleet", status: true },
      enabled: false,
    },
  ];
}

function makeRule(): Rule {
  return {
    id: "rule-1",
    name: "Failures in production",
    channelId: "channel-1",
    enabled: true,
    instances: ["instance-1"],
    namespaces: [],
    eventTypes: ["sync", "drift"],
    severities: ["warning", "error"],
    template: null,
    title: null,
    groupBy: ["instance"],
    groupSeconds: 30,
  };
}
