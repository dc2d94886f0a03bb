import type { ReactNode } from "react";
import { refusalKeys } from "@fava/wire/refusals.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useSheetTheme } from "#lib/call-shown.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { useRefusal } from "./refusal.ts";

/** A newer server may have other reasons. */
const texts: Readonly<Partial<Record<string, Key>>> = refusalKeys;

/** Why the server rejected something; shows the server's own words for an unknown reason (rule PEOPLE-101). */
export function RefusedSheet(): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const { reason, message } = useRefusal();
  const key = texts[reason];
  const own = message === "" ? t("refused.other") : message;
  const close = () => closeOverlay("refused");
  return (
    <Sheet
      {...theme}
      alert
      title={t("refused.title")}
      lead={key ? t(key) : own}
      onClose={close}
      foot={
        <Button kind="ink" onClick={close}>
          {t("common.ok")}
        </Button>
      }
    />
  );
}
