import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError, UnverifiedError } from "@weir/flux";
import type { HashQuery, VerifiedCommit } from "../../../../src/daemon/ports.ts";
import type { HeadVerdict } from "../../../../src/daemon/sync/head-verdict.ts";
import { HeadVerifier } from "../../../../src/daemon/sync/head-verifier.ts";

const never = new AbortController().signal;

/** A line of commits, oldest first, each with the status of its signature: "a:G b:N". */
class ScriptedHistory {
  readonly queries: HashQuery[] = [];
  readonly verified: string[] = [];
  head: string;
  #commits: readonly VerifiedCommit[];

  constructor(line: string) {
    this.#commits = line.split(" ").map(commitOf);
    this.head = this.#commits.at(-1)?.revision ?? "";
  }

  branchHead(): Promise<string> {
    return Promise.resolve(this.head);
  }

  hashes(query: HashQuery): Promise<readonly string[]> {
    this.queries.push(query);
    const all = this.#commits.map(({ revision }) => revision);
    const start = all.indexOf(query.from) + 1;
    return Promise.resolve(all.slice(start, all.indexOf(query.to) + 1).reverse());
  }

  async *verify(revisions: readonly string[]): AsyncIterable<VerifiedCommit> {
    for (const revision of revisions) {
      this.verified.push(revision);
      yield await Promise.resolve(
        this.#commits.find((each) => each.revision === revision) ?? commitOf(`${revision}:E`),
      );
    }
  }
}

function commitOf(text: string): VerifiedCommit {
  const [revision = "", status = ""] = text.split(":");
  const accepted = status === "G" || status === "U";
  return { revision, status, accepted, author: "Jo", key: `K${revision}`, reason: `it's ${status}` };
}

function verifierOf(
  history: ScriptedHistory,
  marker = "",
  mode: "all" | "first-parent" = "all",
): HeadVerifier {
  return new HeadVerifier({ repo: history, syncState: { revision: () => Promise.resolve(marker) }, mode });
}

async function look(line: string, marker = ""): Promise<HeadVerdict> {
  return await verifierOf(new ScriptedHistory(line), marker).verifyHead(never);
}

describe("the head to sync", () => {
  it("is the head of the branch if everything is signed", async () => {
    assert.deepEqual(await look("a:G b:G"), { head: "b", verified: "b" });
    assert.deepEqual(await look("a:G b:G", "a"), { head: "b", verified: "b" });
    assert.deepEqual(await look("a:G b:G", "b"), { head: "b", verified: "b" });
  });

  it("is the commit before the first bad one, whatever comes after", async () => {
    assert.deepEqual(await look("a:G b:G c:N d:G", "a"), { head: "d", verified: "b", bad: commitOf("c:N") });
    assert.deepEqual(await look("a:G b:N c:E"), { head: "c", verified: "a", bad: commitOf("b:N") });
  });

  it("stays what was synced last if the next commit is bad, and is nothing without that", async () => {
    assert.deepEqual(await look("a:G b:N", "a"), { head: "b", verified: "a", bad: commitOf("b:N") });
    assert.deepEqual(await look("a:N b:G"), { head: "b", verified: "", bad: commitOf("a:N") });
  });

  for (const status of ["U", "X", "Y", "R", "B", "E", "N", "g", ""]) {
    it(`isn't a new commit with the status ${status || "nothing"}`, async () => {
      assert.equal((await look(`a:G b:${status}`, "a")).verified, "a");
    });
  }

  it("doesn't ask for signatures of what came before the marker", async () => {
    assert.deepEqual(await look("a:N b:G c:G", "b"), { head: "c", verified: "c" });
  });

  it("is none if what was synced last isn't signed; an untrusted key is enough for that", async () => {
    assert.deepEqual(await look("a:U b:G", "a"), { head: "b", verified: "b" });
    for (const marker of ["a:N b:G", "a:B b:G", "a:Y b:G"]) {
      await assert.rejects(look(marker, "a"), (error) => {
        assert.ok(error instanceof UnverifiedError);
        assert.equal(
          error.message,
          "failed to verify signature of last sync'ed revision: failed to verify commit a",
        );
        assert.deepEqual(error.problem, { key: "Ka", reason: `it's ${marker.charAt(2)}` });
        return true;
      });
    }
  });

  it("is a head that the marker already includes, as in Flux v1", async () => {
    const history = new ScriptedHistory("a:N b:G");
    history.head = "a";

    assert.deepEqual(await verifierOf(history, "b").verifyHead(never), { head: "a", verified: "a" });
  });

  it("is looked for among the first parents if that's asked for", async () => {
    const history = new ScriptedHistory("a:G b:G");

    await verifierOf(history, "a", "first-parent").verifyHead(never);

    assert.deepEqual(history.queries, [{ from: "a", to: "b", firstParent: true }]);
  });

  it("is found without another look at git while nothing has changed", async () => {
    const history = new ScriptedHistory("a:G b:G c:N");
    const verifier = verifierOf(history, "a");

    const [first, second] = [await verifier.verifyHead(never), await verifier.verifyHead(never)];

    assert.deepEqual(second, first);
    assert.equal(history.queries.length, 1);
  });

  it("verifies nothing after the first bad commit", async () => {
    const history = new ScriptedHistory("a:G b:N c:G d:G");

    await verifierOf(history).verifyHead(never);

    assert.deepEqual(history.verified, ["a", "b"]);
  });
});

describe("a head to commit on", () => {
  it("must be verified", async () => {
    const history = new ScriptedHistory("a:G b:G c:N");
    const verifier = verifierOf(history, "a");

    await verifier.require("b", never);
    await assert.rejects(verifier.require("c", never), (error) => {
      assert.ok(error instanceof FluxError);
      assert.equal(error.kind, "user");
      assert.equal(error.message, "HEAD revision is unsigned");
      assert.equal(
        error.advice,
        `HEAD is not a verified commit.

The branch HEAD in the git repo is not verified, and fluxd is unable to
make a change on top of it. The last verified commit was

    b

HEAD is 

    c.
`,
      );
      return true;
    });
  });

  it("must be verified itself, wherever the branch is by now", async () => {
    const history = new ScriptedHistory("a:G b:N c:G");
    history.head = "a";

    await assert.rejects(verifierOf(history, "a").require("b", never), FluxError);
  });
});
