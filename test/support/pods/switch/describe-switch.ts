import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { configMapPath, until } from "@weir/testing";
import { fluxImage } from "../../flux-installs.ts";
import { PodWorld } from "../pod-world.ts";
import { weirImageName } from "./images.ts";
import { type SwitchOptions, type SwitchState, SwitchWorld } from "./switch-world.ts";
import { team } from "./synced-files.ts";

const all = ["team-a:cronjob/report", "team-a:deployment/auto", "team-a:statefulset/locked"];

/** Tests that an installation of Flux v1 can be switched to Weir by its image, and back. */
export function describeSwitch(what: string, options: SwitchOptions): void {
  describe(`a switch of ${what}`, { skip: PodWorld.lacks() }, () => {
    let world: SwitchWorld;
    before(async () => {
      world = await SwitchWorld.start(options);
    });
    after(() => world[Symbol.asyncDispose]());

    it("changes nothing, and neither does the way back", () => assertNothingChanges(world));

    it("goes on where Flux v1 was, and leaves off where Flux v1 can go on", async () => {
      await world.applyWith(weirImageName);
      await world.git.repository.pull();
      const file = "workloads/new.yaml";
      const head = await world.git.repository.push({ [file]: newObject }, "add an object");
      const before = await world.state();
      await syncs(world);

      const added = await world.pods.kube.get(configMapPath("new", team));
      assert.deepEqual(added?.["data"], { key: "value" });
      assert.equal(await world.git.repository.synced(world.syncTag), head);
      // The sync that added the object is remembered in the Secret of the SSH key.
      const { namespace, deployKeySecret: secret } = world.install;
      const secretPath = `/api/v1/namespaces/${namespace}/secrets/${secret}`;
      const isRemembered = async () => {
        const { annotations } = (await world.pods.kube.get(secretPath))?.metadata ?? {};
        return annotations?.["weir.dev/history"] !== undefined;
      };
      await until("the sync to be remembered", isRemembered).catch(async (cause: unknown) => {
        throw new Error(`the sync isn't remembered; fluxd said: ${await world.logs()}`, { cause });
      });
      const { objects } = await world.state();
      const others = Object.entries(before.objects).filter(
        ([key]) => key !== `secrets ${namespace}/${secret}`,
      );
      assert.deepEqual({ ...objects, ...Object.fromEntries(others) }, objects);

      const state = await world.state();
      const audit = await world.audit();
      await world.applyWith(fluxImage);
      await world.standInIsDone();

      assert.deepEqual(await world.ownWrites(audit), []);
      assertSame(await world.state(), state);
    });
  });
}

/** Switches to Weir, which works, and back; nothing is written meanwhile, and all is as it was. */
export async function assertNothingChanges(world: SwitchWorld): Promise<void> {
  const state = await world.state();
  const audit = await world.audit();

  await world.switchTo(weirImageName);
  await assertWorks(world);

  assert.deepEqual(await world.ownWrites(audit), []);
  assertSame(await world.state(), state);

  await world.switchTo(fluxImage);
  await world.standInIsDone();

  assert.deepEqual(await world.ownWrites(audit), []);
  assertSame(await world.state(), state);
}

/** Names what differs, among hundreds of objects that don't. */
function assertSame(actual: SwitchState, expected: SwitchState): void {
  assert.equal(actual.refs, expected.refs);
  for (const part of ["objects", "images"] as const) {
    const [is, was] = [new Map(Object.entries(actual[part])), new Map(Object.entries(expected[part]))];
    const names = [...new Set([...was.keys(), ...is.keys()])];
    const changed = names.filter((name) => !isDeepStrictEqual(is.get(name), was.get(name)));
    assert.deepEqual(
      Object.fromEntries(changed.map((name) => [name, is.get(name)])),
      Object.fromEntries(changed.map((name) => [name, was.get(name)])),
    );
  }
}

/** fluxd answers, knows what Flux v1 knew of policies and images, and syncs. */
async function assertWorks(world: SwitchWorld): Promise<void> {
  // Policies are shown once git was cloned.
  const workloads = await until("the policies", async () => {
    const { exit, stdout, stderr } = await world.fluxctl("list-workloads", "-n", team);
    assert.equal(exit, 0, stderr);
    return stdout.includes("automated") && stdout;
  });
  assert.deepEqual([...workloads.matchAll(/^team-a:\S+/gm)].map(String).sort(), all);
  assert.match(workloads, /deployment\/auto .*app:1\.0\.1 .*automated/);
  assert.match(workloads, /statefulset\/locked .*locked/);

  // On a busy machine, memcached may not answer within the second that it's given.
  await until("the images that Flux v1 knew", async () => {
    const { stdout } = await world.fluxctl("list-images", "-n", team, "-w", "team-a:deployment/auto");
    return /1\.0\.1\s+01 Jun 20/.test(stdout);
  });

  await syncs(world);
}

/** Until git was cloned and checked for write access, fluxctl says that it isn't ready. */
async function syncs(world: SwitchWorld): Promise<void> {
  await until("fluxctl sync", async () => {
    const { exit, stderr } = await world.fluxctl("sync");
    assert.equal(exit, 0, stderr);
    return true;
  });
}

const newObject = `apiVersion: v1
kind: ConfigMap
metadata: {name: new, namespace: ${team}}
data: {key: value}
`;
