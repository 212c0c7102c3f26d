/** For how long jobs may wait, in milliseconds. */

const minute = 60_000;
const day = 24 * 60 * minute;

/** For a second person; what was planned is no longer what anybody has in mind. */
export const approvalLimit = 7 * day;

/** To be sent, from the approval on if it needed one: a daemon that comes back after days isn't to do what was meant then. */
export const queueLimit = day;

/** For a daemon that is away, to say what became of what it was sent. */
export const answerLimit = day;

/** For a sign of a job that a connected daemon doesn't know. */
export const searchLimit = 10 * minute;
