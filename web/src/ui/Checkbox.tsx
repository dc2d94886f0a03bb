import type { ReactNode } from "react";
import styles from "#ui/Checkbox.module.css";

/** A native checkbox with its label; the whole line can be pressed. */
export function Checkbox(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}): ReactNode {
  return (
    <label className={styles.line}>
      <input type="checkbox" checked={props.checked} onChange={(event) => props.onChange(event.target.checked)} />
      <span>{props.children}</span>
    </label>
  );
}
