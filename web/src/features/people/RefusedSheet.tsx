import type { ReactNode } from "react";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useSheetTheme } from "#lib/over-call.ts";
import { useRefusal } from "#lib/refusal.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";

const texts: Readonly<Partial<Record<string, Key>>> = {
  not_met: "refused.not_met",
  profile_incomplete: "refused.profile_incomplete",
  under_age: "refused.under_age",
  personal_data: "refused.personal_data",
  abusive_text: "refused.abusive_text",
  nickname_too_soon: "refused.nickname_too_soon",
  not_friends: "refused.not_friends",
  request_pending: "refused.request_pending",
  official: "refused.official",
  too_many: "refused.too_many",
  image_unreadable: "refused.image_unreadable",
  already_decided: "refused.already_decided",
  wrong_number: "refused.wrong_number",
  in_call: "refused.in_call",
};

/** Why the server has refused something; its own words where the reason has none here (rule PEOPLE-101). */
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
