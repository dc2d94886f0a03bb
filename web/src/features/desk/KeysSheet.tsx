import type { ReactNode } from "react";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./KeysSheet.module.css";

type Group = readonly [title: Key, keys: readonly (readonly [key: string, text: Key])[]];

const reportGroups: readonly Group[] = [
  [
    "desk.keys.move",
    [
      ["J", "desk.keys.next"],
      ["K", "desk.keys.previous"],
      ["Enter", "desk.keys.claim"],
      ["S", "desk.keys.skip"],
    ],
  ],
  [
    "desk.keys.look",
    [
      ["␣", "desk.keys.show"],
      ["← →", "desk.keys.moment"],
      ["G", "desk.keys.grey"],
      ["T", "desk.keys.transcript"],
    ],
  ],
  [
    "desk.keys.decide",
    [
      ["A", "desk.keys.clear"],
      ["R", "desk.keys.reject"],
      ["W", "desk.keys.warn"],
      ["B", "desk.keys.forbid"],
    ],
  ],
  [
    "desk.keys.also",
    [
      ["L", "desk.keys.label"],
      ["N", "desk.keys.note"],
      ["U", "desk.keys.undo"],
      ["Ctrl K", "desk.keys.find"],
      ["?", "desk.keys.sheet"],
    ],
  ],
];

const pictureGroups: readonly Group[] = [
  [
    "desk.keys.move",
    [
      ["← → ↑ ↓", "desk.keys.picture"],
      ["V", "desk.keys.view"],
      ["␣", "desk.keys.show"],
      ["G", "desk.keys.grey"],
    ],
  ],
  [
    "desk.keys.decide",
    [
      ["A", "desk.keys.approve"],
      ["R", "desk.keys.rejectPicture"],
      ["U", "desk.keys.undo"],
      ["?", "desk.keys.sheet"],
    ],
  ],
];

/** Every key of the tab. */
export function KeysSheet({
  of = "reports",
  onClose,
}: {
  of?: "reports" | "pictures";
  onClose: () => void;
}): ReactNode {
  const t = useT();
  return (
    <Sheet title={t("desk.keys")} lead={t("desk.keys.lead")} widthPx={760} onClose={onClose}>
      <div className={styles.sheet}>
        {(of === "reports" ? reportGroups : pictureGroups).map(([title, keys]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key === "␣" ? t("desk.key.space") : key}</kbd>
                  </dt>
                  <dd>{t(text)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {/* On a phone the list scrolls, and what scrolls needs something that the keyboard can reach. */}
      <Button size="small" className={styles.close} onClick={onClose}>
        {t("common.close")}
      </Button>
    </Sheet>
  );
}
