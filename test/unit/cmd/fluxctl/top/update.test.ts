import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toldResourceId } from "@weir/flux";
import type { Effect, ImageChoice, Key, TopState } from "../../../../../cmd/fluxctl/top/model.ts";
import { update } from "../../../../../cmd/fluxctl/top/update.ts";
import { after, findings, press, resource, shop, stateWith, textOf } from "./states.ts";

const web = toldResourceId("shop:deployment/web");

/** What the last of some keys asks for. */
function effectsOf(state: TopState, ...keys: readonly Key[]): readonly Effect[] {
  const last = keys.at(-1) ?? "";
  return update(press(state, ...keys.slice(0, -1)), { kind: "key", key: last }).effects;
}

/** With that resource selected. */
function selecting(name: string, state = stateWith()): TopState {
  return press(state, "/", ...Array.from(name), "enter", "down");
}

function image(tag: string, isRunning = false): ImageChoice {
  return { container: "main", image: `example.test/app:${tag}`, createdAt: "", isRunning };
}

describe("the tree of fluxctl top", () => {
  it("shows namespaces with their resources, and opens and closes nodes", () => {
    const start = stateWith();
    const opened = press(start, "down", "down", "right");
    const closed = press(opened, "left");
    const atParent = press(closed, "left");
    const withoutShop = press(atParent, " ");

    assert.match(textOf(start), /> *- shop.*\n.*configmap\/settings.*\n.*\+ deployment\/api/);
    assert.match(textOf(opened), /> {2}- deployment\/api.*\n +\+ replicaset\/api-1/);
    assert.doesNotMatch(textOf(closed), /replicaset/);
    assert.match(textOf(atParent), /^>- shop/m);
    assert.doesNotMatch(textOf(withoutShop), /deployment/);
  });

  it("filters by all words while they are typed, and opens what is above a match", () => {
    const typed = press(stateWith(), "/", ...Array.from("pull degraded"));

    assert.match(textOf(typed), /deployment\/api.*\n.*replicaset\/api-1.*\n.*pod\/api-1-x/);
    assert.doesNotMatch(textOf(typed), /settings|web|tools/);
    assert.match(textOf(press(typed, "escape")), /tools/);
    assert.equal(press(typed, "enter").filter, "pull degraded");
    assert.equal(press(typed, "enter", "escape").filter, "");
    assert.equal(press(typed, "backspace", "enter").filter, "pull degrade");
  });

  it("shows only problems on demand", () => {
    const shown = textOf(press(stateWith(), "!"));

    assert.match(shown, /settings[^]*deployment\/api/);
    assert.doesNotMatch(shown, /web|tools/);
  });

  it("keeps the selected node when others come and go, and takes the next one if it is gone itself", () => {
    const selected = press(stateWith(), "down", "down");
    const more = findings([resource("shop:configmap/a"), ...shop.resources]);
    const fewer = findings(shop.resources.filter(({ id }) => !id.endsWith("/api")));

    assert.match(textOf(after(selected, { kind: "found", findings: more })), /^> .*deployment\/api/m);
    assert.match(textOf(after(selected, { kind: "found", findings: fewer })), /^> .*deployment\/web/m);
  });

  it("keeps the selected node visible however it is moved and resized", () => {
    const many = Array.from({ length: 100 }, (_, at) => resource(`a:configmap/c${at}`));
    const end = press(stateWith(findings(many), 40, 10), "end");
    const resized = after(end, { kind: "resized", columns: 200, rows: 60 });

    for (const state of [end, resized, press(end, "pageUp"), press(end, "home")]) {
      assert.match(textOf(state), /^>/m);
    }
  });

  it("says drift only if everything in git is applied", () => {
    const drifted = [resource("a:configmap/x", { sync: "OutOfSync" })];

    assert.match(textOf(stateWith(findings(drifted, [], 0))), /x +drift/);
    assert.match(textOf(stateWith(findings(drifted, [], 2))), /2 commits to apply[^]*x +pending/);
    assert.match(textOf(stateWith({ ...findings(drifted), unapplied: undefined })), /x +differs/);
  });
});

