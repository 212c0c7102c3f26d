import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { nothingTold } from "@weir/demo";
import { toldResourceId } from "@weir/flux";
import type { LoggedEvent } from "@weir/flux/api";
import fc from "fast-check";
import { tellEvents } from "../../../../../cmd/weir/demo/narration/tell-events.ts";

const revision = "787e84cc6d70a5ff2c3b8056a947179be9de429d";
const you = { Message: "", User: "You <you@example.com>" };
const cart = "shop:deployment/cart";

function event(id: number, type: string, rest: Partial<LoggedEvent> = {}): LoggedEvent {
  const at = new Date(0);
  return {
    id,
    type,
    workloads: [],
    startedAt: at,
    endedAt: at,
    logLevel: type === "failure" ? "error" : "info",
    message: "",
    metadata: null,
    ...rest,
  };
}

function commit(spec: JsonValue, result: JsonValue = {}): LoggedEvent {
  return event(1, "commit", { metadata: { revision, spec, result } });
}

function policies(update: JsonValue, cause: JsonValue = you): LoggedEvent {
  return commit({ type: "policy", cause, spec: { [cart]: update } });
}

/** What is told of events, with the remedies. */
function told(...events: readonly LoggedEvent[]): readonly string[] {
  return tellEvents(events, nothingTold).told.map(
    ({ sign, text, remedy }) => `${sign} ${text}${remedy === undefined ? "" : ` (${remedy})`}`,
  );
}

const released = {
  [cart]: {
    Status: "success",
    PerContainer: [{ Container: "cart", Current: "host:1/x/cart:3.1.0", Target: "host:1/x/cart:3.2.0" }],
  },
  "shop:deployment/web": { Status: "ignored", Error: "not included", PerContainer: null },
};
const refused = {
  commits: [{ revision, message: "Port" }],
  errors: [{ ID: cart, Path: "shop/cart.yaml", Error: "port must be\n  less than 65536" }],
};

describe("what the demo tells of a commit by fluxd", () => {
  const cases: readonly (readonly [string, LoggedEvent, string])[] = [
    [
      "a lock, with who and why, but not as separate annotations",
      policies(
        { add: { locked: "true", locked_user: "You", locked_msg: "sale" }, remove: {} },
        { Message: "sale", User: "You <you@example.com>" },
      ),
      `> You locked ${cart}: sale (commit 787e84c)`,
    ],
    [
      "an unlocking",
      policies({ add: {}, remove: { locked: "true", locked_msg: "true", locked_user: "true" } }),
      `> You unlocked ${cart} (commit 787e84c)`,
    ],
    [
      "automation",
      policies({ add: { automated: "true" }, remove: {} }),
      `> You automated ${cart} (commit 787e84c)`,
    ],
    [
      "the end of automation, by somebody without a name",
      policies({ add: null, remove: { automated: "true" } }, { Message: "", User: "" }),
      `> Somebody deautomated ${cart} (commit 787e84c)`,
    ],
    [
      "a tag filter",
      policies({ add: { "tag.app": "semver:~3" }, remove: {} }),
      `> You set the tag filter of ${cart} to semver:~3 for app (commit 787e84c)`,
    ],
    [
      "a release, of the image that changed",
      commit(
        {
          type: "image",
          cause: you,
          spec: { ServiceSpecs: [cart], ImageSpec: "<all latest>", Kind: "execute" },
        },
        released,
      ),
      `> You released cart 3.1.0 → 3.2.0 in ${cart} (commit 787e84c)`,
    ],
    [
      "an automated release",
      commit({ type: "auto", cause: { Message: "", User: "" }, spec: { Changes: [] } }, released),
      `> fluxd released cart 3.1.0 → 3.2.0 in ${cart} by itself (commit 787e84c)`,
    ],
  ];
  for (const [name, given, wanted] of cases) {
    it(`is ${name}`, () => {
      assert.deepEqual(told(given), [wanted]);
    });
  }

  it("is fluxd's own message where the change is of a kind that it doesn't know", () => {
    const unknown = event(1, "commit", {
      message: "Undid\n it",
      metadata: { revision, spec: { type: "undo" } },
    });

    assert.deepEqual(told(unknown), ["> Undid it"]);
  });

  it("isn't repeated when it's synced", () => {
    const auto = commit({ type: "auto", cause: you, spec: { Changes: [] } }, released);
    const again = event(2, "autorelease", { message: "Automated release", metadata: { Revision: revision } });
    const other = event(3, "release", { message: "Released: b", metadata: { Revision: "other" } });

    const telling = tellEvents([auto, again, other], nothingTold);

    assert.deepEqual(telling.told.map(({ text }) => text).slice(1), ["Released: b"]);
    assert.deepEqual(telling.seen, ["automated release"]);
  });
});

