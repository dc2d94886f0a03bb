import { useLayoutEffect } from "react";
import { flushSync } from "react-dom";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { useShortcuts } from "#lib/use-shortcuts.ts";

interface ScreenProps {
  name: string;
  heard: (name: string) => void;
}

function Keys({ name, heard }: ScreenProps) {
  useShortcuts(() => {
    heard(name);
    return true;
  });
  return name;
}

/** A screen on which a key is pressed as soon as it is drawn. */
function Screen({ name, heard }: ScreenProps) {
  useLayoutEffect(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
  }, [name]);
  return <Keys name={name} heard={heard} />;
}

test("applies a key that is pressed as soon as a screen is drawn to that screen", async () => {
  const pressedOn: string[] = [];
  const heard = (name: string) => pressedOn.push(name);
  const { rerender } = await flushSync(() => render(<Screen name="list" heard={heard} />));
  await flushSync(() => rerender(<Screen name="picture" heard={heard} />));
  expect(pressedOn).toEqual(["list", "picture"]);
});
