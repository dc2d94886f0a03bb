import { Check, Lock, Mars, Venus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { refreshUser, replaceUser, useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Steps } from "#ui/Steps.tsx";
import styles from "./ProfileSheets.module.css";

const choices = [
  { sex: 1, label: "gender.male", Icon: Mars },
  { sex: 2, label: "gender.female", Icon: Venus },
] as const;

/** The gender, asked once: nothing is preselected, and Next says why it does nothing until one is chosen (rule AGE-8). */
export function GenderSheet({ open }: { open: boolean }): ReactNode {
  const t = useT();
  const user = useUser();
  const [sex, setSex] = useState<1 | 2 | null>(null);
  const [state, setState] = useState<"choosing" | "asked" | "saving">("choosing");
  const hintId = useId();
  async function next(): Promise<void> {
    if (sex === null) return setState("asked");
    if (!user) return undefined;
    setState("saving");
    try {
      replaceUser(await call(userUpdate, { user_id: user.user_id, sex }));
      closeOverlay("gender", "done");
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code !== codes.forbidden || error.reason !== "already_set") return;
      // Another page of the same account was faster: its answer counts.
      await refreshUser();
      closeOverlay("gender", "done");
    } finally {
      setState("choosing");
    }
  }
  return (
    <Sheet
      open={open}
      widthPx={460}
      title={t("gender.title")}
      lead={t("gender.lead")}
      eyebrow={<Steps n={2} of={2} />}
      onClose={() => closeOverlay("gender")}
      foot={
        <Button
          kind="go"
          block
          loading={state === "saving"}
          aria-disabled={sex === null}
          aria-describedby={hintId}
          onClick={() => void next()}
        >
          {t("common.next")}
        </Button>
      }
    >
      <fieldset className={styles.cards}>
        <legend className="visually-hidden">{t("gender.label")}</legend>
        {choices.map(({ sex: value, label, Icon }) => (
          <label key={value} className={styles.card} data-on={sex === value || undefined}>
            <input type="radio" name="sex" value={value} checked={sex === value} onChange={() => setSex(value)} />
            <Icon size={30} aria-hidden="true" />
            <span>{t(label)}</span>
            <i className={styles.tick} aria-hidden="true">
              {sex === value && <Check size={16} strokeWidth={3} />}
            </i>
          </label>
        ))}
      </fieldset>
      <p id={hintId} className={styles.hint} role="status">
        {state === "asked" && sex === null ? t("gender.choose") : ""}
      </p>
      <Note icon={<Lock size={18} />} title={t("gender.once")}>
        {t("gender.onceText")}
      </Note>
    </Sheet>
  );
}
