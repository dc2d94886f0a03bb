/** Whole hours of the day in GMT (specification section 9). */
const supportHours = { from: 2, to: 10 } as const;

/** Support hours as clocks of a place show them, in words of a language. */
export interface LocalHours {
  /** Weekdays on which they begin, from the first to the last. */
  readonly first: string;
  readonly last: string;
  readonly from: string;
  readonly to: string;
  /** They end on the day after the one on which they begin. */
  readonly overMidnight: boolean;
  /** Clocks here show GMT. */
  readonly sameAsGmt: boolean;
}

const dayMs = 86_400_000;
const weekDays = 7;

/**
 * Monday to Friday 02:00 to 10:00 GMT as clocks in `timeZone` show them in the week after `nowMs`; east and west of
 * Greenwich they begin or end on another day (rule USER-70). `timeZone` undefined: where the browser is.
 */
export function localSupportHours(options: { nowMs: number; language: string; timeZone?: string }): LocalHours {
  const { language, timeZone } = options;
  const monday = nextMonday(options.nowMs);
  const friday = monday + 4 * dayMs;
  const opens = monday + supportHours.from * 3_600_000;
  const closes = monday + supportHours.to * 3_600_000;
  const format = (parts: Intl.DateTimeFormatOptions, zone = timeZone) =>
    new Intl.DateTimeFormat(language, { ...parts, calendar: "gregory", ...(zone !== undefined && { timeZone: zone }) });
  const weekday = format({ weekday: "long" });
  const time = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = format({ year: "numeric", month: "numeric", day: "numeric" });
  const [moment, inGmt] = [
    format({ dateStyle: "short", timeStyle: "short" }),
    format({ dateStyle: "short", timeStyle: "short" }, "UTC"),
  ];
  // A minute before the end: hours that end at midnight end on the day on which they began.
  const overMidnight = day.format(opens) !== day.format(closes - 60_000);
  return {
    first: weekday.format(opens),
    last: weekday.format(friday + supportHours.from * 3_600_000),
    from: time.format(opens),
    to: time.format(closes),
    overMidnight,
    sameAsGmt: moment.format(opens) === inGmt.format(opens),
  };
}

/** The first moment of the next Monday in GMT. */
function nextMonday(nowMs: number): number {
  const today = nowMs - (nowMs % dayMs);
  const monday = 1;
  return today + ((monday - new Date(today).getUTCDay() + weekDays) % weekDays) * dayMs;
}
