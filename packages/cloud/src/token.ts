/** A token for the APIs of a cloud. */
export interface AccessToken {
  readonly text: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}
