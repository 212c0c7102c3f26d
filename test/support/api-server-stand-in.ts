import type { ApiServer } from "@weir/flux/api";

/** A method of the API that was called, with its arguments but for the signal. */
export type ApiServerCall = readonly [method: keyof ApiServer, ...args: readonly unknown[]];

/** An ApiServer that answers something simple, or what a test says, and keeps what it was asked. */
export interface ApiServerStandIn {
  readonly api: ApiServer;
  readonly calls: readonly ApiServerCall[];
}

const publicSshKey = {
  key: "ssh-rsa AAAA flux",
  fingerprints: {
    sha256: { hash: "abc", randomart: "+--+\n|  |\n+--+\n" },
    md5: { hash: "aa:bb", randomart: "+--+\n" },
  },
};

/** `answers` replaces methods one by one. */
export function standInApiServer(answers: Partial<ApiServer> = {}): ApiServerStandIn {
  const calls: ApiServerCall[] = [];
  function noted<T>(answer: T, ...call: ApiServerCall): T {
    calls.push(call);
    return answer;
  }
  return {
    calls,
    api: {
      ping: () => noted(Promise.resolve(), "ping"),
      version: () => noted("1.2.3", "version"),
      notifyChange: (change) => noted(Promise.resolve(), "notifyChange", change),
      listWorkloads: (options) => noted(Promise.resolve([]), "listWorkloads", options),
      listImages: (options) => noted(Promise.resolve([]), "listImages", options),
      updateManifests: (spec) => noted(Promise.resolve("job-1"), "updateManifests", spec),
      jobStatus: (id) => noted(Promise.resolve({ state: "queued", error: "", result: {} }), "jobStatus", id),
      syncStatus: (ref) => noted(Promise.resolve(["c2", "c1"]), "syncStatus", ref),
      exportAll: () => noted(Promise.resolve("kind: Namespace\n"), "exportAll"),
      gitRepoConfig: (regenerate) =>
        noted(
          Promise.resolve({
            url: "ssh://git@git.test/repo",
            branch: "master",
            path: "a,b",
            publicSshKey,
            status: "ready",
            errors: "",
          }),
          "gitRepoConfig",
          regenerate,
        ),
      ...answers,
    },
  };
}
