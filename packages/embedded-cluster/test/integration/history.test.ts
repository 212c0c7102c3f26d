import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../src/server.ts";
import { type Answer, ask } from "../support/answer.ts";
import { configMap, configMaps } from "../support/objects.ts";
import { fill, get, post, type Request } from "../support/request.ts";

/** A real API server forgets after minutes; here the history is short, so that it is soon over. */
describe("a cluster that remembers two changes", () => {
  let cluster: EmbeddedCluster;
  let made: readonly Answer[];
  before(async () => {
    cluster = await startEmbeddedCluster({ controllerManager: false, historyLimit: 2, bookmarkEveryMs: 1 });
    made = [];
    for (const name of ["a", "b", "c", "d"]) {
      made = [...made, await ask(cluster, inDefault(post(configMaps, configMap(name))))];
    }
  });
  after(() => cluster.stop());

  it("resumes a watch that knows all but those", async () => {
    const answer = await watch(versionOf(1));

    const told = eventsOf(answer).map(({ type, object }) => [type, object.metadata.name]);
    assert.deepEqual(told, [
      ["ADDED", "c"],
      ["ADDED", "d"],
    ]);
  });

  it("tells a watch that is too late", async () => {
    const answer = await watch(versionOf(0));

    const [event] = eventsOf(answer);
    assert.deepEqual([event?.type, event?.object.code, event?.object.reason], ["ERROR", 410, "Expired"]);
  });

  it("tells a quiet watch how far the cluster is", async () => {
    const answer = await watch(versionOf(3), "&allowWatchBookmarks=true");

    const [event] = eventsOf(answer);
    assert.deepEqual([event?.type, event?.object.metadata.resourceVersion], ["BOOKMARK", versionOf(3)]);
  });

  it("gives who comes late for the next page a way to go on", async () => {
    const first = await ask(cluster, inDefault(get(`${configMaps}?limit=1`)));
    for (const name of ["e", "f", "g"]) {
      await ask(cluster, inDefault(post(configMaps, configMap(name))));
    }

    const late = await ask(cluster, next(first));
    const rest = await ask(cluster, next(late));

    assert.deepEqual([late.status, bodyOf(late).reason], [410, "Expired"]);
    assert.deepEqual(
      bodyOf(rest).items?.map(({ metadata }) => metadata.name),
      ["b", "c", "d", "e", "f", "g"],
    );
  });

  it("does not list a state that is forgotten", async () => {
    const query = `resourceVersion=${versionOf(0)}&resourceVersionMatch=Exact`;

    const answer = await ask(cluster, inDefault(get(`${configMaps}?${query}`)));

    assert.deepEqual([answer.status, bodyOf(answer).reason], [410, "Expired"]);
  });

  function versionOf(index: number): string {
    return bodyOf(made[index]).metadata.resourceVersion;
  }

  /** A watch that ends by itself soon after it has told what there is to tell. */
  function watch(version: string, more = ""): Promise<Answer> {
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${version}${more}`;
    return ask(cluster, inDefault(get(`${configMaps}?${query}`)));
  }
});

interface Body {
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly continue?: string };
  readonly items?: readonly Body[];
}

interface Event {
  readonly type: string;
  readonly object: Body;
}

function bodyOf(answer: Answer | undefined): Body {
  return answer?.body as Body;
}

/** A stream of one event is read as that event. */
function eventsOf({ body }: Answer): readonly Event[] {
  return (Array.isArray(body) ? body : [body]) as readonly Event[];
}

function inDefault(request: Request): Request {
  return fill(request, { namespace: "default", answers: [] });
}

function next(page: Answer): Request {
  return inDefault(get(`${configMaps}?continue=${bodyOf(page).metadata.continue ?? ""}`));
}
