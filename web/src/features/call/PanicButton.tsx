import { ShieldAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { flee } from "./call.ts";
import styles from "./PanicButton.module.css";

/** The way out, in a place and a shape of its own; in the first call it says in words what it does (rule SAFE-226). */
export function PanicButton(): ReactNode {
  const t = useT();
  const [isNew] = useState(() => readStored("panicKnown") !== 1);
  useEffect(() => () => writeStored("panicKnown", 1), []);
  const label = t("panic.button");
  return (
    <button
      type="button"
      className={styles.panic}
      data-new={isNew || undefined}
      aria-label={label}
      title={label}
      aria-keyshortcuts="X"
      onClick={flee}
    >
      <ShieldAlert size={24} aria-hidden="true" />
      {isNew && <span>{label}</span>}
      <Kbd>X</Kbd>
    </button>
  );
}
