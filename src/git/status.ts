/**
 * How far a mirror has come: without a URL, not cloned yet, cloned but not yet checked for write access,
 * ready, or not cloned since its host is not known. The words are Flux v1's and cross its API.
 */
export type MirrorState = "unconfigured" | "new" | "cloned" | "ready" | "unreachable";

/** The state of a mirror, and what keeps it from the next one; "" where nothing does. */
export interface MirrorStatus {
  readonly status: MirrorState;
  readonly error: string;
}