describe("what the demo tells of a sync", () => {
  const commits = [{ revision, message: "Subject" }];

  it("is the commit and what changed", () => {
    const workloads = [toldResourceId(cart)];

    assert.deepEqual(told(event(1, "sync", { workloads, metadata: { commits } })), [
      `= fluxd synced 787e84c: ${cart}`,
    ]);
  });

  it("is only the number of objects if there are many, and nothing if there are none", () => {
    const workloads = ["a", "b", "c", "d"].map((name) => toldResourceId(`shop:deployment/${name}`));

    assert.deepEqual(
      told(
        event(1, "sync", { workloads, metadata: { commits } }),
        event(2, "sync", { metadata: { commits } }),
      ),
      ["= fluxd synced 787e84c: 4 objects", "= fluxd synced 787e84c"],
    );
  });

  it("names each refused object once, with its file", () => {
    const failure = event(1, "failure", { message: `${cart}: port must be\n  less than 65536` });
    const sync = event(2, "sync", { metadata: refused });

    assert.deepEqual(told(failure, sync, { ...failure, id: 3 }), [
      "= fluxd synced 787e84c",
      `! refused: ${cart}: port must be less than 65536 (correct shop/cart.yaml, commit, and push)`,
    ]);
  });

  it("tells of a refusal again if it comes back", () => {
    const sync = event(1, "sync", { metadata: refused });
    const repaired = event(2, "sync", { metadata: { commits } });

    assert.equal(told(sync, repaired, { ...sync, id: 3 }).filter((line) => line.startsWith("!")).length, 2);
  });

  it("is the file and the line if it can't be read", () => {
    const message =
      'sync failed: loading resources from repo: parsing YAML doc from "shop/web.yaml": yaml: unmarshal errors:\n  line 11: no';

    assert.deepEqual(told(event(1, "failure", { message }), event(2, "failure", { message })), [
      '! fluxd can\'t sync: parsing YAML doc from "shop/web.yaml": yaml: unmarshal errors: line 11: no (correct shop/web.yaml, commit, and push)',
    ]);
  });

  it("is that it was suspended and resumed, and what was put back", () => {
    const workloads = [toldResourceId(cart)];
    const telling = tellEvents(
      [
        event(1, "suspend", { message: "syncing is suspended by You" }),
        event(2, "resume", { message: "resumed by You: syncing" }),
        event(3, "drift", { workloads, message: `Put back as in git: ${cart}` }),
      ],
      nothingTold,
    );

    assert.deepEqual(
      telling.told.map(({ sign, text }) => `${sign} ${text}`),
      ["- syncing is suspended by You", "> resumed by You: syncing", `= fluxd put back as in git: ${cart}`],
    );
    assert.deepEqual(telling.seen, ["suspension", "suspension", "drift"]);
  });
});

describe("what the demo tells of a request that failed", () => {
  it("is why there was nothing to do", () => {
    assert.deepEqual(told(event(1, "failure", { message: "job 8457a863 failed: no changes made in repo" })), [
      "! fluxd had nothing to change in git: it's so already, or locked (`fluxctl list-workloads -a` shows versions and locks)",
    ]);
  });

  it("is the reason, and where to look", () => {
    assert.deepEqual(told(event(1, "failure", { message: "job 8457a863 failed: git is down" })), [
      "! fluxd couldn't do it: git is down (`fluxctl check` looks for the cause)",
    ]);
  });
});

describe("events", () => {
  it("are told once, however they are cut into parts", () => {
    const refusal = `${cart}: port must be\n  less than 65536`;
    const kinds = [
      (id: number) => [event(id, "sync", { metadata: refused })],
      (id: number) => [
        event(id, "failure", { message: refusal }),
        event(id + 1, "sync", { metadata: refused }),
      ],
      (id: number) => [event(id, "drift", { message: `put back ${id}` })],
      (id: number) => [event(id, "unheard-of", { message: `news ${id}` })],
      (id: number) => [event(id, "failure", { message: `job ${id} failed: reason ${id}` })],
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...kinds), { maxLength: 12 }),
        fc.nat({ max: 24 }),
        (picked, cut) => {
          const events = picked.flatMap((kind, index) => kind(2 * index + 1));
          const whole = tellEvents(events, nothingTold);
          const first = tellEvents(events.slice(0, cut), nothingTold);
          const second = tellEvents(events, first.memory);
          assert.deepEqual([...first.told, ...second.told], whole.told);
          assert.deepEqual(tellEvents(events, whole.memory).told, []);
        },
      ),
    );
  });

  it("that say less than the next one are told if there is no next one", () => {
    const failure = event(1, "failure", { message: `${cart}: the port is taken` });

    const first = tellEvents([failure], nothingTold);
    const second = tellEvents([failure], first.memory);
    const third = tellEvents([failure], second.memory);

    assert.deepEqual(
      [first, second, third].map(({ told }) => told.map(({ text }) => text)),
      [[], [`refused: ${cart}: the port is taken`], []],
    );
  });
});
