import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toldResourceId } from "@weir/flux";
import type { LoggedEvent } from "@weir/flux/api";
import fc from "fast-check";
import { widthOf } from "../../../../../cmd/fluxctl/top/line.ts";
import { view } from "../../../../../cmd/fluxctl/top/view.ts";
import { after, findings, press, resource, shop, stateWith, textOf, textOfLine, workload } from "./states.ts";

const failure: LoggedEvent = {
  id: 1,
  type: "failure",
  workloads: [toldResourceId("shop:deployment/api")],
  startedAt: new Date(0),
  endedAt: new Date(2026, 1, 3, 4, 5, 6),
  logLevel: "error",
  message: "it\nbroke\x1b[2J",
  metadata: null,
};

describe("the screen of fluxctl top", () => {
  it("shows everything at a glance on an average terminal", () => {
    const screen = textOf(after(stateWith(shop, 100, 20), { kind: "logged", events: [failure] }));

    assert.equal(
      screen,
      [
        "fluxctl top  0123456  1 unhealthy  1 drifted  4 resources",
        "  RESOURCE                                 SYNC      HEALTH      MESSAGE",
        ">- shop                                    1 unhealthy  1 drifted  3 in all",
        "     configmap/settings                    drift",
        "   + deployment/api                        synced    degraded    too slow",
        "   + deployment/web [locked,automated]     synced    healthy",
        " - tools                                   1 in all",
        "     configmap/other                       synced",
        `-- events${"-".repeat(91)}`,
        "04:05:06 failure: it broke\\u001b[2J",
        "? help  / filter  enter details  d diff  r release  l lock  e events  q quit",
      ].join("\n"),
    );
  });

  it("shows marks instead of words on a narrow terminal", () => {
    assert.equal(
      textOf(stateWith(shop, 40, 10)),
      [
        "fluxctl top  0123456  1 unhealthy  1 dr…",
        "  RESOURCE                         S H",
        ">- shop                            # !!",
        "     configmap/settings            #",
        "   + deployment/api                = !!",
        "   + deployment/web [locked,autom… = ok",
        " - tools                           = ok",
        "     configmap/other               =",
        "? help  / filter  q quit",
      ].join("\n"),
    );
  });

  it("says why something is unhealthy, and what runs", () => {
    const state = after(stateWith(), { kind: "logged", events: [failure] });
    const details = textOf(press(state, "down", "down", "enter"));

    for (const line of [
      "shop:deployment/api",
      "Health: degraded",
      "Message: too slow",
      "  pod/api-1-x: degraded, cannot pull",
      "  Replicas: 1 of 1 updated, 1 ready",
      "  main: example.test/app:1",
      "  04:05:06 failure: it broke\\u001b[2J",
    ]) {
      assert.ok(details.split("\n").includes(line), `${line} in\n${details}`);
    }
  });

  it("counts what is on its way apart from what is unhealthy", () => {
    const found = findings([
      resource("a:deployment/x", { health: "Progressing" }),
      resource("a:deployment/y", {
        health: "Progressing",
        children: [resource("a:pod/y", { health: "Degraded" })],
      }),
    ]);

    assert.match(
      textOf(stateWith(found)),
      /1 unhealthy {2}1 progressing {2}2 resources[^]*1 unhealthy {2}1 progressing {2}2 in all/,
    );
  });

  it("shows that the connection is lost until it is back, and keeps what is known", () => {
    const lost = after(stateWith(), { kind: "lost", reason: "no connection to fluxd, retrying: refused" });

    assert.match(textOf(lost), /retrying: refused\n[^]*deployment\/api/);
    assert.doesNotMatch(textOf(after(lost, { kind: "regained" })), /retrying/);
  });

  it("says what is suspended", () => {
    const banner = after(stateWith(), { kind: "banner", text: "Syncing is suspended by Ann" });

    assert.match(textOf(banner), /^fluxctl top.*\nSyncing is suspended by Ann\n/);
    assert.doesNotMatch(textOf(after(banner, { kind: "banner", text: "" })), /suspended/);
  });

  it("shows hostile names and messages as text", () => {
    const hostile = findings([
      resource("a:configmap/\x1b]0;x\x07", { message: "\x1b[31mred\u202e\r\n", health: "\x1b[H" }),
    ]);

    assert.doesNotMatch(textOf(stateWith(hostile)), /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    assert.match(textOf(stateWith(hostile)), /\\u001b\]0;x\\u0007/);
  });

  it("has exactly the lines of the terminal, none wider than it, whatever happens", () => {
    const names = fc.string({ unit: "binary", maxLength: 60 });
    const resources = fc.array(
      fc.record({ name: names, message: names, health: fc.constantFrom("Healthy", "Degraded", "x\ny", "") }),
      { maxLength: 30 },
    );
    const keys = fc.constantFrom(
      ...Array.from("jkgG!deDlr?/q y日"),
      ...["up", "down", "left", "right", "pageUp", "pageDown", "home", "end", "enter", "escape", "backspace"],
    );
    const sizes = fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: 10, max: 60 }));
    fc.assert(
      fc.property(
        resources,
        fc.array(keys, { maxLength: 30 }),
        sizes,
        sizes,
        (made, pressed, before, size) => {
          const found = findings(
            made.map(({ name, message, health }, at) =>
              resource(`ns${at % 3}:deployment/${name}`, {
                message,
                health,
                children: [resource(`ns:pod/${name}`)],
              }),
            ),
            made.map(({ name }, at) => workload(`ns${at % 3}:deployment/${name}`)),
          );
          const [columns, rows] = size;
          const events = [{ ...failure, message: made[0]?.message ?? "" }];
          const state = after(
            press(stateWith(found, ...before), ...pressed),
            { kind: "logged", events },
            { kind: "resized", columns, rows },
          );
          const lines = view(state).map(textOfLine);
          assert.equal(lines.length, rows);
          for (const line of lines) {
            assert.ok(widthOf(line) <= columns, line);
            assert.doesNotMatch(line, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          }
        },
      ),
    );
  });
});
