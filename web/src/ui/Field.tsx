import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import { classNames } from "#ui/class-names.ts";
import styles from "#ui/Field.module.css";

/**
 * A label above what is filled in, and below it a hint, or what is wrong. The control among the children has the id `id`,
 * and is described by `${id}-hint` where there is a hint.
 */
export function Field(props: {
  id: string;
  label: ReactNode;
  /** At the other end of the label's line, such as how many letters there are. */
  remark?: ReactNode;
  hint?: ReactNode;
  /** The hint says what is wrong. */
  isWrong?: boolean;
  className?: string | undefined;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={classNames(styles.field, props.className)}>
      <span className={styles.label}>
        <label htmlFor={props.id}>{props.label}</label>
        {props.remark !== undefined && <small>{props.remark}</small>}
      </span>
      {props.children}
      {props.hint !== undefined && (
        <small id={`${props.id}-hint`} className={styles.hint} data-wrong={props.isWrong || undefined}>
          {props.hint}
        </small>
      )}
    </div>
  );
}

/** One line of text in a frame; `icon` stands before it, inside the frame. */
export function Input(
  props: InputHTMLAttributes<HTMLInputElement> & { icon?: ReactNode; ref?: Ref<HTMLInputElement> },
): ReactNode {
  const { icon, className, ...rest } = props;
  if (icon === undefined) return <input {...rest} className={classNames(styles.control, className)} />;
  return (
    <span className={classNames(styles.control, styles.box, className)}>
      {icon}
      <input {...rest} />
    </span>
  );
}

/** Several lines of text in a frame. */
export function TextArea(
  props: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> },
): ReactNode {
  return <textarea {...props} className={classNames(styles.control, styles.long, props.className)} />;
}
