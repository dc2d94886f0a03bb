import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ignoreUnheardEvents, unheardEvents } from "./unheard-events.ts";

test("keeps events from React that nobody handles, and no others", async () => {
  ignoreUnheardEvents();
  const [onTimeUpdate, onMouseEnter, onPlay] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- nothing plays
  const screen = await render(<video {...{ onTimeUpdate, onMouseEnter, onPlay }} />);
  const video = () => screen.container.querySelector("video");
  await expect.poll(video).not.toBeNull();
  for (const type of ["timeupdate", "mouseover", "play"]) video()!.dispatchEvent(new Event(type, { bubbles: true }));
  expect([onTimeUpdate, onMouseEnter, onPlay].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
});

test("names only events that no part of the page handles", () => {
  const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}", "!../**/unheard-events.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  // React makes these two from `mouseover` and `mouseout`.
  const types = [...unheardEvents, "mouseenter", "mouseleave"];
  const names = types.map((type) => `\\b(?:on)?${type}(?:Capture)?\\b`).join("|");
  const handled = Object.entries(sources).filter(([, source]) => new RegExp(names, "i").test(source));
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(handled.map(([path]) => path)).toEqual([]);
});