describe("actions of fluxctl top", () => {
  it("release only after an image was chosen, its effect shown, and y pressed", () => {
    const listing = press(selecting("web"), "r");
    assert.deepEqual(effectsOf(selecting("web"), "r"), [{ kind: "list-images", task: 1, id: web }]);
    const choices = [image("3"), image("2", true), image("1")];
    const choosing = after(listing, { kind: "listed", task: 1, id: web, choices });
    assert.match(textOf(choosing), /> example.test\/app:3\n {2}example.test\/app:2 {2}\(running\)/);
    assert.deepEqual(effectsOf(choosing, "enter"), [
      { kind: "plan", task: 2, id: web, image: "example.test/app:3" },
    ]);
    const asked = after(press(choosing, "enter"), {
      kind: "planned",
      task: 2,
      id: web,
      image: "example.test/app:3",
      lines: [{ tone: "plain", text: "main: app:2 -> 3" }],
      changes: true,
    });
    assert.match(textOf(asked), /Release example.test\/app:3\?\nmain: app:2 -> 3\ny commit/);
    for (const key of ["enter", " ", "Y", "r", "n", "escape", "q"]) {
      assert.deepEqual(effectsOf(asked, key), [], key);
    }
    assert.deepEqual(effectsOf(asked, "y"), [{ kind: "release", id: web, image: "example.test/app:3" }]);
  });

  it("do not ask for a release that would change nothing", () => {
    const waiting = press(after(press(selecting("web"), "r"), listed(1)), "enter");
    const planned = { kind: "planned", task: 2, id: web, image: "i:1", changes: false } as const;
    const told = after(waiting, { ...planned, lines: [{ tone: "plain", text: "locked" }] });

    assert.match(textOf(told), /Nothing to release: i:1\nlocked/);
    assert.deepEqual(effectsOf(told, "y"), []);
  });

  it("forget a result that nobody waits for anymore", () => {
    const cancelled = press(selecting("web"), "r", "escape");

    assert.equal(after(cancelled, listed(1)).overlay, undefined);
    assert.equal(after(press(cancelled, "r"), listed(1)).overlay?.kind, "wait");
    assert.equal(after(press(cancelled, "r"), listed(2)).overlay?.kind, "images");
  });

  it("ignore keys while a result is awaited, so that none of them answers the next question", () => {
    assert.deepEqual(effectsOf(selecting("web"), "r", "y", "enter", "l", "r"), []);
  });

  it("lock with a reason, and unlock what is locked", () => {
    const api = toldResourceId("shop:deployment/api");

    assert.deepEqual(effectsOf(selecting("api"), "l", ...Array.from("too slow"), "enter"), [
      { kind: "lock", id: api, reason: "too slow" },
    ]);
    assert.deepEqual(effectsOf(selecting("web"), "l", "enter"), [{ kind: "unlock", id: web, reason: "" }]);
    assert.deepEqual(effectsOf(selecting("web"), "l", "y", "escape", "enter"), []);
  });

  it("act on the workload that a Pod belongs to, and on nothing else", () => {
    assert.deepEqual(effectsOf(selecting("pod/web-1"), "down", "r"), [
      { kind: "list-images", task: 1, id: web },
    ]);
    assert.match(textOf(press(selecting("settings"), "r")), /Select a workload first/);
    assert.deepEqual(effectsOf(selecting("settings"), "r"), []);
  });

  it("wait for each other", () => {
    const locking = press(selecting("api"), "l", "enter");

    assert.match(textOf(locking), /Now: locking shop:deployment\/api$/);
    assert.deepEqual(effectsOf(locking, "l", "x", "enter"), []);
    assert.match(
      textOf(after(locking, { kind: "changed", remark: { tone: "good", text: "Commit pushed: 1" } })),
      /Commit pushed: 1$/,
    );
  });

  it("diff the selected resource or everything", () => {
    assert.deepEqual(effectsOf(selecting("pod/web-1"), "down", "d"), [{ kind: "diff", task: 1, id: web }]);
    assert.deepEqual(effectsOf(selecting("web"), "D"), [{ kind: "diff", task: 1, id: undefined }]);
  });

  it("end with q in the tree, and with Ctrl-C anywhere", () => {
    assert.deepEqual(effectsOf(stateWith(), "q"), [{ kind: "quit" }]);
    assert.deepEqual(effectsOf(stateWith(), "?", "q"), []);
    assert.deepEqual(effectsOf(stateWith(), "/", "q"), []);
    assert.deepEqual(effectsOf(stateWith(), "/", "interrupt"), [{ kind: "quit" }]);
  });

  it("scroll a page no further than to its end", () => {
    const state = stateWith(shop, 60, 12);

    assert.deepEqual(
      press(state, "?", "end", "up").overlay,
      press(state, "?", "end", "down", "down", "up").overlay,
    );
  });

  function listed(task: number) {
    return { kind: "listed", task, id: web, choices: [image("1")] } as const;
  }
});
