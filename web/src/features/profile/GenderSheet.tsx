import { Lock, Mars, Venus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Steps } from "#ui/Steps.tsx";
import { saveProfile } from "./save-profile.ts";
import styles from "./ProfileSheets.module.css";

/** The gender, asked once: nothing is preselected, and Next says why it does nothing until one is chosen (rule AGE-8). */
export function GenderSheet(): ReactNode {
  const t = useT();
  const [sex, setSex] = useState<"1" | "2" | null>(null);
  /** Next was pressed before anything was chosen. */
  const [asked, setAsked] = useState(false);
  const hintId = useId();
  async function next(): Promise<void> {
    if (sex === null) return setAsked(true);
    if ((await saveProfile({ sex }, t("gender.saving"))) === "saved") closeOverlay("gender", "done");
  }
  return (
    <Sheet
      widthPx={460}
      title={t("gender.title")}
      lead={t("gender.lead")}
      eyebrow={<Steps n={2} of={2} />}
      onClose={() => closeOverlay("gender")}
      foot={
        <Button kind="go" block aria-disabled={sex === null} aria-describedby={hintId} onClick={() => void next()}>
          {t("common.next")}
        </Button>
      }
    >
      <RadioCards
        legend={t("gender.label")}
        hideLegend
        layout="cards"
        options={[
          { value: "1", label: t("gender.male"), icon: <Mars size={30} aria-hidden="true" /> },
          { value: "2", label: t("gender.female"), icon: <Venus size={30} aria-hidden="true" /> },
        ]}
        value={sex}
        onChange={setSex}
      />
      <p id={hintId} className={styles.hint} role="status">
        {asked && sex === null ? t("gender.choose") : ""}
      </p>
      <Note icon={<Lock size={18} />} title={t("gender.once")}>
        {t("gender.onceText")}
      </Note>
    </Sheet>
  );
}
