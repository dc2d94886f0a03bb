/**
 * A script for a page before its own ones: its clock stands still at this time, milliseconds since the epoch, and what waits
 * goes on. Playwright's clock does the same with timers of its own, and has one script more in each new document for every
 * test that the page has had.
 */
export function stillClock(nowMs: number): { content: string } {
  return { content: `(${String(stopClock)})(${nowMs})` };
}

function stopClock(nowMs: number): void {
  Date.now = () => nowMs;
  window.Date = new Proxy(Date, {
    apply: (date) => new date(nowMs).toString(),
    construct: (date, parts, made) => Reflect.construct(date, parts.length > 0 ? parts : [nowMs], made) as Date,
  });
}
