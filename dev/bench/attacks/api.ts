import { until } from "@weir/testing";
import { ask, type RawAnswer } from "../../../test/support/raw-http.ts";
import { type Attack, refuse } from "./attack.ts";
import type { World } from "./world.ts";

const foreign = {
  Origin: "http://evil.example",
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "no-cors",
};

const policyUpdate = JSON.stringify({
  type: "policy",
  cause: { Message: "", User: "Eve" },
  spec: { "default:deployment/web": { add: { locked: "true", locked_msg: "no" }, remove: {} } },
});

export const apiAttacks: readonly Attack[] = [
  {
    name: "api: a web page that posts and reads",
    async run(world) {
      const before = await world.around.repository.upstream("rev-parse", "master");
      const requests = [
        {
          method: "POST",
          path: "/v9/update-manifests",
          headers: { ...foreign, "Content-Type": "text/plain" },
          body: policyUpdate,
        },
        {
          method: "POST",
          path: "/v6/update-images?service=<all>&image=<all+latest>&kind=execute",
          headers: foreign,
        },
        { method: "POST", path: "/v6/identity.pub", headers: foreign },
        {
          method: "GET",
          path: "/v6/export",
          headers: { Host: "evil.example", "User-Agent": "Mozilla/5.0", "Accept-Language": "en" },
        },
      ];
      const answers = await Promise.all(requests.map((request) => send(world, request)));
      refuse(
        answers.some(({ status }) => status < 400),
        `answers: ${statuses(answers)}`,
      );
      refuse(
        (await world.around.repository.upstream("rev-parse", "master")) !== before,
        "a commit was pushed",
      );
      return `refused: ${statuses(answers)}`;
    },
  },
  {
    name: "api: thirty bodies of 8 MiB at once",
    async run(world) {
      const names = Array.from({ length: 240_000 }, (_, index) => `"default:deployment/app-${index}"`).join(
        ",",
      );
      const body = `{"type":"image","cause":{},"spec":{"ServiceSpecs":[${names}],"ImageSpec":"<all latest>","Kind":"plan"}}`;
      const padded = `${body}${" ".repeat(8 * 2 ** 20 - body.length)}`;
      const request = { method: "POST", path: "/v9/update-manifests", body: padded };
      const answers = await Promise.all(Array.from({ length: 30 }, () => send(world, request).catch(closed)));
      await queueEmpty(world);
      return statuses(answers);
    },
  },
  {
    name: "api: two thousand jobs of 200 kB",
    async run(world) {
      const message = "x".repeat(200_000);
      const body = JSON.stringify({
        ...(JSON.parse(policyUpdate) as object),
        cause: { Message: message, User: "Eve" },
        spec: {},
      });
      const answers: RawAnswer[] = [];
      for (let sent = 0; sent < 2_000; sent += 20) {
        const request = { method: "POST", path: "/v9/update-manifests", body };
        answers.push(
          ...(await Promise.all(Array.from({ length: 20 }, () => send(world, request).catch(closed)))),
        );
      }
      await queueEmpty(world);
      return statuses(answers);
    },
  },
  {
    name: "api: a lock with a message that YAML reads as false",
    async run(world) {
      const answer = await send(world, { method: "POST", path: "/v9/update-manifests", body: policyUpdate });
      refuse(answer.status !== 200, `the lock is refused: ${answer.status} ${answer.body}`);
      await until("the live object to be locked", async () => {
        const live = await world.around.kube.get("/apis/apps/v1/namespaces/default/deployments/web");
        return live?.metadata.annotations?.["fluxcd.io/locked_msg"] === "no";
      });
      await world.around.repository.pull();
      return "applied, with the message as a string";
    },
  },
  {
    name: "api: six key regenerations at once",
    async run(world) {
      const request = { method: "POST", path: "/v6/identity.pub" };
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(world, request)));
      return statuses(answers);
    },
  },
  {
    name: "api: a ref with a NUL",
    async run(world) {
      const answer = await send(world, { path: "/v12/diff?ref=a%00b" });
      refuse(answer.status < 400 || answer.body.includes("ERR_"), `${answer.status} ${answer.body}`);
      return `${answer.status} ${answer.body.replaceAll("\n", " ").slice(0, 120)}`;
    },
  },
];

function send(world: World, request: Parameters<typeof ask>[1]): Promise<RawAnswer> {
  const { host } = new URL(world.around.fluxd.apiUrl);
  return ask(host, { ...request, path: `/api/flux${request.path}` });
}

/** A connection that was closed before the whole body was sent counts as a refusal too. */
function closed(): RawAnswer {
  return { status: 0, type: "", body: "", headers: {} };
}

function statuses(answers: readonly RawAnswer[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status);
  const parts = [...counts].map(([status, all]) => `${all.length} × ${status === 0 ? "closed" : status}`);
  return parts.join(", ");
}

/** Resolves when the queue is empty. */
async function queueEmpty({ around: { fluxd } }: World): Promise<void> {
  await until(
    "the queue of jobs to be empty",
    async () => {
      const metrics = await (await fetch(`${fluxd.baseUrl}/metrics`)).text();
      // The metric doesn't exist before the first job.
      return (/^flux_daemon_queue_length_count (\S+)$/m.exec(metrics)?.[1] ?? "0") === "0";
    },
    300,
  );
}
