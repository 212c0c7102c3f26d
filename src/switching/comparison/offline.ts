/** What a comparison without a cluster needs; loaded only for one, because of the API server in it. */
export { diffOffline } from "./offline-diff.ts";
export { offlineSettings } from "./offline-settings.ts";
export { parseSnapshot } from "./snapshot.ts";
