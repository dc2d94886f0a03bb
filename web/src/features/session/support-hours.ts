import { dateFormat } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";

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
export function localSupportHours(options: { nowMs: number; language: Language; timeZone?: string }): LocalHours {
  const { language, timeZone } = options;
  const monday = nextMonday(options.nowMs);
  const friday = monday + 4 * dayMs;
  const opens = monday + supportHours.from * 3_600_000;
  const closes = monday + supportHours.to * 3_600_000;
  const weekday = dateFormat(language, "weekday", timeZone);
  const time = dateFormat(language, "clock", timeZone);
  const day = dateFormat(language, "long", timeZone);
  const [moment, inGmt] = [dateFormat(language, "moment", timeZone), dateFormat(language, "moment", "UTC")];
  // A minute before the end: hours that end at midnight end on the day on which they began.
  const overMidnight = day(opens) !== day(closes - 60_000);
  return {
    first: weekday(opens),
    last: weekday(friday + supportHours.from * 3_600_000),
    from: time(opens),
    to: time(closes),
    overMidnight,
    sameAsGmt: moment(opens) === inGmt(opens),
  };
}

/** The first moment of the next Monday in GMT. */
function nextMonday(nowMs: number): number {
  const today = nowMs - (nowMs % dayMs);
  const monday = 1;
  return today + ((monday - new Date(today).getUTCDay() + weekDays) % weekDays) * dayMs;
}
