import { type ReactNode, useId } from "react";
import styles from "#ui/QuickChoices.module.css";

export interface QuickChoice {
  readonly text: string;
  readonly hint: string;
  /** The accessible name, which says what a press does. */
  readonly label: string;
  readonly isOn: boolean;
  readonly onPick: () => void;
}

/** Values beside each other that are set by one press. */
export function QuickChoices({ title, choices }: { title: string; choices: readonly QuickChoice[] }): ReactNode {
  const id = useId();
  return (
    <div className={styles.choices} role="group" aria-labelledby={id}>
      <p id={id}>{title}</p>
      {choices.map(({ text, hint, label, isOn, onPick }) => (
        <button key={label} type="button" aria-pressed={isOn} aria-label={label} onClick={() => !isOn && onPick()}>
          <b>{text}</b>
          <small>{hint}</small>
        </button>
      ))}
    </div>
  );
}
