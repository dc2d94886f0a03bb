import { useEffect, useRef } from "react";
import { hasOpenLayer } from "#lib/layers.ts";
import { type DeskKey, deskKeyOf, keyPlace } from "./desk-keys.ts";

/**
 * Hears the desk's keys while no dialog or menu lies over it. `pressed` answers whether the key meant something, so that
 * the browser leaves it alone then.
 */
export function useDeskKeys(pressed: (key: DeskKey) => boolean): void {
  useKeys(pressed, () => !hasOpenLayer());
}

/** The same inside of a dialog, which owns the keys while it is open. */
export function useDialogKeys(pressed: (key: DeskKey) => boolean): void {
  useKeys(pressed, () => true);
}

function useKeys(pressed: (key: DeskKey) => boolean, mayAct: () => boolean): void {
  const latest = useRef({ pressed, mayAct });
  useEffect(() => {
    latest.current = { pressed, mayAct };
  });
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (!latest.current.mayAct()) return;
      const key = deskKeyOf(event, keyPlace(document.activeElement));
      if (key !== null && latest.current.pressed(key)) event.preventDefault();
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, []);
}
