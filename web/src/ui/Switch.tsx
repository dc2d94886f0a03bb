import { type ReactNode, useId } from "react";
import styles from "#ui/Switch.module.css";

/** A native checkbox as a switch, with its label before it; the whole line can be pressed. */
export function Switch(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** A sentence under the label. */
  hint?: string;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <label className={styles.line}>
      <span>
        <b id={id}>{props.children}</b>
        {props.hint !== undefined && <small id={`${id}-hint`}>{props.hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-labelledby={id}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        checked={props.checked}
        aria-checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
      />
    </label>
  );
}
