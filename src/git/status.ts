/**
 * The state of a mirror: without a URL, not cloned yet, cloned but not checked for write access yet, ready, or not
 * cloned because its host is unknown. The words are Flux v1's and part of its API.
 */
export type MirrorState = "unconfigured" | "new" | "cloned" | "ready" | "unreachable";

/**
 * Why a mirror hasn't reached the next state, as far as that's distinguished: the next step wasn't tried yet, the
 * branch doesn't exist, or git took longer than --git-timeout.
 */
export type MirrorHindrance = "untried" | "no-branch" | "timeout";

/** The state of a mirror, and the error that keeps it from the next state; "" if there's none. */
export interface MirrorStatus {
  readonly status: MirrorState;
  readonly error: string;
  readonly hindrance?: MirrorHindrance;
}
