/**
 * A script that stops a page's clock at this time, in milliseconds since the epoch, while timers keep running.
 * Playwright's clock replaces the timers too, and adds one more script to each new document for every test of the page.
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
