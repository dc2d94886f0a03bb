import type { ReactNode } from "react";
import { LogoMark } from "#ui/Logo.tsx";
import panelsStyles from "./Panels.module.css";

/** A slow ring around what the user waits for; static with reduced motion. */
export function Ring({ children }: { children: ReactNode }): ReactNode {
  return (
    <span className={panelsStyles.ring} aria-hidden="true">
      <i />
      <i />
      <i />
      <b>{children}</b>
    </span>
  );
}

/** The ring of a search: the bean in it looks around. */
export function LookingRing(): ReactNode {
  return (
    <Ring>
      <span className={panelsStyles.bean}>
        <LogoMark size={46} plain />
        <span>
          <i />
          <i />
        </span>
      </span>
    </Ring>
  );
}
