const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** A duration as kubectl shows ages: "45s", "5m30s", "3h", "2d3h", "2y10d". */
export function printHumanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 0) {
    return "0s";
  }
  if (seconds < 2 * minute) {
    return `${seconds}s`;
  }
  if (seconds < 10 * minute) {
    return twoUnits(seconds, minute, "m", 1, "s");
  }
  if (seconds < 3 * hour) {
    return `${Math.floor(seconds / minute)}m`;
  }
  if (seconds < 8 * hour) {
    return twoUnits(seconds, hour, "h", minute, "m");
  }
  if (seconds < 2 * day) {
    return `${Math.floor(seconds / hour)}h`;
  }
  if (seconds < 8 * day) {
    return twoUnits(seconds, day, "d", hour, "h");
  }
  if (seconds < 2 * year) {
    return `${Math.floor(seconds / day)}d`;
  }
  return seconds < 8 * year ? twoUnits(seconds, year, "y", day, "d") : `${Math.floor(seconds / year)}y`;
}

function twoUnits(seconds: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)}${bigName}${rest === 0 ? "" : `${rest}${smallName}`}`;
}
