const pattern =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-]([0-9]{2}):([0-9]{2}))| +([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?))?$/;

/** True for the dates and times that yaml.v2 recognizes as timestamps: existing days, in some of YAML 1.1's forms. */
export function isTimestamp(text: string): boolean {
  if (text.charCodeAt(4) !== 0x2d) {
    return false;
  }
  const match = pattern.exec(text);
  if (match === null) {
    return false;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  return (
    isDay(part(1), part(2), part(3)) &&
    part(4) < 24 &&
    part(9) < 24 &&
    [5, 6, 8, 10, 11].every((index) => part(index) < 60) &&
    part(7) <= 24
  );
}

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}
