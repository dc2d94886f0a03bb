import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { waitingSheetId } from "#lib/shell.ts";
import { iconButtonClass } from "#ui/IconButton.tsx";
import { Logo } from "#ui/Logo.tsx";
import { ProgressLine } from "#ui/ProgressLine.tsx";

/**
 * The beginning of the sign-in dialog: part of the prerendered home screen, outside of its React root. `early.ts` opens
 * it at a press on Start, and the dialog takes its place once it is loaded (`Sheet.tsx`).
 */
export function WaitingSheet(): ReactNode {
  const t = useT();
  return (
    <dialog id={waitingSheetId} aria-labelledby="waiting-title">
      <Logo />
      <h2 id="waiting-title">{t("login.tagline")}</h2>
      <ProgressLine />
      <form method="dialog">
        <button type="submit" className={iconButtonClass("plain")} aria-label={t("common.close")}>
          <X size={22} aria-hidden="true" />
        </button>
      </form>
    </dialog>
  );
}
