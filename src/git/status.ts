/**
 * How far a mirror has come: without a URL, not cloned yet, cloned but not yet checked for write access,
 * ready, or not cloned since its host is not known. The words are Flux v1's and cross its API.
 */
export type MirrorState = "unconfigured" | "new" | "cloned" | "ready" | "unreachable";

/**
 * Why a mirror is no further, where that is told apart: the next step was not tried yet, there is no such branch, or
 * git took longer than --git-timeout.
 */
export type MirrorHindrance = "untried" | "no-branch" | "timeout";

/** The state of a mirror, and what keeps it from the next one; "" where nothing does. */
export interface MirrorStatus {
  readonly status: MirrorState;
  readonly error: string;
  readonly hindrance?: MirrorHindrance;
}
