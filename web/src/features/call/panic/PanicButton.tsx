import { exitHoldMs } from "@fava/wire/limits.ts";
import { ShieldAlert } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { setExitConfirmOpen, useExitConfirmOpen } from "#features/call/screens/exit-confirm.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import styles from "./PanicButton.module.css";

/**
 * The emergency exit in the controls. Holding it for `exitHoldMs` leaves the call, blocks and reports. A press only
 * offers that as "Get out", so that a slip harms no friendly partner.
 */
export function PanicButton({ nickname }: { nickname: string }): ReactNode {
  const t = useT();
  const isOpen = useExitConfirmOpen();
  const place = useRef<HTMLDivElement>(null);
  const shield = useRef<HTMLButtonElement>(null);
  const { emergencyExit } = useCallRuntime();
  const { isHolding, ...hold } = useHold(emergencyExit);
  useEffect(() => () => setExitConfirmOpen(false), []);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setExitConfirmOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [isOpen]);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) shield.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const label = t("panic.button");
  return (
    <div ref={place} className={styles.place} data-exit={isOpen || undefined}>
      <button
        ref={shield}
        type="button"
        className={styles.shield}
        style={{ "--hold": `${exitHoldMs}ms` } as CSSProperties}
        data-holding={isHolding || undefined}
        aria-label={label}
        title={`${label}. ${t("panic.hold")}`}
        aria-expanded={isOpen}
        aria-keyshortcuts="X"
        onClick={() => setExitConfirmOpen(!isOpen)}
        // A finger that rests on it opens no browser menu.
        onContextMenu={(event) => event.preventDefault()}
        {...hold}
      >
        <svg className={styles.ring} aria-hidden="true">
          <rect rx="18" />
          <rect rx="18" />
        </svg>
        <ShieldAlert size={24} aria-hidden="true" />
        <span className={styles.word}>{t("panic.out")}</span>
        <Kbd>X</Kbd>
      </button>
      {isOpen && <GetOut nickname={nickname} />}
    </div>
  );
}

function GetOut({ nickname }: { nickname: string }): ReactNode {
  const t = useT();
  const { emergencyExit } = useCallRuntime();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  function pressed(event: KeyboardEvent): void {
    // The key that opened it, still held down, must not confirm it.
    if (event.repeat) event.preventDefault();
  }
  return (
    <button ref={button} type="button" className={styles.out} onKeyDown={pressed} onClick={emergencyExit}>
      <b>{t("panic.out")}</b>
      <small>{t("panic.outText", { name: isolate(nickname) })}</small>
    </button>
  );
}

/** Calls `act` once a pointer has stayed down for `exitHoldMs`. */
function useHold(act: () => void) {
  const [isHolding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  function begin({ button }: PointerEvent): void {
    if (button !== 0) return;
    setHolding(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(act, exitHoldMs);
  }
  function end(): void {
    clearTimeout(timer.current);
    setHolding(false);
  }
  return { isHolding, onPointerDown: begin, onPointerUp: end, onPointerLeave: end, onPointerCancel: end };
}
