import { type ReactNode, useRef } from "react";
import { photoTypes } from "./photo-file.ts";

/** A button that opens the file dialog for one image. */
export function FileButton(props: {
  className: string;
  /** For buttons whose text does not say what is chosen. */
  label?: string;
  onFile: (file: File) => void;
  children: ReactNode;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={props.className} aria-label={props.label} onClick={() => input.current?.click()}>
        {props.children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={photoTypes}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Lets the user choose the same file again after a failure.
          event.target.value = "";
          if (file) props.onFile(file);
        }}
      />
    </>
  );
}
