import { useId, type ReactNode } from "react";
import styles from "#ui/Checkbox.module.css";

/** A native checkbox with its label; the whole line can be pressed. */
export function Checkbox(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Below the label; describes the checkbox without being part of its name. */
  hint?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  const hasHint = props.hint !== undefined;
  return (
    <label className={styles.line}>
      <input
        type="checkbox"
        checked={props.checked}
        aria-labelledby={hasHint ? id : undefined}
        aria-describedby={hasHint ? `${id}-hint` : undefined}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>
        <span id={id}>{props.children}</span>
        {hasHint && <span id={`${id}-hint`}>{props.hint}</span>}
      </span>
    </label>
  );
}
