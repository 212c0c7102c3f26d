/** A time in the zone of the machine, e.g. "2026-03-01 13:00:05 +0100". */
export function printTime(time: Date): string {
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date} ${printTimeOfDay(time)} ${printZone(-time.getTimezoneOffset())}`;
}

/** A time of day in the zone of the machine, e.g. "13:00:05". */
export function printTimeOfDay(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
}

/** E.g. "+0100"; takes the minutes ahead of UTC. */
function printZone(ahead: number): string {
  const minutes = Math.abs(ahead);
  return `${ahead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
