import { localeOf } from '@settee/protocol/texts/fillText';

type Unit = 'second' | 'minute' | 'hour' | 'day';

const formats = new Map<string, Intl.NumberFormat>();

/** '5m'. A formatter is made once, because a long queue needs it for each row. */
export function unitFormat(unit: Unit, digits = 1): Intl.NumberFormat {
  const key = `${localeOf()} ${unit} ${digits}`;
  const options = { style: 'unit', unit, unitDisplay: 'narrow', minimumIntegerDigits: digits } as const;
  const format = formats.get(key) ?? new Intl.NumberFormat(localeOf(), options);
  formats.set(key, format);
  return format;
}

const SECOND_MS = 1_000;

/** At most two units: 45s, 2m 10s, 3h 5m, 1d 2h. */
export function formatDuration(ms: number, digits?: number): string {
  return durationParts(ms, digits)
    .map((parts) => parts.map(({ value }) => value).join(''))
    .join(' ');
}

/** Each unit, as number and name. `digits` is the least number of digits of the second unit. */
export function durationParts(ms: number, digits?: number): Intl.NumberFormatPart[][] {
  const [first, second] = unitsOf(Math.max(0, Math.round(ms / SECOND_MS)));
  const parts = [unitFormat(first.unit).formatToParts(first.value)];
  if (second) parts.push(unitFormat(second.unit, digits).formatToParts(second.value));
  return parts;
}

type Part = { unit: Unit; value: number };

function unitsOf(seconds: number): [Part] | [Part, Part] {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const two = (unit: Unit, value: number, smaller: Unit, rest: number): [Part, Part] => [
    { unit, value },
    { unit: smaller, value: rest },
  ];
  if (days > 0) return two('day', days, 'hour', hours % 24);
  if (hours > 0) return two('hour', hours, 'minute', minutes % 60);
  if (minutes > 0) return two('minute', minutes, 'second', seconds % 60);
  return [{ unit: 'second', value: seconds }];
}
